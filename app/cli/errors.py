"""What the command line itself refuses, and the exit status of every error."""

from __future__ import annotations

from agent.errors import BandleaderError, Blame

OK, BUG, BAD_INPUT, PROVIDER, NOT_APPROVED, UNFINISHED, MACHINE, CANCELLED = 0, 1, 2, 3, 4, 5, 6, 130

_STATUS = {
    Blame.INPUT: BAD_INPUT,
    Blame.PROVIDER: PROVIDER,
    Blame.APPROVAL: NOT_APPROVED,
    Blame.RUN: UNFINISHED,
    Blame.MACHINE: MACHINE,
    Blame.CANCELLED: CANCELLED,
    Blame.BUG: BUG,
}


class UsageError(BandleaderError):
    """A command, argument or option that does not exist or is not valid here."""


class HostError(BandleaderError):
    """The operating system refuses something."""

    blame = Blame.MACHINE


class Declined(BandleaderError):
    """The person did not approve the plan."""

    blame = Blame.APPROVAL


def status_of(error: BandleaderError) -> int:
    """The exit status of an error."""
    return _STATUS[error.blame]
