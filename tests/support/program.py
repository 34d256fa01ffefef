"""The real program in a process of its own, and a phone that talks HTTP to it."""

import http.client
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).parents[2]


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


class Program:
    """`companion run` or `companion demo` on a scratch folder."""

    def __init__(self, folder, command="run", settings='camera = "none"\n'):
        self.folder, self.command = Path(folder), command
        self.folder.mkdir(parents=True, exist_ok=True)
        if settings:
            (self.folder / "settings.toml").write_text(settings)
        self.port = free_port()
        self.process = None

    @property
    def url(self):
        return f"http://localhost:{self.port}"

    @property
    def installation(self):
        return json.loads((self.folder / "installation.json").read_text())

    def start(self, wait_s=30):
        arguments = [sys.executable, "-m", "companion", self.command, "--data", self.folder, "--port", str(self.port)]
        self.log = open(self.folder / "log.txt", "ab")  # noqa: SIM115 - closed when the program ends
        self.process = subprocess.Popen(
            arguments, cwd=ROOT, stdout=self.log, stderr=self.log, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        deadline = time.monotonic() + wait_s
        while time.monotonic() < deadline:
            assert self.process.poll() is None, f"the program ended: {self.output()}"
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                    return self
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"the program didn't answer within {wait_s} s: {self.output()}")

    def output(self):
        return (self.folder / "log.txt").read_text(errors="replace")

    def kill(self):
        self.end(signal.SIGKILL)

    def end(self, number=signal.SIGTERM):
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(timeout=20)
            self.log.close()
            self.process = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.end()


class Phone:
    """A browser without a screen: keeps cookies, follows nothing."""

    def __init__(self, program):
        self.port, self.url = program.port, program.url
        self.cookie = ""

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("localhost", self.port, timeout=10)
        try:
            everything = {"Cookie": self.cookie, "Origin": self.url, **(headers or {})}
            connection.request(method, path, body, everything)
            answer = connection.getresponse()
            for value in answer.headers.get_all("Set-Cookie") or []:
                self.cookie = value.split(";")[0]
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def form(self, path, **fields):
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.request("POST", path, urllib.parse.urlencode(fields), kind)

    def be_host(self, program):
        status, text = self.form("/host", pin=program.installation["pin"])
        assert status == 303, text
        return self

    def new_venecitas(self, seats="SN", **fields):
        chosen = {f"seat-{seat}": "1" for seat in seats}
        status, text = self.form("/host/new", game="venecitas", command=secrets.token_hex(8), **chosen, **fields)
        assert status == 303, text

    def do(self, command, **body):
        kind = {"Content-Type": "application/json", "Accept": "application/json"}
        status, text = self.request("POST", "/do", json.dumps({"id": command, **body}), kind)
        return status, json.loads(text)

    @property
    def seq(self):
        status, html = self.request("GET", "/board")
        assert status == 200, html
        return int(re.search(r'data-seq="(\d+)"', html)[1])
