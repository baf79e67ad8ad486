"""What keeps the window from opening, and how a start that failed is told at the terminal."""

from __future__ import annotations

import sys
from contextlib import suppress

from agent.errors import BandleaderError, Blame

OK, BUG, MACHINE = 0, 1, 6
AGAIN = -1
"""No exit status: the window was closed to be opened again."""


class WindowError(BandleaderError):
    """The machine cannot show a window, or another Bandleader does not answer."""

    blame = Blame.MACHINE


def say(error: BandleaderError) -> int:
    """Tell the error on stderr, where there is one; returns the exit status of a start that failed."""
    lines = [f"error: {error.what}"]
    lines += [f"why: {error.why}"] if error.why else []
    lines += [f"try: {error.advice}"] if error.fix else []
    note("\n".join(lines))
    return BUG if error.blame is Blame.BUG else MACHINE


def note(words: str) -> None:
    """Say something on stderr, where there is one."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(words.encode("utf-8", "backslashreplace").decode() + "\n")
        sys.stderr.flush()
