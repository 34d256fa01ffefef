"""The unit files as systemd's own tools see them."""

import configparser
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.config import Settings

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = sorted(path.name for path in SYSTEMD.glob("companion*.*") if path.suffix in {".service", ".path"})
SERVICES = [name for name in UNITS if name.endswith(".service")]
MOST_EXPOSED = 2.0


def analyze(*arguments):
    done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def unit(name):
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    parser.optionxform = str
    parser.read(SYSTEMD / name)
    return parser


@pytest.fixture
def installed(tmp_path):
    """The units beside one another; their program stands where they expect it."""
    program = tmp_path / "companion"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for name in UNITS:
        text = (SYSTEMD / name).read_text()
        (tmp_path / name).write_text(text.replace("/usr/bin/companion ", f"{program} "))
    return tmp_path


def test_there_are_the_units_that_the_package_installs():
    assert {"companion.service", "companion-shutdown.service", "companion-shutdown.path"} <= set(UNITS)


@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_nothing_wrong_with_the_unit(installed, name):
    status, said = analyze("verify", "--man=no", str(installed / name))
    assert (status, said) == (0, "")


def test_systemd_would_find_a_program_that_is_not_there(installed):
    (installed / "companion").unlink()
    status, said = analyze("verify", "--man=no", str(installed / "companion.service"))
    assert status != 0
    assert "companion" in said


@pytest.mark.parametrize("name", SERVICES)
def test_the_service_is_hardly_exposed(name):
    status, said = analyze("security", "--offline=yes", f"--threshold={MOST_EXPOSED * 10:.0f}", str(SYSTEMD / name))
    assert status == 0, said


def test_the_service_may_use_pins_and_camera_and_is_never_given_up():
    service = unit("companion.service")
    assert service["Unit"]["StartLimitIntervalSec"] == "0"
    assert service["Service"]["Restart"] == "on-failure"
    text = (SYSTEMD / "companion.service").read_text()
    for device in ("gpiochip", "video4linux", "media", "dma_heap"):
        assert f"DeviceAllow=char-{device} rw" in text
    assert set(service["Service"]["SupplementaryGroups"].split()) == {"gpio", "video", "render"}


def test_the_announced_port_is_the_one_that_is_served():
    services = ElementTree.parse(SYSTEMD / "companion.avahi").getroot()
    assert services.findtext("service/port") == str(Settings().port)
