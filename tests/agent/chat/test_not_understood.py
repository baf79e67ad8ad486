"""Of what looks like a request the composer may make nothing: then it is said so, or was a question."""

from __future__ import annotations

import pytest
from chatting import context, language

from agent.chat.messages import Command, Message, Question, Request, Talk
from agent.chat.reading.not_understood import not_understood
from agent.chat.reply import replied


def test_what_asks_something_is_a_question_without_an_answer() -> None:
    words = "can zyxel blorp the quux over there"
    assert not_understood(Request(words), context(), language()) == Question("unknown", words)


@pytest.mark.parametrize(("words", "kind"), [
    ("kettle's on, that's me done", Talk), ("Chorus end in milliseconds, two decimals?", Question),
    ("can the violin go out over the network to my pedal", Question), ("save as take_five_final", Command),
])
def test_what_the_composer_makes_nothing_of_is_what_it_is_most_like(words: str, kind: type[Message]) -> None:
    assert isinstance(not_understood(Request(words), context(), language()), kind)


@pytest.mark.parametrize("words", ["could you flurb it?", "make it blorpy, ok?"])
def test_an_order_that_nobody_knows_is_told_as_not_understood(words: str) -> None:
    found = not_understood(Request(words), context(), language())
    assert found == Request(words, understood=False)
    assert "make nothing of that" in replied(found, context(), language()).answer.text
    assert "request and no question" in replied(Request(words), context(), language()).answer.text
