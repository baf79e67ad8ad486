"""What the sound room refuses, and where the cause lies."""

from __future__ import annotations

from agent.errors import BandleaderError, Blame


class SoundError(BandleaderError):
    """The machine cannot make, measure or store sound."""

    blame = Blame.MACHINE


class SoundInputError(SoundError):
    """The input is not valid: an unknown effect, parameter or file format."""

    blame = Blame.INPUT


class RenderCancelledError(SoundError):
    """The caller cancelled a render; nothing was written except cache entries."""

    blame = Blame.CANCELLED
