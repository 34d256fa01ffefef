"""Venezia's golden scripts: steps are said one by one, at times out of the round they belong to.

Where a step isn't due, the state is put into the phase that it needs; the work itself is always done by the
game. Plans and cards are told in secret (``sealed_plans``) when a script says ``plan``.
"""

from dataclasses import replace

from companion.events import Choice, Outcome
from companion.game import Setup, step
from companion.games import venezia
from companion.games.venezia.scoring import clean_up
from companion.games.venezia.state import AREAS, GREY, PIGEONS, Card, Phase, Plan, Slot

ALL = ["red", "yellow", "blue", "green"]
CARDS = {
    "Vatican": Card.VATICAN,
    "Instructions": Card.VATICAN,
    "Family": Card.FAMILY,
    "Poison": Card.POISON,
    "Bird": Card.BIRD,
    "Robber Bird": Card.BIRD,
    "Takeover": Card.TAKEOVER,
} | {card.value: card for card in Card}
AREA = {"San Giorgio": "SGM", "San Giorgio Maggiore": "SGM", "La Giudecca": "Giudecca"} | {a: a for a in AREAS}
POOLS = ("reserve", "nest", "michele")


def area(name):
    return AREA.get(name, name)


def given(script):
    seats = script.get("players", ALL)
    data = {"start": script.get("start", seats[0])}
    state = venezia.start(Setup(tuple(seats), script.get("settings", {}), data))
    pigeons = {name: (script.get("districts", {}).get(name) or {}) for name in AREAS}
    state = replace(
        state,
        campanile=script.get("campanile"),
        round=script.get("round", 2),
        phase=Phase(script["phase"]) if "phase" in script else Phase.PLAN,
        active=script.get("active", ""),
        piazza=dict(script.get("piazza", {})),
        tourists=tuple(script.get("tourists", ())),
        hunters=tuple(script.get("hunters", ())),
        districts={name: {who: n for who, n in owners.items() if n} for name, owners in pigeons.items()},
        bird=script.get("bird") and area(script["bird"]),
        vatican=script.get("vatican"),
    )
    for player in state.players:
        seat = player.seat
        pools = {name: script.get(name, {}).get(seat, 0) for name in POOLS}
        out = sum(pools.values()) + state.on_piazza(seat) + sum(d.get(seat, 0) for d in state.districts.values())
        pools["supply"] = (script.get("supply") or {}).get(seat, PIGEONS - out)
        home = (script.get("home") or {}).get(seat)
        state = state.with_player(
            replace(
                player,
                home=home and area(home),
                score=(script.get("score") or {}).get(seat, 0),
                pools=pools,
                played=tuple(CARDS[name] for name in (script.get("played") or {}).get(seat, ())),
            )
        )
    for seat, cards in (script.get("mat") or {}).items():
        slots = tuple(Slot(area(name), number) for name, number in cards.items() if name != "_first")
        laid = Plan(None, cards.get("_first", 0), None, slots)
        supply = {} if seat in (script.get("supply") or {}) else {"supply": -laid.pigeons}
        state = state.with_plan(seat, laid).add(seat, **supply)
    return state


class Mat(dict):
    """Pigeons on the cards of a mat; like any mapping of a script, an expected one names only what it is about."""

    __hash__ = None

    def __eq__(self, other):
        return all(self.get(name, 0) == number for name, number in other.items())


def perform(state, verb, argument):
    return STEPS[verb](state, argument)


def say(state, verb, data=None, seat=None, kind=Choice):
    event = Outcome(verb, data or {}) if kind is Outcome else Choice(verb, data or {}, seat)
    return step(venezia, state, event)


def at(state, phase, active=""):
    """Put the state where a step is due, unless it is there already."""
    if state.phase is phase and (not active or state.active == active):
        return state
    return replace(state, phase=phase, active=active)


def seal(state):
    return replace(state, settings={**state.settings, "sealed_plans": True})


def home(state, argument):
    for seat, name in argument.items():
        state = say(at(state, Phase.SETUP, seat), "home", {"district": area(name)}, seat)
    return state


def plan(state, argument):
    for seat, said in argument.items():
        cards = [{"area": area(name), "pigeons": n} for name, n in (said.get("cards") or {}).items()]
        data = {
            "who": seat,
            "piazza": said.get("piazza"),
            "ruse": said.get("ruse"),
            "action": said.get("action") and CARDS.get(said["action"], said["action"]),
            "cards": cards,
        }
        state = say(at(seal(state), Phase.PLAN), "plan", data, seat)
    return state


def put(state, argument):
    for seat, squares in argument.items():
        state = say(placing(state, seat), "put", {"squares": squares}, seat)
    return state


