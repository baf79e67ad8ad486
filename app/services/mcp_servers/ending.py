"""Why a connection was closed, for those who wait on it."""

from __future__ import annotations

from agent.fixes import Fix


class CloseReason:
    """Why a connection was closed: the first reason given."""

    def __init__(self) -> None:
        self.why = ""
        self.fix: Fix | str | None = None
        """What a person can do; None for what holds of every server."""
        self.last_words = ""
        """The last line of the error stream of a program that has ended."""

    def say(self, why: str) -> None:
        """Give a reason; only the first is kept."""
        self.why = self.why or why
