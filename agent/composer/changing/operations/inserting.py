"""Inserting: bars that were not there, between two sections or at a bar, with what leads on or with what is named."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

from msgspec import Meta, structs

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import MOST_BARS, bar_before, bar_line, more_bars
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.changing.time.material import moved, taken, tiled
from agent.composer.changing.time.moves import Inserted
from agent.composer.changing.time.timeline import insert_time
from agent.composer.tones import Tone
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.sentences import counted, told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Edge, Operation, Place
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.song.ids import TrackId

_SLOTS = ("gap", "edge")


class Insert(Operation, frozen=True):
    """Insert `bars` bars before a place of `at` (with `behind` after it), or between two places.

    In them the parts of `only` play (empty: all), as in the bars before. `silent` bars are empty; with `vamp` one bar
    is repeated.
    """

    of_song = True

    bars: Annotated[int, Meta(ge=1, le=64)]
    at: Annotated[tuple[Place, ...], Meta(min_length=1, max_length=2)]
    behind: bool = False
    only: tuple[Wish, ...] = ()
    silent: bool = False
    vamp: bool = False

    def limited_to(self, wishes: tuple[Wish, ...], /) -> Operation | None:
        return None if self.only or self.silent else structs.replace(self, only=wishes)

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        said = counted(self.bars, "more bar" if not self.silent else "bar")
        said += " of silence" if self.silent else ""
        said += f" of {' and '.join(wish.label for wish in self.only)} alone" if self.only else ""
        said += ", one bar again and again," if self.vamp else ""
        where = " and ".join(map(told_place, self.at))
        return f"{said} {'between' if len(self.at) > 1 else 'after' if self.behind else 'before'} {where}"


def insert(stage: Stage, operation: Insert) -> None:
    """Insert the bars and copy into them what the parts play in as many bars before. Raises `Blocked` if there is
    nothing to copy or the song gets too long."""
    at = _tick(stage, operation)
    song = stage.song
    if song.bars + operation.bars > MOST_BARS:
        raise Blocked(msg("a song of more than {most_bars} bars is too long", most_bars=MOST_BARS))
    bar = bar_before(song, at) if at else int(song.bar_map.span(1, 1)[1])
    length = operation.bars * bar
    parts = {} if operation.silent else _material(stage, operation, at, bar if operation.vamp else length)
    if operation.vamp:
        parts = {track: tiled(tones, at, bar, at, at + length) for track, tones in parts.items()}
    if not parts and not operation.silent:
        raise Blocked(msg("there is nothing to make it of"))
    opened = insert_time(song, at, length, stage.sketch.new_id)
    stage.sketch.move(opened, Inserted(at, length), "makes room for the new bars")
    for track, tones in parts.items():
        stage.sketch.add_clip(track, "More", at, at + length, tones, "leads on as it did before")


def _tick(stage: Stage, operation: Insert) -> int:
    """The bar line where the new bars begin."""
    spans = [
        stage.sketch.placed(*each_span((place,), stage.sketch.before, stage.palette)[0]) for place in operation.at
    ]
    if len(spans) > 1:
        first, second = sorted(spans)
        if first[1] != second[0]:
            raise Blocked(msg("these two do not follow each other"))
        return bar_line(stage.song, second[0])
    return bar_line(stage.song, spans[0][1] if operation.behind else spans[0][0])


def _material(stage: Stage, operation: Insert, at: int, length: int) -> dict[TrackId, list[Tone]]:
    """What every part plays in the bars before, or where one that is named rests there, in those that follow."""
    named = [track for wish in operation.only for track in tracks_of(wish, stage.song, stage.palette)]
    if operation.only and not named:
        raise Blocked(msg("the song has no {label}", label=operation.only[0].label))
    parts: dict[TrackId, list[Tone]] = {}
    for track in stage.sketch.free_tracks():
        if operation.only and track.id not in named:
            continue
        before, behind = taken(track, max(0, at - length), at), taken(track, at, at + length)
        tones = moved(before, length if at >= length else at) if before else behind
        if before or (behind and (operation.only or at == 0)):
            parts[track.id] = [tone for tone in tones if at <= tone.start < at + length]
    return {track: tones for track, tones in parts.items() if tones}


def _read(filled: Filled) -> tuple[Operation, ...]:
    ref = next((value for slot in _SLOTS if (value := filled.value(slot)) is not None), None)
    # "a bar of silence"
    bars = int(filled.number("bars") or 1)
    if ref is None:
        ref = PlaceRef((Edge("start", 1),), "before")
    if not isinstance(ref, PlaceRef) or not 1 <= bars <= 64:
        return ()
    behind = ref.relation == "after"
    silent, vamp = filled.words.variant == "silent", filled.words.variant == "vamp"
    return (Insert(bars, ref.places[:2], behind and len(ref.places) == 1, filled.parts, silent, vamp),)


KINDS = (
    OperationKind(
        Insert, 17, insert,
        MappingProxyType(
            {"insert": SlotReading(_read, frozenset(_SLOTS)), "insert_front": SlotReading(_read)}
        ), more_bars,
        moves_bars=lambda _: True,
    ),
)
