"""A language made ready for reading: its phrases and forms, looked up fast."""

from __future__ import annotations

import re
from functools import cached_property

from msgspec import Struct

from agent.chat.reading.matching import Form, FormTable
from agent.chat.reading.phrases import PhraseList
from agent.chat.sayings import Learn, ManualEntry, Sayings, at_once
from agent.chat.vocabulary import ChatWords, CommandWords
from agent.composer.phrasing import FormParser
from agent.composer.tokens import folded_tokens, phrase_tokens
from agent.composer.vocabulary import Vocabulary

_TERM = 3
"""Letters of the shortest word of which it is told whose language it is."""

_WORD = re.compile(r"[^\W_]+")


class Language(Struct, frozen=True, dict=True):
    """The words for chat messages (`words`) and for requests (`music`), examples of sayings with their intents, and the
    manual, with lookup tables made on first use. `learn` makes the model of the examples, or finds it made."""

    words: ChatWords
    music: Vocabulary
    sayings: Sayings = Sayings()
    manual: tuple[ManualEntry, ...] = ()
    learn: Learn = at_once

    @cached_property
    def shape(self) -> dict[str, PhraseList]:
        """The words that form sentences (question words, auxiliaries, …), by field of `SentenceWords`."""
        shape = self.words.shape
        return {name: PhraseList(getattr(shape, name)) for name in shape.__struct_fields__}

    @cached_property
    def reactions(self) -> dict[str, PhraseList]:
        """The phrases of reactions, by field of `Reactions`."""
        reactions = self.words.reactions
        return {name: PhraseList(getattr(reactions, name)) for name in reactions.__struct_fields__}

    @cached_property
    def asides(self) -> dict[str, PhraseList]:
        """The phrases of remarks that ask for nothing, by field of `SmallTalkWords`."""
        return {name: PhraseList(getattr(self.words.asides, name)) for name in self.words.asides.__struct_fields__}

    @cached_property
    def listening(self) -> dict[str, PhraseList]:
        """The phrases of wishes to hear something, by field of `ListeningWords`."""
        return {
            name: PhraseList(getattr(self.words.listening, name)) for name in self.words.listening.__struct_fields__
        }

    @cached_property
    def noise(self) -> PhraseList:
        """Swear words and slang without meaning."""
        return PhraseList(self.words.noise.words)

    @cached_property
    def hesitating(self) -> PhraseList:
        """What people say before a question that comes to mind ("wait")."""
        return PhraseList(self.words.noise.hesitating)

    @cached_property
    def elsewhere(self) -> tuple[PhraseList, PhraseList]:
        """(things, terms): things that are not made here, such as poems, and musical terms that rule out that one of
        them is meant."""
        return PhraseList(self.words.elsewhere.nouns), PhraseList(self.words.elsewhere.music)

    @cached_property
    def within(self) -> PhraseList:
        """Words between bars and their section ("of the")."""
        return PhraseList(self.words.naming.within)

    @cached_property
    def moods(self) -> PhraseList:
        """Words that describe music."""
        return PhraseList(word for mood in self.music.moods for word in mood.words)

    @cached_property
    def topics(self) -> FormTable[int]:
        """The patterns of questions, with the topic's index in the list of topics."""
        return FormTable((form, at) for at, one in enumerate(self.words.topics) for form in self._forms(one.forms))

    @cached_property
    def question_words(self) -> frozenset[str]:
        """All words in the patterns of topic and how-to questions, and in the groups of phrases for patterns."""
        forms = [form for one in self.words.topics for form in one.forms]
        forms += [form for one in self.words.howto for form in one.forms]
        groups = [phrase for phrases in self.words.groups.values() for phrase in phrases]
        return frozenset(token for text in (*forms, *groups) for token in _WORD.findall(text.casefold()))

    @cached_property
    def howto(self) -> FormTable[int]:
        """The patterns of actions in how-to questions, with the action's index in the list of actions."""
        return FormTable((form, at) for at, one in enumerate(self.words.howto) for form in self._forms(one.forms))

    @cached_property
    def ways(self) -> FormTable[None]:
        """Patterns of how a question begins that asks how to do something in the program."""
        return self._table(self.words.ways)

    @cached_property
    def commands(self) -> FormTable[CommandWords]:
        """The patterns of commands."""
        return FormTable((form, one) for one in self.words.commands for form in self._forms(one.forms))

    @cached_property
    def naming(self) -> dict[str, FormTable[None]]:
        """The patterns that name bars, rows and versions, by these words."""
        naming = self.words.naming
        return {name: self._table(getattr(naming, name)) for name in ("bars", "rows", "versions")}

    @cached_property
    def stretches(self) -> dict[str, FormTable[None]]:
        """The patterns for bars by their position ("the first 4 bars"), by field of `Stretches`."""
        stretches = self.words.naming.stretches
        return {name: self._table(getattr(stretches, name)) for name in stretches.__struct_fields__}

    @cached_property
    def wants(self) -> PhraseList:
        """Phrases of wishing that may stand before a command."""
        return PhraseList((*self.words.groups["want_to"], *self.words.shape.suggests, *self.words.shape.possible))

    @cached_property
    def contractions(self) -> dict[str, tuple[str, ...]]:
        """The tokens for each contraction or common misspelling."""
        return {short: tuple(whole.split()) for short, whole in self.words.contractions.items()}

    @cached_property
    def function_words(self) -> frozenset[str]:
        """Single words that form sentences whatever they are about."""
        shape = self.words.shape
        words = (("what", "which", "how"), shape.auxiliaries, shape.pronouns, shape.filler, shape.definite, ("not",))
        return frozenset(phrase for phrases in words for phrase in phrases if " " not in phrase)

    @cached_property
    def foreign(self) -> dict[str, frozenset[str]]:
        """The function words of other languages, by language."""
        return {name: frozenset(words) for name, words in self.words.foreign.words.items()}

    @cached_property
    def loans(self) -> frozenset[str]:
        """Musical terms used in all languages."""
        return frozenset(token for phrase in self.words.foreign.loans for token in phrase.split())

    @cached_property
    def english(self) -> frozenset[str]:
        """All English words known from chat messages and requests."""
        shape, reactions = self.words.shape, self.words.reactions
        phrases = [
            *(phrase for name in shape.__struct_fields__ for phrase in getattr(shape, name)),
            *(phrase for name in reactions.__struct_fields__ for phrase in getattr(reactions, name)),
            *(phrase for group in self.words.groups.values() for phrase in group),
            *self.words.contractions, *self.words.contractions.values(),
        ]
        # the terms of scores are words of requests, and of Italian all the same
        terms = {word for words in self.foreign.values() for word in words if len(word) >= _TERM}
        return (self.music.spoken - terms) | {token for phrase in phrases for token in folded_tokens(phrase)}

    def _forms(self, texts: tuple[str, ...]) -> tuple[Form, ...]:
        return tuple(map(self._parser.elements, texts))

    @cached_property
    def _parser(self) -> FormParser:
        return FormParser(self.words.groups, phrase_tokens)

    def _table(self, texts: tuple[str, ...]) -> FormTable[None]:
        return FormTable((form, None) for form in self._forms(texts))
