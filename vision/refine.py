"""Learning from corrected readings: what the faces looked like that were read wrongly, under their true colours.

The faces shown at set-up always stay, and only a few corrected ones are kept beside them, so that no correction, right
or wrong, can outweigh what was shown with care. One that the set-up can't believe at all isn't taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import degrees
from typing import Any

from companion.die import Lie
from companion.errors import BadInput
from vision.cube import wrap_yaw
from vision.die import find_dice
from vision.faces import find_lessons
from vision.frames import Frame
from vision.seen_face import Seen
from vision.setup import DieSetup, read_seen, seen_values

VERSION = 1
MOST_PICTURES = 4
"""So many corrected pictures are kept, the newest; a set-up has two or three of its own."""

MOST_UNLIKELY = 12.0
"""A reading is wrong by a small margin; by one above this, a natural logarithm, rather the correction is."""

_LEAST_EVEN = 0.6
_MOST_YAW_DEG = 36.0
"""Nearer to 45 degrees nobody can say which side is meant."""


def see_corrected(frame: Frame, setup: DieSetup, lie: Lie) -> tuple[Seen, ...]:
    """See the faces of a die that was read wrongly.

    Args:
        frame: the picture that was read, BGR, uint8, of the set-up's size.
        setup: as it was shown, without what was learnt from corrections.
        lie: how the die lies in truth, in the set-up's names.

    Returns:
        Its faces under their true colours.

    Raises:
        BadInput: there is nothing to learn: no die is found, it lies across, or the correction can't be believed.
    """
    dice = find_dice(frame, setup)
    if not dice:
        raise BadInput("no die is found in the corrected picture; expected the one that was read")
    best = dice[0]
    if abs(degrees(wrap_yaw(float(best.pose[2])))) > _MOST_YAW_DEG:
        raise BadInput("the corrected die lies across; expected one whose sides are plain")
    score = best.verdict.scores[best.verdict.lies.index(lie)]
    if best.verdict.scores[0] - score > MOST_UNLIKELY:
        raise BadInput(f"the correction to {lie.top} up can't be believed; expected colours that the set-up allows")
    return tuple(seen for face in best.faces if face.even >= _LEAST_EVEN for seen in find_lessons(face, lie))


def refined(setup: DieSetup, pictures: Sequence[Sequence[Seen]]) -> DieSetup:
    """Add what was learnt from corrections, the newest ``MOST_PICTURES``, to a set-up."""
    first = max(face.picture for face in setup.shown) + 1
    added = [
        replace(face, picture=first + number)
        for number, faces in enumerate(pictures[-MOST_PICTURES:])
        for face in faces
    ]
    return replace(setup, shown=(*setup.shown, *added))


def to_json(pictures: Sequence[Sequence[Seen]], mark: str) -> dict[str, Any]:
    """Write what was learnt as plain values for JSON; ``mark`` tells of which set-up."""
    kept = pictures[-MOST_PICTURES:]
    return {
        "kind": "corrections of the die",
        "version": VERSION,
        "set_up": mark,
        "pictures": [[seen_values(face) for face in faces] for faces in kept],
    }


def from_json(data: Mapping[str, Any], mark: str, setup: DieSetup) -> list[tuple[Seen, ...]]:
    """Read what was learnt; nothing when it belongs to another set-up, for that saw another table or light.

    Raises:
        BadInput: the values are damaged.
    """
    if data.get("version") != VERSION or data.get("set_up") != mark:
        return []
    try:
        pictures = [tuple(read_seen(face) for face in faces) for faces in data["pictures"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"what was learnt from corrections is damaged ({error}); expected faces: forget it") from error
    if any(face.colour not in setup.layout.faces for faces in pictures for face in faces):
        raise BadInput("what was learnt from corrections names colours that the die has not: forget it")
    return pictures[-MOST_PICTURES:]
