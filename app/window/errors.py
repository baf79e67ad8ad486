"""What keeps the window from opening, and how a start that failed is told at the terminal."""

from __future__ import annotations

import sys
from contextlib import suppress

from agent.errors import BandleaderError, Blame

OK, BUG, MACHINE = 0, 1, 6
AGAIN = -1
"""Returned instead of an exit status if the window was closed to be opened again."""


class WindowError(BandleaderError):
    """The machine cannot show a window, or another running instance does not answer."""

    blame = Blame.MACHINE


def say(error: BandleaderError, advice: str = "") -> int:
    """Print the error on stderr, if there is one, with `advice` or else its own; returns the exit status for a start
    that failed."""
    lines = [f"error: {error.what}"]
    lines += [f"why: {error.why}"] if error.why else []
    lines += [f"try: {advice or error.advice}"] if error.fix else []
    note("\n".join(lines))
    return BUG if error.blame is Blame.BUG else MACHINE


def note(words: str) -> None:
    """Print a text on stderr, if there is one."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(words.encode("utf-8", "backslashreplace").decode() + "\n")
        sys.stderr.flush()
