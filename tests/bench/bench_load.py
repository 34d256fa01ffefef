"""100 open pages and 20 commands a second for a minute, on loopback, against the real program.

As many pages as the program lets hold a stream; the others ask every 2 s. A board is late when a page shows it
more than 300 ms after the command was sent (a page that asks: after it asked). Prints the figures; exit status 1
when one is missed. Run it from the project: ``PYTHONPATH=.:tests/support python tests/bench/bench_load.py``.
"""

import argparse
import re
import secrets
import selectors
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

from program import Phone, Program

PAGES, STREAMS, COMMANDS_PER_S, POLL_S = 100, 48, 20, 2.0
LATE_S, SHARE_IN_TIME, MOST_MEMORY_MB = 0.3, 0.99, 200
BOARD = re.compile(rb"id: (\d+)\nevent: board")


class StreamPages(threading.Thread):
    """Pages with a stream: notes when each one is told of which board."""

    def __init__(self, phones):
        super().__init__(daemon=True)
        self.selector, self.seen, self.refused = selectors.DefaultSelector(), [], 0
        self.newest, self.done = {}, False
        for number, phone in enumerate(phones):
            sock = socket.create_connection(("127.0.0.1", phone.port))
            sock.sendall(
                f"GET /live?tab=t HTTP/1.1\r\nHost: localhost:{phone.port}\r\nCookie: {phone.cookie}\r\n\r\n".encode()
            )
            head = sock.recv(4096)
            self.refused += b" 200 " not in head.split(b"\r\n", 1)[0]
            sock.setblocking(False)
            self.selector.register(sock, selectors.EVENT_READ, [number, b""])
            self.newest[number] = 0

    def run(self):
        while not self.done:
            for key, _ in self.selector.select(0.5):
                number, rest = key.data
                try:
                    came = key.fileobj.recv(1 << 16)
                except BlockingIOError:
                    continue
                now = time.monotonic()
                for found in BOARD.finditer(rest + came):
                    self.newest[number] = int(found[1])
                    self.seen.append((number, int(found[1]), now))
                key.data[1] = came[-32:] if not BOARD.search(came[-32:]) else b""


class AskingPages(threading.Thread):
    """Pages without a stream: each asks every 2 s; notes how long the answer took and which board came."""

    def __init__(self, phones):
        super().__init__(daemon=True)
        self.due = [(time.monotonic() + POLL_S * n / len(phones), phone, [""]) for n, phone in enumerate(phones)]
        self.took, self.newest, self.done, self.acknowledged, self.stale = [], {}, False, 0, 0

    def run(self):
        while not self.done:
            at, phone, tick = self.due.pop(0)
            time.sleep(max(0, at - time.monotonic()))
            owed, start = self.acknowledged, time.monotonic()
            try:
                status, html = phone.request("GET", f"/board?tick={tick[0]}")
            except OSError:
                if self.done:
                    return
                raise
            self.took.append(time.monotonic() - start)
            if status == 200:
                tick[0] = re.search(r'data-tick="(\d+)"', html)[1]
                self.newest[phone] = int(re.search(r'data-seq="(\d+)"', html)[1])
            self.stale += self.newest[phone] < owed
            self.due.append((at + POLL_S, phone, tick))


def play(host, seconds, asking):
    """Send commands at a steady pace; returns when each was sent, by its sequence number."""
    sent, seq, begin = {}, host.seq, time.monotonic()
    for number in range(int(seconds * COMMANDS_PER_S)):
        time.sleep(max(0, begin + number / COMMANDS_PER_S - time.monotonic()))
        body = [
            {"verb": "next", "data": {}},
            {"verb": "roll", "data": {"top": "Y", "facing": "R"}, "outcome": True},
            {"verb": "correct", "data": {"top": "B", "facing": "V"}},
            {"act": "undo"},
            {"act": "undo"},
            {"act": "undo"},
        ][number % 6]
        start = time.monotonic()
        status, answer = host.do(secrets.token_hex(8), seen=seq, **body)
        assert status == 200, answer
        seq = answer["seq"]
        sent[seq] = start
        asking.acknowledged = seq
    return sent, time.monotonic() - begin


def latencies(sent, seen, pages):
    """For every command and page: how long until the page was told of this board or a newer one."""
    told = {number: [] for number in range(pages)}
    for number, seq, at in seen:
        told[number].append((seq, at))
    waits = []
    for boards in told.values():
        boards.sort()
        place = 0
        for seq, start in sent.items():
            while place < len(boards) and boards[place][0] < seq:
                place += 1
            waits.append(boards[place][1] - start if place < len(boards) else float("inf"))
    return sorted(waits)


def memory_mb(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=60)
    seconds = arguments.parse_args().seconds
    settings = f'camera = "none"\nstreams = {STREAMS}\n'
    with tempfile.TemporaryDirectory() as folder, Program(folder, settings=settings) as program:
        host = Phone(program).be_host(program)
        host.new_venecitas("SWNE", **{f"name-{seat}": f"Player {seat}" for seat in "SWNE"})
        host.do(secrets.token_hex(8), seen=host.seq, verb="start_with", data={"who": "S"})
        phones = [Phone(program) for _ in range(PAGES)]
        for phone in phones:
            phone.request("GET", f"/join/{program.installation['code']}")
        for phone, seat in zip(phones, "SWNE", strict=False):
            phone.form("/sit", seat=seat)
        streams, asking = StreamPages(phones[:STREAMS]), AskingPages(phones[STREAMS:])
        assert streams.refused == 0, f"{streams.refused} streams were refused"
        at_rest = memory_mb(program.process.pid)
        streams.start()
        asking.start()
        sent, took = play(host, seconds, asking)
        time.sleep(POLL_S + 1)
        streams.done = asking.done = True
        memory = memory_mb(program.process.pid)
        asking.join(POLL_S)
        last = max(sent)
        behind = sum(seq != last for seq in (*streams.newest.values(), *asking.newest.values()))
        waits = latencies(sent, streams.seen, STREAMS)
        everything = sorted([*waits, *asking.took])
        in_time = sum(wait <= LATE_S for wait in everything) / len(everything)
        print(f"{PAGES} pages: {STREAMS} streams, {PAGES - STREAMS} asking; {len(sent)} commands in {took:.1f} s")
        for name, values in (("streams", waits), ("asking", sorted(asking.took))):
            half, most = values[len(values) // 2], values[int(len(values) * 0.99)]
            print(f"{name}: median {half * 1000:.0f} ms, 99 % {most * 1000:.0f} ms, worst {values[-1] * 1000:.0f} ms")
        print(f"in time ({LATE_S * 1000:.0f} ms): {in_time:.2%}   behind at the end: {behind}   stale: {asking.stale}")
        print(f"most resident memory: {memory:.0f} MB, with all streams open and nothing played {at_rest:.0f} MB")
        kept = behind == 0 and asking.stale == 0 and len(sent) == int(seconds * COMMANDS_PER_S)
        return 0 if kept and in_time >= SHARE_IN_TIME and memory < MOST_MEMORY_MB else 1


if __name__ == "__main__":
    sys.exit(main())
