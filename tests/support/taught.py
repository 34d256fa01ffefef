"""Lessons brought into any step for the page's looks: drawn pictures, true places, and nothing that takes seconds."""

import math
from pathlib import Path

import cv2
import dial_drawing
import drawn_die

from companion.cli.teach_card import VisionCardTeacher
from companion.cli.teach_die import VisionTeacher
from companion.inputs import DialReading, DieReading, SpinnerReading, Status
from companion.teaching.card import CardLesson
from companion.teaching.die import DieLesson, Learnt
from companion.teaching.lesson import SHOT_FRAMES
from vision.card import pivot_mm
from vision.plane import project

NOWHERE = Path("nowhere.json")
COLOURS = drawn_die.BGR | {"violet": drawn_die.BGR["purple"]}


class QuickDieTeacher(VisionTeacher):
    """Places the table by its own eyes, and believes what it is told of the die."""

    def learn(self, table, empty, shown, layout):
        colours = {colour for _, lie in shown for colour in (lie.top, *(lie.towards(side) for side in "SW"))}
        frame = shown[-1][0][-1]
        return Learnt("setup", frozenset(colours), jpeg(frame[200:520, 480:900]))

    def watch(self, setup, on_reading):
        self.read = on_reading
        return lambda frame: None


class QuickCardTeacher(VisionCardTeacher):
    """Places card and dials by its own eyes, and believes where arrows are said to be."""

    def tips(self, card, frame, setup):
        return super().tips(card, frame, None)

    def learn(self, card, shown, setup):
        return "setup"

    def watch(self, setup, on_reading):
        self.read = on_reading
        return lambda frame: None


def jpeg(frame):
    return cv2.imencode(".jpg", frame)[1].tobytes()


class Taught:
    """The two lessons of a page, and ways through their steps; time stands still."""

    def __init__(self):
        self.newest = None
        self.die_teacher = QuickDieTeacher(NOWHERE)
        self.card_teacher = QuickCardTeacher(NOWHERE, NOWHERE)
        self.lessons = {
            "die": DieLesson(self.die_teacher, lambda job: job(), lambda: None),
            "card": CardLesson(self.card_teacher, lambda job: job(), lambda: None),
        }

    def latest_jpeg(self):
        return None if self.newest is None else jpeg(self.newest)

    def show(self, name, frame, frames=1):
        self.newest = frame
        for _ in range(frames):
            self.lessons[name].look(frame, 0.0)

    def ask(self, name, verb, **wish):
        self.lessons[name].ask(verb, wish, 0.0)

    # The die

    def die_table(self):
        self.ask("die", "start")
        self.show("die", _table())
        square = drawn_die.square_px(200)
        corners = [[2 * x, 2 * y] for x, y in (square[name] for name in ("NW", "NE", "SE", "SW"))]
        self.ask("die", "corners", corners=corners, sheet=[200, 200])

    def die_in_the_dark(self):
        self.die_table()
        self.ask("die", "accept")
        self.ask("die", "shoot")
        self.show("die", _table(light=0.1), SHOT_FRAMES)

    def die_asked_for(self):
        self.die_table()
        self.ask("die", "accept")
        self.ask("die", "shoot")
        self.show("die", _table(), SHOT_FRAMES)
        self._lay_the_die()

    def die_known(self):
        self.die_asked_for()
        while not self.lessons["die"].view(0.0)["learnt"]:
            self._lay_the_die()

    def die_checked(self):
        self.die_known()
        self.ask("die", "check")
        self.die_teacher.read(
            DieReading(Status.READ, "yellow", {"S": "red", "W": "violet", "N": "green", "E": "black"}, 4.0)
        )

    def _lay_the_die(self):
        lie = self.lessons["die"].wanted()
        self.ask("die", "shoot")
        self.show("die", _table((lie, 5, -5, 8)), SHOT_FRAMES)

    # The card

    def card_place(self):
        self.ask("card", "start")
        self.show("card", dial_drawing.draw((100.0, 215.0)))
        self.ask("card", "corners", corners=[list(map(float, corner)) for corner in dial_drawing.CORNERS_PX])

    def card_dials(self):
        self.card_place()
        self.ask("card", "accept")
        self.ask("card", "labels", number={"labels": "1 2 3 4 5 6"}, letter={"labels": "A B C D E F G H"})
        points = []
        for dial in dial_drawing.card().dials:
            x, y = pivot_mm(dial_drawing.card(), dial)
            angle = math.radians(dial.start_deg)
            points += [(x, y, 0), (x + dial.radius_mm * math.sin(angle), y + dial.radius_mm * math.cos(angle), 0)]
        self.ask("card", "dials", points=project(dial_drawing.plane(), points).tolist())

    def card_tips(self, *spins):
        self.card_dials()
        self.ask("card", "accept")
        for angles in spins:
            self._spin(angles)
            self.ask("card", "accept")
        self._spin((20.0, 330.0))

    def card_doubted(self):
        self._check_the_card()
        self.card_teacher.read(
            SpinnerReading(Status.UNSURE, reason="number: the arrow is turning; letter: something covers the dial")
        )

    def card_checked(self):
        self._check_the_card()
        dials = (DialReading("number", 59.0, 0, "1", "2"), DialReading("letter", 100.0, 2, "C"))
        self.card_teacher.read(SpinnerReading(Status.READ, dials))

    def _check_the_card(self):
        self.card_tips((100.0, 215.0), (260.0, 80.0))
        self.ask("card", "accept")
        self.ask("card", "check")

    def _spin(self, angles):
        self.ask("card", "shoot")
        self.show("card", dial_drawing.draw(angles), SHOT_FRAMES)


class IdleDesk:
    """Buttons of which one has no pin yet, and one is another's."""

    def state(self, *, testing=False):
        return {
            "pins": {"next": 17, "read": 27, "undo": None}, "down": ["read"],
            "pressed": {"next": 1, "read": 1, "undo": 0}, "testing": testing, "learning": None,
            "said": "GPIO27 can't be used: it is taken by another program; stop that one, or choose another pin",
        }  # fmt: skip

    def learn(self, button):
        pass

    def cancel(self):
        pass


def _table(*dice, **options):
    small = drawn_die.draw(*dice, colours=COLOURS, **options)
    return cv2.resize(small, (1280, 720), interpolation=cv2.INTER_CUBIC)
