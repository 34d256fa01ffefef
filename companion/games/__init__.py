"""The games that can be played, by name."""

from companion.game import Game
from companion.games import vendetta, venecitas, venezia, venise

GAMES: dict[str, Game] = {game.NAME: game for game in (venecitas, venezia, vendetta, venise)}
