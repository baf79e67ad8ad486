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
    """The sections with an intro shortened so that the melody enters within eight seconds; `bar` is the length of a bar
    in seconds.

    The bars cut are dropped, or with `whole` added to the strongest section. Unchanged if no player has a melody.
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
    """The sections without an intro, whose bars are added to the next section, for pieces of at most `long` seconds;
    `bar` is the length of a bar in seconds.

    Longer pieces, and those of a single section, are unchanged.
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
