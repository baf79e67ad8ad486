"""The phrasebook: what the words of the language, the styles and the palette stand for in any song."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from agent.chat.context import StyleInfo
from agent.chat.reading.language import Language
from agent.chat.reading.names import NamedPhrase
from agent.composer.same_objects import once_for_same
from agent.composer.tokens import phrase_tokens
from agent.composer.vocabulary import Thing
from agent.song.palette import Palette

Tokens: TypeAlias = tuple[str, ...]


class NamedPlayer(Struct, frozen=True):
    """A player as the phrase `words` names it: a `thing` of the vocabulary, an `instrument` by its name, or with
    neither of them the singing voice. The words are used in answers if the song lacks the player."""

    words: str
    thing: Thing | None = None
    instrument: str = ""


class NamedSectionKind(Struct, frozen=True):
    """A kind of section, such as the chorus, by the first of its names in the language."""

    name: str


Meaning: TypeAlias = NamedPhrase | NamedPlayer | NamedSectionKind
"""What a phrase means; the `length` of a `NamedPhrase` is that of the phrase."""


class Phrasebook(Struct, frozen=True):
    """What phrases mean in any song. `phrases` gives for each phrase its meaning by slot of a pattern (a place to be
    filled, such as a track or a style), `ordinals` the number of each ordinal word."""

    phrases: dict[Tokens, dict[str, Meaning]]
    kinds: dict[Tokens, str]
    """The kind of section for each phrase."""
    called: dict[str, tuple[str, ...]]
    """The phrases for each kind of section, by the kind's name."""
    ordinals: dict[Tokens, int]


@once_for_same
def phrasebook(language: Language, palette: Palette, styles: Sequence[StyleInfo]) -> Phrasebook:
    """The phrasebook of a language with these instruments and styles; of several meanings of a phrase in one slot the
    first counts."""
    phrases: dict[Tokens, dict[str, Meaning]] = {}
    for slot, words, meaning in _said(language, palette, styles):
        if key := phrase_tokens(words.casefold()):
            phrases.setdefault(key, {}).setdefault(slot, meaning)
    kinds = _kinds(language)
    return Phrasebook(
        phrases,
        {phrase_tokens(word): kind for word, kind in kinds.items()},
        {kind: tuple(word for word, name in kinds.items() if name == kind) for kind in kinds.values()},
        {phrase_tokens(word): number for word, number in language.music.ordinals.items()},
    )


def _kinds(language: Language) -> dict[str, str]:
    return {word: section.name for section in language.music.sections for word in section.words}


def _said(language: Language, palette: Palette, styles: Sequence[StyleInfo]) -> Iterator[tuple[str, str, Meaning]]:
    """Slots, phrases and what they stand for."""
    naming = language.words.naming
    yield from (("section", word, NamedSectionKind(kind)) for word, kind in _kinds(language).items())
    for thing in language.music.things:
        yield from (
            ("track", word, NamedPlayer(word, thing)) for word in (*thing.words, *naming.also.get(thing.name, ()))
        )
    yield from (("track", word, NamedPlayer(word)) for word in naming.voice)
    for instrument in palette.instruments:
        for word in (instrument.label, instrument.name.partition("_")[2].replace("_", " ")):
            yield "track", word, NamedPlayer(word.casefold(), instrument=instrument.name)
    for style in styles:
        for word in (style.label, style.name.replace("_", " "), *style.words):
            yield "style", word, NamedPhrase(0, style=style.name)
    # with its article: a trio is a band as well
    yield from (("section", f"the {word}", NamedPhrase(0, absent_section=word)) for word in naming.places)
    for ending in ("", *naming.plurals):
        yield from (("format", f"{word}{ending}", NamedPhrase(0, format=word)) for word in naming.formats)
    yield from (("version", word, NamedPhrase(0, version=0)) for word in naming.previous)
    for word, number in language.music.numbers.items():
        if number == int(number):
            yield "number", word, NamedPhrase(0, number=int(number))
    yield from (("nth", word, NamedPhrase(0, nth=nth)) for word, nth in language.music.ordinals.items())
