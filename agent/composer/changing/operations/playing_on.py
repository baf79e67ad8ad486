"""Playing on: a part of the song plays where it rests too, from its own music elsewhere."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

from msgspec import Meta

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import called
from agent.composer.changing.parts.resuming import resume
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage, tracks_of
from agent.composer.changing.time.material import taken
from agent.composer.understanding.items import PlaceRef, RemainingParts
from agent.composer.understanding.scopes import bars_of
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Bars, Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg

_LEAST = 2
"""Bars of rest from which on a part does not only breathe; in a scope of fewer bars any of them."""


class PlayOn(Operation, frozen=True):
    """A part plays in all bars of the scope, also in those in which it rests; what it plays already stays.

    With `onward` it plays only from where it stops for good, up to bar `last` (0: the song's last); earlier rests stay.
    """

    of_entrance = True

    wish: Wish
    onward: bool = False
    last: Annotated[int, Meta(ge=0)] = 0

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        until = f" up to bar {self.last}" if self.last else " to the end"
        return f"{self.wish.label} playing on" + (f" from where it stops{until}" if self.onward else "")

    def placed(self, said: str, places: str, without: str) -> str:
        """The sentence `said` with the `places`, and `without` as exceptions; if there are none, with "through the
        whole song"."""
        if self.onward and places and not self.last:
            said = f"{self.wish.label} playing on"
        told = places or without or self.onward
        return super().placed(said, places, without) if told else f"{said} through the whole song"


def play_on(stage: Stage, operation: PlayOn) -> None:
    """Fill the part's rests in the scope with its own music from elsewhere. Raises `Blocked` if it has no rest or
    nothing that fits."""
    rests = _rests(stage, operation.wish)
    if operation.onward:
        stopped = _stopped(stage, operation.wish)
        until = _of(stage, operation.last)[1] if 0 < operation.last <= stage.song.bars else int(stage.spans[-1][1])
        rests = [(start, min(end, until)) for start, end in rests if stopped <= start < until]
    laid = [resume(stage, operation.wish, span, called(stage.song, *span)) for span in rests]
    if not any(laid):
        raise Blocked(msg("{wish} plays there already", wish=operation.wish.label))


def _rests(stage: Stage, wish: Wish) -> list[Span]:
    """The stretches of whole bars within the scope in which the part begins no note."""
    song, bars = stage.song, stage.song.bar_map
    tracks = [song.track(track) for track in tracks_of(wish, song, stage.palette)]
    found: list[Span] = []
    for start, end in stage.spans:
        first, last = bars.bar_at(start), bars.bar_at(end - 1)
        silent = [bar for bar in range(first, last + 1) if not any(taken(one, *_of(stage, bar)) for one in tracks)]
        runs = [bar for bar in silent if bar - 1 not in silent]
        stops = [bar for bar in silent if bar + 1 not in silent]
        least = min(_LEAST, last - first + 1)
        found += [
            (_of(stage, low)[0], _of(stage, high)[1]) for low, high in zip(runs, stops, strict=True)
            if high - low + 1 >= least
        ]
    return found


def _stopped(stage: Stage, wish: Wish) -> int:
    """Where the last note within the scope begins that the part plays."""
    tracks = [stage.song.track(track) for track in tracks_of(wish, stage.song, stage.palette)]
    begun = [clip.start + note.start for track in tracks for clip in track.clips for note in clip.notes]
    return max((int(at) for at in begun if stage.inside(at)), default=0)


def _of(stage: Stage, bar: int) -> Span:
    low, high = stage.song.bar_map.span(bar, bar)
    return int(low), int(high)


def _read(filled: Filled) -> tuple[Operation, ...]:
    meant = filled.value("part")
    if isinstance(meant, tuple) and any(isinstance(part, RemainingParts) for part in meant):
        # "keep going with the rest" writes nothing
        return ()
    if filled.words.variant != "onward":
        return tuple(PlayOn(wish) for wish in filled.parts)
    until = filled.value("until") or filled.value("down_to")
    bars = bars_of(until.places[0], filled.lexicon.song) if isinstance(until, PlaceRef) else None
    # "until bar 76" has it play in that bar, "until the chorus" before it
    numbered = isinstance(until, PlaceRef) and isinstance(until.places[0], Bars)
    last = 0 if bars is None else bars.last if numbered else bars.first - 1
    return tuple(PlayOn(wish, onward=True, last=last) for wish in filled.parts)


KINDS = (
    OperationKind(PlayOn, 4, play_on, MappingProxyType({"play_on": SlotReading(_read, frozenset({"span", "part"}))})),
)
