"""The root of every error a user can meet: what happened, why, and what to do about it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from agent.fixes import Fix, FixKind
from agent.message import Message, Text, verbatim

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


class Said(NamedTuple):
    """What happened and why, as messages."""

    what: Message
    why: Message


class BandleaderError(Exception):
    """One clear message in three parts.

    `what` names the file, row, track or key that is concerned; `why` is the cause; `fix` what to try next, as data: a
    plain text becomes the advice `SAY`. Each boundary has one subclass and sets `blame`. `what` and `why` are in
    English; `said` has both as messages, for an interface in another language. A part longer than `LONGEST_PART`
    characters is cut in its middle.
    """

    blame: Blame = Blame.INPUT

    def __init__(self, what: Text, *, why: Text = "", fix: Fix | Text | None = None) -> None:
        self.said = Said(verbatim(what), verbatim(why))
        self.what, self.why = (in_short(str(part)) for part in self.said)
        self.fix = _as_data(fix)
        super().__init__(self.what)

    @property
    def advice(self) -> str:
        """What to do, worded for no door; empty where nothing is advised."""
        return str(self.fix or "")

    def __str__(self) -> str:
        return f"{self.what} ({self.why})" if self.why else self.what


def in_short(text: str) -> str:
    """The text, or its ends: what is wrong mostly stands at the beginning, and where at the end."""
    return text if len(text) <= LONGEST_PART else f"{text[: LONGEST_PART // 2]}…{text[1 - LONGEST_PART // 2 :]}"


def _as_data(fix: Fix | Text | None) -> Fix | None:
    """Advice as data, a text cut as the other parts are; None for none."""
    match fix:
        case Message():
            return FixKind.SAY(fix) if fix else None
        case (str() as text) | Fix(kind=FixKind.SAY, values={"text": str() as text}):
            return FixKind.SAY(in_short(text)) if text else None
        case _:
            return fix
