"""The words of requests as values: what a language file holds."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.composer.styles import Role, StyleError
from agent.song.key import Mode
from agent.song.palette import Family

Phrases = tuple[Annotated[str, Meta(min_length=1, max_length=60)], ...]
Amount = Annotated[float, Meta(ge=-1, le=1)]


class Goals(Struct, frozen=True, forbid_unknown_fields=True):
    """Words for making a new piece, changing one, changing it in part, replacing it, and pointing at it."""

    compose: Phrases
    change: Phrases
    relative: Phrases
    replace: Phrases
    existing: Phrases


class Bindings(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that bind what follows: refused, kept, the only ones, added; and the words that carry it on."""

    refuse: Phrases
    keep: Phrases
    only: Phrases
    add: Phrases
    joins: Phrases
    beatless: Phrases
    inverse: Phrases
    after_keep: Phrases


class TempoWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Words for a relative tempo, for its strength, and for a place in a style's range."""

    slower: Phrases
    faster: Phrases
    half: Phrases
    double: Phrases
    slight: Phrases
    strong: Phrases
    slow: Phrases
    medium: Phrases
    fast: Phrases


class LengthWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Units of length and tempo, and words for short and long."""

    bars: Phrases
    minutes: Phrases
    seconds: Phrases
    bpm: Phrases
    short: Phrases
    long: Phrases


class Aspects(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be kept beside instruments."""

    tempo: Phrases
    key: Phrases
    sounds: Phrases


class Mood(Struct, frozen=True, forbid_unknown_fields=True):
    """A colour: brightness and energy from -1 to 1, a tempo factor, the mode and styles it suggests."""

    name: str
    words: Phrases
    brightness: Amount = 0.0
    energy: Amount = 0.0
    tempo: Annotated[float, Meta(ge=0.5, le=2)] = 1.0
    mode: Mode | None = None
    opposite: str = ""
    styles: tuple[str, ...] = ()


class Thing(Struct, frozen=True, forbid_unknown_fields=True):
    """What people call an instrument or, with `whole_role`, everything that plays a role.

    The first of `instruments` that exists is taken where one must be added.
    """

    name: str
    words: Phrases
    role: Role
    families: tuple[Family, ...] = ()
    instruments: tuple[str, ...] = ()
    whole_role: bool = False


class Filler(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that carry no meaning of their own."""

    words: Phrases


class Vocabulary(Struct, frozen=True, forbid_unknown_fields=True):
    """All words that the composer understands, in one language."""

    goals: Goals
    bindings: Bindings
    modes: dict[Mode, Phrases]
    tempo: TempoWords
    lengths: LengthWords
    numbers: dict[str, int]
    meters: dict[str, Phrases]
    moods: tuple[Mood, ...]
    things: tuple[Thing, ...]
    aspects: Aspects
    filler: Filler

    def mood(self, name: str) -> Mood:
        """The mood of that name."""
        return next(mood for mood in self.moods if mood.name == name)

    def thing(self, name: str) -> Thing:
        """The thing of that name."""
        return next(thing for thing in self.things if thing.name == name)


def check_vocabulary(words: Vocabulary) -> None:
    """Raise `StyleError` where the words contradict each other."""
    moods = [mood.name for mood in words.moods]
    for mood in words.moods:
        if mood.opposite and mood.opposite not in moods:
            raise StyleError(f"mood {mood.name!r}: there is no mood {mood.opposite!r} to be its opposite")
    if not any(thing.name == "drums" for thing in words.things):
        raise StyleError("the things lack 'drums'", why="beatless music refuses them")
