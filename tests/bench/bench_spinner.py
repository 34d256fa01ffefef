"""What reading both dials costs, in passes of ``cv2.cvtColor(BGR2HSV)`` over the same 1280 x 720 frame.

Run it from the folder of the project: ``PYTHONPATH=.:tests/support python tests/bench/bench_spinner.py``. The two are
timed in turns, in one process and on one OpenCV thread, so that what else the machine does hits both.
"""

from statistics import median
from time import perf_counter

import cv2
import dial_drawing

from companion.inputs import Status
from vision.spinner import learn_spinner, read_spinner

ROUNDS = 200
AIM = 2.0


def main():
    cv2.setNumThreads(1)
    for title, look in (
        ("red arrows", dial_drawing.Look()),
        ("black arrows", dial_drawing.Look(color=(35, 35, 35))),
    ):
        print(f"reading both dials, {title}: {ratio(look):.2f} passes (aim: at most {AIM})")


def ratio(look):
    """Time a reading and a pass in turns over frames whose arrows point elsewhere each time."""
    card, plane = dial_drawing.card(), dial_drawing.plane()
    setup = learn_spinner(card, plane, [(dial_drawing.draw((100.0, 215.0), look=look), (100.0, 215.0))])
    frames = [dial_drawing.draw((17.0 + 70 * i, 40.0 + 50 * i), look=look) for i in range(10)]
    assert all(read_spinner(frame, setup).status is Status.READ for frame in frames)
    reads, passes = [], []
    for i in range(ROUNDS):
        frame = frames[i % len(frames)]
        start = perf_counter()
        cv2.cvtColor(frame, cv2.COLOR_BGR2HSV)
        middle = perf_counter()
        read_spinner(frame, setup)
        end = perf_counter()
        passes.append(middle - start)
        reads.append(end - middle)
    return median(reads) / median(passes)


if __name__ == "__main__":
    main()
