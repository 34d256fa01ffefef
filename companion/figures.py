"""What an evening was like in figures, made of what everybody may see alone."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.sessions import Session


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one session.

    Attributes:
        scores: for each seat its score after the start and after each event that counts.
        tops: how often each colour came to lie on top, most often first; empty for games without the colour die.
        tiles: tiles taken by each seat, or None where the game has none.
        blocks: rolls during which each seat held the block, or None where the game has none.
        rolls: how often the die was rolled.
    """

    scores: Mapping[str, tuple[int, ...]]
    tops: tuple[tuple[str, int], ...]
    tiles: Mapping[str, int] | None
    blocks: Mapping[str, int] | None
    rolls: int


def figure_out(session: Session) -> Figures:
    """Work out the figures of a session as far as it was played."""
    game, seats = session.game, session.setup.seats
    views = [game.view(state, None) for state in (session.first_state, *(turn.state for turn in session.done))]
    rolled = [
        view
        for turn, view in zip(session.done, views[1:], strict=True)
        if turn.event.verb == "roll" and view.get("die")
    ]
    tops = Counter(view["die"]["top"] for view in rolled)
    blocks = Counter(view["block"]["owner"] for view in rolled if view.get("block"))
    players = views[-1].get("players") or []
    tiles = {player["seat"]: player["tiles"] for player in players if "tiles" in player}
    return Figures(
        scores={seat: tuple(view["scores"].get(seat, 0) for view in views) for seat in seats},
        tops=tuple(tops.most_common()),
        tiles=tiles or None,
        blocks={seat: blocks[seat] for seat in seats} if "block" in views[-1] else None,
        rolls=len(rolled),
    )
