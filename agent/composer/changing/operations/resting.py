"""Resting: a part, or everyone, is silent right before a place, and goes on there."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

from msgspec import Meta

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import bar_line
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.tones import Tone
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.scopes import just_behind
from agent.composer.understanding.sentences import counted, told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Bars, Operation, Place
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.song.track import Track

_MOST = 64


class Rest(Operation, frozen=True):
    """A part (`wish` None: everyone) is silent for `bars` bars or `beats` beats right before each place of `before`
    (empty: the song's end).

    With neither bars nor beats it is silent in the whole scope.
    """

    before: tuple[Place, ...]
    wish: Wish | None = None
    bars: Annotated[int, Meta(ge=0, le=_MOST)] = 0
    beats: Annotated[int, Meta(ge=0, le=_MOST)] = 0

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        if not self.bars and not self.beats:
            return f"{self.wish.label if self.wish is not None else 'everything'} silent"
        length = counted(self.beats, "beat") if self.beats else counted(self.bars, "bar")
        label = self.wish.label if self.wish is not None else "everything"
        return f"{label} silent for {length} before {' and '.join(map(told_place, self.before)) or 'the end'}"

    def placed(self, said: str, places: str, without: str) -> str:
        """`said` unchanged if it counts bars or beats, as it then names its place; else with the `places`, and
        `without` as exceptions."""
        return said if self.bars or self.beats else super().placed(said, places, without)


def rest(stage: Stage, operation: Rest) -> None:
    """Remove the notes that begin where `operation` lets the part rest, and cut those that sound into it; no bar moves.
    Raises `Blocked` if the part is silent there already."""
    spans = _spans(stage, operation)
    before = stage.song
    for track in stage.free(operation.wish):
        _silence(stage, stage.song.track(track.id), spans)
    if stage.song == before:
        label = operation.wish.label if operation.wish is not None else "everything"
        raise Blocked(msg("{label} is silent there already", label=label))


def _spans(stage: Stage, operation: Rest) -> list[Span]:
    song, bars = stage.song, stage.song.bar_map
    if not operation.bars and not operation.beats:
        return list(stage.spans)
    found = []
    places = each_span(operation.before, stage.sketch.before, stage.palette)
    starts = [stage.sketch.placed(*place)[0] for place in places] or [int(bars.start_of(song.bars + 1))]
    for end in (bar_line(song, start) for start in starts):
        if operation.beats:
            meter = bars.meter_at(max(0, end - 1))
            start = end - operation.beats * int(meter.bar_length) // meter.beats
        else:
            start = int(bars.start_of(max(1, bars.bar_at(end - 1) + 1 - operation.bars)))
        if 0 <= start < end:
            found.append((start, end))
    if not found:
        raise Blocked(msg("nothing lies before that"))
    return found


def _silence(stage: Stage, track: Track, spans: list[Span]) -> None:
    for clip in track.clips:
        tones = stage.sketch.tones(clip)
        kept = [_ended(tone, spans) for tone in tones if not any(start <= tone.start < end for start, end in spans)]
        if kept != list(tones):
            stage.sketch.rewrite(clip.id, kept, "resting", "silent there, as you asked")


def _ended(tone: Tone, spans: list[Span]) -> Tone:
    """The note, ended where a silence begins that it sounds into."""
    end = min((start for start, _ in spans if tone.start < start < tone.start + tone.length), default=None)
    return tone if end is None else Tone(tone.start, tone.pitch, end - tone.start, tone.velocity)


def _read(filled: Filled) -> tuple[Operation, ...]:
    ref = filled.value("until") or filled.value("spot")
    if filled.value("span") is not None and filled.words.variant == "all":
        return (Rest(()),)
    if not isinstance(ref, PlaceRef) or not ref.places:
        return ()
    whole = filled.lexicon.song.bars
    places = [just_behind(one, filled.lexicon.song) if ref.relation == "after" else one for one in ref.places]
    before = tuple(place for place in places if not isinstance(place, Bars) or place.first <= whole)
    variant = filled.words.variant
    if variant == "beats":
        beats = max(1, min(_MOST, int(filled.number("number") or 1)))
        return tuple(Rest(before, wish, beats=beats) for wish in filled.each)
    bars = max(1, min(_MOST, int(filled.number("bars") or 1)))
    wishes = (None,) if variant == "all" else filled.parts
    return tuple(Rest(before, wish, bars) for wish in wishes)


KINDS = (
    OperationKind(
        Rest, 4, rest, MappingProxyType({"rest": SlotReading(_read, frozenset({"until", "span", "spot"}))}),
        removes=lambda _: True,
    ),
)
