"""The root of every error a user can meet: what happened, why, and what to do about it."""

from __future__ import annotations

from enum import StrEnum

LONGEST_PART = 2_000


class Blame(StrEnum):
    """Where the cause lies; a door turns it into an exit code or a colour."""

    INPUT = "input"
    PROVIDER = "provider"
    APPROVAL = "approval"
    RUN = "run"
    MACHINE = "machine"
    CANCELLED = "cancelled"
    BUG = "bug"


class BandleaderError(Exception):
    """One clear message in three parts.

    `what` names the file, row, track or key that is concerned; `why` the cause; `fix` the next thing
    to try. Each boundary has one subclass and sets `blame`. A part that repeats a text of any length is cut in its
    middle to `LONGEST_PART` characters.
    """

    blame: Blame = Blame.INPUT

    def __init__(self, what: str, *, why: str = "", fix: str = "") -> None:
        self.what, self.why, self.fix = (_in_short(part) for part in (what, why, fix))
        super().__init__(self.what)

    def __str__(self) -> str:
        return f"{self.what} ({self.why})" if self.why else self.what


def _in_short(text: str) -> str:
    """The text, or its ends: what is wrong mostly stands at the beginning, and where at the end."""
    return text if len(text) <= LONGEST_PART else f"{text[: LONGEST_PART // 2]}…{text[1 - LONGEST_PART // 2 :]}"
