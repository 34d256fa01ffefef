"""The page over a table in a scratch folder: boards of any phone, and a client that posts commands."""

import secrets

from tables import Bench

from companion.commands import NewGame
from companion.config import Installation
from companion.game import Setup
from web import Equipment, create_app
from web.board import render_board
from web.visitors import Visitor

HOSTED = {"Origin": "http://localhost", "Accept": "application/json"}


class Pages(Bench):
    """A table with its page. `phones` maps each phone to the seats it holds."""

    def __init__(self, folder):
        super().__init__(folder / "journal.db")
        equipment = Equipment(press=lambda button: None, hold_undo=lambda: None)
        self.installation = Installation(key="k" * 32, pin="123456", code="ABCDEF")
        self.app = create_app(
            self.table, self.installation, equipment, hosts=lambda: {"localhost"}, address=lambda: "http://localhost"
        )
        self.app.testing = True

    def begin(self, game, seats, settings=None, data=None, names=None):
        self.ask(NewGame(game, Setup(tuple(seats), settings or {}, data or {}), names or {}))

    def sit(self, phone, *seats):
        self.table.sit(phone, frozenset(seats), "host")

    def html(self, *seats, host=False, phone="phone"):
        """The board of a phone with these seats; a spectator's with none."""
        with self.app.test_request_context("http://localhost/board"):
            return render_board(self.table, Visitor(phone, host, frozenset(seats)))

    def client(self, *, host=True, seats=()):
        """A browser that has come in, as host or by the code, and sits on these seats."""
        client = self.app.test_client()
        path, form = ("/host", {"pin": "123456"}) if host else ("/join", {"code": "ABCDEF"})
        assert client.post(path, data=form, headers=HOSTED).status_code == 303
        if seats:
            assert client.post("/sit", data={"seat": list(seats)}, headers=HOSTED).status_code == 303
        return client

    def send(self, client, verb, data=None, **more):
        """Post a command as the script of the page does."""
        body = {"id": secrets.token_hex(8), "seen": self.table.board().seq, "verb": verb, "data": data or {}, **more}
        return client.post("/do", json=body, headers=HOSTED)
