"""Random walks through any game, over what it offers."""

from companion.events import Choice, Outcome
from companion.game import Setup, step

JUNK = [None, True, -1, 0, 1, 99, 2.5, "", "S", "Y", "no such thing", [], ["R", "R"], {}, {"a": 1}]


def draw_setup(game, rng):
    """A number of players and house rules, by chance."""
    seats = game.SEATS[: rng.choice(list(game.PLAYERS))]
    settings = {name: rng.choice(setting.choices) for name, setting in game.SETTINGS.items()}
    return Setup(tuple(seats), settings)


def draw_event(game, state, rng):
    """One of the events that the game offers, by chance."""
    awaited = rng.choice([a for a in game.awaits(state) if a.options])
    data = dict(rng.choice(awaited.options))
    if awaited.outcome:
        return Outcome(awaited.verb, data)
    return Choice(awaited.verb, data, rng.choice([None, *awaited.seats]))


def spoil(event, rng):
    """An event near this one that may well be illegal."""
    data = dict(event.data)
    for name in list(data):
        if rng.random() < 0.5:
            data[name] = rng.choice(JUNK)
    if rng.random() < 0.3:
        data[rng.choice(["top", "pay", "zzz"])] = rng.choice(JUNK)
    verb = event.verb if rng.random() < 0.7 else rng.choice(["next", "roll", "move", "undo", ""])
    return rng.choice([Outcome(verb, data), Choice(verb, data), Choice(verb, data, rng.choice(["S", "zzz"]))])


def walk(game, rng, steps):
    """Play by chance: yields every (state, event, next state)."""
    state = game.start(draw_setup(game, rng))
    for _ in range(steps):
        if not game.awaits(state):
            return
        event = draw_event(game, state, rng)
        after = step(game, state, event)
        yield state, event, after
        state = after
