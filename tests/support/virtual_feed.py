"""Feeds the virtual camera of a Debian root with pictures of the virtual table."""

import threading
from pathlib import Path

import cv2
import numpy as np

HERE = Path(__file__).parents[1] / "pi"
PIPELINE = """"Virtual0":
  supported_formats:
  - width: 1280
    height: 720
    frame_rates: [15, 30]
  frames:
    path: "/usr/share/virtual-camera/"
  location: "CameraLocationBack"
  model: "virtual-table"
"""


def supply(pi):
    """Put the virtual camera into a root."""
    pictures = pi.path / "usr/share/virtual-camera"
    pictures.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(pictures / "0.jpg"), np.full((720, 1280, 3), 90, np.uint8))
    pipeline = pi.path / "usr/share/libcamera/pipeline/virtual"
    pipeline.mkdir(parents=True, exist_ok=True)
    (pipeline / "virtual.yaml").write_text(PIPELINE)
    packages = next((pi.path / "usr/local/lib").glob("python3.*")) / "dist-packages"
    (packages / "virtual_camera.py").write_text((HERE / "virtual_camera.py").read_text())
    inside = next((pi.path / "opt/picamera2/lib").glob("python3.*/site-packages")).relative_to(pi.path)
    (packages / "virtual_camera.pth").write_text(f"/{inside}\nimport virtual_camera\n")


def nv12(frame):
    """BGR to NV12, the bytes of both planes."""
    height, width = frame.shape[:2]
    planes = cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420)
    u, v = (part.reshape(height // 2, width // 2) for part in np.split(planes[height:].reshape(-1), 2))
    return planes[:height].tobytes() + np.dstack([u, v]).tobytes()


def show(pi, frame):
    scratch = pi.feed / "next"
    scratch.write_bytes(nv12(frame))
    scratch.replace(pi.feed / "frame.nv12")


class Feeder(threading.Thread):
    """Draws the virtual table's pictures one after the other."""

    def __init__(self, pi, virtual):
        super().__init__(daemon=True)
        self.pi, self.camera, self.on, self.stopped = pi, virtual.camera(), True, threading.Event()

    def run(self):
        while not self.stopped.wait(0.01):
            if self.on:
                show(self.pi, self.camera.read())
