"""Why a connection came to its end, told to whoever waits on it."""

from __future__ import annotations

from agent.fixes.fix import Fix


class CloseReason:
    """Keeps the first reason that it is given."""

    def __init__(self) -> None:
        self.why = ""
        self.fix: Fix | str | None = None
        """What a person can do; None for what holds of every server."""
        self.last_words = ""
        """The last line of the error stream of a program that has ended."""

    def say(self, why: str) -> None:
        """A reason; those after the first follow from it."""
        self.why = self.why or why
