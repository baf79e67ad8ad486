"""Stretching: a form in exactly so many bars, with whole phrases, and openings that stay openings."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.styles import Form, SectionStyle
from agent.composer.understanding.section_kinds import stem_of

_PHRASE = 8
"""Bars of a whole phrase; an edge is at most so long, or as long as written."""
_FEW, _EACH = 2, 5
"""Sections that a short piece keeps, and bars for which it has another one."""
_ONCE = 1.5
"""Where sections that come once stand among the first, the second and further ones of those that return."""
_ENDLESS = 2.5
"""How often a form must fit into the bars for its edges to grow like the rest."""


def stretched(
    form: Form, bars: int, *, keep: bool = False, whole: int | None = None
) -> tuple[SectionStyle, ...]:
    """The form in exactly `bars` bars, in units of four, two or one bars with at least one unit for each section.

    `whole` is another unit, used if `bars` is a multiple of it. Sections of eights stay so where possible, and calm
    first and last sections do not grow beyond eight. With `keep` no section is dropped as long as each can have a bar.
    """
    unit = 4 if bars % 4 == 0 and bars >= 8 else 2 if bars % 2 == 0 and bars >= 4 else 1
    unit = whole if whole and bars % whole == 0 else unit
    while keep and unit > 1 and bars // unit < len(form.sections):
        unit //= 2
    units = bars // unit
    most = units if keep else min(units, max(_FEW, bars // _EACH))
    sections = _fewest(form.sections, max(1, min(len(form.sections), most)))
    ideal = _shares(sections, bars, unit)
    given = [max(1, int(share)) for share in ideal]
    while sum(given) < units:
        # of equals the strongest section gets what is left: a last chorus rather than a verse
        given[max(range(len(given)), key=lambda i: (round(ideal[i] - given[i], 6), sections[i].energy, -i))] += 1
    while sum(given) > units:
        free = [i for i in range(len(given)) if given[i] > 1]
        given[max(free, key=lambda i: (given[i] - ideal[i], -sections[i].energy, -i))] -= 1
    if unit * 2 == _PHRASE and not whole:
        given = _in_phrases(given, ideal, sections)
    return tuple(structs.replace(s, bars=n * unit) for s, n in zip(sections, given, strict=True))


def _shares(sections: Sequence[SectionStyle], bars: int, unit: int) -> list[float]:
    """Units of each section if they could be divided: in proportion, but for edges that are long enough."""
    total = sum(section.bars for section in sections)
    mean = sum(section.energy for section in sections) / len(sections)
    capped: dict[int, int] = {}
    if len(sections) > 2 and bars < _ENDLESS * total:
        for at in (0, len(sections) - 1):
            longest = max(sections[at].bars, _PHRASE)
            if sections[at].energy < mean and sections[at].bars * bars / total > longest:
                capped[at] = longest
    rest = total - sum(sections[at].bars for at in capped)
    left = bars - sum(capped.values())
    return [capped[at] / unit if at in capped else s.bars * left / rest / unit for at, s in enumerate(sections)]


def _in_phrases(given: Sequence[int], ideal: Sequence[float], sections: Sequence[SectionStyle]) -> list[int]:
    """Units of half a phrase, moved between sections so that those of whole phrases have whole ones again."""
    result = list(given)
    whole = [at for at, section in enumerate(sections) if section.bars % _PHRASE == 0]
    odd = sorted((at for at in whole if result[at] % 2 and result[at] > 1), key=lambda at: (sections[at].energy, at))
    while len(odd) > 1:
        result[odd.pop(0)] -= 1
        result[odd.pop()] += 1
    others = [at for at in range(len(sections)) if at not in whole]
    if odd and others:
        (one,) = odd
        step = 1 if ideal[one] > result[one] else -1
        partners = [at for at in others if result[at] - step >= 1]
        if partners:
            # the partner that comes nearest to its own share
            partner = min(partners, key=lambda at: (abs(result[at] - step - ideal[at]), at))
            result[one] += step
            result[partner] -= step
    return result


def _fewest(sections: tuple[SectionStyle, ...], count: int) -> tuple[SectionStyle, ...]:
    """The `count` sections that matter most, in their order: the peak, the first, the last, then the first and the
    second of those that return, those that come once, and further returns; of equals the longest, or strongest."""
    names = [stem_of(section.name) for section in sections]
    order = sorted(range(len(sections)), key=lambda i: -sections[i].energy)
    edges = [order[0], 0, len(sections) - 1]
    rank = [names[:i].count(name) if names.count(name) > 1 else _ONCE for i, name in enumerate(names)]
    ranked = sorted(order, key=lambda i: (rank[i], -sections[i].bars))
    kept = list(dict.fromkeys([*edges, *ranked]))[:count]
    return tuple(sections[i] for i in sorted(kept))
