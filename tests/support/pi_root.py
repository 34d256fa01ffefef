"""A Debian root of its own for a test: real apt, real systemd, nothing kept."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from program import Phone, free_port

ROOT = Path(__file__).parents[2]


PATIENCE = 4
"""A slow and busy machine may take so many times as long; nothing but stopping is timed here."""


def wait_until(is_so, seconds, what):
    deadline = time.monotonic() + PATIENCE * seconds
    while not is_so():
        assert time.monotonic() < deadline, f"{what} didn't happen within {PATIENCE * seconds} s"
        time.sleep(0.2)


class Pi:
    """A root that can be booted: changes lie in an overlay, which goes with it.

    Attributes:
        path: the root's files, as seen from outside.
        feed: a folder that is /virtual-camera inside.
        port: of the page; the network is this machine's.
    """

    def __init__(self, base):
        self.scratch = Path(tempfile.mkdtemp(prefix="pi-"))
        self.path, self.feed = self.scratch / "root", self.scratch / "feed"
        for name in ("root", "feed", "up", "work"):
            (self.scratch / name).mkdir()
        layers = f"lowerdir={base},upperdir={self.scratch}/up,workdir={self.scratch}/work"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, self.path], check=True)
        self.port, self.nspawn, self.leader = free_port(), None, None
        self.name, self.folder = "pi", self.path / "var/lib/companion"

    # What a Program is for a Phone.

    @property
    def url(self):
        return f"http://localhost:{self.port}"

    @property
    def installation(self):
        return json.loads((self.folder / "installation.json").read_text())

    def phone(self):
        return Phone(self).be_host(self)

    # Switching on and off.

    def boot(self):
        script = (
            "mount -t cgroup2 none /sys/fs/cgroup; export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1; "
            f"exec systemd-nspawn -q -D {self.path} --register=no --keep-unit --bind={self.feed}:/virtual-camera "
            "-b systemd.unit=multi-user.target"
        )
        command = ["unshare", "-m", "bash", "-c", script]
        with (self.scratch / "console").open("wb") as console:
            self.nspawn = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=console, stderr=console)
        wait_until(self._has_leader, 20, "the container's first process")
        wait_until(
            lambda: "running" in (s := self.system("is-system-running", check=False)) or "degraded" in s, 60, "booting"
        )

    def _has_leader(self):
        children = Path(f"/proc/{self.nspawn.pid}/task/{self.nspawn.pid}/children").read_text().split()
        for child in children:
            status = Path(f"/proc/{child}/status").read_text()
            if next(line for line in status.splitlines() if line.startswith("NSpid")).split()[-1] == "1":
                self.leader = int(child)
        return self.leader is not None

    def off(self):
        if self.leader is not None:
            os.kill(self.leader, signal.SIGKILL)
            self.nspawn.wait(timeout=20)
        subprocess.run(["umount", "-l", self.path], check=True)
        shutil.rmtree(self.scratch, ignore_errors=True)

    # What can be done inside.

    def run(self, *command, check=True):
        enter = ["nsenter", "-t", str(self.leader), "-m", "-u", "-i", "-p", "-r", "-w"]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            [*enter, *map(str, command)], capture_output=True, text=True, timeout=300 * PATIENCE, env=environment
        )
        assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def system(self, *words, check=True):
        return self.run("systemctl", *words, check=check).strip()

    def shown(self, name):
        return self.system("show", "-P", name, "companion.service")

    @property
    def pid(self):
        return int(self.shown("MainPID"))

    def apt(self, *words):
        return self.run("apt-get", "-y", "-q", "--no-install-recommends", *words)

    def install(self, package):
        shutil.copy(package, self.path / "srv")
        return self.apt("install", f"/srv/{package.name}")
