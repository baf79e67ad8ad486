"""Words that look like a request, of which the composer makes nothing."""

from __future__ import annotations

from agent.chat.context import Context
from agent.chat.messages import Command, Message, Question, Refusal, Request, Several, Talk
from agent.chat.reading.clause import Clause, Reaction
from agent.chat.reading.intents import IntentReader
from agent.chat.reading.language import Language
from agent.chat.reading.lookup import Lookup
from agent.chat.reading.reacting import TALK
from agent.chat.reading.sentences import Sentence, sentences_of
from agent.chat.reading.settling import Settling


def not_understood(request: Request, context: Context, language: Language) -> Message:
    """What a request is of which the composer makes nothing: what its sentences are most like by the examples.

    Else a question with the topic "unknown" if every sentence is a question ("can a track go out over MIDI?") and the
    first does not ask somebody to do something ("could you …?"); otherwise the request, marked as not understood.
    """
    sentences = [one for one in sentences_of(request.words, language) if one.tokens]
    settling = Settling(IntentReader(language), Lookup(context, language))
    found = [clause for one in sentences if (clause := settling.doubted(one)) is not None]
    if (message := _message(found, request.words)) is not None:
        return message
    if _asks(sentences, language):
        return Question("unknown", request.words)
    return Request(request.words, understood=False)


def _asks(sentences: list[Sentence], language: Language) -> bool:
    shape = language.words.shape
    if not sentences or not all(one.asked or one.tokens[0] in shape.auxiliaries for one in sentences):
        return False
    first = sentences[0].tokens
    return first[1:2] not in (("you",), ("we",), ("i",)) and not language.shape["doing"].at(first)


def _message(clauses: list[Clause], words: str) -> Message | None:
    """The message of the clauses that are like something; None for none."""
    parts = tuple(dict.fromkeys(one for one in clauses if isinstance(one, Question | Command)))
    if parts:
        return parts[0] if len(parts) == 1 else Several(parts, words)
    kinds = {kind for one in clauses if isinstance(one, Reaction) for kind in one.kinds}
    if "dislike" in kinds:
        return Refusal(words)
    said = next((kind for kind in TALK if kind in kinds), "feeling" if kinds else None)
    return None if said is None else Talk(said, words)
