"""The program on the virtual table in this process, so that a test can ask the drawn table what is so."""

from gpiozero import Device
from program import free_port
from served import Served

from companion.cli import attach, look
from companion.cli.lessons import make_lessons
from companion.config import Settings, load_installation
from companion.games import GAMES
from companion.journal import Journal
from companion.table import Table
from web import create_app


class Demo:
    """Table, page, eyes and lessons.

    Args:
        folder: for the journal and what is set up.
        stack: ends it all.
    """

    def __init__(self, folder, stack):
        self.folder = folder
        installation = load_installation(folder)
        self.installation = {"pin": installation.pin, "code": installation.code}
        journal = Journal(folder / "journal.db")
        stack.callback(journal.close)
        self.table = Table(GAMES, journal, lambda: "2026-01-01T20:00:00+01:00")
        self.virtual = None
        lessons = make_lessons(folder)

        def eyes(virtual, tell):
            self.virtual = virtual
            return look.virtual_eyes(self.table, folder, virtual, tell)

        before = Device.pin_factory
        stack.callback(lambda: setattr(Device, "pin_factory", before))
        equipment = attach.attach_virtual(self.table, Settings(), eyes, stack, lessons)
        lessons.on_saved = equipment.set_up_changed
        port = free_port()
        self.url = f"http://localhost:{port}"
        app = create_app(self.table, installation, equipment, hosts=lambda: {"localhost"}, address=lambda: self.url)
        stack.callback(Served(app, self.table, port).stop)
