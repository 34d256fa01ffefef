"""A clock in the test's hand."""


class Clock:
    """Seconds that go on only when told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
