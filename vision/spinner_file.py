"""The spinner's files: FRAMES.json, which names what a person sets up with, and SETUP.json, what was learnt."""

import base64
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInput
from companion.files import read_json_object, write_whole
from vision.arrow import ArrowLook, Shadow
from vision.card import Card, place_card, read_card
from vision.card_search import CardLook
from vision.frames import Frame, load_frame
from vision.plane import Plane, read_intrinsics
from vision.polar import DIRECTIONS, RINGS
from vision.spinner import SpinnerSetup, learn_spinner

_THING, _VERSION = "spinner", 1


def calibrate_spinner(path: str | os.PathLike[str]) -> SpinnerSetup:
    """Learn a card and its arrows from the pictures that a FRAMES.json names.

    Args:
        path: of the FRAMES.json; pictures are relative to it.

    Raises:
        BadInput: a value or a picture is missing, or is not what it should be.
    """

    def open_picture(image: object) -> Frame:
        if not isinstance(image, str):
            raise BadInput(f"image is {image!r}; expected the name of a picture")
        return load_frame(Path(path).parent / image)

    return learn_card(read_json_object(Path(path)), open_picture)


def learn_card(values: Mapping[str, Any], open_picture: Callable[[Any], Frame]) -> SpinnerSetup:
    """Learn a card and its arrows from what a person set up with.

    Args:
        values: as in a FRAMES.json.
        open_picture: gives the picture, BGR, uint8, shape (H, W, 3), for what ``image`` says.

    Raises:
        BadInput: a value or a picture is missing, or is not what it should be.
    """
    card, plane = _read_place(values)
    shown = values.get("shown")
    if not isinstance(shown, list) or not shown:
        raise BadInput(f"shown is {shown!r}; expected a list of pictures with the arrows' angles")
    pictures = []
    for index, one in enumerate(shown):
        if not isinstance(one, Mapping) or "image" not in one:
            raise BadInput(f"shown[{index}] is {one!r}; expected an object with image and angles_deg")
        angles = one.get("angles_deg")
        if not isinstance(angles, list) or not all(_is_number(angle) for angle in angles):
            raise BadInput(f"shown[{index}] angles_deg is {angles!r}; expected degrees, one for each dial")
        pictures.append((open_picture(one["image"]), angles))
    return learn_spinner(card, plane, pictures)


def save_spinner(setup: SpinnerSetup, path: str | os.PathLike[str]) -> None:
    """Write a SETUP.json; an older one is replaced only when the new one is whole."""
    write_whole(Path(path), json.dumps(_as_values(setup), indent=1) + "\n")


def load_spinner(path: str | os.PathLike[str]) -> SpinnerSetup:
    """Read a SETUP.json that `save_spinner` wrote.

    Raises:
        BadInput: the file is missing, damaged or of another thing.
    """
    values = read_json_object(Path(path))
    name = Path(path).name
    if values.get("thing") != _THING or values.get("version") != _VERSION:
        raise BadInput(
            f"{name} is for {values.get('thing')!r}, version {values.get('version')!r}; expected {_THING!r}, version "
            f"{_VERSION}: calibrate the spinner again"
        )
    try:
        camera = values["camera"]
        plane = Plane(
            (int(camera["width"]), int(camera["height"])),
            read_intrinsics(camera),
            _floats(camera["rotation"], (3, 3)),
            _floats(camera["shift_mm"], (3,)),
        )
        card = read_card(values)
        arrows = tuple(_read_arrow(arrow) for arrow in values["arrows"])
        picture = _unpack(values["picture"], cv2.IMREAD_COLOR)
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{name} is damaged ({error}); calibrate the spinner again") from error
    if len(arrows) != len(card.dials):
        raise BadInput(f"{name} has {len(arrows)} arrows for {len(card.dials)} dials; calibrate the spinner again")
    return SpinnerSetup(CardLook(card, picture, plane), arrows)


def _as_values(setup: SpinnerSetup) -> dict[str, Any]:
    look, card = setup.look, setup.look.card
    return {
        "thing": _THING,
        "version": _VERSION,
        "camera": {
            "width": look.plane.size_wh[0],
            "height": look.plane.size_wh[1],
            "K": look.plane.intrinsics.tolist(),
            "rotation": look.plane.rotation.tolist(),
            "shift_mm": look.plane.shift.tolist(),
        },
        "card_mm": list(card.size_mm),
        "dials": [
            {
                "name": dial.name,
                "center_mm": list(dial.center_mm),
                "radius_mm": dial.radius_mm,
                "labels": list(dial.labels),
                "start_deg": dial.start_deg,
                "sizes_deg": list(dial.sizes_deg),
            }
            for dial in card.dials
        ],
        "picture": _pack(look.picture),
        "arrows": [_arrow_values(arrow) for arrow in setup.arrows],
    }


def _arrow_values(arrow: ArrowLook) -> dict[str, Any]:
    return {
        "height_mm": arrow.height_mm,
        "color_bgr": arrow.color.tolist(),
        "whiten": arrow.whiten.tolist(),
        "shape": _pack(np.rint(arrow.shape * 255).astype(np.uint8)),
        "fit": arrow.fit,
        "smear": arrow.smear,
        "shadow": None if arrow.shadow is None else [arrow.shadow.shade, arrow.shadow.spread],
    }


def _read_place(values: Mapping[str, object]) -> tuple[Card, Plane]:
    camera = values.get("camera")
    if not isinstance(camera, Mapping):
        raise BadInput(f"camera is {camera!r}; expected an object with width and height")
    intrinsics = read_intrinsics(camera)
    size_wh = (int(camera["width"]), int(camera["height"]))
    card = read_card(values)
    return card, place_card(size_wh, intrinsics, card, values.get("card_px"))


def _read_arrow(values: Mapping[str, Any]) -> ArrowLook:
    shape = _unpack(values["shape"], cv2.IMREAD_GRAYSCALE).astype(np.float32) / 255
    if shape.shape != (RINGS, DIRECTIONS) or not shape.any():
        raise ValueError(f"an arrow's shape is {shape.shape}")
    return ArrowLook(
        float(_floats(values["height_mm"], ())),
        _floats(values["color_bgr"], (3,)).astype(np.float32),
        _floats(values["whiten"], (3, 3)).astype(np.float32),
        np.asarray(shape, dtype=np.float32),
        float(_floats(values["fit"], ())),
        None if values["smear"] is None else float(_floats(values["smear"], ())),
        None if values["shadow"] is None else Shadow(*_floats(values["shadow"], (2,)).tolist()),
    )


def _pack(picture: NDArray[np.uint8]) -> str:
    _, data = cv2.imencode(".png", picture)
    return base64.b64encode(data.tobytes()).decode("ascii")


def _unpack(text: object, flags: int) -> Frame:
    data = np.frombuffer(base64.b64decode(str(text), validate=True), np.uint8)
    picture = cv2.imdecode(data, flags) if data.size else None
    if picture is None:
        raise ValueError("a picture in it is no PNG")
    return np.asarray(picture, dtype=np.uint8)


def _floats(values: object, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"{values!r} is not {shape} numbers")
    return array


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and bool(np.isfinite(value))
