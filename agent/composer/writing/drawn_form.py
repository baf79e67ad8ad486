"""Forms drawn by the rules of a style's family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.form_rules import FormRules, is_section
from agent.composer.styles import Form, SectionStyle, Style
from agent.composer.understanding.intent import AskedSection
from agent.composer.understanding.section_kinds import kind_of, stem_of
from agent.composer.writing.asked_form import made_like

_RETURNING, _LIFT = 2, 0.05
"""Peaks from which the last one is stronger than the others, and by how much."""
_INNER = 0.15
"""How far within its limits the length of a form lies, as a share of their distance: the tempo of a piece differs."""
_BREAK = "Break"
_DRAWS = 60
"""Forms that are drawn until one is as long as pieces of the family are."""


def drawn(style: Style, rules: FormRules, dice: Dice, asked: Sequence[AskedSection] = ()) -> Form:
    """A form drawn by the rules of the style's family, with sections like the style's and a length usual for the
    family.

    It contains the sections `asked` for if one of the forms drawn does.
    """
    home = dice.of("home").pick(style.forms)
    best: tuple[float, tuple[AskedSection, ...]] | None = None
    for number in range(_DRAWS):
        sections = _sections(style, rules, dice.of(f"draw {number}"))
        away = _beyond(style, rules, sum(one.bars for one in sections)) + _missing(sections, asked)
        if best is None or away < best[0]:
            best = away, sections
        if not away:
            break
    assert best is not None
    names = [one.name for one in best[1]]
    # a style knows its second verse as such, whether or not another comes
    counted = [f"{name} {names[:at].count(name) + 1}" for at, name in enumerate(names)]
    names = _returning(names) if rules.repeats else counted
    asked_for = tuple(AskedSection(name, one.bars) for name, one in zip(names, best[1], strict=True))
    return Form(named(_lifted(made_like(style, asked_for, home), style), rules))


def _beyond(style: Style, rules: FormRules, bars: int) -> float:
    """By how many seconds a form is shorter or longer than the family's pieces, at a usual tempo of the style."""
    beats, unit = style.meter
    seconds = bars * beats * 4 / unit * 120 / sum(style.tempo)
    low, high = rules.seconds
    inner = _INNER * (high - low)
    return max(0.0, low + inner - seconds, seconds - high + inner)


def _missing(sections: Sequence[AskedSection], asked: Sequence[AskedSection]) -> float:
    """What a form costs that lacks sections that are asked for; 0 where it has them all."""
    kinds = [kind_of(one.name.casefold()) for one in sections]
    wanted = [kind for one in asked if (kind := kind_of(one.name.casefold())).words]
    return 1_000.0 * sum(kind not in kinds for kind in wanted)


def _sections(style: Style, rules: FormRules, dice: Dice) -> tuple[AskedSection, ...]:
    drawn_rows = {name: dice.of(name).pick(rows) for name, rows in rules.rules.items()}
    lengths = {name: dice.of(f"bars of {name}").pick(bars) for name, bars in rules.bars.items()}
    names = _apart(_names(dice.of("form").pick(rules.form), drawn_rows))
    return tuple(AskedSection(name, _in_rounds(style, lengths.get(name, 8))) for name in names)


def _names(row: str, rows: dict[str, str]) -> Iterator[str]:
    for word in row.split():
        if is_section(word):
            yield word
        else:
            yield from _names(rows[word], rows)


def _apart(names: Iterable[str]) -> list[str]:
    """The sections without a break right behind another, which two rules may make where they meet."""
    return [name for name, run in groupby(names) for name in (list(run)[:1] if name == _BREAK else run)]


def _in_rounds(style: Style, bars: int) -> int:
    """A length in whole rounds of a style that has them; what is shorter than half of one is a round's end."""
    each = style.round
    return bars if each is None or bars * 2 < each else max(1, round(bars / each)) * each


def named(sections: Sequence[SectionStyle], rules: FormRules) -> tuple[SectionStyle, ...]:
    """The sections with names for returning ones: numbered, or called repeats if the family's rules say so."""
    stems = [stem_of(section.name) for section in sections]
    names = _returning(stems) if rules.repeats else _counted(stems)
    return tuple(
        structs.replace(section, name=names[at], repeats=rules.repeats and stems[at] in stems[max(0, at - 1) : at])
        for at, section in enumerate(sections)
    )


def _returning(names: Sequence[str]) -> list[str]:
    """The names of a dance's sections: one that follows itself is a repeat, one that comes later is back again."""
    said = [
        f"{name} repeat" if at and names[at - 1] == name else f"{name} again" if name in names[:at] else name
        for at, name in enumerate(names)
    ]
    return [f"{name} {said[:at].count(name) + 1}" if name in said[:at] else name for at, name in enumerate(said)]


def _counted(names: Sequence[str]) -> list[str]:
    """The names, those that return with their numbers and no others: "Verse 1", "Chorus", "Verse 2"."""
    return [
        f"{name} {names[:at].count(name) + 1}" if names.count(name) > 1 else name for at, name in enumerate(names)
    ]


def _lifted(sections: Sequence[SectionStyle], style: Style) -> tuple[SectionStyle, ...]:
    """The sections, of which the last peak is the strongest: all play who play in any, it alone may lie in another key.
    """
    peaks = [at for at, one in enumerate(sections) if kind_of(one.name.casefold()).peak]
    if len(peaks) < _RETURNING:
        return tuple(sections)
    full = [one for form in style.forms for one in form.sections if kind_of(one.name.casefold()).peak]
    everybody = tuple(dict.fromkeys(name for one in (sections[peaks[-1]], *full) for name in one.parts))
    strongest = min(1.0, max(one.energy for one in sections) + _LIFT)
    result = [structs.replace(one, up=0) if at in peaks else one for at, one in enumerate(sections)]
    result[peaks[-1]] = structs.replace(sections[peaks[-1]], parts=everybody, energy=strongest)
    return tuple(result)
