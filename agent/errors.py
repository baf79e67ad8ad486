"""The root of every error a user can meet: what happened, why, and what to do about it."""

from __future__ import annotations

from enum import StrEnum

from agent.fixes.advice import Say
from agent.fixes.fix import Fix

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
    to try, as data; a text means `Say`. Each boundary has one subclass and sets `blame`. A part that repeats a text
    of any length is cut in its middle to `LONGEST_PART` characters.
    """

    blame: Blame = Blame.INPUT

    def __init__(self, what: str, *, why: str = "", fix: Fix | str | None = None) -> None:
        self.what, self.why = _in_short(what), _in_short(why)
        self.fix = _as_data(fix)
        super().__init__(self.what)

    @property
    def advice(self) -> str:
        """What to do, worded for no door; empty where nothing is advised."""
        return str(self.fix or "")

    def __str__(self) -> str:
        return f"{self.what} ({self.why})" if self.why else self.what


def _as_data(fix: Fix | str | None) -> Fix | None:
    """Advice as data, a text cut as the other parts are; None for none."""
    if fix is None or not isinstance(fix, Say | str):
        return fix
    text = str(fix)
    return Say(_in_short(text)) if text else None


def _in_short(text: str) -> str:
    """The text, or its ends: what is wrong mostly stands at the beginning, and where at the end."""
    return text if len(text) <= LONGEST_PART else f"{text[: LONGEST_PART // 2]}…{text[1 - LONGEST_PART // 2 :]}"