def ruse(state, argument):
    for seat, cards in argument.items():
        state = placing(state, seat)
        laid = [slot.area for slot in state.player(seat).plan.slots]
        # A card that isn't there is told by a place that isn't there.
        places = {str(laid.index(area(n)) + 1 if area(n) in laid else 9): number for n, number in cards.items()}
        state = say(state, "ruse", {"cards": places}, seat)
    return state


def placing(state, seat):
    if state.player(seat).plan is None:
        state = state.with_plan(seat, Plan(None, 0))
    return at(state, Phase.PLACE, seat)


def placed(state):
    """Whoever still has pigeons on his first card leaves them."""
    while state.phase is Phase.PLACE and state.player(state.active).plan.on_first:
        state = say(state, "leave")
    return state


def spin(phase, verb):
    def spun(state, square):
        state = placed(state)
        have = len(getattr(state, verb + "s"))
        # A script needs no variant to be named before it spins once more.
        settings = {**state.settings, verb + "s": max(state.settings[verb + "s"], have + 1)}
        return say(replace(at(state, phase), settings=settings), verb, {"square": square}, kind=Outcome)

    return spun


def following(phase):
    def followed(state, _):
        return say(at(placed(state), phase), "next")

    return followed


def uncover(state, _):
    return say(at(seal(placed(state)), Phase.UNCOVER), "next")


def move(state, argument):
    seat = argument.get("who") or state.active or state.start
    data = {"from": argument["from"], "to": argument["to"]}
    return say(at(placed(state), Phase.MOVE, seat), "move", data, seat)


def end_move(state, seat):
    return say(at(placed(state), Phase.MOVE, seat), "next", seat=seat)


def reveal(state, argument):
    if argument is None:
        return say(at(placed(state), Phase.REVEAL), "next")
    state = replace(at(placed(state), Phase.REVEAL), settings={**state.settings, "sealed_plans": False})
    for seat, card in argument.items():
        if card is not None:
            state = say(state, "reveal", {"who": seat, "card": CARDS.get(card, card)})
    return say(state, "next")


def acting(state, card, seat=None):
    """Let somebody exercise a card, the one whose turn it is unless another is named."""
    due = state.phase in (Phase.FAMILY, Phase.ACTIONS) and state.revealed.get(state.active) is card
    if due and seat in (None, state.active):
        return state
    holders = [who for who in state.acting if state.revealed.get(who) is card]
    seat = seat or (holders[0] if holders else state.start)
    others = tuple(who for who in state.acting if who != seat)
    phase = Phase.FAMILY if card is Card.FAMILY else Phase.ACTIONS
    state = replace(state, revealed={**state.revealed, seat: card}, acting=(seat, *others))
    return at(state, phase, seat)


def family(state, name):
    seat, name = (name.get("who"), name["district"]) if isinstance(name, dict) else (None, name)
    return say(acting(state, Card.FAMILY, seat), "family", {"district": area(name)})


def reinforce(state, argument):
    for seat, number in argument.items():
        state = say(at(state, Phase.HOME, seat), "reinforce", {"number": number}, seat)
    return state


def vatican(state, argument):
    moves = argument.get("move") or []
    if isinstance(moves, dict):
        moves = [moves] if set(moves) == {"from", "to"} else [{"from": a, "to": b} for a, b in moves.items()]
    moves = [pair if isinstance(pair, dict) else {"from": pair[0], "to": pair[1]} for pair in moves]
    moves = [{end: area(name) for end, name in pair.items()} for pair in moves]
    add = {area(name): number for name, number in (argument.get("add") or {}).items()}
    return say(acting(state, Card.VATICAN, argument.get("who")), "vatican", {"add": add, "move": moves})


def feud(state, argument):
    remove = {area(name): colour for name, colour in argument["remove"].items()}
    return say(acting(state, Card.FEUD, argument.get("who")), "feud", {"remove": remove})


def poison(state, argument):
    seat = argument.get("who") if isinstance(argument, dict) else None
    squares = argument.get("squares") or argument.get("remove") if isinstance(argument, dict) else argument
    return say(acting(state, Card.POISON, seat), "poison", {"squares": squares})


def san_michele(state, seat):
    return say(acting(state, Card.SAN_MICHELE, seat), "san_michele")


def bird(state, argument):
    seat = argument.get("who") if isinstance(argument, dict) else None
    name = argument.get("place") or argument.get("district") if isinstance(argument, dict) else argument
    return say(acting(state, Card.BIRD, seat), "bird", {"place": area(name)})


