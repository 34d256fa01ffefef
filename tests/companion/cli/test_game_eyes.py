import pytest

from companion.cli.game_eyes import Eyes, GameEyes
from companion.errors import BadInput


class Fake:
    """Eyes for two things, whose making and looking is written down."""

    def __init__(self):
        self.game, self.done, self.told, self.fault, self.during = None, [], [], {}, lambda: None
        self.jobs = None
        makers = {thing: self.maker(thing) for thing in ("die", "card")}
        laid = lambda thing: self.done.append(("lay", thing))  # noqa: E731
        self.eyes = GameEyes(
            lambda: self.game, makers, lambda seen: self.told.append(seen.state), laid, start=self.start
        )

    def start(self, job):
        """Do a job at once, unless a test keeps jobs waiting."""
        job() if self.jobs is None else self.jobs.append(job)

    def maker(self, thing):
        def make(is_set_up):
            self.done.append(("make", thing, is_set_up))
            self.during()
            self.check(thing)
            return Eyes(
                lambda frame: self.look(thing, frame),
                lambda: self.done.append(("again", thing)),
                lambda: self.done.append(("resume", thing)),
                lambda: self.done.append(("lost", thing)),
            )

        return make

    def look(self, thing, frame):
        self.check(f"frame {frame}")
        self.done.append((thing, frame))

    def check(self, what):
        if what in self.fault:
            raise BadInput(self.fault[what])

    def see(self, game, *frames):
        """Put a game on the table and show it frames; gives what was done."""
        self.game, self.done = game, []
        for frame in frames:
            self.eyes.look(frame)
        return self.done


@pytest.fixture
def fake():
    return Fake()


def test_the_game_on_the_table_chooses_what_is_looked_for(fake):
    assert fake.see("venezia", 1, 2, 3) == [("lay", "card"), ("make", "card", False), ("card", 2), ("card", 3)]
    assert fake.see("venecitas", 4, 5) == [("lay", "die"), ("make", "die", False), ("die", 5)]


@pytest.mark.parametrize("game", [None, "vendetta", "venise"])
def test_for_other_games_nothing_is_looked_for(fake, game):
    fake.see("venezia", 1, 2)
    assert fake.see(game, 3, 4) == [("lay", None)]
    assert fake.told[-1] == "idle"
    assert fake.eyes.trouble() is None


def test_eyes_are_made_once_and_told_that_frames_were_missed(fake):
    fake.see("venezia", 1, 2)
    fake.see("venise", 3)
    assert fake.see("venezia", 4, 5) == [("lay", "card"), ("resume", "card"), ("card", 5)]


def test_what_was_not_set_up_is_one_line_as_long_as_its_game_lies_there(fake):
    fake.fault = {"card": "the camera doesn't know the card yet"}
    fake.see("venezia", 1, 2, 3)
    assert fake.eyes.trouble() == "the camera doesn't know the card yet"
    assert fake.told == ["learning", "not set up"]
    fake.see("venecitas", 4, 5)
    assert fake.eyes.trouble() is None
    fake.see("venezia", 6, 7)
    assert fake.eyes.trouble() is not None
    assert fake.told[-1] == "not set up"


def test_a_set_up_that_was_written_is_used_with_the_next_frame(fake):
    fake.fault = {"card": "not yet"}
    fake.see("venezia", 1, 2)
    fake.fault = {}
    fake.eyes.set_up_changed("card")
    assert fake.see("venezia", 3) == [("make", "card", True), ("card", 3)]
    assert fake.eyes.trouble() is None
    fake.eyes.set_up_changed("card")
    assert fake.see("venezia", 4) == [("make", "card", True), ("card", 4)]


def test_a_set_up_written_while_the_eyes_are_made_is_not_missed(fake):
    fake.during = lambda: fake.eyes.set_up_changed("card")
    fake.see("venezia", 1, 2)
    fake.during = lambda: None
    assert fake.see("venezia", 3, 4) == [("make", "card", True), ("card", 3), ("card", 4)]


def test_there_is_no_set_up_of_anything_else(fake):
    with pytest.raises(BadInput, match="'cup', but expected one of die, card"):
        fake.eyes.set_up_changed("cup")


def test_a_picture_of_another_size_is_told_until_one_fits(fake):
    fake.see("venezia", 1, 2)
    fake.fault = {"frame 3": "the frame is 640 x 480", "frame 4": "the frame is 640 x 480"}
    fake.see("venezia", 3, 4)
    assert fake.eyes.trouble() == "the frame is 640 x 480"
    assert fake.told.count("not set up") == 1
    assert fake.see("venezia", 5) == [("card", 5), ("resume", "card")]
    assert fake.eyes.trouble() is None


def test_read_and_a_camera_that_came_back_reach_the_eyes_at_work(fake):
    fake.see("venezia", 1, 2)
    fake.see("venecitas", 3, 4)
    fake.done.clear()
    fake.eyes.again()
    fake.eyes.resume()
    assert fake.done == [("again", "die"), ("resume", "die")]


def test_frames_go_on_while_the_eyes_are_made(fake):
    fake.jobs = []
    assert fake.see("venezia", 1, 2, 3) == [("lay", "card")]
    assert fake.told == ["learning"]
    fake.jobs.pop()()
    assert fake.jobs == []
    assert fake.see("venezia", 4) == [("card", 4)]


def test_eyes_that_were_not_set_up_are_not_told_to_another_game(fake):
    fake.jobs = []
    fake.fault = {"card": "not yet"}
    fake.see("venezia", 1, 2)
    fake.see("venise", 3)
    fake.jobs.pop()()
    assert fake.told[-1] == "idle"
    assert fake.eyes.trouble() is None


def test_whatever_goes_wrong_in_making_eyes_is_a_line_on_the_page(fake):
    def fail():
        raise ZeroDivisionError("no luck")

    fake.during = fail
    fake.see("venezia", 1, 2)
    assert fake.eyes.trouble() == "the camera can't look for the card: ZeroDivisionError('no luck')"


def test_eyes_are_told_that_the_camera_was_lost(fake):

    fake.see("venecitas", 1, 2)
    fake.eyes.lost()
    assert fake.done[-1] == ("lost", "die")
