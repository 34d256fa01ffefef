"""A table laid in this process, with its page served to real browsers: quick to bring into any state."""

from contextlib import contextmanager

import cv2
import numpy as np
from flask import session
from program import free_port
from served import Served
from tables import Bench
from taught import IdleDesk, Taught

from companion.commands import NewGame
from companion.config import Installation
from companion.game import Setup
from web import Equipment, create_app
from web.visitors import let_in, make_host

NAMES = {"S": "Ana", "W": "Chiara", "N": "Bruno", "E": "Dino"}


class Laid(Bench):
    """A table and its running page. A browser becomes anybody by a cookie, as if it had come in before."""

    def __init__(self, folder, streams=48):
        super().__init__(folder / "journal.db")
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.installation = Installation(key="k" * 32, pin="123456", code="TABLEAAA")
        self.taught = Taught()
        equipment = Equipment(
            press=lambda button: None, hold_undo=lambda: None, latest_jpeg=self.taught.latest_jpeg,
            lessons=self.taught.lessons, desk=IdleDesk(), corrections=lambda: 3,
        )  # fmt: skip
        self.app = create_app(
            self.table, self.installation, equipment, streams=streams,
            hosts=lambda: {"localhost", "companion.local"}, address=lambda: self.url,
        )  # fmt: skip
        self._served = Served(self.app, self.table, self.port)

    def close(self):
        self._served.stop()
        self.journal.close()

    def begin(self, game, seats, settings=None, data=None, names=None):
        self.ask(NewGame(game, Setup(tuple(seats), settings or {}, data or {}), names or {}))

    def cookie(self, phone, *, host=False, screen=False):
        """What the browser of a phone holds once it has come in."""
        with self.app.test_request_context(self.url):
            (make_host if host else let_in)()
            session.update(phone=phone, **({"screen": True} if screen else {}))
            signed = self.app.session_interface.get_signing_serializer(self.app).dumps(dict(session))
        return {"name": "companion", "value": signed, "url": self.url}

    @contextmanager
    def phone(self, chromium, name="", *seats, host=False, screen=False, language="en", **more):
        """A page of a phone that has come in as this, or stands at the door without a name."""
        options = {"viewport": {"width": 360, "height": 780}, "locale": language, "reduced_motion": "reduce", **more}
        context = chromium.new_context(**options)
        try:
            if name:
                context.add_cookies([self.cookie(name, host=host, screen=screen)])
                if seats:
                    self.table.sit(name, frozenset(seats), "host")
            page = context.new_page()
            page.set_default_timeout(30_000)
            page.faults = []
            page.on("pageerror", lambda error: page.faults.append(str(error)))
            page.on("console", lambda line: page.faults.append(line.text) if _is_fault(line) else None)
            yield page
            assert page.faults == []
        finally:
            context.close()


def _is_fault(line):
    """A refusal is no fault, nor is a stream that the server has no place for."""
    return line.type == "error" and not any(code in line.text for code in ("403", "404", "409", "503"))


def picture():
    """A piece of a picture such as the camera keeps, as JPEG."""
    image = np.full((240, 240, 3), (70, 110, 150), np.uint8)
    cv2.fillPoly(image, [np.array([[60, 90], [150, 70], [175, 150], [85, 175]])], (46, 192, 240))
    cv2.fillPoly(image, [np.array([[85, 175], [175, 150], [172, 195], [88, 220]])], (42, 47, 191))
    return cv2.imencode(".jpg", image)[1].tobytes()
