from companion.events import Choice, Outcome, event_to_json
from companion.game import Setup, step
from companion.games import GAMES, venezia
from companion.games.venezia.state import Phase
from companion.journal import Entry
from companion.sessions import Session, Turn, may_read


def planned():
    homes = {"red": "Castello", "yellow": "Dorsoduro"}
    setup = Setup(("red", "yellow"), {"sealed_plans": True}, {"homes": homes, "campanile": "9B"})
    session = Session(1, GAMES["venezia"], setup, {}, venezia.start(setup), "")
    for seat in setup.seats:
        plan = {"who": seat, "piazza": 0, "ruse": None, "action": None, "cards": [{"area": "Castello", "pigeons": 2}]}
        say(session, Choice("plan", plan, seat))
    return session


def say(session, event):
    state = step(session.game, session.state, event)
    entry = Entry(session.seq + 1, 1, "event", event_to_json(event), "host", None, "")
    session.done.append(Turn(entry, event, state))
    session.seq += 1


def test_a_sealed_plan_is_read_by_its_own_seat_alone_while_the_round_lasts():
    session = planned()
    turn = session.done[0]
    assert may_read(session, turn, "red")
    assert not may_read(session, turn, "yellow")
    assert not may_read(session, turn, None)


def test_a_plan_of_an_earlier_round_may_be_read_by_all():
    session = planned()
    spins = iter(("1A", "3A", "5H"))
    while session.state.round == 1:
        if session.state.phase in (Phase.TOURIST, Phase.HUNTER):
            say(session, Outcome(session.state.phase.value.lower(), {"square": next(spins)}))
        else:
            say(session, Choice("next"))
    assert may_read(session, session.done[0], None)


def test_what_is_no_secret_may_always_be_read():
    session = planned()
    say(session, Outcome("tourist", {"square": "1A"}))
    assert may_read(session, session.done[-1], None)
