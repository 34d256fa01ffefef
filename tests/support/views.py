"""The main views: how the table comes to each, who looks, and from where."""

from dataclasses import dataclass, replace

from laid import NAMES, picture
from tables import die

from companion.commands import OpenSession, Seen
from companion.inputs import DialReading, SpinnerReading, Status

LONG = {"S": "Annunziata Francesca Maria della Salute", "W": "Chiara 🐟", "N": "יוסף בן־דוד", "E": "Dino"}
HOMES = {"red": "Castello", "yellow": "Dorsoduro", "blue": "San Polo"}
VENEZIA = {"homes": HOMES, "campanile": "9B"}
DEALT = {"trustee": "A", "dealt": {"A": [1, 2], "B": [3, 4], "C": [5, 6]}}
FAMILIES = {"A": "Ana", "B": "Bruno", "C": "Chiara"}
PAWNS = {"red": "Ana", "yellow": "Bruno", "blue": "Chiara", "white": "Bruno"}


@dataclass(frozen=True)
class View:
    """A view: what is laid on the table, the path, and who looks (`seats` of a player, the host, a screen)."""

    name: str
    lay: object
    path: str = "/play"
    seats: tuple = ()
    host: bool = False
    screen: bool = False
    phone: str = "looker"


def nothing(laid):
    if laid.table.board().session is not None:
        laid.ask(OpenSession(None))


def exchange(laid):
    laid.begin("venecitas", "SWNE", {}, {"first": "S"}, LONG)
    for _ in range(3):
        for _ in "SWNE":
            mark(laid, "Y", "R")


def mark(laid, top, facing):
    laid.say("next")
    laid.chance("roll", top=top, facing=facing)
    laid.say("next")
    while laid.view["phase"] == "BLOCK_CHOICE":
        awaited = next(a for a in laid.table.board().awaits if a.verb == "choose_block")
        laid.say("choose_block", **awaited.options[0])


def rolling(laid):
    laid.venecitas()
    laid.say("next")


def adjusting(laid):
    exchange(laid)
    laid.say("next")
    laid.chance("roll", top="Y", facing="R")


def blocked(laid):
    laid.begin("venecitas", "SN", {}, {"first": "S"}, NAMES)
    for _ in range(4):
        mark(laid, "Y", "R")


def before_the_marks(laid):
    """Ana is about to mark two colours for the fourth time at once."""
    laid.begin("venecitas", "SN", {}, {"first": "S"}, NAMES)
    for _ in range(6):
        mark(laid, "Y", "R")
    laid.say("next")
    laid.chance("roll", top="Y", facing="R")


def choosing_block(laid):
    before_the_marks(laid)
    laid.say("next")


def reading(laid):
    laid.venecitas()
    laid.say("next")
    alternatives = (("blue", "purple"), ("green", "red"))
    laid.table.saw(replace(die("yellow", "red"), alternatives=alternatives), picture())


def asking(laid):
    laid.venecitas()
    for _ in range(2):
        mark(laid, "Y", "R")
    laid.say("next")
    laid.chance("roll", top="Y", facing="R")
    laid.table.saw(die("red", "black"), picture())


def four(laid):
    """Four players, and Ana may pay for a turn of the die."""
    laid.begin("venecitas", "SWNE", {}, {"first": "S"}, NAMES)
    for _ in range(3):
        for _ in "SWNE":
            mark(laid, "Y", "R")
    laid.say("next")
    laid.chance("roll", top="Y", facing="R")


def won(laid):
    laid.begin(
        "venecitas", "SN", {},
        {"first": "S", "tiles": {c: [25] * 3 for c in ("same4", "pair33", "six")},
         "mat": {"same4": 25, "pair33": 25, "six": 25}}, NAMES,
    )  # fmt: skip
    for _ in range(4):
        mark(laid, "Y", "R")
        mark(laid, "K", "B")
    laid.say("exchange", combo="same4", colours=["Y"])
    mark(laid, "G", "R")
    mark(laid, "G", "R")


def lobby(laid):
    laid.venecitas(first=None)


def planning(laid):
    laid.begin(
        "venezia", ("red", "yellow"), {"sealed_plans": True}, {**VENEZIA, "homes": dict(list(HOMES.items())[:2])}, PAWNS
    )


