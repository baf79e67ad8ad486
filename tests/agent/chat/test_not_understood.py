"""Of what looks like a request the composer may make nothing: then it is said so, or was a question."""

from __future__ import annotations

import pytest
from chatting import context, language

from agent.chat.messages import Question, Request
from agent.chat.reading.not_understood import not_understood
from agent.chat.reply import replied


@pytest.mark.parametrize(
    "words", ["can the violin go out over the network to my pedal", "Chorus end in milliseconds, two decimals?"]
)
def test_what_asks_something_is_a_question_without_an_answer(words: str) -> None:
    assert not_understood(Request(words), language()) == Question("unknown", words)


@pytest.mark.parametrize("words", ["could you flurb it?", "make it blorpy, ok?", "kettle's on, that's me done"])
def test_what_asks_nothing_is_no_question_and_told_as_not_understood(words: str) -> None:
    found = not_understood(Request(words), language())
    assert found == Request(words, understood=False)
    assert "make nothing of that" in replied(found, context(), language()).answer.text
    assert "request and no question" in replied(Request(words), context(), language()).answer.text
