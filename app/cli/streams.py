"""The streams of the process, whose readers may go away."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import IO


def take_any_text() -> None:
    """Have stdout and stderr write every text, whatever the machine's own encoding."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


def drop(stream: IO[str]) -> None:
    """Let the stream lead nowhere; the interpreter flushes it when it ends, and would complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def flush() -> None:
    """Let out what was written to stdout; a reader that has gone is no fault."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop(sys.stdout)
