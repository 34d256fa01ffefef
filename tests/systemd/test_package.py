"""The Debian package, as far as it can be looked at without installing it; `make pi-test` installs it."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APT_NAMES = {"opencv-python-headless": "opencv", "markdown-it-py": "markdown-it"}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    places = {"OUT": str(folder), "BUILD": str(folder / "build"), "PYTHON": sys.executable}
    done = subprocess.run(
        [ROOT / "systemd/deb/build"], env={**os.environ, **places}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("table-companion_*_all.deb"))


def deb(*arguments):
    return subprocess.run(["dpkg-deb", *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def test_every_library_of_the_project_is_asked_of_apt(package):
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    asked = dict(re.findall(r"python3-([\w-]+) \(>= (?:\d+:)?([\d.]+)\)", deb("-f", package, "Depends")))
    for requirement in wanted:
        name, least = re.match(r"([\w-]+)>=([\d.]+)", requirement).groups()
        there = asked.pop(APT_NAMES.get(name, name))
        assert there == least, requirement
    assert asked == {}, "asked for without need"


def test_what_debian_lacks_is_only_recommended(package):
    assert {"python3-picamera2", "python3-lgpio"} <= set(re.split(r",\s*", deb("-f", package, "Recommends").strip()))


def test_it_fits_every_machine_and_holds_what_the_page_needs(package):
    assert deb("-f", package, "Architecture").strip() == "all"
    files = {line.split(maxsplit=5)[5].removeprefix(".") for line in deb("-c", package).splitlines()}
    lib = "/usr/lib/companion"
    for wanted in (
        "/usr/bin/companion",
        "/usr/lib/systemd/system/companion.service",
        "/usr/lib/systemd/system/companion-name.service",
        "/usr/lib/systemd/system/companion-shutdown.path",
        f"{lib}/web/static/buttons.js",
        "/usr/lib/sysusers.d/companion.conf",
        "/etc/avahi/services/companion.service",
        f"{lib}/web/static/table.js",
        f"{lib}/web/templates/board.html",
        f"{lib}/web/rules/venecitas.md",
    ):
        assert wanted in files
    assert not [name for name in files if name.startswith(f"{lib}/tests") or "__pycache__" in name]
