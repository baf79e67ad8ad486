"""Arranging: the sections in an order that is told, or some of them once more behind the last one."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

from msgspec import Meta, structs

from agent.composer.changing.operations.forming import take_out
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.moving import copied, song_end
from agent.composer.changing.operations.repeating import bar_line, more_bars
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Named, Operation, Place
from agent.message import msg
from agent.song.song import Section, Song

_MOST = 24


class Append(Operation, frozen=True):
    """Play the bars of the places in `order` once more at the end of the song, one after another."""

    order: Annotated[tuple[Place, ...], Meta(min_length=1, max_length=_MOST)]

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{', then '.join(map(told_place, self.order))} once more at the end"


class Arrange(Operation, frozen=True):
    """Reorder the song to consist of exactly the places in `order`, one after another; every section must be among
    them."""

    order: Annotated[tuple[Place, ...], Meta(min_length=2, max_length=_MOST)]

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"in the order {', '.join(map(told_place, self.order))}"


def append(stage: Stage, operation: Append) -> None:
    """Copy the bars of each place of `operation.order`, with all that lies on them, to the end of the song (before an
    outro)."""
    for span in _spans(stage, operation.order):
        copied(stage, span, song_end(stage))


def arrange(stage: Stage, operation: Arrange) -> None:
    """Rebuild the song as copies of the places in `operation.order`, removing what was there. Raises `Blocked` if a
    section or bars outside of sections would be lost."""
    spans, close = _spans(stage, operation.order), song_end(stage)
    left = [
        section.name for section in stage.song.sections
        if not any(start <= bar_line(stage.song, section.start) and section.end <= end for start, end in spans)
    ]
    if left or not stage.song.sections:
        raise Blocked(msg("that order leaves out {left}", left=left[0]) if left else msg("the song names no sections"))
    bounds = [edge for section in stage.song.sections for edge in (int(section.start), int(section.end))]
    if min(bounds) > 0 or bar_line(stage.song, max(bounds)) < close:
        raise Blocked(msg("some bars of the song belong to no section"))
    for span in spans:
        copied(stage, span, song_end(stage))
    names = [section.name for span in spans for section in _within(stage.song, span)]
    take_out(stage, (0, close), "plays in the new order")
    _name(stage, names)


def _within(song: Song, span: Span) -> list[Section]:
    """The sections of a stretch that lies before all copies."""
    return [one for one in sorted(song.sections, key=lambda one: one.start) if span[0] <= one.start < span[1]]


def _name(stage: Stage, names: list[str]) -> None:
    """The sections are called what those were called that they were made of; the second of a name gets its number."""
    sections, counts = sorted(stage.song.sections, key=lambda one: one.start), dict[str, int]()
    if len(sections) != len(names):
        return
    named = []
    for section, name in zip(sections, names, strict=True):
        counts[name] = counts.get(name, 0) + 1
        named.append(structs.replace(section, name=name if counts[name] == 1 else f"{name} {counts[name]}"))
    stage.sketch.become(structs.replace(stage.song, sections=tuple(named)), "", "plays in the new order")


def _spans(stage: Stage, order: tuple[Place, ...]) -> list[Span]:
    """The stretch of each place, in the order told; the second time a name comes is its second section's turn."""
    before, palette = stage.sketch.before, stage.palette
    found, turns = [], dict[Place, int]()
    for place in order:
        spans = each_span((place,), before, palette)
        turn = turns.get(place, 0)
        turns[place] = turn + 1
        start, end = stage.sketch.placed(*spans[min(turn, len(spans) - 1)])
        found.append((bar_line(stage.song, start), bar_line(stage.song, end)))
    return found


def _order(filled: Filled) -> tuple[Place, ...]:
    order = filled.value("running") or filled.value("in_turn")
    return tuple(place for place in order if isinstance(place, Named))[:_MOST] if isinstance(order, tuple) else ()


def _read_append(filled: Filled) -> tuple[Operation, ...]:
    order, after = _order(filled), filled.value("edge")
    if isinstance(after, PlaceRef) and not _is_last(after, filled.lexicon.song):
        return ()
    return (Append(order),) if order else ()


def _is_last(ref: PlaceRef, song: Song) -> bool:
    """Whether a place behind which something comes is the end of the song."""
    place = ref.places[-1]
    if ref.relation != "after" or not isinstance(place, Named) or not song.sections:
        return False
    return place.name.casefold() in song.sections[-1].name.casefold()


def _read_arrange(filled: Filled) -> tuple[Operation, ...]:
    order = _order(filled)
    return (Arrange(order),) if len(order) > 1 else ()


_SLOTS = frozenset({"running", "in_turn"})
KINDS = (
    OperationKind(
        Append, 15, append, MappingProxyType({"append": SlotReading(_read_append, _SLOTS)}), more_bars,
        moves_bars=lambda _: True,
    ),
    OperationKind(
        Arrange, 15, arrange, MappingProxyType({"arrange": SlotReading(_read_arrange, _SLOTS)}),
        moves_bars=lambda _: True,
    ),
)
