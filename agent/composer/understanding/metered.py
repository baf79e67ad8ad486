"""Metered: what said meters come to for a piece: its stages, its form, and what is left open or cannot be written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from agent.composer.tokens import Token
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.course import CourseStage
from agent.composer.understanding.intent import Intent, Lack
from agent.composer.understanding.layout import Layout
from agent.composer.understanding.said_meters import UNITS, Group, Meter, SaidMeters

_MOST_CHOICES = 3
_NO_METER = (
    f"that is no meter I write: a bar has 2 to 16 beats, each a note of 1/{', 1/'.join(map(str, UNITS))} or 1/16"
)


def unknown_meters(said: SaidMeters) -> Iterator[ReadClause]:
    """Clauses with the outcome "told" for what was meant as a meter and is none ("7/5")."""
    for first, last in said.unknown:
        yield ReadClause(first, last, "told", reason=_NO_METER)


def only_metered(layout: Layout, said: SaidMeters) -> bool:
    """Whether the sections of `layout` are named, once each, only to state their meters (`said`); the form is then
    still open."""
    named = [one.name for one in layout.places]
    metered = {group.section.rstrip("0123456789 ") for group in said.groups if group.section}
    once = len(set(named)) == len(named) and not any(one.bars for one in layout.places)
    return len(named) > 1 and once and metered.issuperset(named)


def metered_sections(intent: Intent) -> tuple[str, ...]:
    """The names of sections with a meter, without numbers, each once."""
    names = (one.section.rstrip("0123456789 ") for one in intent.metered)
    return tuple(dict.fromkeys(name for name in names if name))


def staged_meters(
    stages: Sequence[CourseStage], spans: Sequence[tuple[int, int]], said: SaidMeters
) -> tuple[CourseStage, ...]:
    """The stages with the meters stated within each, or between the stage before and it; a stage without one keeps that
    of the stage before. `spans` are the stages' token ranges."""
    free = [one for group in said.groups if not group.section for one in _apart(group)]
    now: tuple[Meter, ...] = ()
    result, before = [], 0
    for stage, (_, end) in zip(stages, spans, strict=True):
        own = [meters for first, meters in free if before <= first < end]
        now, before = own[-1] if own else now, end
        result.append(structs.replace(stage, meters=now) if now else stage)
    return tuple(result)


def _apart(group: Group) -> list[tuple[int, tuple[Meter, ...]]]:
    """Where each meter of a group is said, with it; meters that take turns stay together."""
    if group.turns or not group.places:
        return [(group.first, group.meters)]
    return [(first, (meter,)) for (first, _), meter in zip(group.places, group.meters, strict=True)]


def open_meters(said: SaidMeters, request: str, places: Sequence[Token]) -> tuple[Lack, tuple[str, ...]]:
    """Where several meters are stated without saying which holds where: "meter", and as options the meters, then the
    request with each one and with all in turn. Otherwise "" and ()."""
    groups = said.open
    if not groups:
        return "", ()
    meters = list(dict.fromkeys(meter for group in groups for meter in group.meters))[:_MOST_CHOICES]
    ways = [*(_sign(meter) for meter in meters), f"{' and '.join(map(_sign, meters))} in turn"]
    return "meter", (*ways, *(_said_as(way, groups, request, places) for way in ways))


def _sign(meter: Meter) -> str:
    return f"{meter[0]}/{meter[1]}"


def _said_as(way: str, groups: Sequence[Group], request: str, places: Sequence[Token]) -> str:
    """The request with another meter where the first of its meters stands, and without the others."""
    spans = [(group.first, group.last) for group in groups]
    text = request
    for number, (first, last) in reversed(list(enumerate(spans))):
        announced = number > 0 and first > 0 and places[first - 1].text.casefold() == "in"
        start, end = places[first - announced].start, places[last - 1].end
        text = f"{text[:start]}{way}{text[end:]}" if number == 0 else f"{text[:start].rstrip(' ,')}{text[end:]}"
    return text
