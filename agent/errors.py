"""The root of every error a user can meet: what happened, why, and what to do about it."""

from __future__ import annotations

from enum import StrEnum


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
    to try. Each boundary has one subclass and sets `blame`.
    """

    blame: Blame = Blame.INPUT

    def __init__(self, what: str, *, why: str = "", fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.what} ({self.why})" if self.why else self.what
