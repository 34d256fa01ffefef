"""Lets the real picamera2 run on libcamera's virtual pipeline, and feeds it pictures. For tests in a scratch root only.

A ``.pth`` file imports this module at every start of Python; it does its work when picamera2 is imported. The virtual
pipeline has no dma-heap and no raw modes, and it doesn't pace itself. Pictures come from the file FEED: raw NV12,
1280 x 720, replaced as a whole by whoever draws them; without it the pipeline's own pictures are shown.
"""

import importlib.machinery
import mmap
import os
import sys
import time
import types
from pathlib import Path

FEED = Path(os.environ.get("COMPANION_VIRTUAL_FEED", "/virtual-camera/frame.nv12"))
FRAME_S = 1 / 12
PATIENCE_S = 0.5
shown = []


class Finder:
    """Steps in once, when picamera2 is imported."""

    def find_spec(self, name, path=None, target=None):
        if name != "picamera2":
            return None
        sys.meta_path.remove(self)
        kms = types.ModuleType("kms")
        kms.PixelFormats = type("Anything", (), {"__getattr__": lambda self, name: name})()
        sys.modules.setdefault("kms", kms)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None:
            execute = spec.loader.exec_module

            def execute_and_patch(module):
                execute(module)
                patch()

            spec.loader.exec_module = execute_and_patch
        return spec


class Mapped:
    def __init__(self, allocator, buffer, write):
        self.buffer = buffer

    def __enter__(self):
        self.memory = mmap.mmap(self.buffer.planes[0].fd, 0)  # both planes share one memory file
        return self.memory

    def __exit__(self, *_):
        self.memory.close()


class MemoryFiles:
    """Buffers in memory files, where a camera's would be in dma-heaps; an Allocator of picamera2."""

    needs_sync = False

    def __init__(self):
        self.sync, self.made, self.files = Mapped, {}, []

    def allocate(self, configuration, _):
        self.close()
        for stream in configuration:
            planes = stream.stride * stream.size.height, stream.stride * ((stream.size.height + 1) // 2)
            self.made[stream.stream] = [self.buffer(planes) for _ in range(stream.buffer_count)]

    def buffer(self, lengths):
        import libcamera

        file = os.memfd_create("virtual camera", os.MFD_CLOEXEC)
        os.ftruncate(file, sum(lengths))
        self.files.append(file)
        planes, offset = [], 0
        for length in lengths:
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = file, offset, length
            planes.append(plane)
            offset += length
        return libcamera.FrameBuffer(planes)

    def buffers(self, stream):
        return self.made[stream]

    def acquire(self, buffers):
        pass

    def release(self, buffers):
        pass

    def close(self):
        for file in self.files:
            os.close(file)
        self.files, self.made = [], {}


def raw_modes(camera):
    import libcamera

    formats = camera.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0).formats
    return [{"format": str(p), "size": (s.width, s.height)} for p in formats.pixel_formats for s in formats.sizes(p)]


def patch():
    import libcamera
    import picamera2.picamera2 as inner

    inner.DmaAllocator = MemoryFiles
    inner.Picamera2._get_raw_modes = raw_modes
    if libcamera.CameraManager.singleton().version.startswith("v0.4"):
        libcamera.FrameMetadata.status = property(lambda self: libcamera.FrameMetadata.Status.Success)
    make = inner.Picamera2.__init__

    def make_and_feed(self, *arguments, **named):
        make(self, *arguments, **named)
        self.pre_callback = feed

    inner.Picamera2.__init__ = make_and_feed


def feed(request):
    from picamera2 import MappedArray

    wait_for_another()
    try:
        picture = FEED.read_bytes()
    except OSError:
        return
    # The pipeline gives both streams in the same size and format.
    for stream in (name for name, of_camera in request.stream_map.items() if of_camera is not None):
        with MappedArray(request, stream, reshape=False) as mapped:
            if len(picture) == mapped.array.size:
                mapped.array[:] = memoryview(picture)


def wait_for_another():
    """Wait for a new picture: the same one over and over would be a die that lies still in mid-air."""
    time.sleep(FRAME_S)
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            number = FEED.stat().st_ino, FEED.stat().st_mtime_ns
        except OSError:
            return
        if shown != [number]:
            shown[:] = [number]
            return
        time.sleep(0.01)


sys.meta_path.insert(0, Finder())
