"""How long other threads keep the interpreter while the window's own waits for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_TURN = 0.0002
"""Switch interval in seconds; Python's own is 5 ms. Painting releases the interpreter's lock, and takes it again, many
times a frame."""


@contextmanager
def short_turns() -> Iterator[None]:
    """Context with a short switch interval of Python's threads."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
