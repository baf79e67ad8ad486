"""Settling: whether a sentence is what its forms say, or what the examples say that it is most like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from agent.chat.messages import About, Action, Command, CommandName, Question, Topic
from agent.chat.reading.clause import Clause, Reaction, WishClause
from agent.chat.reading.intents import ABOUT, ASIDE, COMMAND, HOW, NONE, SONG, TALK, WISH, IntentReader
from agent.chat.reading.lookup import Lookup
from agent.chat.reading.names import SentenceNames
from agent.chat.reading.naming import names_in
from agent.chat.reading.phrases import without_leading
from agent.chat.reading.qualities import names_quality
from agent.chat.reading.sentences import Sentence
from agent.chat.reading.topics import share_held

_LEAST = 0.25
"""The score below which a saying is like nothing that is known."""
_ALIKE = 0.29
"""The score from which on a question that no form reads is one that is known."""
_SURE = 0.42
"""The score from which on a question is known whatever else it names."""

# By how much an intent must be more like a sentence than what its forms say, to take the place of it.
_OTHER_TOPIC, _HELD = 0.04, 0.25
"""Where both are questions; the second for all of the words that the forms hold."""
_DONE = 0.5
"""What a song is for how something is done to it."""
_ASKED, _SUGGESTED, _STATED = 0.15, 0.3, 0.32
"""A question for a wish: where it asks by a mark or a word, where it suggests ("can you …?"), where it does neither."""
_ORDERED = 0.3
"""A question for a command, or the other way round."""
_REACTED = 0.18
"""A question for talk."""

# By how much anything else must be more like a sentence than a wish is.
_DOUBTED = 0.09
"""Where the composer makes nothing of it."""
_NEAR, _SECOND = 0.06, 0.2
"""Beside a question: for it to be no wish, and to be a further question."""

_OF_SPEAKERS = f"{COMMAND}speakers"
"""What is made louder is the song, unless the words name more."""
_FIRST = 3
"""Words within which one that asks makes an order none."""


class ReadSentence(Struct, frozen=True):
    """A sentence with its clauses as the forms read it (`formed`) and as it was settled (`clauses`), and the intents
    that it is like."""

    sentence: Sentence
    names: SentenceNames
    formed: tuple[Clause, ...]
    clauses: tuple[Clause, ...]
    scores: Mapping[str, float]

    @property
    def formed_as_wish(self) -> bool:
        """Whether its forms say that it wants music made or changed."""
        return any(isinstance(one, WishClause) for one in self.formed)

    @property
    def lead(self) -> float:
        """By how much it is more like a wish than like anything else."""
        return self.scores.get(WISH, 0.0) - max((one for name, one in self.scores.items() if name != WISH), default=0.0)


class Settling(Struct, frozen=True):
    """Decides between the forms of a sentence and the examples."""

    intents: IntentReader
    lookup: Lookup

    def of(self, sentence: Sentence, formed: Sequence[Clause]) -> ReadSentence:
        """A sentence with the clauses that its forms say, settled: they stay, or the examples say what it is."""
        names = names_in(sentence.tokens, self.lookup)
        scores = self._scores(sentence, names)
        read = ReadSentence(sentence, names, tuple(formed), tuple(formed), scores)
        intent = best_of(scores)
        known = [one for clause in formed for one in self.intents.of_clause(clause)]
        if self.lookup.language.shape["suggests"].at(sentence.tokens) == len(sentence.tokens):
            return read  # "you know what would be cool?" only leads to what would
        unread = any(isinstance(one, Question) and one.topic == "unknown" for one in formed)
        if intent in known or scores.get(intent, 0.0) < (_ALIKE if unread else _LEAST):
            return read
        lead = scores[intent] - max((scores.get(one, 0.0) for one in known), default=0.0)
        least = self._least(formed[0], intent, names, asked=self._asks(sentence)) if formed else None
        if least is None or lead < least:
            return read
        return replace(read, clauses=(clause_of(intent, sentence.words, names),))

    def _least(self, clause: Clause, intent: str, names: SentenceNames, *, asked: bool) -> float | None:
        """By how much an intent must lead to take the place of a clause; None where it never does, as of a wish that
        asks nothing while the composer can make something of it (see `doubted`)."""
        shape = self.lookup.language.shape
        question = intent == NONE or (not intent.startswith((COMMAND, TALK)) and intent not in (WISH, ASIDE))
        match clause:
            case Question(topic="unknown"):
                return 0.0 if question or intent in _MUSED else None
            case Question(topic="how_to", action=str()) if intent.startswith(SONG):
                return _DONE  # where the tempo is set, and not which it is
            case Question(topic=topic) if question:
                return _OTHER_TOPIC + _HELD * share_held(topic, names, self.lookup.language)
            case WishClause() if shape["possible"].at(names.tokens):
                return None
            case WishClause() if question and not asked:
                wanting = shape["wanting"].find(names.tokens) is not None or shape["indefinite"].at(names.tokens)
                return _STATED if intent.startswith(SONG) and not wanting else None
            case WishClause() if question:
                return _SUGGESTED if shape["suggests"].at(names.tokens) else _ASKED
            case Command():
                return _ORDERED if question else None
            case Reaction():
                return _REACTED if question else None
        return None

    def _scores(self, sentence: Sentence, names: SentenceNames) -> Mapping[str, float]:
        """The scores of the intents; who does not ask, does not ask how something is done."""
        scores = self.intents.scores(sentence.words, names)
        shape = self.lookup.language.shape
        asks = self._asks(sentence) or sentence.tokens[0] in shape["auxiliaries"] or shape["tells"].at(sentence.tokens)
        return scores if asks else {name: one for name, one in scores.items() if not name.startswith(HOW)}

    def _orders(self, read: ReadSentence) -> bool:
        """Whether it begins with what shall be done, and is no command."""
        best = best_of(read.scores)
        if -read.lead > _DOUBTED and best.startswith(COMMAND) and best != _OF_SPEAKERS:
            return False
        shape = self.lookup.language.shape
        if -read.lead > _SUGGESTED and best.startswith(ABOUT) and shape["suggests"].at(read.sentence.tokens):
            return False  # "is it ok to use this in a school show" asks for leave
        tokens = without_leading(read.sentence.tokens, shape["openers"])
        if best != WISH and (tokens[:1] == ("no",) or tokens[1:2] == ("i",)):
            return False  # "no signal here": and "can I put …?" asks whether one may
        rest = tokens[shape["suggests"].at(tokens) :]
        if shape["wh"].find(rest[:_FIRST]) is not None:
            return False  # "with how much delay"
        told = shape["tells"].at(rest) or shape["shows"].at(rest)
        return bool(shape["doing"].at(rest)) and not told

    def _asks(self, sentence: Sentence) -> bool:
        """Whether a question mark ends it, or a word stands in it with which one asks."""
        shape = self.lookup.language.shape
        found = None if shape["suggests"].at(sentence.tokens) else shape["wh"].find(sentence.tokens)
        inverted = any(
            (one in shape["be"] and other in shape["they"])
            or (one in shape["modals"] and one not in shape["possibly"] and other in shape["things"])
            for one, other in pairwise(sentence.tokens)
        )
        return sentence.asked or found is not None or inverted

    def message(self, read: Sequence[ReadSentence]) -> list[ReadSentence]:
        """The sentences of a message together: beside an order what is like a question is none ("same chords as verse
        1. keep it sparse"), and beside a question what orders nothing is no wish."""
        if self._wants(read):
            return [replace(one, clauses=one.formed) for one in read]
        clauses = [clause for one in read for clause in one.clauses]
        if any(isinstance(one, Command) or (isinstance(one, Question) and one.topic != "unknown") for one in clauses):
            return [self._beside(one) for one in read]
        if len(read) == 1 and _is_wish(read[0].clauses) and best_of(read[0].scores).startswith(COMMAND):
            command = self._doubted(read[0], _ORDERED)
            if isinstance(command, Command) and command.at_once and self._is_heard(read[0], command):
                return [replace(read[0], clauses=(command,))]  # "stop stop STOP my ears", and no "stop the drums there"
            return list(read)
        return list(read)

    def _wants(self, read: Sequence[ReadSentence]) -> bool:
        """Whether a message wants music made or changed: it orders so, or one of its sentences is more like a wish than
        any of them is like a question."""
        wishes = [one for one in read if one.formed_as_wish]
        if any(self._orders(one) for one in wishes):
            return True
        asked = max((-one.lead for one in read if not _is_wish(one.clauses)), default=0.0)
        return any(one.lead > max(asked, 0.0) for one in wishes)

    def is_sure(self, sentences: Sequence[Sentence]) -> bool:
        """Whether one of them is much like a question about the song or the program."""
        read = [self.of(one, ()) for one in sentences]
        known = [one for one in read if not best_of(one.scores).startswith((TALK, WISH, ASIDE))]
        return any(max(one.scores.values(), default=0.0) > _SURE for one in known)

    def _is_heard(self, read: ReadSentence, command: Command) -> bool:
        """Whether a sentence begins with what shall be done to what is heard: "loop that" does, "a techno loop" names a
        piece, and "stop the drums at bar 8" would change the song."""
        shape, listening = self.lookup.language.shape, self.lookup.language.listening
        tokens = without_leading(read.sentence.tokens, shape["openers"]) or read.sentence.tokens
        begins = (*(listening[name] for name in ("hear", "play", "loop", "only")), shape["doing"])
        if command.name == "stop":
            return command.about == About()
        piece = command.about.styles or shape["pieces"].find(tokens[1:]) is not None
        return not piece and any(one.at(tokens) for one in begins)

    def _beside(self, read: ReadSentence) -> ReadSentence:
        """A sentence beside a question: what is least like a wish is none."""
        language, tokens = self.lookup.language, read.sentence.tokens
        measured = language.asides["measures"].find(tokens) is not None
        if not _is_wish(read.clauses) or read.lead > -_NEAR or measured or names_quality(tokens, language):
            return read
        clause = self._doubted(read, _SECOND)
        if isinstance(clause, Command) and -read.lead < _ORDERED:
            clause = None  # "I want to play with it" tells why
        return replace(read, clauses=(clause or Reaction(frozenset({ASIDE})),))

    def doubted(self, sentence: Sentence) -> Clause | None:
        """What a sentence is of which the composer makes nothing, by the examples; None for nothing that is known, for
        an order that is no command, and for what names a piece ("something for Tuesday")."""
        read = self.of(sentence, ())
        wishes = self._orders(read) or self.lookup.language.shape["indefinite"].at(sentence.tokens)
        clause = None if wishes else self._doubted(read)
        unasked = isinstance(clause, Question) and not self._asks(sentence) and -read.lead < _SECOND
        return None if unasked else clause

    def _doubted(self, read: ReadSentence, least: float = _DOUBTED) -> Clause | None:
        others = {name: score for name, score in read.scores.items() if name != WISH}
        intent = max(others, key=lambda name: others[name], default="")
        if not intent or others[intent] < _LEAST or others[intent] - read.scores.get(WISH, 0.0) < least:
            return None
        return clause_of(intent, read.sentence.words, read.names)


def _is_wish(clauses: Sequence[Clause]) -> bool:
    return bool(clauses) and all(isinstance(one, WishClause) for one in clauses)


def best_of(scores: Mapping[str, float]) -> str:
    """The intent with the highest score; a wish for none."""
    return max(scores, key=lambda name: scores[name], default=WISH)


_MUSED = (f"{TALK}opinion", f"{TALK}joke", f"{TALK}elsewhere", f"{TALK}who")
"""Talk that is put as a question."""


def clause_of(intent: str, words: str, names: SentenceNames) -> Clause:
    """The clause that a sentence with these words and names is by its intent."""
    about = names.about()
    if intent == WISH:
        return WishClause(names.tokens, words)
    if intent == NONE:
        return Question("unknown", words, about)
    kind, _, name = intent.partition(".")
    match f"{kind}.":
        case "command.":
            return Command(_COMMANDS[name], words, about, next(iter(about.formats), ""))
        case "how.":
            return Question("how_to", words, about, _ACTIONS[name])
        case "talk.":
            return Reaction(frozenset({name}))
        case "about." if name not in _TOPICS:
            return Question("manual", words, about, value=name)
    return Question(_TOPICS[name], words, about) if name in _TOPICS else Reaction(frozenset({ASIDE}))


_TOPICS: Mapping[str, Topic] = {name: name for name in get_args(Topic)}
_COMMANDS: Mapping[str, CommandName] = {name: name for name in get_args(CommandName)}
_ACTIONS: Mapping[str, Action] = {name: name for part in get_args(Action) for name in (get_args(part) or (part,))}
