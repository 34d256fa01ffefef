"""What a watch step costs on an unchanged table, in passes of ``cv2.cvtColor(BGR2HSV)`` over the same frame.

Run it from the folder of the project: ``PYTHONPATH=.:tests/support python tests/bench/bench_watch.py``. The two are
timed in turns, in one process and on one OpenCV thread, so that what else the machine does hits both.
"""

from statistics import median
from time import perf_counter

import cv2
from drawn import Film, Shot

from companion.capture import capture_of
from vision.rest import Memory, watch

ROUNDS = 200
AIM = 0.3


def main():
    cv2.setNumThreads(1)
    for title, shot, noise in (
        ("an empty table", Shot(), 1.0),
        ("a die that was read", Shot(at=(320.0, 200.0)), 1.0),
        ("a die that was read, much noise", Shot(at=(320.0, 200.0)), 8.0),
    ):
        print(f"watch step, {title}: {ratio(shot, noise):.2f} passes (aim: at most {AIM})")


def ratio(shot, noise):
    """Time a step and a pass in turns over 1280 x 720 frames of an unchanged table that differ in noise alone."""
    film, memory = Film(noise, scale=2), Memory()
    frames = [film.draw(shot) for _ in range(10)]
    for frame in frames:
        memory, _ = watch(memory, capture_of(frame), film.look)
    steps, passes = [], []
    for i in range(ROUNDS):
        frame = frames[i % len(frames)]
        start = perf_counter()
        cv2.cvtColor(frame, cv2.COLOR_BGR2HSV)
        middle = perf_counter()
        memory, seen = watch(memory, capture_of(frame), film.look)
        end = perf_counter()
        assert not seen, f"the table is unchanged, but {seen} was told"
        passes.append(middle - start)
        steps.append(end - middle)
    return median(steps) / median(passes)


if __name__ == "__main__":
    main()
