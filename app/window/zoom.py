"""The size of everything: Qt takes it once, before there is an application."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_FACTOR = "QT_SCALE_FACTOR"
_WHOLE = 100


@contextmanager
def zoomed(percent: int) -> Iterator[None]:
    """Context in which the QApplication must be made to draw everything at this percentage; a factor set in the
    environment takes precedence. The variable is removed afterwards, so that child processes do not inherit it."""
    if percent == _WHOLE or _FACTOR in os.environ:
        yield
        return
    os.environ[_FACTOR] = f"{percent / _WHOLE:g}"
    try:
        yield
    finally:
        del os.environ[_FACTOR]
