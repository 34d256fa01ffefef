"""Keeping the program small: heaps that threads share, and memory given back once it isn't needed."""

import ctypes
import gc

_M_ARENA_MAX = -8


def share_arenas() -> None:
    """Let all threads share two heaps, where each would get its own; called before there are threads.

    Dozens of threads serve phones, and what one frees in its own heap no other can use. Source: mallopt(3) of glibc.
    """
    _call("mallopt", ctypes.c_int(_M_ARENA_MAX), ctypes.c_int(2))


def give_back() -> None:
    """Hand freed memory back.

    Arrays of many megabytes that were needed while setting up leave holes that the C library keeps for later: more
    than a small Pi has to spare.
    """
    gc.collect()
    trim()


def trim() -> None:
    """Hand back what is free already, which takes a few milliseconds. Source: malloc_trim(3) of glibc."""
    _call("malloc_trim", ctypes.c_size_t(0))


def _call(name: str, *arguments: ctypes.c_int | ctypes.c_size_t) -> None:
    """Call the C library; others than glibc may not have this."""
    function = getattr(ctypes.CDLL(None), name, None)
    if function is not None:
        function(*arguments)
