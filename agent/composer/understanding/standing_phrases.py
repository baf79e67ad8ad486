"""Standing phrases: what phrases mean by the language, the styles and the palette alone, whatever song is open."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TypeAlias, cast

from msgspec import Struct

from agent.composer.piece_words import Ensemble, Setting, Technique
from agent.composer.roles import role_of_family
from agent.composer.same_objects import once_for_same
from agent.composer.styles import StyleBook
from agent.composer.tokens import folded_tokens, phrase_tokens
from agent.composer.understanding.phrase_table import PhraseTable
from agent.composer.understanding.senses import Sense, Senses
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Thing, Vocabulary
from agent.song.palette import Palette

_NONE: frozenset[Sense] = frozenset()


class SenseTable(PhraseTable[Senses]):
    """A `PhraseTable` with the senses of phrases, and a quick check whether any phrase that begins with a token has a
    sense."""

    def __init__(self, phrases: Mapping[tuple[str, ...], Senses]) -> None:
        self._begun: dict[str, frozenset[Sense]] = {}
        """All senses of the phrases that begin with a token."""
        super().__init__(phrases)

    def copy(self) -> SenseTable:
        """An independent copy."""
        other = super().copy()
        other._begun = dict(self._begun)
        return other

    def put(self, phrase: tuple[str, ...], value: Senses) -> None:
        """Map a phrase of at least one token to its senses."""
        super().put(phrase, value)
        if phrase:
            self._begun[phrase[0]] = self._begun.get(phrase[0], _NONE) | value.keys()

    def sense(self, tokens: Sequence[str], at: int, sense: Sense) -> tuple[int, str] | None:
        """Length and value of the longest phrase at token `at` that has this sense; None for none."""
        if at >= len(tokens) or sense not in self._begun.get(tokens[at], _NONE):
            return None
        for length, senses in self.at(tokens, at):
            if sense in senses:
                return length, senses[sense]
        return None

    def with_any(self, tokens: Sequence[str], at: int, wanted: Set[Sense]) -> Sequence[tuple[int, Senses]]:
        """Length and senses of every phrase at token `at`, the longest first; empty if no phrase that begins with this
        token has any of the senses `wanted`."""
        if at >= len(tokens) or wanted.isdisjoint(self._begun.get(tokens[at], _NONE)):
            return ()
        return self.at(tokens, at)


Add: TypeAlias = Callable[[Sense, str, Iterable[str]], None]
"""Adds a meaning to phrases, besides those that they have."""


class StandingPhrases(Struct, frozen=True, dict=True):
    """Phrases by what they mean, without those that depend on the open song.

    `players` are the wishes for the palette's instruments, by their names. `with_plurals` are the `senses` with plurals
    of things added, for songs in which no name has that plural. `no_styles` are phrases that name no style although
    their first word does ("steel strings"); `known` are all words of these phrases and of the language.
    """

    senses: SenseTable
    players: dict[str, Wish]
    with_plurals: SenseTable
    settings: PhraseTable[Setting]
    ensembles: PhraseTable[Ensemble]
    techniques: PhraseTable[Technique]
    dynamics: PhraseTable[int]
    no_styles: PhraseTable[bool]

    known: frozenset[str]

    @cached_property
    def alike(self) -> Mapping[tuple[str, int], Sequence[str]]:
        """The known words by (first letter, number of letters), for finding misspelled ones."""
        found: dict[tuple[str, int], list[str]] = {}
        for word in filter(None, self.known):
            found.setdefault((word[0], len(word)), []).append(word)
        return found


@once_for_same
def standing_phrases(words: Vocabulary, styles: StyleBook, palette: Palette, has_music: bool) -> StandingPhrases:
    """The phrases of the language, styles and palette. Without music (`has_music` false) some mean something else: a
    new piece about rain is not a recording of rain."""
    senses = SenseTable({})
    settings = PhraseTable.of((phrase, one) for one in words.settings for phrase in one.words)

    def add(sense: Sense, value: str, phrases: Iterable[str]) -> None:
        add_sense(senses, sense, value, phrases)

    _add_language(add, words)
    for style in styles.styles:
        add("style", style.name, (style.name.replace("_", " "), style.name, *style.words))
    for thing in words.things:
        add("thing", thing.name, thing.words)
    for instrument in palette.instruments:
        name = instrument.name
        noise = instrument.family == "fx" and not has_music and settings.longest_at((name[3:],), 0) is not None
        bare = name.partition("_")[2].replace("_", " ")
        add("instrument", name, ([] if noise else [instrument.label]) + [name] + ([bare] if " " in bare else []))
    with_plurals = senses.copy()
    for called, phrases in _plurals(words.things, senses):
        add_sense(with_plurals, "thing", called, phrases)
    return StandingPhrases(
        senses,
        {
            one.name: Wish(one.label.lower(), role_of_family(one.family), (one.family,), (one.name,))
            for one in palette.instruments
        },
        with_plurals,
        settings,
        PhraseTable.of((phrase, one) for one in words.ensembles for phrase in one.words),
        PhraseTable.of((phrase, one) for one in words.techniques for phrase in one.words),
        PhraseTable.of(words.performing.dynamics.items()),
        PhraseTable.of((phrase, True) for phrase in (words.figures.no_styles if words.figures is not None else ())),
        words.spoken | {word for phrase in with_plurals for word in phrase},
    )


def add_sense(table: SenseTable, sense: Sense, value: str, phrases: Iterable[str]) -> None:
    """Add a meaning to phrases of the table, besides their others; an existing value of that sense stays."""
    for phrase in phrases:
        key = folded_tokens(phrase)
        senses = table.get(key) or {}
        if key and sense not in senses:
            table.put(key, {**senses, sense: value})


def _add_language(add: Add, words: Vocabulary) -> None:
    for name in words.goals.__struct_fields__:
        if name != "works":
            add("goal", name, getattr(words.goals, name))
    for name in ("refuse", "keep", "only", "add", "beatless", "after_keep"):
        add("binding", name, getattr(words.bindings, name))
    add("join", "join", words.bindings.joins)
    add("inverse", "inverse", words.bindings.inverse)
    for mode, phrases in words.modes.items():
        add("mode", mode, phrases)
    for name in words.tempo.__struct_fields__:
        add("tempo", name, getattr(words.tempo, name))
    for name in ("bars", "minutes", "seconds", "bpm", "decibels"):
        add("unit", name, getattr(words.lengths, name))
    for name in ("short", "long"):
        add("size", name, getattr(words.lengths, name))
    for word, number in words.numbers.items():
        add("number", str(number), (word,))
    for sense, table in (("ordinal", words.ordinals), ("interval", words.intervals), ("step", words.units)):
        for word, number in table.items():
            add(cast("Sense", sense), str(number), (word,))
    for sense, lengths in (("grid", words.grids), ("degrees", words.degrees), ("repeats", words.repeats)):
        for word, length in lengths.items():
            add(cast("Sense", sense), str(length), (word,))
    for genre in words.genres:
        add("genre", genre.name, genre.words)
    for section in words.sections:
        add("section", section.name, section.words)
    for meter, phrases in words.meters.items():
        add("meter", meter, phrases)
    for mood in words.moods:
        add("mood", mood.name, mood.words)
    for name in words.aspects.__struct_fields__:
        add("aspect", name, getattr(words.aspects, name))
    add("filler", "filler", words.filler.words)


_PLURAL = "s"


def _plurals(things: Sequence[Thing], known: Container[tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The name of each single instrument with those of its plurals that are not `known` as phrases."""
    for thing in things:
        if not (thing.whole_role or thing.whole_family or thing.pieces):
            several = (f"{word}{_PLURAL}" for word in thing.words if word[-1].isalpha() and word[-1] != _PLURAL)
            yield thing.name, tuple(one for one in several if phrase_tokens(one) not in known)
