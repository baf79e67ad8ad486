"""Short text ids: a kind letter and base32 of SHA-256, so that the same origin always gives the same id."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256
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
_SPARE = 4
"""Bits beyond the sixty of twelve digits."""
_BETWEEN = "\x1f"
"""Stands between the parts of an origin, in none of which it is."""


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
    return _id(kind, sha256(_BETWEEN.join(map(str, origin)).encode()).digest())


def derive_many(kind: Kind, *origin: str | int) -> Callable[[int], str]:
    """A function from a number to an id: `derive` for many things of one origin, such as the notes of a clip, with the
    number as the last part of the origin."""
    begun = sha256("".join(f"{part}{_BETWEEN}" for part in origin).encode())

    def numbered(number: int) -> str:
        own = begun.copy()
        own.update(b"%d" % number)
        return _id(kind, own.digest())

    return numbered


def _id(kind: Kind, digest: bytes) -> str:
    number = int.from_bytes(digest[:8]) >> _SPARE
    high, low = divmod(number, 1 << 30)
    return "".join((
        kind, _PAIRS[high >> 20], _PAIRS[high >> 10 & 1023], _PAIRS[high & 1023],
        _PAIRS[low >> 20], _PAIRS[low >> 10 & 1023], _PAIRS[low & 1023],
    ))
