"""Lets lamp and buzzer say what the table tells; the page says the same by itself."""

import logging
import threading
from contextlib import ExitStack

from companion.commands import Board
from companion.table import Table
from hardware.signals import Signals

PATIENCE_S = 1.0
"""How long it may take to notice that the program stops, should nobody wake the table."""

_log = logging.getLogger(__name__)


def follow(table: Table, signals: Signals, stack: ExitStack) -> None:
    """Let signals follow the table in a thread of their own, until the stack is closed."""
    stopped = threading.Event()
    thread = threading.Thread(target=_run, args=(table, signals, stopped), name="lamp", daemon=True)

    def stop() -> None:
        stopped.set()
        table.wake()
        thread.join(PATIENCE_S)

    stack.callback(stop)
    thread.start()


def _run(table: Table, signals: Signals, stopped: threading.Event) -> None:
    tick, before = -1, table.board()
    while not stopped.is_set():
        newest = table.wait(tick, PATIENCE_S)
        if newest == tick:
            continue
        tick, board = newest, table.board()
        try:
            show(signals, board, before)
        except Exception:  # noqa: BLE001 - whatever a pin library raises, the lamp goes on with the next change
            _log.exception("the lamp failed")
        before = board


def show(signals: Signals, board: Board, before: Board | None = None) -> None:
    """Show what a board tells, and what has happened since the one before."""
    if before is not None and board.passing is not None and board.passing != before.passing:
        signals.show(board.passing.signal)
    signals.show(board.telling.signal, board.telling.colour)
