"""How fast the rules go: steps of random games, and replays of 5,000 events.

The reference is a JSON round trip of each event in the same process: a step should cost no more than a few of
them. Prints steps a second and the ratio for every game; run it from the project as ``make bench`` does.
"""

import json
import random
import time

from walks import walk

from companion.events import event_to_json
from companion.game import step
from companion.games import GAMES

EVENTS = 5000


def record(game):
    """Random games, one after the other, until there are enough events: (first state, events) of each."""
    games, number, seed = [], 0, 0
    while number < EVENTS:
        events, first = [], None
        for before, event, _ in walk(game, random.Random(seed), EVENTS - number):
            first = before if first is None else first
            events.append(event)
        games.append((first, events))
        number, seed = number + len(events), seed + 1
    return games


def replay(game, games):
    began = time.perf_counter()
    for first, events in games:
        state = first
        for event in events:
            state = step(game, state, event)
    return time.perf_counter() - began


def round_trips(games):
    began = time.perf_counter()
    for _, events in games:
        for event in events:
            json.loads(json.dumps(event_to_json(event)))
    return time.perf_counter() - began


for name, game in GAMES.items():
    games = record(game)
    took, reference = min(replay(game, games) for _ in range(5)), min(round_trips(games) for _ in range(5))
    print(
        f"{name:10} {EVENTS / took:8.0f} steps a second, 5,000 events replayed in {took:.3f} s, "
        f"{took / reference:.1f} JSON round trips a step"
    )
