"""The beginning of a piece with a tune: a short intro, and behind it the tune."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.styles import SectionStyle
from agent.composer.understanding.section_kinds import kind_of
from agent.composer.writing.frame import Player

_INTRO = 8.0
"""Seconds that an intro is shorter than."""
_BRIEF = 30.0
"""Seconds up to which a piece has no time for an intro."""
_LENGTHS = (8, 4, 2, 1)
"""Bars of an intro, the longest first."""


def sung_early(
    sections: tuple[SectionStyle, ...], players: Sequence[Player], bar: float, *, whole: bool
) -> tuple[SectionStyle, ...]:
    """The sections, of which the first with a tune begins within eight seconds; `bar` is how long one lasts.

    What an intro loses is gone, or with `whole` goes to the strongest section, so that the piece stays as long. Where
    nobody has a tune nothing changes.
    """
    leads = [player.style.name for player in players if player.style.role == "lead" and not player.style.builds]
    if not leads:
        return sections
    first, *rest = sections
    if kind_of(first.name.casefold()).edge != "first" or not rest:
        return (_with(first, leads), *rest)
    short = next((many for many in _LENGTHS if many <= first.bars and many * bar < _INTRO), 1)
    lost = max(0, first.bars - short)
    if whole:
        most = max(range(len(rest)), key=lambda at: rest[at].energy)
        rest[most] = structs.replace(rest[most], bars=rest[most].bars + lost)
    rest[0] = rest[0] if set(leads) & set(first.parts) else _with(rest[0], leads)
    return (structs.replace(first, bars=first.bars - lost), *rest)


def at_once(
    sections: tuple[SectionStyle, ...], players: Sequence[Player], bar: float, *, long: float = _BRIEF
) -> tuple[SectionStyle, ...]:
    """The sections of a piece of at most so many seconds (`long`) without an intro, whose bars go to what follows it.

    A longer piece, and one of a single section, stay as they are.
    """
    first, *rest = sections
    if not rest or kind_of(first.name.casefold()).edge != "first" or sum(one.bars for one in sections) * bar > long:
        return sections
    rest[0] = structs.replace(rest[0], bars=rest[0].bars + first.bars)
    leads = [player.style.name for player in players if player.style.role == "lead" and not player.style.builds]
    return (_with(rest[0], leads) if leads else rest[0], *rest[1:])


def _with(section: SectionStyle, leads: Sequence[str]) -> SectionStyle:
    """The section with somebody who has a tune."""
    return section if set(leads) & set(section.parts) else structs.replace(section, parts=(*section.parts, leads[0]))
