"""Exchanging: two parts play each other's lines, each in the octave of who plays it now."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from types import MappingProxyType

from msgspec import structs

from agent.composer.changing.notes.laying import lay
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.changing.time.material import taken
from agent.composer.styles import RHYTHMIC
from agent.composer.tones import Tone
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.song.track import Track

_OCTAVE = 12


class Exchange(Operation, frozen=True):
    """Two parts play each other's notes; each keeps its instrument and level."""

    wish: Wish
    other: Wish

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{self.wish.label} and {self.other.label} exchange their lines"


def exchange(stage: Stage, operation: Exchange) -> None:
    """Swap the notes of the two parts of `operation`, each line moved by whole octaves near to where its new player lay
    before. Raises `Blocked` unless both are single, pitched tracks."""
    pair = [stage.free(wish) for wish in (operation.wish, operation.other)]
    if any(len(tracks) != 1 for tracks in pair) or pair[0] == pair[1]:
        raise Blocked(msg("lines are exchanged between two single parts"))
    one, other = pair[0][0], pair[1][0]
    if any(stage.roles()[track.id] in RHYTHMIC for track in (one, other)):
        raise Blocked(msg("drums and pitched parts cannot play each other's notes"))
    for span in stage.spans:
        lines = taken(one, *span), taken(other, *span)
        if not any(lines):
            raise Blocked(msg("neither {one} nor {other} plays there", one=one.name, other=other.name))
        for track, line, before in ((one, lines[1], lines[0]), (other, lines[0], lines[1])):
            _lay(stage, track, span, line, before, (other if track is one else one).name)


def _lay(stage: Stage, track: Track, span: Span, line: Sequence[Tone], before: Sequence[Tone], whose: str) -> None:
    near = before or line
    by = round((_height(near) - _height(line)) / _OCTAVE) * _OCTAVE if line else 0
    moved = [structs.replace(tone, pitch=min(127, max(0, tone.pitch + by))) for tone in line]
    lay(stage, track.id, span, moved, track.name, f"{whose}'s line")


def _height(line: Sequence[Tone]) -> float:
    return fmean(tone.pitch for tone in line)


def _read(filled: Filled) -> tuple[Operation, ...]:
    """Of two parts that the song has; anything else is no exchange."""
    named = (*filled.parts, *((filled.by,) if filled.by is not None else ()))
    pair = named if len(named) != 1 else tuple(filled.lexicon.one_by_one(named[0]))
    if len(pair) != 2 or pair[0] == pair[1] or not all(filled.lexicon.has_already(wish) for wish in pair):
        return ()
    return (Exchange(*pair),)


KINDS = (
    OperationKind(
        Exchange, 9, exchange, MappingProxyType({"exchange": SlotReading(_read, frozenset({"part", "own"}))}),
    ),
)
