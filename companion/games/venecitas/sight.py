"""Venecitas: what the game waits for, what a seat may see, and what a reading of the die would mean.

Hidden until the colours are marked: the bottom and the far face of the die, as the active player sees it.
Rules: section "State" and VC-R6, VC-R11 of docs/rules/venecitas.md.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from companion.die import (
    COLOUR_NAMES,
    STANDARD,
    Colour,
    Flip,
    Lie,
    Move,
    all_lies,
    clockwise_from,
    find_lie,
    flips_between,
    moved,
    moves_between,
    turned_acw,
    turned_cw,
    word,
)
from companion.errors import Refused
from companion.events import Choice, Event, Json, Outcome
from companion.game import Awaited, Proposal
from companion.games.venecitas.state import SOLO_TURNS, Combo, Phase, State
from companion.inputs import DieReading, Reading, SpinnerReading, Status
from companion.text import Say, say


def awaits(state: State) -> tuple[Awaited, ...]:
    """Tell what may happen next."""
    active = (state.active,)
    match state.phase:
        case Phase.FIRST_PLAYER:
            return tuple(_awaits_first_player(state))
        case Phase.EXCHANGE:
            options = tuple(_exchanges(state))
            return (Awaited("next", active), Awaited("exchange", active, options))
        case Phase.ROLL:
            lies = _all_straight(state.active)
            return (Awaited("roll", active, lies, complete=False, outcome=True),)
        case Phase.ADJUST:
            return tuple(_awaits_adjust(state))
        case Phase.BLOCK_CHOICE:
            choices = tuple({"owner": block.owner, "colour": str(block.colour)} for block in state.choices)
            return (Awaited("choose_block", (state.choosing or state.active,), choices),)
        case Phase.OVER:
            return ()


def _awaits_first_player(state: State) -> Iterator[Awaited]:
    free = [str(colour) for colour in Colour if colour not in state.picks.values()]
    for seat in state.seats:
        yield Awaited("pick", (seat,), tuple({"who": seat, "colour": colour} for colour in free))
    yield Awaited("start_with", (), tuple({"who": seat} for seat in state.seats))
    if len(state.picks) == len(state.seats):
        yield Awaited("first_roll", (), tuple({"top": str(colour)} for colour in Colour), outcome=True)


def _exchanges(state: State) -> Iterator[dict[str, Json]]:
    limit = state.settings["exchanges_per_turn"]
    if limit and state.exchanges >= limit:
        return
    player = state.player(state.active)
    free = [colour for colour in Colour if not state.blocked_for(player.seat, colour)]
    for colour in free:
        if player.counts[colour] >= 4:
            yield {"combo": Combo.SAME4.value, "colours": [str(colour)]}
    for pair in combinations([colour for colour in free if player.counts[colour] >= 3], 2):
        yield {"combo": Combo.PAIR33.value, "colours": [str(colour) for colour in pair]}
    if len(free) == len(Colour) and all(player.counts[colour] >= 1 for colour in Colour):
        yield {"combo": Combo.SIX.value, "colours": []}


def payable(state: State) -> list[Colour]:
    """The colours the active player can pay a die move with (VC-R12)."""
    player = state.player(state.active)
    limit = state.settings["adjust_per_turn"]
    if limit and state.moves_paid >= limit:
        return []
    forbidden = state.block if state.settings["pay_below_four"] == "forbid" else None
    return [
        colour
        for colour in Colour
        if player.counts[colour] >= 1
        and not state.blocked_for(player.seat, colour)
        and not (forbidden and forbidden.colour == colour and player.counts[colour] == 4)
    ]


def _awaits_adjust(state: State) -> Iterator[Awaited]:
    active = (state.active,)
    yield Awaited("next", active)
    moves = tuple({"kind": move.value, "pay": str(colour)} for move in Move for colour in payable(state))
    yield Awaited("move", active, moves, complete=False)
    yield Awaited("correct", (), _all_straight(state.active))


@cache
def _all_straight(seat: str) -> tuple[dict[str, Json], ...]:
    """All ways for the die to lie, as somebody at ``seat`` would say them."""
    return tuple(_straight(lie, seat) for lie in all_lies(STANDARD))


def _straight(lie: Lie, seat: str) -> dict[str, Json]:
    """A lie as somebody at ``seat`` would say it."""
    return {"top": str(lie.top), "facing": str(lie.towards(seat))}


def view(state: State, seat: str | None) -> dict[str, Json]:
    """Tell what a seat may see; nothing is private in Venecitas, but faces of the die are hidden."""
    return {
        "phase": state.phase.value,
        "round": state.round,
        "active": state.active or None,
        "first": state.first or None,
        "goal": state.goal,
        "track_max": state.settings["track_max"],
        "players": [
            {
                "seat": player.seat,
                "counts": {str(colour): player.counts[colour] for colour in Colour},
                "vp": player.vp,
                "tiles": player.tiles,
                "pick": str(state.picks[player.seat]) if player.seat in state.picks else None,
            }
            for player in state.players
        ],
        "scores": {player.seat: player.vp for player in state.players},
        "stacks": {combo.value: list(values) for combo, values in state.stacks.items()},
        "mat": {combo.value: value for combo, value in state.mat.items()},
        "numbers_known": state.numbers_known,
        "block": {"owner": state.block.owner, "colour": str(state.block.colour)} if state.block else None,
        "choosing": state.choosing,
        "solo": {"turns": state.turns, "last": SOLO_TURNS} if state.solo else None,
        "ending": state.ending,
        "over": state.phase is Phase.OVER,
        "winners": list(state.winners),
        "lost": state.lost,
        "marks": [
            {"seat": mark.seat, "colour": str(mark.colour), "moved": mark.moved, "why_not": mark.why_not}
            for mark in state.marks
        ],
        "die": _die(state),
        "picture_hidden": _hides_picture(state),
        "moves": _previews(state) if state.phase is Phase.ADJUST else [],
    }


def _shown(state: State) -> bool:
    return state.revealed or bool(state.settings["assist_show_hidden"])


def _hides_picture(state: State) -> bool:
    """Whether the camera, which stands in the south, may see the face that is far from the active player."""
    open_turn = state.phase in (Phase.ROLL, Phase.ADJUST)
    return open_turn and state.active != "S" and not state.settings["assist_show_hidden"]


def _die(state: State) -> dict[str, Json] | None:
    """The faces of the die by table side and bottom, None for a hidden one."""
    if state.lie is None or state.phase is Phase.ROLL:
        return None
    far = clockwise_from(state.active)[2]
    faces: dict[str, Json] = {"top": str(state.lie.top)}
    for side in ("S", "W", "N", "E"):
        faces[side] = str(state.lie.towards(side)) if _shown(state) or side != far else None
    faces["bottom"] = str(state.lie.bottom) if _shown(state) else None
    how = state.straightened
    faces["straightened"] = (
        None if how is None else {"turn": how.turn.value, "angle_deg": how.angle_deg, "tie": how.tie}
    )
    return faces


def _previews(state: State) -> list[dict[str, Json]]:
    """What each paid move would bring in sight; None where a hidden face would come up."""
    assert state.lie is not None, "the die was rolled before it can be adjusted"
    front, left, far, right = clockwise_from(state.active)
    hidden = set() if _shown(state) else {state.lie.towards(far), state.lie.bottom}
    previews = []
    for move in Move:
        lie = moved(state.lie, move, state.active, Flip(state.settings["flip"]))
        faces = {"top": lie.top, "facing": lie.towards(front), "left": lie.towards(left), "right": lie.towards(right)}
        shown = {name: None if colour in hidden else str(colour) for name, colour in faces.items()}
        previews.append({"kind": move.value, **shown})
    return previews


def interpret(state: State, reading: Reading) -> Proposal | Say | None:
    """Tell what a reading of the die means now; None when nothing was read, or the die lies as it did."""
    if isinstance(reading, SpinnerReading) or reading.status is not Status.READ:
        return None
    lie = _lie_of(reading)
    match state.phase:
        case Phase.FIRST_PLAYER if len(state.picks) == len(state.seats):
            event = Outcome("first_roll", {"top": str(lie.top)})
            return Proposal(((say("{colour} is on top", colour=word(lie.top)), event),))
        case Phase.ROLL:
            return _propose_roll(state, lie, reading.yaw_deg or 0.0)
        case Phase.ADJUST:
            return _propose_move(state, lie)
        case Phase.EXCHANGE if lie != state.lie:
            return say("a die that is rolled before it is asked for doesn't count: roll again then")
    return None


def corrections(state: State, reading: Reading) -> tuple[tuple[Say, Event], ...]:
    """Tell how else the die may lie that was just read, likeliest first."""
    if state.phase is not Phase.ADJUST or not isinstance(reading, DieReading):
        return ()
    found: dict[Lie, tuple[Say, Event]] = {}
    for top, south in reading.alternatives:
        try:
            lie = find_lie(COLOUR_NAMES[top], COLOUR_NAMES[south], "S", STANDARD)
        except (KeyError, Refused):
            continue  # the reader may know a die that isn't this game's
        if lie != state.lie:
            found[lie] = (_facing(lie, state.active), Choice("correct", _straight(lie, state.active)))
    return tuple(found.values())


def _lie_of(reading: DieReading) -> Lie:
    """The lie of the game's die that a reading means.

    Raises:
        Refused: the die of the camera's set-up has colours that the game's die has not.
    """
    sides = reading.sides or {}
    try:
        return find_lie(COLOUR_NAMES[reading.top or ""], COLOUR_NAMES[sides.get("S", "")], "S", STANDARD)
    except KeyError as error:
        raise Refused(
            "IMPOSSIBLE_FACES", "{colour} is no colour of this game's die: enter it by hand", colour=str(error)
        ) from error


def _facing(lie: Lie, seat: str) -> Say:
    return say(
        "{colour} on top, {other_colour} faces {who}",
        colour=word(lie.top),
        other_colour=word(lie.towards(seat)),
        who=seat,
    )


def _propose_roll(state: State, lie: Lie, yaw_deg: float) -> Proposal:
    """A roll: taken at once, but asked about within the band of 45 degrees (VC-R11).

    The camera turned the die straight by ``yaw_deg``; seen by any roller, the face it turned to the front
    stood that far clockwise, which is at the front-left.
    """
    band = state.settings["straighten_tie_band_deg"]
    if abs(abs(yaw_deg) - 45) > band:
        left = lie if yaw_deg >= 0 else turned_acw(lie)
        angle = yaw_deg if yaw_deg >= 0 else 90 + yaw_deg
        return Proposal(((_facing(lie, state.active), _raw_roll(state, left, angle)),))
    left = lie if yaw_deg >= 0 else turned_acw(lie)
    clockwise = turned_cw(left)
    return Proposal(
        (
            (_facing(clockwise, state.active), _raw_roll(state, left, 45.0)),
            (_facing(left, state.active), Outcome("roll", _straight(left, state.active))),
        ),
        question=say("the die lies at 45 degrees: turned clockwise, is this right?"),
        seat=state.active,
    )


def _raw_roll(state: State, left: Lie, angle: float) -> Outcome:
    """The roll as the roller saw it, with the face that was at the front-left."""
    right = turned_cw(left).towards(state.active)
    return Outcome(
        "roll",
        {
            "top": str(left.top),
            "left": str(left.towards(state.active)),
            "right": str(right),
            "left_angle": round(float(angle), 1),
        },
    )


def _propose_move(state: State, lie: Lie) -> Proposal | None:
    """A change of the die after the roll: which paid move was it, and with what is it paid?"""
    if state.lie is None or lie == state.lie:
        return None
    options: list[tuple[Say, Event]] = []
    moves = moves_between(state.lie, lie, state.active, Flip(state.settings["flip"]))
    for move in moves:
        for colour in payable(state):
            label = say("{move}, paid with {colour}", move=move.value, colour=word(colour))
            options.append((label, Choice("move", {"kind": move.value, "pay": str(colour)}, state.active)))
    if len(options) == 1:
        return Proposal(tuple(options))
    if not moves:
        options += _other_flips(state, lie)
    options.append((_facing(lie, state.active), Choice("correct", _straight(lie, state.active), state.active)))
    question = (
        say("the die was turned: which move was it, and what pays for it?")
        if moves
        else say("the die lies otherwise than one paid move away: what happened?")
    )
    return Proposal(tuple(options), question=question, seat=state.active)


def _other_flips(state: State, lie: Lie) -> Iterator[tuple[Say, Event]]:
    """A flip under another reading of the word: accepting it changes the house rule (VC-Q4)."""
    assert state.lie is not None, "the die was rolled before it can be flipped"
    for flip in flips_between(state.lie, lie, state.active)[:1]:
        for move in moves_between(state.lie, lie, state.active, flip):
            for colour in payable(state):
                label = say(
                    "{move} as in reading {flip} (changes the house rule), paid with {colour}",
                    move=move.value,
                    flip=flip.value,
                    colour=word(colour),
                )
                data = {"kind": move.value, "pay": str(colour), "flip": flip.value}
                yield label, Choice("move", data, state.active)
