"""Opens the camera that the settings name, set as it was when the table was set up."""

import json
import logging
from dataclasses import asdict
from pathlib import Path

from companion.config import Settings
from companion.files import replace_whole
from hardware.camera import Camera, CameraError, Stills, UsbCamera, VideoFile
from hardware.mounting import Adjustment, Exposure, Upright
from hardware.picamera import PiCamera

_log = logging.getLogger(__name__)


def open_camera(settings: Settings, folder: Path) -> Camera:
    """Open the camera that the settings name.

    Args:
        settings: which, and how it hangs.
        folder: the installation's; ``camera.json`` there keeps the exposure. Without it exposure is frozen afresh.

    Raises:
        CameraError: there is none, or it can't be opened; the line says what to do.
    """
    hung = Adjustment(**settings.mounting)
    match settings.camera:
        case "none":
            raise CameraError('no camera is wanted (camera = "none" in the settings): tap what you see')
        case "picamera":
            return _open_picamera(settings, folder)
        case "usb":
            return Upright(UsbCamera(), hung)
        case "auto":
            try:
                return _open_picamera(settings, folder)
            except CameraError as error:
                try:
                    return Upright(UsbCamera(), hung)
                except CameraError as usb:
                    raise CameraError(f"no camera: {error}; {usb}. Tap what you see") from usb
    path = Path(settings.camera)
    if path.is_dir():
        return Upright(Stills(path, repeat=True), hung)
    if path.is_file():
        return Upright(VideoFile(path, repeat=True), hung)
    raise CameraError(
        f"got camera = {settings.camera!r}, but expected auto, picamera, usb, none, or a file or folder that exists"
    )


def _open_picamera(settings: Settings, folder: Path) -> Camera:
    file = folder / "camera.json"
    adjustment = Adjustment(**settings.mounting, exposure=load_exposure(file))
    return PiCamera(adjustment=adjustment, on_frozen=lambda exposure: keep_exposure(file, exposure))


def load_exposure(file: Path) -> Exposure | None:
    """Read the exposure that was frozen; None when there is none that can be used."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        red, blue = kept["colour_gains"]
        return Exposure(int(kept["time_us"]), float(kept["gain"]), (float(red), float(blue)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("%s can't be used (%s): exposure settles afresh", file, error)
        return None


def keep_exposure(file: Path, exposure: Exposure) -> None:
    """Write down what was frozen, unless it is there already; a disk that can't be written is no reason to stop."""
    if load_exposure(file) == exposure:
        return
    try:
        replace_whole(file, json.dumps(asdict(exposure)))
    except OSError as error:
        _log.warning("%s can't be written (%s): exposure settles afresh at the next start", file, error.strerror)
