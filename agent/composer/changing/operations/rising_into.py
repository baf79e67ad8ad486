"""Rising: what climbs right up to the place that it leads to."""

from __future__ import annotations

from types import MappingProxyType

from msgspec.structs import replace

from agent.composer.changing.operations.adding import add
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import bar_line
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.styles import StyleBook
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.operations import Add
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation, Place
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask

_BARS = 4
"""Bars that it climbs over at most."""
_RISER = Wish("riser", "texture", ("fx",), ("fx_sci_fi", "fx_atmosphere"))


class Rise(Operation, frozen=True):
    """A riser over the last bars before each place of `before`, and over the last bars of each place of `ending`."""

    before: tuple[Place, ...] = ()
    ending: tuple[Place, ...] = ()

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        up_to = " up to " + " and ".join(map(told_place, self.before)) if self.before else ""
        inside = " in " + " and ".join(map(told_place, self.ending)) if self.ending else ""
        return f"a riser{up_to}{inside}"

    def placed(self, said: str, _places: str, _without: str) -> str:
        """The sentence `said` unchanged, as it already names the place."""
        return said


def rise(stage: Stage, operation: Rise) -> None:
    """Add a track with the risers and nothing else. Raises `Blocked` where no bars lie before the places."""
    spans = tuple(sorted({span for at in _starts(stage, operation) if (span := _ahead(stage, at)) is not None}))
    if not spans:
        raise Blocked(msg("nothing lies before it"))
    add(replace(stage, spans=spans, whole=False), Add(_RISER))


def _starts(stage: Stage, operation: Rise) -> list[int]:
    """The bar lines, now, that it leads to."""
    found = set()
    for places, side in ((operation.before, 0), (operation.ending, 1)):
        spans = each_span(places, stage.sketch.before, stage.palette) if places else ()
        found |= {bar_line(stage.song, stage.sketch.placed(*span)[side]) for span in spans}
    return sorted(found)


def _ahead(stage: Stage, at: int) -> Span | None:
    """The bars right before a bar line, as far back as the section reaches that they end."""
    bars = stage.song.bar_map
    last = bars.bar_at(at) - 1
    if last < 1:
        return None
    begun = max((int(one.start) for one in stage.song.sections if one.start < at), default=0)
    first = max(last - _BARS + 1, bars.bar_at(begun))
    return int(bars.start_of(first)), at


def _read(filled: Filled) -> tuple[Operation, ...]:
    refs = [ref for ref in filled.found.all("target") if isinstance(ref, PlaceRef)]
    ahead = [ref for ref in refs if ref.relation == "before" or ref.into or ref.towards or ref.starting]
    before = tuple(place for ref in ahead for place in ref.places)
    ending = tuple(place for ref in refs if ref not in ahead for place in ref.places)
    return (Rise(before, ending),) if before or ending else ()


def _asks(served: Served, _: Rise, _styles: StyleBook) -> list[Ask]:
    return served.ask("notes:fx", "higher", sounding=False)


KINDS = (
    OperationKind(Rise, 8, rise, MappingProxyType({"rise": SlotReading(_read)}), _asks, makes_tracks=True),
)
