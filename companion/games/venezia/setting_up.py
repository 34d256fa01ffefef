"""Venezia: how a game starts.

Rules: VZ-R1, VZ-R2 and the table "What must be asked at set-up".
"""

from collections.abc import Mapping

from companion.errors import BadInput
from companion.events import Json
from companion.game import Setup
from companion.games.venezia.grid import squares
from companion.games.venezia.planning import begin_when_ready
from companion.games.venezia.state import AREAS, DISTRICTS, PIGEONS, POOLS, RESERVE, Player, State
from companion.text import say


def start_state(setup: Setup, settings: Mapping[str, Json]) -> State:
    """Make the state before the first event; the seats are taken clockwise as they are listed.

    ``setup.data`` may hold ``start`` (the youngest's seat, otherwise the first one listed), ``homes`` (a
    district for each seat) and ``campanile`` (the closed square, such as ``9B``). What is missing of homes
    and Campanile is awaited before round 1.

    Raises:
        BadInput: data of another form.
    """
    unknown = set(setup.data) - {"start", "homes", "campanile"}
    if unknown:
        raise BadInput(f"got set-up data {sorted(unknown)}, but Venezia knows start, homes and campanile")
    start = setup.data.get("start", setup.seats[0])
    if start not in setup.seats:
        raise BadInput(f"got start player {start!r}, but expected one of {list(setup.seats)}")
    campanile = setup.data.get("campanile")
    if campanile is not None and campanile not in squares((settings["columns"], settings["rows"])):
        raise BadInput(
            say("got Campanile {got}, but expected a square of the Piazza such as 9B", got=str(campanile)[:80])
        )
    homes = _homes(setup, AREAS if settings["home_sgm"] else DISTRICTS)
    pools = {**dict.fromkeys(POOLS, 0), "reserve": RESERVE, "supply": PIGEONS - RESERVE}
    players = tuple(Player(seat, homes.get(seat), pools=pools) for seat in setup.seats)
    return begin_when_ready(State(players, settings, start, campanile=campanile))


def _homes(setup: Setup, allowed: tuple[str, ...]) -> dict[str, str]:
    homes = setup.data.get("homes", {})
    if not isinstance(homes, dict) or not set(homes) <= set(setup.seats):
        raise BadInput(f"got homes {homes!r}, but expected a district for seats of {list(setup.seats)}")
    if not all(home in allowed for home in homes.values()) or len(set(homes.values())) < len(homes):
        got = tuple(str(home)[:80] for home in homes.values())
        raise BadInput(say("got {got} as homes, but expected different ones of {expected}", got=got, expected=allowed))
    return homes
