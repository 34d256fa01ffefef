"""The application on a scratch table, and browsers of every role, without a server."""

import re
import secrets

from tables import Bench

from companion.config import Installation
from web import Equipment, create_app

ADDRESS = "http://192.0.2.7:8000"
ORIGIN = "http://localhost"
ROLES = ("nobody", "screen", "spectator", "seat S", "seat N", "host")


class Site:
    """A table with two players, its page, and a browser for each role."""

    def __init__(self, folder, streams=4, play=True):
        self.bench = Bench(folder / "journal.db")
        self.table = self.bench.table
        self.pressed, self.address = [], ADDRESS
        equipment = self.equipment = Equipment(
            press=self.pressed.append,
            hold_undo=lambda: self.pressed.append("undo held"),
            latest_jpeg=lambda: b"jpeg of the camera",
            table_toy={"roll": lambda: None, "turn": lambda move: None},
            checks={"journal": lambda: "ok"},
        )
        self.installation = Installation("a key", "123456", "TABLEAAA")
        self.app = create_app(
            self.table, self.installation, equipment, streams=streams, address=lambda: self.address,
            hosts=lambda: {"localhost", "192.0.2.7", "pi.local"},
        )  # fmt: skip
        if play:
            self.bench.venecitas()

    def close(self):
        self.bench.journal.close()

    def browser(self, role="nobody"):
        """A browser that has come in with this role."""
        browser = Browser(self.app)
        if role == "screen":
            number = re.search(r"\d{4}(?=</p>)", browser.get("/screen").text)[0]
            assert self.app.extensions["screens"].let_in(number)
            assert browser.get("/screen").status_code == 303
        elif role == "host":
            assert browser.form("/host", pin=self.app.extensions["doors"].installation.pin).status_code == 303
        elif role != "nobody":
            code = self.app.extensions["doors"].installation.code
            assert browser.get(f"/join/{code}").status_code == 303
        if role.startswith("seat "):
            assert browser.form("/sit", seat=role[5:]).status_code == 303
        return browser

    def entries(self):
        """Everything that was kept."""
        return list(self.bench.journal.entries())


class Browser:
    """Keeps cookies, sends its origin, follows nothing."""

    def __init__(self, app):
        self.client = app.test_client()

    def get(self, path, **options):
        return self.client.get(path, **options)

    def form(self, path, **fields):
        return self.client.post(path, data=fields, headers={"Origin": ORIGIN})

    def json(self, path, body, **headers):
        return self.client.post(path, json=body, headers={"Origin": ORIGIN, **headers})

    def do(self, seen, **body):
        return self.json("/do", {"id": secrets.token_hex(8), "seen": seen, **body})
