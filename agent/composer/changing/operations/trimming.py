"""Trimming: only a stretch of the song stays; all bars outside of it go."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

from msgspec import Meta

from agent.composer.changing.operations.forming import take_out
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import bar_line
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import spans_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.scopes import bars_of
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Bars, Operation, Place, Scope
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.song import Song

_SLOTS = ("sole", "down_to", "place", "edge", "target")


class Trim(Operation, frozen=True):
    """Keep the bars of the places `kept` and delete all others."""

    of_whole = True

    kept: Annotated[tuple[Place, ...], Meta(min_length=1)]

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return "keep nothing but " + " and ".join(map(told_place, self.kept))

    def placed(self, said: str, _places: str, _without: str) -> str:
        return said


def trim(stage: Stage, operation: Trim) -> None:
    """Delete the bars outside of the places kept. Raises `Blocked` if there are none."""
    song, before = stage.song, stage.sketch.before
    kept = [stage.sketch.placed(*span) for span in spans_of(Scope(operation.kept), before, stage.palette)]
    spans = [(bar_line(song, start), bar_line(song, end)) for start, end in kept]
    edges = [0, *(edge for span in sorted(spans) for edge in span), int(song.bar_map.start_of(song.bars + 1))]
    gone = [(low, high) for low, high in zip(edges[::2], edges[1::2], strict=True) if low < high]
    if not gone:
        raise Blocked(msg("that is all of the song already"))
    for span in reversed(gone):
        take_out(stage, span, "only the rest is kept, as you asked")


def _read(filled: Filled) -> tuple[Operation, ...]:
    ref = next((value for slot in _SLOTS if (value := filled.value(slot)) is not None), None)
    if not isinstance(ref, PlaceRef) or not ref.places:
        return ()
    if filled.words.variant != "edge":
        return (Trim(ref.places),)
    return ended(ref, filled.lexicon.song, gone=filled.words.sign < 0)


def ended(ref: PlaceRef, song: Song, *, gone: bool = False) -> tuple[Trim, ...]:
    """A `Trim`, as a tuple of one, after which the song ends at the place `ref`; with `gone` one that deletes what lies
    before or after it, as its relation says. Empty if the place is not found."""
    kept = _up_to(ref, song, gone=gone)
    return (Trim((kept,)),) if kept is not None else ()


def _up_to(ref: PlaceRef, song: Song, *, gone: bool) -> Bars | None:
    """The bars that stay where the song ends at a place, or where what lies before or after it is `gone`."""
    found = bars_of(ref.places[-1], song)
    whole = max(1, song.bars)
    if found is None or found.last > whole:
        return None
    if ref.relation == "before":
        first, last = (found.first, whole) if gone else (1, found.first - 1)
    elif ref.relation == "onward" or (gone and ref.relation == "since"):
        first, last = 1, found.first - 1
    else:
        first, last = 1, found.last
    return Bars(first, last) if first <= last else None


def _asks(served: Served, _: Trim, _styles: StyleBook) -> list[Ask]:
    return [Ask(served.words, served.rows, "bars", "lower")]


KINDS = (
    OperationKind(
        Trim, 16, trim, MappingProxyType({"trim": SlotReading(_read, frozenset(_SLOTS))}), _asks,
        moves_bars=lambda _: True, removes=lambda _: True,
    ),
)
