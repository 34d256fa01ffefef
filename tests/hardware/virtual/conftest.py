import functools

import pytest

from hardware.virtual import table as virtual_table

SIZE_WH = (640, 360)


@pytest.fixture(scope="session")
def stages():
    """Backdrops and hands are slow to draw and never change: share them among tests."""
    real = virtual_table.Stage
    drawn = {}

    def stage(camera, seed):
        key = (camera.size_wh, seed)
        if key not in drawn:
            drawn[key] = real(camera, seed)
        return drawn[key]

    return stage


@pytest.fixture
def make_table(monkeypatch, stages):
    """Make small tables, without noise unless told."""
    monkeypatch.setattr(virtual_table, "Stage", stages)

    def make(size_wh=SIZE_WH, seed=1, **conditions):
        conditions = {"noise_sd": 0.0, **conditions}
        return virtual_table.VirtualTable(size_wh, 15, seed, conditions=virtual_table.Conditions(**conditions))

    return make


@pytest.fixture
def table(make_table):
    return make_table()


@pytest.fixture
def settle():
    """Draw until nothing happens any more; give the last frame."""

    def until_quiet(table):
        frame = table.draw()
        while table.is_busy:
            frame = table.draw()
        return frame

    return until_quiet


@pytest.fixture
def seen_colours():
    return functools.partial(_seen_colours)


def _seen_colours(table, frame, rest):
    """What colours a person would say the faces have that the camera sees, by hue, worked out from the yaw alone."""
    import numpy as np

    from hardware.virtual.motion import SIZE_MM

    camera = table._camera
    angle = np.radians(rest.yaw_deg)
    south = np.array([-np.sin(angle), -np.cos(angle)])  # a die turned clockwise shows its south side to the west
    west = np.array([-np.cos(angle), np.sin(angle)])
    normals = {
        "top": (0.0, 0.0, 1.0),
        "S": (*south, 0.0),
        "N": (*-south, 0.0),
        "W": (*west, 0.0),
        "E": (*-west, 0.0),
    }
    middle = np.array([rest.x_mm, rest.y_mm, SIZE_MM / 2])
    found = {}
    for face, normal in normals.items():
        at = middle + np.array(normal) * SIZE_MM / 2
        to_camera = camera.position - at
        if np.dot(normal, to_camera) / np.linalg.norm(to_camera) < 0.3:
            continue
        x, y = (round(float(v)) for v in camera.project(at[None].astype(np.float32))[0])
        found[face] = _named(frame[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).mean(0))
    return found


def _named(bgr):
    import colorsys

    blue, green, red = (float(v) / 255 for v in bgr)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if value < 0.3 and saturation < 0.4:
        return "black"
    hues = {"red": 0, "yellow": 48, "green": 140, "blue": 218, "violet": 280, "red again": 360}
    return min(hues, key=lambda name: abs(hues[name] - hue * 360)).split()[0]
