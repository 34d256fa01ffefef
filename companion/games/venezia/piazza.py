"""Venezia: phase 2 on the Piazza San Marco: tourists, hunter, movement, pliers and births.

Rules: VZ-R10 to VZ-R17, VZ-E1 to VZ-E9.
"""

from dataclasses import replace

from companion.errors import Refused
from companion.events import Event
from companion.game import details
from companion.games.venezia.cards import begin_cards
from companion.games.venezia.checks import as_square
from companion.games.venezia.grid import neighbours, pincers, place_of, square_at, squares, zone
from companion.games.venezia.state import Phase, State
from companion.text import say

BIRTHS_BESIDE = 2
BIRTHS_ON = 5


def spin(state: State, event: Event) -> State:
    """The arrows stopped: the next tourist or hunter comes to that square (VZ-R10, VZ-R11, VZ-R31)."""
    (value,) = details(event, square=str)
    square = _check_spin(state, value)
    if state.phase is Phase.TOURIST:
        state = replace(state, tourists=(*state.tourists, square)).tell(
            say("a tourist comes to {square}", square=square)
        )
    else:
        state = replace(state, hunters=(*state.hunters, square)).tell(
            say("the hunter comes to {square}", square=square)
        )
    return _after_spin(state)


def _check_spin(state: State, value: str) -> str:
    square = as_square(state, value)
    if square == state.campanile:
        raise Refused("CAMPANILE_RESPIN", "rule VZ-E6: {square} is the Campanile: spin again", square=square)
    if state.settings["respin_occupied"] and square in (*state.tourists, *state.hunters):
        raise Refused("OCCUPIED", "rule VZ-Q13: somebody stands on {square}: spin again", square=square)
    return square


def _after_spin(state: State) -> State:
    if len(state.tourists) < state.settings["tourists"]:
        return replace(state, phase=Phase.TOURIST)
    if len(state.hunters) < state.settings["hunters"]:
        return replace(state, phase=Phase.HUNTER)
    return replace(state, phase=Phase.REMOVE) if state.full else replace(state, phase=Phase.MOVE)


def correct_spin(state: State, event: Event) -> State:
    """Somebody corrects where the arrows stopped last."""
    (value,) = details(event, square=str)
    if state.hunters:
        square = _check_spin(replace(state, hunters=state.hunters[:-1]), value)
        state = replace(state, hunters=(*state.hunters[:-1], square))
    else:
        square = _check_spin(replace(state, tourists=state.tourists[:-1]), value)
        state = replace(state, tourists=(*state.tourists[:-1], square))
    return state.tell(say("corrected: it is {square}", square=square))


def hunted(state: State) -> tuple[str, ...]:
    """Squares whose pigeons the hunters encounter (VZ-R12, VZ-E2, VZ-E4)."""
    forbidden = zone(state.size, state.hunters)
    return tuple(square for square in squares(state.size) if square in state.piazza and square in forbidden)


def remove_hunted(state: State) -> State:
    """Pigeons on and around the hunters' squares go to San Michele (VZ-R12); the movement begins."""
    removed = hunted(state)
    state = state.to_san_michele(removed)
    return replace(state, removed=removed, born={}, pinched=(), phase=Phase.MOVE, active=state.start, moved=())


def move_pigeon(state: State, event: Event) -> State:
    """The active player moves one of his pigeons: one step, or a chain of jumps (VZ-R13 to VZ-R15)."""
    kinds: dict[str, type | tuple[type, ...]] = {"from": str, "to": (str, list)}
    origin, to = details(event, **kinds)
    path = [to] if isinstance(to, str) else to
    if state.piazza.get(origin) != state.active:
        raise Refused("NOT_YOURS", "rule VZ-R13: {who} has no pigeon on {square}", who=state.active, square=origin)
    if origin in state.moved:
        raise Refused("ALREADY_MOVED", "rule VZ-R13: the pigeon on {square} has moved already", square=origin)
    if not path:
        raise Refused("BAD_MOVE", "rule VZ-R13: a pigeon moves to another square or not at all")
    # The pigeon's own square is empty while it moves.
    board = replace(state, piazza={square: owner for square, owner in state.piazza.items() if square != origin})
    here = origin
    for value in path:
        square = as_square(state, value)
        _check_step(board, here, square, alone=len(path) == 1)
        here = square
    told = say("{who} moves from {square} to {target}", who=state.active, square=origin, target=here)
    return replace(board, piazza={**board.piazza, here: state.active}, moved=(*state.moved, here)).tell(told)


