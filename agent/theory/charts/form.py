"""The form of a chart: repeats and endings played out, headings, and the order that it names for its sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent.song.key import Key
from agent.theory.charts.chart import BarChord, ChartRemark, Meter
from agent.theory.charts.lines import Heading, is_heading
from agent.theory.charts.transposing import moved
from agent.theory.pitch import usual_tonic

_LAST = re.compile(r"^(?:last|final) ")
_NUMBER = re.compile(r" [0-9]{1,2}$")


class WrittenBar(Struct, frozen=True):
    """A bar as it is written, with the index of its section. `opens`: a repeat begins; `closes`: how often the repeat
    that ends here is played, 0 for none; `ending`: the number of its ending (volta), 0 for none."""

    meter: Meter
    chords: tuple[BarChord, ...]
    section: int
    opens: bool = False
    closes: int = 0
    """How often what ends with this bar is played; 0 where no repeat ends."""
    ending: int = 0


def played(bars: Sequence[WrittenBar]) -> Iterator[WrittenBar]:
    """The bars in the order in which they are played: repeats as often as they say, endings in turn."""
    at = opened = done = 0
    while at < len(bars):
        opened = at if bars[at].opens else opened
        times = bars[at].closes
        at += 1
        if times:
            while at < len(bars) and bars[at].ending > 1:
                at += 1
            block = bars[opened:at]
            yield from bars[done:opened]
            for number in range(1, max(times, *(bar.ending for bar in block)) + 1):
                yield from (bar for bar in block if bar.ending in (0, number))
            done = opened = at
    yield from bars[done:]


def in_sections(
    bars: Sequence[WrittenBar], names: Sequence[Heading], key: Key | None = None
) -> list[tuple[str, list[WrittenBar]]]:
    """(name, bars) for each heading. A section without bars of its own gets those of the first section of its name or
    kind (Verse 2 those of Verse 1), transposed by its lift and spelled in `key`. A section with a stated number of bars
    repeats its bars until then."""
    own: list[list[WrittenBar]] = [[] for _ in names]
    for bar in bars:
        own[bar.section].append(bar)
    known: dict[str, list[WrittenBar]] = {}
    made: list[tuple[str, list[WrittenBar]]] = []
    for heading, within in zip(names, own, strict=True):
        name, kind = heading.name.casefold(), _kind(heading.name)
        own_bars = within or _lifted(known.get(name) or known.get(kind, []), heading.lift, key)
        for one in (name, kind):
            known[one] = known.get(one) or within
        if own_bars:
            full = [own_bars[at % len(own_bars)] for at in range(max(heading.bars, len(own_bars)))]
            made += [(heading.name, full)] * heading.times
    return made


def empty(bars: Sequence[WrittenBar], names: Sequence[Heading]) -> Iterator[ChartRemark]:
    """A remark for each section that is named and has no chords at all."""
    filled = {_kind(names[bar.section].name) for bar in bars}
    missing = dict.fromkeys(one.name for one in names if is_heading(one.name) and _kind(one.name) not in filled)
    for name in missing:
        yield ChartRemark(name, f"the chart gives no chords for {name}: it is left out")


def _kind(name: str) -> str:
    """What a section is called without its number, and without saying that it is the last."""
    return _NUMBER.sub("", _LAST.sub("", name.casefold()))


def _lifted(bars: list[WrittenBar], steps: int, key: Key | None) -> list[WrittenBar]:
    """Bars moved by semitones, spelled in the key that a key is moved to; with flats where they are written so."""
    if not steps:
        return bars
    flat = any(one.symbol[1:2] == "b" for bar in bars for one in bar.chords)
    home = Key("F") if key is None and flat else None
    if key is not None:
        home = Key(usual_tonic((key.pitch_class + steps) % 12, key.mode), key.mode)
    return [replace(bar, chords=tuple(moved(one, steps, home) for one in bar.chords)) for bar in bars]


def in_form(sections: list[tuple[str, list[WrittenBar]]], form: str) -> list[tuple[str, list[WrittenBar]]]:
    """The sections in the order of a form such as "AABA" or "intro verse chorus", by their names or first letters;
    unchanged if a word of the form names no section."""
    words = [word for word in re.split(r"[\s,;.\-–>|]+", form) if word]
    words = list(words[0]) if len(words) == 1 and words[0].isupper() and len(words[0]) > 1 else words
    known = {name.casefold(): (name, bars) for name, bars in reversed(sections) if name}
    found = [
        known.get(word.casefold()) or next((known[name] for name in known if name.startswith(word.casefold())), None)
        for word in words
    ]
    whole = [one for one in found if one is not None]
    return whole if whole and len(whole) == len(found) else sections


def cut_short(made: Sequence[WrittenBar], names: Sequence[Heading]) -> Iterator[ChartRemark]:
    """A remark for each section whose stated number of bars is not a multiple of the bars written."""
    for at, heading in enumerate(names):
        own = sum(bar.section == at for bar in made)
        if heading.bars and own and heading.bars % own:
            done = "they go round, and the last round is cut short" if heading.bars > own else f"all {own} are played"
            yield ChartRemark(heading.name, f"{own} bars are written for the {heading.bars} of {heading.name}: {done}")
