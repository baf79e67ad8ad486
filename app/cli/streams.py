"""The streams of the process, whose readers may go away."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import IO


def take_any_text() -> None:
    """Set stdout and stderr to UTF-8, whatever the machine's own encoding."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


def drop(stream: IO[str]) -> None:
    """Redirect the stream to the null device, so that the interpreter's last flush does not fail after its reader has
    closed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def flush() -> None:
    """Flush stdout; a reader that has closed it is no error."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop(sys.stdout)