def _check_step(board: State, here: str, square: str, *, alone: bool) -> None:
    """Check one step or jump against VZ-R14 and VZ-R15; ``alone`` when it is the whole move."""
    forbidden = zone(board.size, board.hunters)
    if square == board.campanile:
        raise Refused("OFF_BOARD", "rule VZ-R8: {square} is closed by the Campanile", square=square)
    if square in board.piazza:
        raise Refused("OCCUPIED", "rule VZ-R14: there is a pigeon on {square}: land on a free square", square=square)
    if square in forbidden:
        raise Refused("HUNTER_ZONE", "rule VZ-R15: {square} is in the hunter's zone", square=square)
    (x0, y0), (x1, y1) = place_of(here), place_of(square)
    reach = {abs(x1 - x0), abs(y1 - y0)}
    if max(reach) == 1:
        if not alone:
            raise Refused("WALK_IS_ONE_STEP", "rule VZ-R13: a pigeon walks one square or jumps, not both")
        return
    if not reach <= {0, 2} or reach == {0}:
        raise Refused(
            "BAD_MOVE",
            "rule VZ-R14: {square} is neither next to {origin} nor directly behind a neighbour",
            square=square,
            origin=here,
        )
    over = square_at((x0 + x1) // 2, (y0 + y1) // 2)
    if over not in board.piazza and over not in board.tourists:
        raise Refused("NOTHING_TO_JUMP", "rule VZ-R14: nobody stands on {square} to be jumped", square=over)
    if over in forbidden and not board.settings["jump_corner"]:
        raise Refused("HUNTER_ZONE", "rule VZ-Q11: {square} is in the hunter's zone: no jump over it", square=over)


def targets(state: State, origin: str) -> dict[str, list[str]]:
    """Where the pigeon on ``origin`` may go: each target with the way there (VZ-R13 to VZ-R15)."""
    taken = state.piazza.keys() - {origin}
    forbidden = zone(state.size, state.hunters)
    barred = taken | forbidden | {state.campanile or ""}
    jumped = taken | set(state.tourists)
    if not state.settings["jump_corner"]:
        jumped -= forbidden
    ring = neighbours(state.size)
    ways = {near: [near] for near, _ in ring[origin] if near not in barred}
    # A jump may come back over its start, but staying there is no move.
    seen, edge = {origin}, [(origin, list[str]())]
    while edge:
        here, way = edge.pop(0)
        for over, behind in ring[here]:
            if over in jumped and behind is not None and behind not in barred and behind not in seen:
                seen.add(behind)
                edge.append((behind, [*way, behind]))
                ways.setdefault(behind, [*way, behind])
    return ways


def movable(state: State) -> dict[str, dict[str, list[str]]]:
    """The active player's pigeons that may still move, with their targets."""
    return {
        square: targets(state, square)
        for square, owner in state.piazza.items()
        if owner == state.active and square not in state.moved
    }


def pinched_by(state: State, who: str) -> tuple[str, ...]:
    """Opponents' pigeons directly between two pigeons of ``who`` (VZ-R16, VZ-Q8)."""
    axes = pincers(state.size)
    diagonal = state.settings["pliers_diagonal"]
    return tuple(
        square
        for square in squares(state.size)
        if state.piazza.get(square, who) != who
        and any(
            state.piazza.get(one) == who and state.piazza.get(other) == who
            for one, other, slanted in axes[square]
            if diagonal or not slanted
        )
    )


def births(state: State, who: str) -> int:
    """Births of one player, before the supply's limit (VZ-R17, VZ-Q7, VZ-E5, VZ-E7)."""
    ring = neighbours(state.size)
    # Two tourists on one square are one place to breed (VZ-E5).
    tourists = set(state.tourists)
    born = 0
    for square, owner in state.piazza.items():
        if owner != who:
            continue
        beside = sum(near in tourists for near, _ in ring[square])
        if state.settings["births"] == "per_tourist":
            born += BIRTHS_ON * (square in tourists) + BIRTHS_BESIDE * beside
        elif square in tourists:
            born += BIRTHS_ON
        elif beside:
            born += BIRTHS_BESIDE
    return born


def end_movement(state: State) -> State:
    """The active player has moved: his pliers, then his births, then the next player (VZ-R16, VZ-R17, VZ-E8)."""
    who = state.active
    pinched = pinched_by(state, who)
    state = state.to_san_michele(pinched)
    due, left = births(state, who), state.player(who).pools["supply"]
    born = min(due, left)
    state = state.add(who, supply=-born, nest=born)
    state = replace(state, pinched=pinched, born={**state.born, who: born}, moved=())
    state = state.tell(say("births of {who}: {number}", who=who, number=born))
    if born < due:
        state = state.tell(say("the supply of {who} is empty: {number} more can't be born", who=who, number=due - born))
    order = state.order()
    following = order[order.index(who) + 1 :]
    return replace(state, active=following[0]) if following else begin_cards(state)
