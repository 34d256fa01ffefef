import pytest

from companion.cli.settings_file import write_pin
from companion.config import load_settings
from companion.errors import BadInput, StorageError

WRITTEN = """# Our table, under the stairs.
port = 8080

[pins]  # soldered by Ana
next = 4   # the big one
buzzer = false
"""


def test_one_pin_is_changed_and_all_that_a_person_wrote_stays(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text(WRITTEN)
    write_pin(tmp_path, "next", 23)
    assert file.read_text() == WRITTEN.replace("next = 4 ", "next = 23 ")
    assert load_settings(tmp_path).pins["next"] == 23


def test_a_pin_is_added_where_there_was_none(tmp_path):
    (tmp_path / "settings.toml").write_text("port = 8080\n")
    write_pin(tmp_path, "undo", 6)
    settings = load_settings(tmp_path)
    assert (settings.port, settings.pins["undo"]) == (8080, 6)


def test_without_a_file_one_is_written(tmp_path):
    write_pin(tmp_path / "new", "read", 26)
    assert load_settings(tmp_path / "new").pins["read"] == 26


@pytest.mark.parametrize("text", ["port = ", "pins = 3\n", "nonsense = 1\n"])
def test_a_file_that_cannot_be_understood_stays_as_it_is(tmp_path, text):
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(BadInput, match=r"settings\.toml"):
        write_pin(tmp_path, "next", 23)
    assert file.read_text() == text
    assert list(tmp_path.iterdir()) == [file]


def test_a_disk_that_cannot_be_written_keeps_the_old_file_whole(tmp_path, monkeypatch):
    file = tmp_path / "settings.toml"
    file.write_text(WRITTEN)

    def full(_file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StorageError, match="No space left"):
        write_pin(tmp_path, "next", 23)
    assert file.read_text() == WRITTEN


def test_what_is_on_no_pin_is_false_in_the_file(tmp_path):
    (tmp_path / "settings.toml").write_text("[pins]\nundo = false\nled_red = 20\n")
    pins = load_settings(tmp_path).pins
    assert "undo" not in pins
    assert pins["led_red"] == 20


@pytest.mark.parametrize("value", ["true", "28", "-1", '"17"', "1.5"])
def test_what_is_no_pin_is_refused(tmp_path, value):
    (tmp_path / "settings.toml").write_text(f"[pins]\nundo = {value}\n")
    with pytest.raises(BadInput, match="pins"):
        load_settings(tmp_path)
