"""Casting: who plays in which section, so that instruments come in and go out and no return is a mere repeat."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.styles import Role, SectionStyle
from agent.composer.writing.frame import Player

_CARRIES: tuple[Role, ...] = (
    "pad", "chords", "arp", "lead", "counter", "texture", "bass", "percussion", "drums",
)
_FRESH: tuple[Role, ...] = ("counter", "percussion", "texture", "arp", "pad", "chords")
"""What may join a section that returns, best first."""
_CHORDAL: tuple[Role, ...] = ("chords", "pad", "arp")
_FEWEST, _LARGE = 3, 5
"""Players that a section keeps, and beyond which it is a large one."""
_ANSWERED = 0.4
"""Energy from which a tune gets a second voice."""


def cast(sections: tuple[SectionStyle, ...], players: tuple[Player, ...]) -> tuple[SectionStyle, ...]:
    """The sections with the players that exist, so that instruments enter and leave.

    Players that no section names join all but the quietest, melody players those without a melody, and a counter-melody
    those whose theme returns. A repeated section gets one part more; where all play, the weaker of two neighbours lets
    one rest.
    """
    playing = tuple(player for player in players if not player.style.builds)
    names = [player.style.name for player in playing]
    written = {name for section in sections for name in section.parts}
    joining = {p.style.name for p in playing if p.style.name not in written and p.style.role != "counter"}
    answering = {p.style.name for p in playing if p.style.name not in written and p.style.role == "counter"}
    soloists = {p.style.name for p in playing if p.style.role == "lead"} & joining
    singing = {p.style.name for p in playing if p.style.role == "lead"} & written
    unsung = {index for index, section in enumerate(sections) if not singing & set(section.parts)}
    if not singing or not unsung:
        soloists = set()
    quietest = min(section.energy for section in sections) if len(sections) > 1 else -1.0
    later = _later(sections, playing) if answering else set()
    result: list[SectionStyle] = []
    for index, section in enumerate(sections):
        wanted = {*section.parts, *(joining - soloists if section.energy > quietest else ())}
        wanted |= soloists if index in unsung else set()
        wanted |= answering if index in later else set()
        parts = tuple(name for name in names if name in wanted)
        result.append(structs.replace(section, parts=parts or _softest(playing)))
    return _apart(_varied(result, playing), playing)


def _later(sections: Sequence[SectionStyle], players: Sequence[Player]) -> set[int]:
    """Sections in which the tune of a theme returns with some energy; else those of the second half; else all."""
    leads = {player.style.name for player in players if player.style.role == "lead"}
    sung = [bool(leads & set(section.parts)) for section in sections]
    strong = [index for index, section in enumerate(sections) if sung[index] and section.energy >= _ANSWERED]
    returning = {
        index for index in strong if any(sung[i] and sections[i].theme == sections[index].theme for i in range(index))
    }
    half = {index for index in range(len(sections)) if index >= len(sections) // 2}
    return returning or (half & set(strong)) or set(strong[-1:]) or half


def _varied(sections: Sequence[SectionStyle], players: Sequence[Player]) -> tuple[SectionStyle, ...]:
    """The sections; one with the same players and theme as an earlier one gets another player."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    result = []
    for section in sections:
        parts = section.parts
        if (section.theme, parts) in seen:
            rested = [p for p in players if p.style.name not in parts and p.style.role in _FRESH]
            fresh = min(rested, key=lambda p: _FRESH.index(p.style.role), default=None)
            if fresh is not None:
                wanted = {*parts, fresh.style.name}
                parts = tuple(player.style.name for player in players if player.style.name in wanted)
        seen.add((section.theme, parts))
        result.append(structs.replace(section, parts=parts))
    return tuple(result)


def _apart(sections: Sequence[SectionStyle], players: Sequence[Player]) -> tuple[SectionStyle, ...]:
    """The sections; of neighbours with the same players that sing one theme, or are large, the weaker lets one rest."""
    roles = {player.style.name: player.style.role for player in players}
    result = list(sections)
    for at in range(1, len(result)):
        before, here = result[at - 1], result[at]
        alike = set(before.parts) == set(here.parts) and (before.theme == here.theme or len(here.parts) > _LARGE)
        if here.repeats or not alike:
            continue
        weaker = at if here.energy < before.energy else at - 1
        parts = result[weaker].parts
        resting = min(_may_rest(parts, roles), key=lambda name: _FRESH.index(roles[name]), default="")
        result[weaker] = structs.replace(result[weaker], parts=tuple(name for name in parts if name != resting))
    return tuple(result)


def _may_rest(parts: Sequence[str], roles: dict[str, Role]) -> list[str]:
    """Who may rest in a section: somebody plays chords all the same, and three are left."""
    if len(parts) <= _FEWEST:
        return []
    chordal = [name for name in parts if roles[name] in _CHORDAL]
    return [name for name in parts if roles[name] in _FRESH and (name not in chordal or len(chordal) > 1)]


def _softest(players: Sequence[Player]) -> tuple[str, ...]:
    """Whoever can carry a section alone."""
    ranked = sorted(players, key=lambda player: _CARRIES.index(player.style.role))
    return tuple(player.style.name for player in ranked[:2])
