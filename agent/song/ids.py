"""Short text ids: a kind letter and base32 of SHA-256, so that the same origin always gives the same id."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import NewType

TrackId = NewType("TrackId", str)
ClipId = NewType("ClipId", str)
NoteId = NewType("NoteId", str)
EffectId = NewType("EffectId", str)
SectionId = NewType("SectionId", str)
ProjectId = NewType("ProjectId", str)
RunId = NewType("RunId", str)
IterationId = NewType("IterationId", str)

MASTER = TrackId("master")
"""The target of effects and automation on the whole mix; never the id of a track."""

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = tuple(one + other for one in _ALPHABET for other in _ALPHABET)
"""Two digits of base32 for every ten bits: a plan has an id for each of its notes."""
_SHIFTS = range(50, -1, -10)
_SPARE = 4
"""Bits beyond the sixty of twelve digits."""


class Kind(StrEnum):
    """The letter an id begins with."""

    TRACK = "t"
    CLIP = "c"
    NOTE = "n"
    EFFECT = "e"
    SECTION = "s"
    PROJECT = "p"
    RUN = "r"
    ITERATION = "i"


def derive(kind: Kind, *origin: str | int) -> str:
    """Id of whatever came from `origin`, for example (plan hash, step, item, ordinal); 60 bits wide."""
    text = "\x1f".join(map(str, origin))
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> _SPARE
    return kind + "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])
