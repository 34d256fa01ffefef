import os

from hardware.busy import users_of, who_has


def test_a_program_that_holds_a_device_is_named(tmp_path):
    device = tmp_path / "video0"
    device.touch()
    with device.open():
        assert any(user.endswith(f"({os.getpid()})") for user in users_of(str(tmp_path / "video")))
        assert "has it" in who_has(str(tmp_path / "video"))


def test_without_a_user_it_is_said_how_to_find_out(tmp_path):
    assert users_of(str(tmp_path)) == []
    assert "fuser" in who_has("/dev/media")


def test_processes_that_may_not_be_looked_at_are_passed_over(tmp_path):
    (tmp_path / "12").mkdir()
    assert users_of("/dev/video", proc=tmp_path) == []
