"""Meters: how a bar is grouped, and rhythms written in one meter laid into another so that they sound meant."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct, structs

from agent.composer.styles import Groove, Lines, Meter, Role, Style
from agent.composer.writing.steps import marks

_QUARTER, THIRDS = 4, 6
"""Sixteenths of a beat in halves, and of one in thirds."""
_SOURCES: dict[int, tuple[int, ...]] = {
    1: (0,), 2: (0, 1), 3: (0, 2, 3), 4: (0, 1, 2, 3), 5: (0, 2, 3, 0, 1), 6: (0, 2, 3, 0, 2, 3),
    7: (0, 1, 2, 3, 0, 2, 3),
}
"""For a bar of so many beats, which beats of a bar of four it takes: the ends keep the backbeat, 0 opens a group."""
_FROM_THREE: dict[int, tuple[int, ...]] = {
    1: (0,), 2: (0, 1), 3: (0, 1, 2), 4: (0, 1, 0, 2), 5: (0, 1, 2, 0, 1), 6: (0, 1, 2, 0, 1, 2),
}
_RUNNING = 6
"""Notes in a bar of sixteen steps from which a line runs on: in groups of three it fills all three."""
_SOFTER = {"X": "o", "x": "o", "o": "g", "g": "g"}
_IN_SIX = {0: 0, 1: 2, 2: 4, 3: 5}
_FILL = 8
GROUNDED: tuple[Role, ...] = ("bass", "chords")
"""Roles whose rhythms must mark the meter's accents."""


class _Hit(Struct, frozen=True):
    """A note of a row: its step, its length, and whether it lasts until the next note or the end of the row."""

    at: int
    length: int
    mark: str
    tied: bool


