"""The size of everything: Qt takes it once, before there is an application."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_FACTOR = "QT_SCALE_FACTOR"
_WHOLE = 100


@contextmanager
def zoomed(percent: int) -> Iterator[None]:
    """An application that is made within draws all of this size; a factor of the environment counts more.

    Programs that are started later must not find it.
    """
    if percent == _WHOLE or _FACTOR in os.environ:
        yield
        return
    os.environ[_FACTOR] = f"{percent / _WHOLE:g}"
    try:
        yield
    finally:
        del os.environ[_FACTOR]