def piazza(laid):
    laid.begin("venezia", tuple(HOMES), {}, VENEZIA, PAWNS)
    for seat in HOMES:
        laid.say("lay", who=seat, first=5, cards=[4, 2, 1])
    while laid.view["phase"] == "PLAN":
        laid.say("next")
    rows = iter("ABCDEFGH")
    while laid.view["phase"] == "PLACE":
        row = next(rows)
        laid.say("put", squares=[f"{column}{row}" for column in range(2, 7)])
    for square in ("4D", "5F"):
        laid.chance("tourist", square=square)
    laid.chance("hunter", square="9H")
    while laid.view["phase"] != "MOVE":
        laid.say("next")


def holding(laid):
    laid.begin("venezia", tuple(HOMES), {"detail": "score"}, VENEZIA, PAWNS)
    for square in ("4D", "5F"):
        laid.chance("tourist", square=square)
    laid.chance("hunter", square="9H")
    while laid.view["phase"] != "SCORE":
        laid.say("next")


def spinning(laid):
    laid.begin("venezia", tuple(HOMES), {"detail": "score"}, VENEZIA, PAWNS)


def spun(laid):
    """The camera has read both arrows near a line."""
    spinning(laid)
    dials = (DialReading("number", 1.0, 3, "4", "5"), DialReading("letter", 1.0, 1, "B", "A"))
    laid.table.saw(SpinnerReading(Status.READ, dials), picture())


def seeing_the_card(laid):
    """The camera can't tell one arrow, and what it saw before has become a tourist."""
    spinning(laid)
    dials = (DialReading("number", 1.0, 3, "4"), DialReading("letter", 1.0, 1, "B"))
    laid.table.saw(SpinnerReading(Status.READ, dials), picture())
    laid.table.sees(Seen("unsure", "letter: something covers the dial"))


def lesson(step, *spins):
    """A lesson at one of its steps."""
    return lambda laid: getattr(laid.taught, step)(*spins)


def placing(laid):
    laid.begin("vendetta", tuple("ABC"), {}, DEALT, FAMILIES)
    laid.say("next")


def hourglasses(laid):
    laid.begin("venise", ("red", "white"), {}, {"first": "red"}, PAWNS)


VIEWS = [
    View("door", nothing, "/", phone=""),
    View("laid", nothing, host=True),
    View("new-venecitas", nothing, "/host?game=venecitas", host=True),
    View("new-venezia", nothing, "/host?game=venezia", host=True),
    View("new-vendetta", nothing, "/host?game=vendetta", host=True),
    View("lobby", lobby, seats=("S",)),
    View("exchange", exchange, seats=("S",)),
    View("roll", rolling, seats=("S",)),
    View("adjust", adjusting, seats=("S",)),
    View("blocked", blocked, seats=("S",)),
    View("block-choice", choosing_block, seats=("S",)),
    View("reading", reading, seats=("S",)),
    View("question", asking, seats=("S",)),
    View("spectator", adjusting),
    View("seats", exchange, "/seats", seats=("S",)),
    View("screen", four, "/screen", screen=True),
    View("venezia-plan", planning, seats=("red",)),
    View("venezia-spin", spinning, seats=("red",)),
    View("venezia-move", piazza, seats=("red",)),
    View("venezia-hold", holding, seats=("red",)),
    View("venezia-line", spun, seats=("red",)),
    View("venezia-camera", seeing_the_card, seats=("red",)),
    View("vendetta-place", placing, seats=("A",)),
    View("venise", hourglasses, seats=("red",)),
    View("won", won, seats=("S",), host=True),
    View("evening", won, "/history", host=True),
    View("evenings", won, "/evenings", host=True),
    View("rules", won, "/rules/venecitas"),
    View("buttons", nothing, "/host/buttons", host=True),
    View("teach-begin", nothing, "/teach/die", host=True),
    View("teach-table", lesson("die_table"), "/teach/die", host=True),
    View("teach-dark", lesson("die_in_the_dark"), "/teach/die", host=True),
    View("teach-die", lesson("die_asked_for"), "/teach/die", host=True),
    View("teach-known", lesson("die_known"), "/teach/die", host=True),
    View("teach-check", lesson("die_checked"), "/teach/die", host=True),
    View("card-place", lesson("card_place"), "/teach/card", host=True),
    View("card-dials", lesson("card_dials"), "/teach/card", host=True),
    View("card-tips", lesson("card_tips"), "/teach/card", host=True),
    View("card-doubt", lesson("card_doubted"), "/teach/card", host=True),
    View("card-check", lesson("card_checked"), "/teach/card", host=True),
]
