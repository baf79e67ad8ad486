"""Intents: what a sentence is about, by the examples that it is most like."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from agent.chat.messages import Question
from agent.chat.reading.clause import Clause, Reaction, WishClause
from agent.chat.reading.intent_features import FeatureReader
from agent.chat.reading.intent_model import IntentModel
from agent.chat.reading.language import Language
from agent.chat.reading.names import SentenceNames
from agent.chat.reading.reactions import reactions_covering
from agent.chat.sayings import Learn, ManualEntry, Sayings
from agent.chat.vocabulary import ChatWords
from agent.composer.same_objects import once_for_same
from agent.composer.vocabulary import Vocabulary

WISH, ASIDE, NONE = "request", "aside", "talk.none"
"""A wish for music, what is told beside a matter, and what has nothing to do with music."""
SONG, ABOUT, HOW, COMMAND, TALK = "song.", "about.", "how.", "command.", "talk."
_REACTION = 0.25
"""What it adds to a kind of talk that the sentence consists of its phrases."""
_COMMON = 0.12
"""What is taken from a wish, of which there are more and more various examples than of all else."""


class IntentReader(Struct, frozen=True, dict=True):
    """Tells how like a sentence is to each intent."""

    language: Language

    @cached_property
    def model(self) -> IntentModel:
        """The examples of the language, learned."""
        language = self.language
        return _examples(language.words, language.music, language.sayings, language.manual).model(language.learn)

    def scores(self, words: str, names: SentenceNames) -> dict[str, float]:
        """For each intent how like the words are to it, from about 0 to 2.5; `names` is what they name."""
        found = self.model.scores(FeatureReader(self.language).of(words))
        for kind in reactions_covering(names, self.language):
            if f"{TALK}{kind}" in found:
                found[f"{TALK}{kind}"] += _REACTION
        if WISH in found:
            found[WISH] -= _COMMON
        return found

    def of_topic(self, topic: str) -> str:
        """The intent of a topic; "" for none."""
        return self._topics.get(topic, "")

    @cached_property
    def _topics(self) -> Mapping[str, str]:
        names = (name for name in self.model.intents if not name.startswith((HOW, COMMAND, TALK)))
        return {name.partition(".")[2]: name for name in names}

    def of_clause(self, clause: Clause) -> tuple[str, ...]:
        """The intents that a clause has as it was read by forms."""
        match clause:
            case Question(topic="how_to", action=action):
                return (f"{HOW}{action}",)
            case Question(topic="manual", value=value):
                return (f"{ABOUT}{value}",)
            case Question(topic="unknown"):
                return (NONE,)
            case Question(topic=topic):
                return (self.of_topic(topic),)
            case WishClause():
                return (WISH,)
            case Reaction(kinds=kinds):
                return tuple(f"{TALK}{kind}" for kind in kinds)
        return (f"{COMMAND}{clause.name}",)


class _Examples:
    """The examples of a language, learned once whoever asks first."""

    def __init__(
        self, words: ChatWords, music: Vocabulary, sayings: Sayings, manual: tuple[ManualEntry, ...],
    ) -> None:
        self._language = Language(words, music, sayings, manual)
        self._model: IntentModel | None = None

    def model(self, learn: Learn) -> IntentModel:
        """The model, which `learn` makes or finds made if nobody has asked for it yet."""
        if self._model is None:
            self._model = learn(self._learned)
        return self._model

    def _learned(self) -> IntentModel:
        from agent.chat.reading.intent_learning import learned

        language, reader = self._language, FeatureReader(self._language)
        examples = language.sayings.examples.items()
        said = [(name, line) for name, lines in examples for line in lines.splitlines() if line]
        asked = [(f"{ABOUT}{one.name}", line) for one in language.manual for line in one.asked]
        return learned([(name, reader.of(line)) for name, line in (*said, *asked)])


_examples = once_for_same(_Examples)
