"""Changes ``settings.toml`` for a person: one value, and everything else in it stays as that person wrote it."""

from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from companion.config import parse_settings
from companion.errors import BadInput, StorageError
from companion.files import replace_whole


def write_pin(folder: Path, name: str, pin: int) -> None:
    """Write down which pin something is on; the file is whole at any moment.

    Args:
        folder: the installation's.
        name: as in the settings' ``[pins]``, such as ``next``.
        pin: BCM number.

    Raises:
        BadInput: the file can't be understood; it stays as it is.
        StorageError: it can't be written; it stays as it is.
    """
    file = folder / "settings.toml"
    try:
        written = file.read_text(encoding="utf-8") if file.exists() else ""
        settings = tomlkit.parse(written)
        settings.setdefault("pins", tomlkit.table())[name] = pin
        changed = tomlkit.dumps(settings)
    except (OSError, UnicodeDecodeError, TOMLKitError, TypeError) as error:
        raise BadInput(f"{file} can't be changed ({error}): mend it by hand") from error
    if parse_settings(changed, file).pins.get(name) != pin:
        raise BadInput(f"{file} can't be changed: write `{name} = {pin}` under [pins] by hand")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_whole(file, changed, 0o640)
    except OSError as error:
        raise StorageError(f"{file} can't be written: {error.strerror}") from error
