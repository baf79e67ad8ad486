"""Swelling: what gets louder or softer little by little, note by note."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta

from agent.composer.changing.notes.loudness import mean, struck
from agent.composer.changing.operations.dynamics import Velocity, mark_of, meant, restrike
from agent.composer.changing.operations.easing_in import entrance
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import bar_line
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.tones import Tone
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.sentences import counted, part_of, told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Bars, Named, Operation, Place
from agent.composer.understanding.wishes import Wish
from agent.message import msg

_SHARES: dict[str, tuple[float, float]] = {"louder": (0.62, 1.22), "softer": (1.0, 0.5)}
"""The share of their usual velocity at which notes lie at the beginning and at the end, where no mark is said."""
_KEPT = 0.6
"""What is left of how much notes differ from their mean."""
_LEADING = 4
"""Bars of what leads into a place, where nobody says how many."""


class Swell(Operation, frozen=True):
    """A crescendo or diminuendo of a part (`wish` None: all) by velocity, from `first` to `last` (None: by the usual
    amount).

    It lasts for the scope or its first `bars` bars (0: not limited), starts at a place `since`, and ends at the
    beginning of a place `into`, whose first notes have the last velocity.
    """

    way: Literal["louder", "softer"]
    wish: Wish | None = None
    first: Velocity | None = None
    last: Velocity | None = None
    since: tuple[Place, ...] = ()
    into: tuple[Place, ...] = ()
    bars: Annotated[int, Meta(ge=0, le=9999)] = 0

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        said = f"{part_of(self.wish)}{'crescendo' if self.way == 'louder' else 'diminuendo'}"
        said += f" from {mark_of(self.first)}" if self.first is not None else ""
        lasting = bool(self.since) and (bool(self.into) or _is_point(self.since[0]))
        said += f" {'from' if lasting else 'in'} {told_place(self.since[0])}" if self.since else ""
        said += f" to {mark_of(self.last)}" if self.last is not None else ""
        said += f" over {counted(self.bars, 'bar')}" if self.bars else ""
        return said + (f" up to {told_place(self.into[0])}" if self.into else "")


    def placed(self, said: str, places: str, without: str) -> str:
        """`said` unchanged with `into`, as it then names its place; else with the `places`, and `without` as
        exceptions."""
        return said if self.into else super().placed(said, places, without)


def swell(stage: Stage, operation: Swell) -> None:
    """Change velocities in a straight line from end to end of the stretch; accents stay. Raises `Blocked` if nothing
    changes."""
    before = stage.song
    for start, peak in _stretches(stage, operation):
        # the note on the downbeat that it leads into is the loudest
        end = peak + 1 if operation.into and operation.last is not None else peak
        for part in meant(stage, operation.wish):
            usual = mean(part.tones(((start, peak),)))
            first, last = _ends(operation, usual, stage.amount)

            def led(tone: Tone, first: float = first, last: float = last, start: int = start, peak: int = peak,
                    usual: float = usual) -> Tone:
                along = min(1.0, (tone.start - start) / (peak - start))
                return struck(tone, first + (last - first) * along + _KEPT * (tone.velocity - usual))

            if usual:
                restrike(stage, part, ((start, end),), led, f"getting {operation.way}")
    if stage.song is before:
        label = operation.wish.label if operation.wish is not None else "nothing"
        raise Blocked(
            msg("{label} plays nothing there", label=label) if operation.wish is not None
            else msg("nothing plays there")
        )


def _ends(operation: Swell, usual: float, amount: float) -> tuple[float, float]:
    """The velocities at the beginning and at the end; a mark that is not said is what the part now plays."""
    first, last = (usual * (1 + (share - 1) * amount) for share in _SHARES[operation.way])
    if operation.first is not None and operation.last is None:
        last = max(last, operation.first + 30) if operation.way == "louder" else min(last, operation.first - 30)
    if operation.last is not None and operation.first is None:
        first = min(first, operation.last - 30) if operation.way == "louder" else max(first, operation.last + 30)
    return operation.first or max(12, first), operation.last or max(12, last)


def _stretches(stage: Stage, operation: Swell) -> list[Span]:
    song, bars = stage.song, stage.song.bar_map
    since, into = (
        [stage.sketch.placed(*span) for span in each_span(places, stage.sketch.before, stage.palette)]
        for places in (operation.since, operation.into)
    )
    if not into and not since:
        return [_cut(stage, operation, span) for span in stage.spans]
    if not into:
        onward = _is_point(operation.since[0])
        return [_cut(stage, operation, (start, _phrase_end(stage, start) if onward else end)) for start, end in since]
    found = []
    for peak, _ in into:
        low = max((start for start, _ in since if start < peak), default=None)
        length = operation.bars or _LEADING
        start = low if low is not None else int(bars.start_of(max(1, bars.bar_at(peak) - length)))
        if start < peak:
            found.append((start, bar_line(song, peak)))
    if not found:
        raise Blocked(msg("nothing leads into that"))
    return found


def _cut(stage: Stage, operation: Swell, span: Span) -> Span:
    start, end = span
    bars = stage.song.bar_map
    last = int(bars.start_of(min(stage.song.bars + 1, bars.bar_at(start) + operation.bars)))
    return (start, min(end, last)) if operation.bars else span


def _is_point(place: Place) -> bool:
    """Whether a place is a single bar, from which on something goes, and no stretch in which it does."""
    return isinstance(place, Bars) and place.first == place.last


def _phrase_end(stage: Stage, start: int) -> int:
    """Where the section ends in which something begins, else the song."""
    ends = [int(one.end) for one in stage.song.sections if one.start <= start < one.end]
    return min(ends, default=int(stage.song.bar_map.start_of(stage.song.bars + 1)))


def _read(filled: Filled) -> tuple[Operation, ...]:
    marks = [int(mark) for mark in filled.found.all("dynamic") if isinstance(mark, int)]
    first, last = _marks(filled, marks)
    if first is not None and last is not None and first == last:
        return ()
    way: Literal["louder", "softer"] = "louder" if filled.words.sign > 0 else "softer"
    if first is not None and last is not None:
        way = "louder" if last > first else "softer"
    source, target = filled.value("source"), filled.value("target")
    since, into = _places(source, target, arrives=last is not None)
    bars = int(filled.number("bars") or 0)
    wishes = filled.parts or (filled.named if filled.value("part") is None and not marks else ()) or (None,)
    return tuple(Swell(way, wish, first, last, since, into, bars) for wish in wishes)


def _read_build(filled: Filled) -> tuple[Operation, ...]:
    """What came in right before grows from there on: "bring the drums in at bar 9 and build up into the chorus"."""
    ahead = filled.value("ahead")
    into = ahead.places if isinstance(ahead, PlaceRef) else ()
    entered = entrance(filled.last, filled.lexicon) if not filled.parts else None
    if entered is not None:
        first = entered.bars.first
        return (Swell("louder", entered.wish, since=(Bars(first, first),), into=into),)
    return tuple(Swell("louder", wish, into=into) for wish in filled.each) if into else ()


def _marks(filled: Filled, marks: list[int]) -> tuple[int | None, int | None]:
    """The first and the last mark; a single one is the last, unless its form says that it is where it begins."""
    if len(marks) > 1:
        return marks[0], marks[1]
    if not marks:
        return None, None
    return (marks[0], None) if filled.words.variant == "from" else (None, marks[0])


def _places(source: object, target: object, *, arrives: bool) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """From where on it goes, and what it leads into: the last of two places, one that is said to lie ahead, or one
    at which it `arrives` at a mark: "crescendo to ff at the chorus"."""
    if isinstance(source, PlaceRef) and isinstance(target, PlaceRef):
        return source.places, target.places
    arrived = next((one for one in (source, target) if isinstance(one, PlaceRef) and one.relation == "since"), None)
    if arrives and arrived is not None and all(isinstance(place, Named) for place in arrived.places):
        return (), arrived.places
    if isinstance(source, PlaceRef):
        return ((), source.places) if _ahead(source) else (source.places, ())
    if isinstance(target, PlaceRef):
        # "to ff at bar 25" leads there, "from p to f over bars 17 to 24" goes in them
        return ((), target.places) if _ahead(target) or _is_point(target.places[0]) else (target.places, ())
    return (), ()


def _ahead(ref: PlaceRef) -> bool:
    return ref.towards or ref.into or ref.relation == "before"


KINDS = (
    OperationKind(
        Swell, 15, swell, MappingProxyType({"swell": SlotReading(_read), "build_in": SlotReading(_read_build)}),
    ),
)
