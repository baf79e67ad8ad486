"""The reply to a message: an answer, a command with the way to it, or the word that it is to be planned.

One call for every door: `reply(text, context, language)`. A door shows `answer.text` with its links, and then:

- `Answered`: nothing more. The message was a question, talk, a yes in words, another language, several things, or the
  refusal of a part that is not there.
- `ToCarryOut`: a window does a command that is `at_once`, and shows one button for any other; elsewhere the answer
  names what to type.
- `ToPlan`: the message goes to the planner: a request, a refinement of the plan in front, or a refusal.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from msgspec import Struct

from agent.chat.answer import Answer
from agent.chat.answering import talk
from agent.chat.answering.questions import answer_question
from agent.chat.context import Context
from agent.chat.messages import (
    ApprovalInWords,
    Command,
    ForeignLanguage,
    Message,
    Question,
    Refinement,
    Refusal,
    Request,
    Several,
    Talk,
)  # fmt: skip
from agent.chat.reading.language import Language
from agent.chat.reading.reading import read_message


class Answered(Struct, frozen=True):
    """The message is answered; nothing is planned or changed."""

    message: Question | Talk | ApprovalInWords | ForeignLanguage | Several | Refusal
    answer: Answer


class ToCarryOut(Struct, frozen=True):
    """A command to be carried out; `answer` says how it is done in the interface in use."""

    message: Command
    answer: Answer


class ToPlan(Struct, frozen=True):
    """A message for the planner; `answer` is for an interface that only answers."""

    message: Request | Refinement | Refusal
    answer: Answer


Reply: TypeAlias = Answered | ToCarryOut | ToPlan


def reply(text: str, context: Context, language: Language) -> Reply:
    """The reply to a message. Pure: nothing is planned, carried out or stored."""
    return replied(read_message(text, context, language), context, language)


def replied(message: Message, context: Context, language: Language) -> Reply:
    """The reply to a message that has been read already."""
    answer = _answer(message, context, language)
    match message:
        case Refusal() if talk.of_nothing(message, context):
            return Answered(message, talk.nothing_there(message))
        case Command():
            return ToCarryOut(message, answer)
        case Request() | Refinement() | Refusal():
            return ToPlan(message, answer)
        case _:
            return Answered(message, answer)


def _answer(message: Message, context: Context, language: Language) -> Answer:
    match message:
        case Question():
            return answer_question(message, context, language)
        case Talk():
            return talk.talk(message)
        case ApprovalInWords():
            return talk.approval(context)
        case ForeignLanguage():
            return talk.foreign(message, context)
        case Command():
            return talk.command(message, context)
        case Request() | Refinement() | Refusal():
            return talk.request(message, context)
        case Several():
            if heard := talk.heard_so(message):
                return talk.steps_told(heard, context)
            told = [_part(part, context, language) for part in message.parts if isinstance(part, Question | Command)]
            return talk.several(message, told)
    assert_never(message)


def _part(part: Question | Command, context: Context, language: Language) -> Answer:
    """The answer to one of several; what cannot be answered is named."""
    answer = _answer(part, context, language)
    unknown = isinstance(part, Question) and part.topic == "unknown"
    return Answer(f"“{part.words}”: {answer.text}", answer.facts, answer.links) if unknown else answer
