"""Player names: what tracks are called, after who plays them, with the role beside it where that is not enough."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from agent.composer.styles import RHYTHMIC, PartStyle, Role
from agent.song.palette import Family, Instrument

MELODY = "melody"
"""The role added to the name of the melody track, where needed."""
_BESIDE: dict[Role, str] = {
    "lead": MELODY, "counter": "counter line", "arp": "arpeggio", "chords": "chords", "pad": "pad", "bass": "bass",
    "texture": "texture", "drums": "drums", "percussion": "percussion",
}
_ROLES: tuple[Family, ...] = ("lead", "pad", "arp", "fx")
"""Families that are called by what they do and not by what they are."""
_DOING = (f" {MELODY}", " chords", " arp")
"""What stands behind a player in the name of a part, and says what it does."""
_SINGERS = "voice singer coro"
"""What a choir is called besides."""
_LEAST = 3
"""Letters of the shortest word that says who plays."""
_TAG, _NUMBER = re.compile(r" \([^()]{1,40}\)$"), re.compile(r" (\d+|I+)$")


class Plays(Protocol):
    """A part of a style with the instrument that plays it."""

    @property
    def style(self) -> PartStyle:
        """The part as its style describes it."""

    @property
    def instrument(self) -> Instrument:
        """The instrument that plays the part."""


def player_name(part: PartStyle, instrument: Instrument) -> str:
    """The track name for a part: the part's own name if it names its player, as with drums, otherwise its instrument's
    label."""
    name = part.name
    for word in _DOING:
        # "Piano chords" are chords that the piano plays
        bare = name.removesuffix(word)
        name = bare if part.named or _says(bare, instrument) else name
    own = part.named or part.role in RHYTHMIC or instrument.is_kit
    return name if own or part.builds or _says(name, instrument) else instrument.label


def track_names(players: Sequence[Plays]) -> dict[str, str]:
    """The track name for each part, by the part's name; no two alike.

    Players of the same name and role get numbers; of one player in several roles one has the plain name, the others
    have the role added.
    """
    plain = [player_name(one.style, one.instrument) for one in players]
    names: dict[str, str] = {}
    for one, name in zip(players, plain, strict=True):
        roles = [other.style.role for other, same in zip(players, plain, strict=True) if same == name]
        if len(roles) == 1:
            names[one.style.name] = name
            continue
        first = next((role for role in roles if role != "lead"), "lead")
        tagged = name if one.style.role == first else beside(name, one.style.role)
        many = roles.count(one.style.role)
        before = sum(other == tagged or other.startswith(f"{tagged} ") for other in names.values())
        names[one.style.name] = f"{tagged} {before + 1}" if many > 1 else tagged
    return names


def beside(name: str, role: Role) -> str:
    """The name with the role in parentheses, unless it has one already: "Piano (melody)"."""
    return name if _TAG.search(name) else f"{name} ({_BESIDE[role]})"


def renamed(name: str, was: Instrument, now: Instrument) -> str | None:
    """A track's name after its instrument changed from `was` to `now`, with the role in parentheses kept. None where it
    was not named after the old instrument, or fits the new one too."""
    tag = _TAG.search(name)
    bare = _NUMBER.sub("", _TAG.sub("", name))
    if not _is(bare, was) or _is(bare, now):
        return None
    return f"{now.label}{tag.group() if tag else ''}"


def _says(name: str, instrument: Instrument) -> bool:
    """Whether a name has a word for the instrument."""
    return any(_means(word, instrument) for word in _words(name))


def _is(name: str, instrument: Instrument) -> bool:
    """Whether a name is nothing but words for the instrument."""
    words = _words(name)
    return bool(words) and all(_means(word, instrument) for word in words)


def _means(word: str, instrument: Instrument) -> bool:
    if len(word) < _LEAST or word in _ROLES:
        return False
    also = _SINGERS if instrument.family == "choir" else ""
    known = _words(f"{instrument.label} {instrument.name.replace('_', ' ')} {instrument.family} {also}")
    said = {word, word.removesuffix("s")} if len(word) > _LEAST else {word}
    # a double bass is a contrabass
    return any({one, one.removesuffix("s")} & said or one.endswith(word) for one in known if one not in _ROLES)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
