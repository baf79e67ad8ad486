"""The form: which sections a piece has and how many bars each gets."""

from __future__ import annotations

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.styles import Form, SectionStyle, Style
from agent.composer.writing.frame import Scene
from agent.composer.writing.harmony import lay, leading_home
from agent.theory.chords import Chord

MAX_BARS = 400


def choose_form(style: Style, bars: int | None, dice: Dice) -> tuple[SectionStyle, ...]:
    """A form of the style; with `bars`, its sections are dropped or stretched to exactly that many."""
    form = dice.pick(style.forms)
    if bars is None or bars == form.bars:
        return form.sections
    return stretched(form, bars)


def stretched(form: Form, bars: int) -> tuple[SectionStyle, ...]:
    """The form in exactly `bars` bars: whole fours, twos or single bars, each section at least one unit."""
    unit = 4 if bars % 4 == 0 and bars >= 8 else 2 if bars % 2 == 0 and bars >= 4 else 1
    units = bars // unit
    sections = _fewest(form.sections, max(1, min(len(form.sections), units)))
    total = sum(section.bars for section in sections)
    ideal = [section.bars * units / total for section in sections]
    given = [max(1, int(share)) for share in ideal]
    while sum(given) < units:
        given[max(range(len(given)), key=lambda i: (ideal[i] - given[i], -i))] += 1
    while sum(given) > units:
        given[max((i for i in range(len(given)) if given[i] > 1), key=lambda i: (given[i] - ideal[i], -i))] -= 1
    return tuple(structs.replace(s, bars=n * unit) for s, n in zip(sections, given, strict=True))


def scenes_of(
    sections: tuple[SectionStyle, ...], themes: dict[str, tuple[Chord, ...]], chord_bars: float, bar: int, lift: float
) -> tuple[Scene, ...]:
    """Sections placed in time with their chords; `lift` moves all energies. The last ends on the tonic bar."""
    scenes: list[Scene] = []
    start = 0
    length = max(bar // 4, int(bar * chord_bars))
    for index, section in enumerate(sections):
        closing = index == len(sections) - 1
        end = start + section.bars * bar
        chords = themes[section.theme]
        body = end - bar if closing and section.bars > 1 else end
        spans = lay(chords, start, body, length, None)
        if closing:
            home = themes["home"][0]
            led = leading_home(spans, chords, home, bar) if body < end else ()
            spans = (*led, *lay((home,), max(start, end - bar), end, bar, None))
        scenes.append(
            Scene(
                section.name, index, start, section.bars, bar, max(0.0, min(1.0, section.energy + lift)),
                section.theme, section.parts, spans, closing, section.groove,
            )
        )
        start = end
    return tuple(scenes)


def _fewest(sections: tuple[SectionStyle, ...], count: int) -> tuple[SectionStyle, ...]:
    """The `count` sections that matter most, in their order: the peak, then the first, then the last, then others."""
    order = sorted(range(len(sections)), key=lambda i: -sections[i].energy)
    ranked = [order[0], 0, len(sections) - 1, *order[1:]]
    kept: list[int] = []
    for index in ranked:
        if index not in kept and len(kept) < count:
            kept.append(index)
    return tuple(sections[i] for i in sorted(kept))
