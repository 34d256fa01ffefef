"""Somebody at a lesson, with the time and the jobs in the test's hand."""

from companion.teaching.lesson import SHOT_FRAMES


class Pupil:
    """Asks, shows frames, and lets the lesson's jobs be done.

    Args:
        make: the lesson's class.
        teacher: sees for it.
    """

    def __init__(self, make, teacher):
        self.teacher, self.jobs, self.now, self.told = teacher, [], 0.0, []
        self.lesson = make(teacher, self.jobs.append, lambda: self.told.append("saved"))

    def ask(self, verb, **wish):
        self.lesson.ask(verb, wish, self.now)
        return self

    def frames(self, *frames):
        for frame in frames:
            self.now += 1 / 15
            self.lesson.look(frame, self.now)
        return self

    def work(self):
        while self.jobs:
            self.jobs.pop(0)()
        return self

    def shoot(self, frame="frame"):
        return self.ask("shoot").frames(*[frame] * SHOT_FRAMES).work()

    @property
    def view(self):
        return self.lesson.view(self.now)
