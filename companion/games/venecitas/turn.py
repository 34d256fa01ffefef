"""Venecitas: what happens in a turn, event by event, up to the marking.

Rules: VC-R3 to VC-R14 and VC-R27, VC-R28.
"""

from collections import Counter
from dataclasses import replace

from companion.die import Colour, Flip, Move, find_lie, moved, straighten, word
from companion.errors import Refused
from companion.events import Choice, Event, Json
from companion.game import details
from companion.games.venecitas.marking import after_exchange, mark, place_block, release_block
from companion.games.venecitas.state import BLOCKING, SOLO_TURNS, Block, Combo, Phase, State
from companion.text import say, say_number


def pick(state: State, event: Event) -> State:
    """Somebody chooses a colour for the first player's draw (VC-R3, VC-Q12)."""
    who, name = details(event, who=str, colour=str)
    colour = as_colour(name)
    if who not in state.seats or (isinstance(event, Choice) and event.seat not in (None, who)):
        raise Refused("NOT_AN_OPTION", "rule VC-R3: nobody else can choose for {who}", who=who)
    if colour in (taken for seat, taken in state.picks.items() if seat != who):
        raise Refused("NOT_AN_OPTION", "rule VC-R3: {colour} is taken, choose another colour", colour=word(colour))
    return replace(state, picks={**state.picks, who: colour})


def start_with(state: State, event: Event) -> State:
    """The table settles by hand who starts (VC-R3)."""
    (who,) = details(event, who=str)
    if who not in state.seats:
        raise Refused("NOT_AN_OPTION", "rule VC-R3: nobody sits at {side}", side=who)
    return _begin(state, who)


def first_roll(state: State, event: Event) -> State:
    """The die is rolled for the first player (VC-R3)."""
    (name,) = details(event, top=str)
    colour = as_colour(name)
    for seat, picked in state.picks.items():
        if picked == colour:
            return _begin(state, seat)
    return replace(state, told=(say("{colour} came up, which nobody chose: roll again", colour=word(colour)),))


def _begin(state: State, first: str) -> State:
    told = (say("{who} starts", who=first),)
    return replace(state, phase=Phase.EXCHANGE, first=first, active=first, told=told)


def exchange(state: State, event: Event) -> State:
    """The active player exchanges a combination for points (VC-R6 to VC-R10, VC-R23)."""
    combo, paid, said = _combination(state, event)
    limit = state.settings["exchanges_per_turn"]
    if limit and state.exchanges >= limit:
        most = say_number(
            "rule VC-Q6: {number} exchange in a turn at most",
            "rule VC-Q6: {number} exchanges in a turn at most",
            limit,
        )
        raise Refused("LIMIT", most)
    player = state.player(state.active)
    for colour in paid:
        _check_usable(state, colour)
    for colour, number in paid.items():
        if player.counts[colour] < number:
            raise Refused(
                "NOT_ENOUGH",
                "rule VC-R7: this takes {number} of {colour}, and {who} has {have}",
                number=number,
                colour=word(colour),
                who=player.seat,
                have=player.counts[colour],
            )
        player = player.with_count(colour, -number)
    stack = () if state.solo else state.stacks[combo]
    value = said if said is not None else (stack[0] if stack else state.mat[combo])
    player = replace(player, vp=player.vp + value, tiles=player.tiles + bool(stack))
    told = say("{who} exchanges {combo} for {points} VP", who=player.seat, combo=combo.value, points=value)
    state = replace(
        state.with_player(player),
        stacks={**state.stacks, combo: state.stacks[combo][bool(stack) :]},
        exchanges=state.exchanges + 1,
        told=(told,),
    )
    return after_exchange(state, set(paid))


def _combination(state: State, event: Event) -> tuple[Combo, Counter[Colour], int | None]:
    """Read an exchange: the combination, what it costs, and the points read off a tile, if said (VC-Q1)."""
    said = event.data.get("vp")
    if "vp" in event.data:
        if state.numbers_known or type(said) is not int or not 0 <= said <= 99:
            raise Refused("BAD_DETAILS", "rule VC-Q1: the tile's number is known; it can't be said again")
        event = replace(event, data={key: value for key, value in event.data.items() if key != "vp"})
    name, names = details(event, combo=str, colours=list)
    colours = [as_colour(colour) for colour in names]
    expected = {Combo.SAME4: 1, Combo.PAIR33: 2, Combo.SIX: 0}
    if name not in expected or len(colours) != expected[Combo(name)] or len(set(colours)) != len(colours):
        raise Refused(
            "BAD_COMBO",
            "rule VC-R7: an exchange takes 4 of one colour, 3 and 3 of two different colours, or one of each",
        )
    combo = Combo(name)
    if combo is Combo.SIX:
        return combo, Counter(dict.fromkeys(Colour, 1)), said
    each = 4 if combo is Combo.SAME4 else 3
    return combo, Counter(dict.fromkeys(colours, each)), said


def as_colour(name: Json) -> Colour:
    """Read a colour's letter; `Refused` (``BAD_DETAILS``) when it is none."""
    if name not in list(Colour):
        raise Refused(
            "BAD_DETAILS",
            "{got} is no colour of the die: use one of {expected}",
            got=str(name),
            expected=", ".join(Colour),
        )
    return Colour(name)


def _check_usable(state: State, colour: Colour) -> None:
    if state.block is not None and state.blocked_for(state.active, colour):
        raise Refused(
            "BLOCKED_COLOUR",
            "rule VC-R19: {owner} blocks {colour} for all others",
            owner=state.block.owner,
            colour=word(colour),
        )


