"""Words that look like a request, of which the composer makes nothing."""

from __future__ import annotations

from agent.chat.messages import Question, Request
from agent.chat.reading.language import Language
from agent.chat.reading.sentences import sentences_of


def not_understood(request: Request, language: Language) -> Question | Request:
    """A question with the topic "unknown" if every sentence of the request is a question ("can a track go out over
    MIDI?") and the first does not ask somebody to do something ("could you …?"); otherwise the request, marked as not
    understood."""
    sentences = [one for one in sentences_of(request.words, language) if one.tokens]
    shape = language.words.shape
    if sentences and all(one.asked or one.tokens[0] in shape.auxiliaries for one in sentences):
        first = sentences[0].tokens
        if first[1:2] not in (("you",), ("we",), ("i",)) and not language.shape["doing"].at(first):
            return Question("unknown", request.words)
    return Request(request.words, understood=False)
