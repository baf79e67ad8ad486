"""The meters of a form: which bars of a piece are in which meter, as its request or its chart say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

from agent.composer.styles import Meter, SectionStyle, Style
from agent.composer.understanding.intent import Intent, Metered
from agent.composer.understanding.section_kinds import is_called
from agent.composer.writing.bar_meters import Laid, laid_out
from agent.composer.writing.charted import Charted, Under
from agent.composer.writing.frame import Scene
from agent.composer.writing.turns_of_bars import length_of


def home_meter(intent: Intent, style: Style) -> Meter:
    """The meter of sections for which nothing else is said: the stated one, otherwise that of the style."""
    turns = next((one.meters for one in intent.metered if not one.section), ())
    return intent.meter or next(iter(turns), style.meter)


def mean_bar(intent: Intent, home: Meter) -> int:
    """The mean length of a bar in ticks, as far as the request tells before the form is known; `home` is the piece's
    own meter."""
    whole = [one for one in intent.metered if not one.section]
    said = [meter for one in whole or intent.metered for meter in one.meters]
    return round(fmean(length_of((meter,)) for meter in said or (home,)))


def meters_of(
    sections: Sequence[SectionStyle], under: Sequence[Under | None], chart: Charted | None, intent: Intent, home: Meter
) -> tuple[tuple[Meter, ...], ...]:
    """The meter of each bar of each section: that of the chart `under` it if the chart states any, otherwise what is
    said of the section, its stage or the whole piece; else `home`."""
    states = chart is not None and chart.states_meters
    stages = [one.meters for one in intent.course] if len(intent.course) == len(sections) else [()] * len(sections)
    found = []
    for at, section in enumerate(sections):
        own = under[at] if under and states else None
        said = stages[at] or _said(section.name, intent.metered) or (home,)
        found.append(own.meters(section.bars) if own is not None else _going_round(said, section.bars))
    return tuple(found)


def metered(
    sections: Sequence[SectionStyle], meters: Sequence[Sequence[Meter]], home: Meter
) -> tuple[Laid, ...]:
    """The sections, divided into parts whose bars have the same alternating meters; `meters` has one for each bar of
    each section. Undivided if all are `home`, the piece's own."""
    if all(meter == home for bars in meters for meter in bars):
        return tuple(map(Laid, sections))
    return tuple(one for section, bars in zip(sections, meters, strict=True) for one in laid_out(section, bars))


def mean_of(laid: Sequence[Laid], home: Meter) -> int:
    """The mean length in ticks of a bar of the sections `laid`; those without meters of their own are in `home`."""
    turns = [(one.meters or (home,), one.section.bars) for one in laid]
    return sum(length_of(meters) * many for meters, many in turns) // sum(len(meters) * many for meters, many in turns)


def meter_changes(scenes: Sequence[Scene], home: Meter) -> tuple[tuple[int, Meter], ...]:
    """The (tick, meter) changes of the piece, the first meter included; scenes without meters of their own are in
    `home`."""
    bars = [
        (at, scene.meters[number % len(scene.meters)] if scene.meters else home)
        for scene in scenes for number, at in enumerate(scene.bar_starts)
    ]
    return (bars[0], *(here for before, here in pairwise(bars) if here[1] != before[1]))


def section_end(scenes: Sequence[Scene], first: Scene) -> int:
    """The tick where the section ends that begins with the scene `first`."""
    return next(scene.end for scene in scenes[first.index :] if not scene.goes_on)


def _said(name: str, said: Sequence[Metered]) -> tuple[Meter, ...]:
    """The meters that are said of a section, by its number before its name alone, else of the whole piece."""
    ways = (
        [one for one in said if one.section.casefold() == name.casefold()],
        [one for one in said if one.section and not one.section[-1].isdecimal() and is_called(one.section, name)],
        [one for one in said if not one.section],
    )
    return next((way[-1].meters for way in ways if way), ())


def _going_round(meters: Sequence[Meter], bars: int) -> tuple[Meter, ...]:
    return tuple(meters[at % len(meters)] for at in range(bars))