def roll(state: State, event: Event) -> State:
    """The die came to rest and is turned straight (VC-R11, VC-R28).

    Details are either ``top`` and ``facing`` (straight already) or ``top``, ``left``, ``right`` and
    ``left_angle``, all as the roller sees them.
    """
    straightened = None
    if "facing" in event.data:
        top, facing = details(event, top=str, facing=str)
        lie = find_lie(as_colour(top), as_colour(facing), state.active)
    else:
        top, left, right, angle = details(event, top=str, left=str, right=str, left_angle=(int, float))
        if not 0 <= angle <= 90:
            raise Refused("BAD_DETAILS", "rule VC-R11: an angle from 0 to 90 is expected, {got} came", got=str(angle))
        straightened = straighten(angle, state.settings["straighten_tie_band_deg"])
        if_left = find_lie(as_colour(top), as_colour(left), state.active)
        # Turned so that the front-left face faces the roller, the front-right one is at the roller's right.
        lie = moved(if_left, Move.CW, state.active)
        if lie.towards(state.active) != as_colour(right):
            raise Refused(
                "IMPOSSIBLE_FACES",
                "the die can't show {colour} at the left of {other_colour}: look again or enter it by hand",
                colour=word(as_colour(left)),
                other_colour=word(as_colour(right)),
            )
        lie = if_left if straightened.turn is Move.ACW else lie
    told = (say("{who} rolled {colour} on top", who=state.active, colour=word(lie.top)),)
    return replace(
        state,
        phase=Phase.ADJUST,
        lie=lie,
        straightened=straightened,
        revealed=False,
        moves_paid=0,
        turns=state.turns + 1 if state.solo else state.turns,
        told=told,
    )


def correct(state: State, event: Event) -> State:
    """Somebody corrects how the die lies; what was paid stays paid."""
    top, facing = details(event, top=str, facing=str)
    lie = find_lie(as_colour(top), as_colour(facing), state.active)
    told = (
        say(
            "corrected: {colour} is on top, {other_colour} faces {who}",
            colour=word(lie.top),
            other_colour=word(lie.towards(state.active)),
            who=state.active,
        ),
    )
    return replace(state, lie=lie, straightened=None, told=told)


def pay_move(state: State, event: Event) -> State:
    """The active player pays for a change of the die (VC-R12 to VC-R14).

    Details are ``kind`` and ``pay``; ``flip`` besides, when the table agrees to read "flip" otherwise from
    now on (VC-Q4).
    """
    if "flip" in event.data:
        kind, pay, reading = details(event, kind=str, pay=str, flip=str)
    else:
        kind, pay = details(event, kind=str, pay=str)
        reading = state.settings["flip"]
    if kind not in list(Move) or reading not in list(Flip):
        raise Refused("BAD_DETAILS", "rule VC-R13: the die is turned or flipped, {got} is neither", got=kind)
    colour = as_colour(pay)
    limit = state.settings["adjust_per_turn"]
    if limit and state.moves_paid >= limit:
        most = say_number(
            "rule VC-Q5: {number} paid move in a turn at most",
            "rule VC-Q5: {number} paid moves in a turn at most",
            limit,
        )
        raise Refused("LIMIT", most)
    _check_usable(state, colour)
    player = state.player(state.active)
    if player.counts[colour] < 1:
        raise Refused(
            "NOT_ENOUGH", "rule VC-R12: {who} has no {colour} to pay with", who=player.seat, colour=word(colour)
        )
    state = _pay(state, colour)
    lie = None if state.lie is None else moved(state.lie, Move(kind), state.active, Flip(reading))
    told = (say("{who} pays {colour}: {move}", who=state.active, colour=word(colour), move=kind),)
    return replace(
        state, lie=lie, moves_paid=state.moves_paid + 1, settings={**state.settings, "flip": reading}, told=told
    )


def _pay(state: State, colour: Colour) -> State:
    player = state.player(state.active).with_count(colour, -1)
    below = player.counts[colour] == BLOCKING - 1 and state.block == Block(player.seat, colour)
    if below and state.settings["pay_below_four"] == "forbid":
        raise Refused("BLOCKED_COLOUR", "rule VC-Q8: the blocking cone may not be paid below {number}", number=BLOCKING)
    state = state.with_player(player)
    return release_block(state) if below and state.settings["pay_below_four"] == "release" else state


def next_step(state: State, event: Event) -> State:
    """NEXT: no more exchange, or keep the die and mark."""
    details(event)
    if state.phase is Phase.EXCHANGE:
        return replace(state, phase=Phase.ROLL, told=())
    state = mark(state)
    if state.solo and state.turns >= SOLO_TURNS:
        told = (*state.told, say("turn {number}: the game is lost", number=SOLO_TURNS))
        return replace(state, phase=Phase.OVER, lost=True, told=told)
    return state


def choose_block(state: State, event: Event) -> State:
    """Somebody says where the decorated cone goes (VC-R23, VC-E3)."""
    owner, name = details(event, owner=str, colour=str)
    block = Block(owner, as_colour(name))
    if block not in state.choices:
        raise Refused(
            "NOT_AN_OPTION",
            "rule VC-R23: the decorated cone can't go to {colour} of {who}",
            colour=word(block.colour),
            who=owner,
        )
    return place_block(replace(state, told=()), block)
