"""The chart of a song: the chord symbols that it states, each for a stretch of time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from agent.song.chord import Chord
from agent.song.chord_symbols import LONGEST_SYMBOL, NO_CHORD, chord
from agent.song.time import Length, Position, Ticks

Symbol = Annotated[str, Meta(min_length=1, max_length=LONGEST_SYMBOL, description="a chord symbol, as Am7/G, or N.C.")]


class ChordSymbol(Struct, frozen=True, forbid_unknown_fields=True):
    """A chord that the song states for the ticks from `start` on, written as on a lead sheet; `N.C.` says that no chord
    sounds there."""

    start: Position
    duration: Length
    symbol: Symbol

    @property
    def end(self) -> Ticks:
        """First tick after the chord."""
        return Ticks(self.start + self.duration)

    @property
    def chord(self) -> Chord | None:
        """The chord itself; None for no chord."""
        return None if self.symbol == NO_CHORD else chord(self.symbol)


def without_stretch(chords: Iterable[ChordSymbol], start: int, end: int) -> tuple[ChordSymbol, ...]:
    """The chords outside the ticks `start` to `end`, in their order; chords that reach into this range are cut at its
    edges."""
    kept: list[ChordSymbol] = []
    for one in chords:
        if one.start < start:
            kept.append(replace(one, duration=Ticks(min(one.end, start) - one.start)))
        if one.end > end:
            first = max(one.start, end)
            kept.append(replace(one, start=Ticks(first), duration=Ticks(one.end - first)))
    return tuple(kept)


def within_stretch(chords: Iterable[ChordSymbol], start: int, end: int) -> tuple[ChordSymbol, ...]:
    """The chords within the ticks `start` to `end`, in their order; chords that reach beyond this range are cut at its
    edges."""
    return tuple(
        replace(one, start=Ticks(first), duration=Ticks(min(one.end, end) - first))
        for one in chords if one.start < end and one.end > start for first in (max(one.start, start),)
    )


def in_brief(symbols: Iterable[str], most: int = 8) -> str:
    """Chord symbols on one line, immediate repetitions left out, and `…` for those beyond `most`: "Am F C G …"."""
    told: list[str] = []
    for symbol in symbols:
        if told[-1:] != [symbol]:
            told.append(symbol)
    return " ".join(told[:most]) + (" …" if len(told) > most else "")
