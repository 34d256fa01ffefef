"""How many passes of one colour conversion reading a die costs; run as ``python tests/bench/bench_die.py``."""

import os
import pathlib
import statistics
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `companion` does

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import cv2  # noqa: E402
import drawn_die as drawn  # noqa: E402
import numpy as np  # noqa: E402

from vision.calibrate import Shown, learn_die  # noqa: E402
from vision.die import read_die  # noqa: E402

ROUNDS = 200
GOALS = {"read anywhere": 6, "read in a known region": 2}


def enlarge(frame):
    return cv2.resize(frame, (1280, 720), interpolation=cv2.INTER_CUBIC)


def scaled_setup():
    corners = {name: [2 * x + 0.5, 2 * y + 0.5] for name, (x, y) in drawn.square_px().items()}
    camera = {"width": 1280, "height": 720, "vfov_deg": 40.0}
    shown = []
    for number, names in enumerate((("yellow", "red"), ("blue", "green"))):
        lie = drawn.lie_of(*names)
        shown.append(Shown(enlarge(drawn.draw((lie, 5, -5, 12))), *drawn.describe(lie), f"shown {number}"))
    table = {"square_mm": 200, "square_px": corners}
    return learn_die(camera, table, enlarge(drawn.draw(seed=9)), shown, die={"size_mm": drawn.SIZE_MM})[0]


def main():
    cv2.setNumThreads(1)
    setup = scaled_setup()
    frame = enlarge(drawn.draw((drawn.lie_of("red", "purple"), -45, 30, -20)))
    x, y = (2 * value for value in drawn.project_one(-45, 30))
    steps = {
        "read anywhere": lambda: read_die(frame, setup),
        "read in a known region": lambda: read_die(frame, setup, near=(x, y, 30.0)),
    }
    seconds = {name: [] for name in ("pass", *steps)}
    for _ in range(ROUNDS):
        for name, step in {"pass": lambda: cv2.cvtColor(frame, cv2.COLOR_BGR2HSV), **steps}.items():
            start = time.perf_counter()
            step()
            seconds[name].append(time.perf_counter() - start)
    one = statistics.median(seconds["pass"])
    print(f"one pass of BGR2HSV over {frame.shape[1]} x {frame.shape[0]}: {one * 1e3:.2f} ms, NumPy {np.__version__}")
    for name, goal in GOALS.items():
        print(f"{name}: {statistics.median(seconds[name]) / one:.1f} passes (goal {goal})")


if __name__ == "__main__":
    main()
