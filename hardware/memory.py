"""Giving memory back to the system after something that needed much of it for a moment."""

import ctypes
import gc


def give_back() -> None:
    """Hand freed memory back.

    Arrays of many megabytes that were needed while setting up leave holes that the C library keeps for later: more
    than a small Pi has to spare. Source: malloc_trim(3) of glibc; other C libraries are left alone.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(ctypes.c_size_t(0))
