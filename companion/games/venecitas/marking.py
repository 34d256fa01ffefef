"""Venecitas: marking, the blocking cone, the change of turns and the end.

Rules: VC-R15 to VC-R28.
"""

from collections.abc import Collection
from dataclasses import replace

from companion.die import Colour, word
from companion.games.venecitas.state import BLOCKING, SOLO_TURNS, Block, Mark, Phase, State
from companion.text import Say, say


def mark(state: State) -> State:
    """Everybody marks the colour that faces them, the roller the top too (VC-R15 to VC-R18)."""
    assert state.lie is not None, "nothing is marked before the die was rolled"
    marks: list[Mark] = []
    reached: list[Block] = []
    marked = state
    for player in state.clockwise(state.active):
        colours = [state.lie.towards(player.seat)]
        if player.seat == state.active:
            colours.append(state.lie.top)
        board = player
        for colour in map(Colour, colours):
            # The old block holds until everybody has marked: `state`, not `marked`, is asked (VC-R18).
            if state.blocked_for(player.seat, colour):
                marks.append(Mark(player.seat, colour, moved=False, why_not="blocked"))
            elif board.counts[colour] >= state.settings["track_max"]:
                marks.append(Mark(player.seat, colour, moved=False, why_not="full"))
            else:
                board = board.with_count(colour, 1)
                marks.append(Mark(player.seat, colour, moved=True))
                if board.counts[colour] == BLOCKING:
                    reached.append(Block(player.seat, colour))
        marked = marked.with_player(board)
    marked = replace(marked, marks=tuple(marks), revealed=True, told=tuple(_tell(m) for m in marks))
    return _settle_block(marked, [block for block in reached if block != state.block])


def _tell(mark: Mark) -> Say:
    if mark.moved:
        return say("{who} marks {colour}", who=mark.seat, colour=word(mark.colour))
    if mark.why_not == "blocked":
        return say("{who} can't mark {colour}: it is blocked", who=mark.seat, colour=word(mark.colour))
    return say("{who} can't mark {colour}: the track is full", who=mark.seat, colour=word(mark.colour))


def _settle_block(state: State, reached: list[Block]) -> State:
    """Move the decorated cone after a marking; ``reached`` is in order of priority (VC-R19 to VC-R22)."""
    if state.solo or not reached:
        return _next_turn(state)
    chooser = reached[0].owner
    choices = tuple(block for block in reached if block.owner == chooser)
    if state.block is not None and all(block.owner == state.block.owner for block in reached):
        # Only the blocking player got to a second 4 (VC-E4).
        if state.settings["self_second_four"] == "keep":
            return _next_turn(state)
        if state.settings["self_second_four"] == "choose":
            choices = (state.block, *choices)
    return _offer(state, chooser, choices, ends_turn=True)


def _offer(state: State, chooser: str, choices: tuple[Block, ...], *, ends_turn: bool) -> State:
    """Put the decorated cone on the only choice, or ask ``chooser`` where it goes."""
    state = replace(state, choosing=chooser, choices=choices, choice_ends_turn=ends_turn)
    return place_block(state, choices[0]) if len(choices) == 1 else replace(state, phase=Phase.BLOCK_CHOICE)


def place_block(state: State, block: Block) -> State:
    """Put the decorated cone there and go on: with exchanges, or with the next player's turn."""
    ends_turn = state.choice_ends_turn
    told = (*state.told, say("{owner} blocks {colour}", owner=block.owner, colour=word(block.colour)))
    state = replace(
        state, phase=Phase.EXCHANGE, block=block, choosing=None, choices=(), choice_ends_turn=False, told=told
    )
    return _next_turn(state) if ends_turn else state


def release_block(state: State) -> State:
    """The decorated cone goes back to the mat."""
    return replace(state, block=None)


def after_exchange(state: State, used: Collection[Colour]) -> State:
    """See to block and goal after an exchange that used these colours (VC-R23 to VC-R25, VC-R28)."""
    player = state.player(state.active)
    if state.solo:
        in_time = state.turns < SOLO_TURNS - state.settings["solo_strict"]
        if player.vp >= state.goal and in_time:
            told = (*state.told, say("{who} wins", who=player.seat))
            return replace(state, phase=Phase.OVER, winners=(player.seat,), told=told)
        return state
    if player.vp >= state.goal and not state.ending:
        told = (*state.told, say("{who} has reached the goal: the round is played to its end", who=player.seat))
        state = replace(state, ending=True, told=told)
    if state.block is None or state.block.owner != player.seat or state.block.colour not in used:
        return state
    told = (*state.told, say("{colour} is free again", colour=word(state.block.colour)))
    state = replace(release_block(state), told=told)
    at_four = tuple(
        Block(other.seat, colour)
        for other in state.clockwise(player.seat)
        for colour in Colour
        if other.counts[colour] >= BLOCKING
    )
    return _offer(state, player.seat, at_four, ends_turn=False) if at_four else state


def _next_turn(state: State) -> State:
    """Pass the turn clockwise, or end the game when the last round is complete (VC-R25)."""
    following = state.seats[(state.seats.index(state.active) + 1) % len(state.players)]
    if following == state.first and state.ending:
        return _finish(state)
    return replace(
        state,
        phase=Phase.EXCHANGE,
        active=following,
        round=state.round + (following == state.first),
        exchanges=0,
        moves_paid=0,
    )


def _finish(state: State) -> State:
    """Find the winners: among those at the goal, most Venecitas, then most tiles, else shared (VC-R26)."""
    there = [player for player in state.players if player.vp >= state.goal]
    best = max((player.venecitas, player.tiles) for player in there)
    winners = tuple(player.seat for player in there if (player.venecitas, player.tiles) == best)
    told = tuple(say("{who} wins", who=seat) for seat in winners)
    return replace(state, phase=Phase.OVER, winners=winners, told=(*state.told, *told))