@lru_cache(maxsize=64)
def groups(beats: int, unit: int) -> tuple[int, ...]:
    """The lengths of the bar's beats in sixteenths: 3/4 is (4, 4, 4), 6/8 (6, 6), 7/8 (4, 4, 6)."""
    total = beats * 16 // unit
    if unit >= 8 and total % THIRDS == 0 and total:
        return (THIRDS,) * (total // THIRDS)
    whole, rest = divmod(total, _QUARTER)
    if whole and rest:
        return (*(_QUARTER,) * (whole - 1), _QUARTER + rest)
    return (_QUARTER,) * whole or (max(1, rest),)


@lru_cache(maxsize=64)
def accents(lengths: tuple[int, ...]) -> tuple[int, ...]:
    """The strong steps (sixteenths) of a bar with these beats: 0 and 8 of 4/4, 0 of 3/4, 0 and 12 of 5/4 (three and
    two), 0 and 6 of 6/8."""
    count = len(lengths)
    starts = [sum(lengths[:at]) for at in range(count)]
    if count <= 2 or (count == 3 and lengths[-1] > lengths[0]):
        return tuple(starts)
    opening = {at for at, source in enumerate(_SOURCES.get(count, ())) if source == 0}
    if count == 4:
        opening = {0, 2}
    return tuple(starts[at] for at in sorted(opening | {0}))


def in_meter(style: Style, meter: Meter) -> Style:
    """The style with all its rhythms adapted to a meter; unchanged if it is its own."""
    if meter == style.meter:
        return style
    source, target = groups(*style.meter), groups(*meter)
    if source == target:
        return structs.replace(style, meter=meter)
    return structs.replace(
        style,
        meter=meter,
        swing=0.0 if THIRDS in target else style.swing,
        grooves=tuple(_groove(groove, source, target) for groove in style.grooves),
        percussion=tuple(_groove(groove, source, target) for groove in style.percussion),
        fills=tuple(_fill(lines, target) for lines in style.fills),
        parts=tuple(
            structs.replace(
                part,
                patterns=tuple(laid(text, source, target, whole=part.role in GROUNDED) for text in part.patterns),
            )
            for part in style.parts
        ),
    )


def laid(text: str, source: tuple[int, ...], target: tuple[int, ...], *, whole: bool = False) -> str:
    """The step string `text` adapted from the beats of one meter (`source`) to those of another (`target`), both in
    sixteenths. With `whole` held notes are struck again on accents.

    A bar of four beats gives two bars of 6/8.
    """
    rows = [_read(row) for row in rows_of(text, sum(source))]
    result = []
    for hits in rows:
        for number, beats in enumerate(_taken(source, target)):
            placed = _placed(hits, beats, source, target)
            if whole and number and hits and hits[0].at == 0 and not (placed and placed[0].at == 0):
                # a bar that was half a bar before still has its one
                placed = [_Hit(0, 2, hits[0].mark, tied=False), *placed]
            result.append(_written(placed, sum(target), accents(target) if whole and len(hits) > 1 else ()))
    return "".join(result)


def fill_steps(lengths: tuple[int, ...]) -> int:
    """The length in sixteenths of a fill at the end of a bar: its last two quarters, or its last longer beat."""
    return _FILL if lengths[-2:] == (_QUARTER, _QUARTER) else lengths[-1]


def _groove(groove: Groove, source: tuple[int, ...], target: tuple[int, ...]) -> Groove:
    lines: Lines = {drum: laid(text, source, target) for drum, text in groove.lines.items()}
    kick = lines.get("kick", "")
    if kick and marks(groove.lines["kick"])[0] not in ".-":
        # a bar that was half a bar before still has its one
        size = sum(target)
        bars = [kick[at : at + size] for at in range(0, len(kick), size)]
        lines["kick"] = "".join(("x" + bar[1:]) if bar[0] == "." and "x" in bar.lower() else bar for bar in bars)
    return structs.replace(groove, lines=lines)


def _fill(lines: Lines, target: tuple[int, ...]) -> Lines:
    size = fill_steps(target)
    if size == _FILL:
        return lines
    squeezed: Lines = {}
    for drum, text in lines.items():
        steps = ["."] * size
        for at, mark in enumerate(marks(text)[:_FILL]):
            if mark not in ".-":
                steps[at * size // _FILL] = mark
        squeezed[drum] = "".join(steps)
    return squeezed


def rows_of(text: str, size: int) -> list[str]:
    """The bars of a rhythm, each `size` steps long; in the string, bars of a shorter meter may be padded to sixteen
    steps."""
    steps = marks(text)
    wide = size if len(steps) % size == 0 else 16
    count = max(1, len(steps) // wide)
    return ["".join(steps[(row * wide + at % wide) % len(steps)] for at in range(size)) for row in range(count)]


def _read(row: str) -> list[_Hit]:
    starts = [at for at, mark in enumerate(row) if mark not in ".-"]
    hits = []
    for at, following in zip(starts, [*starts[1:], len(row)], strict=False):
        length = 1
        while at + length < following and row[at + length] == "-":
            length += 1
        hits.append(_Hit(at, length, row[at], at + length == following))
    return hits


def _taken(source: tuple[int, ...], target: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Which beats of the source each bar of the target takes."""
    if len(source) == 4 and target == (THIRDS, THIRDS):
        return [(0, 1), (2, 3)]
    table = _FROM_THREE if len(source) == 3 else _SOURCES
    if len(set(target)) > 1:
        return [tuple(at % len(source) for at in range(len(target)))]
    known = table.get(len(target)) or tuple(range(len(target)))
    return [tuple(at % len(source) for at in known)]


def _placed(
    hits: Sequence[_Hit], beats: tuple[int, ...], source: tuple[int, ...], target: tuple[int, ...]
) -> list[_Hit]:
    running = len(hits) * 16 >= _RUNNING * sum(source)
    placed: dict[int, _Hit] = {}
    begin = 0
    for beat, size in zip(beats, target, strict=True):
        first = sum(source[:beat])
        odd = (size % _QUARTER and size != THIRDS) or len(set(target)) > 1
        reach = size if odd else source[beat]
        inside = [hit for hit in hits if first <= hit.at < first + reach]
        places = [hit.at - first for hit in inside]
        for hit, place in zip(inside, places, strict=True):
            at = place if odd else _IN_SIX.get(place, place) if size == THIRDS else place * size // source[beat]
            length = hit.length if odd else max(1, hit.length * size // source[beat])
            placed.setdefault(begin + at, _Hit(begin + at, length, hit.mark, hit.tied))
        if running and not odd and size == THIRDS and {0, 2} <= set(places) and 1 not in places:
            hit = inside[places.index(0)]
            mark = _middle(hits, inside[places.index(2)], hit)
            placed[begin + 2] = _Hit(begin + 2, min(hit.length, 2), mark, hit.tied)
        begin += size
    return [placed[at] for at in sorted(placed)]


def _middle(hits: Sequence[_Hit], second: _Hit, first: _Hit) -> str:
    """The mark between two notes of a beat that becomes three: an arpeggio goes on, a drum is softer."""
    if first.mark.isdigit() and second.mark.isdigit():
        later = [hit.mark for hit in hits if hit.at > second.at and hit.mark.isdigit()]
        return later[0] if later else second.mark
    return _SOFTER.get(first.mark, first.mark)


def _written(hits: Sequence[_Hit], size: int, struck: tuple[int, ...]) -> str:
    steps = ["."] * size
    for hit, following in zip(hits, [*(h.at for h in hits[1:]), size], strict=False):
        end = following if hit.tied else min(following, hit.at + hit.length)
        steps[hit.at] = hit.mark
        for at in range(hit.at + 1, end):
            steps[at] = hit.mark if at in struck else "-"
    return "".join(steps)