def purge(state, argument):
    data = {"district": area(argument["district"]), "colour": argument["colour"]}
    return say(acting(state, Card.PURGE, argument.get("who")), "purge", data)


def takeover(state, argument):
    data = {
        "district": area(argument["district"]),
        "from_reserve": argument.get("from_reserve", 0),
        "from_nest": argument.get("from_nest", 0),
    }
    return say(acting(state, Card.TAKEOVER, argument.get("who")), "takeover", data)


def retrieve(state, argument):
    seat, card = (argument.get("who"), argument["card"]) if isinstance(argument, dict) else (None, argument)
    seat = seat or state.sgm_winner or state.start
    card = card and CARDS.get(card, card)
    return say(at(state, Phase.RETRIEVE, seat), "retrieve", {"card": card}, seat)


def michele_take(state, number):
    seat = state.michele_winner or state.start
    return say(at(state, Phase.MICHELE, seat), "michele_take", {"number": number}, seat)


def cleanup(state, _):
    # The end of the game leaves nothing to be cleaned up; scripts may look at it all the same.
    return clean_up(state) if state.phase is Phase.OVER else following(Phase.CLEANUP)(state, None)


STEPS = {
    "home": home,
    "plan": plan,
    "put": put,
    "ruse": ruse,
    "tourist": spin(Phase.TOURIST, "tourist"),
    "hunter": spin(Phase.HUNTER, "hunter"),
    "remove": following(Phase.REMOVE),
    "move": move,
    "end_move": end_move,
    "reveal": reveal,
    "family": family,
    "reinforce": reinforce,
    "vatican": vatican,
    "feud": feud,
    "poison": poison,
    "san_michele": san_michele,
    "bird": bird,
    "purge": purge,
    "takeover": takeover,
    "uncover": uncover,
    "score": following(Phase.SCORE),
    "retrieve": retrieve,
    "michele_take": michele_take,
    "chase": following(Phase.CHASE),
    "cleanup": cleanup,
}


def facts(state):
    players = state.players
    mats = {
        p.seat: Mat({"_first": p.plan.on_first} | {slot.area: slot.pigeons for slot in p.plan.slots} if p.plan else {})
        for p in players
    }
    on_mat = {p.seat: p.plan.pigeons if p.plan is not None else 0 for p in players}
    # Cards leave the game at once, so that those who may act are known whether or not they have acted.
    exercised = [s for s in state.order() if s in state.revealed and state.revealed[s] in state.player(s).played]
    return {
        **{name: {p.seat: p.pools[name] for p in players} for name in ("supply", *POOLS)},
        "home": {p.seat: p.home for p in players if p.home},
        "mat": mats,
        "total": {
            p.seat: sum(p.pools.values())
            + on_mat[p.seat]
            + state.on_piazza(p.seat)
            + sum(owners.get(p.seat, 0) for owners in state.districts.values())
            for p in players
        },
        "piazza": dict(state.piazza),
        "tourists": list(state.tourists),
        "hunters": list(state.hunters),
        "districts": {name: dict(owners) for name, owners in state.districts.items()},
        "score": {p.seat: p.score for p in players},
        "played": {p.seat: sorted(p.played) for p in players},
        "hand": {p.seat: sorted(p.hand) for p in players},
        "exercise": sorted(exercised, key=lambda seat: state.revealed[seat] is not Card.FAMILY),
        "pinched": sorted(state.pinched),
        "removed": sorted(state.removed),
        "born": {seat: state.born.get(seat, 0) for seat in state.seats},
        "majority": {seat: state.majority.get(seat, 0) for seat in state.seats},
        "sgm_winner": state.sgm_winner,
        "michele_winner": state.michele_winner,
        "cleared": list(state.cleared),
        "bird": state.bird,
        "vatican": state.vatican,
        GREY: state.grey_at_edge,
        "start": state.start,
        "round": state.round,
        "phase": state.phase.value,
        "active": state.active or None,
        "winner": list(state.winners) or None,
        "over": state.phase is Phase.OVER,
    }


def read_expected(name, value):
    """Cards may be named briefly, and what happens at once is listed in any order."""
    match name, value:
        case ("played" | "hand", dict()):
            return {seat: sorted(CARDS[card] for card in cards) for seat, cards in value.items()}
        case ("pinched" | "removed", list()):
            return sorted(value)
        case ("cleared", list()):
            return sorted((area(place) for place in value), key=AREAS.index)
        case ("districts", dict()):
            return {area(place): {who: n for who, n in (owners or {}).items() if n} for place, owners in value.items()}
        case ("winner", str()):
            return [value]
        case ("home", dict()):
            return {seat: area(place) for seat, place in value.items()}
    return value
