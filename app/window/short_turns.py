"""How long other threads keep the interpreter while the window's own waits for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_TURN = 0.0002
"""Seconds; Python's own are 5 ms. Painting gives the interpreter away, and asks for it again, many times a frame."""


@contextmanager
def short_turns() -> Iterator[None]:
    """Threads take short turns meanwhile."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
