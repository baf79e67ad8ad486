"""`ask`, and what `plan` and `compose` say to words that are no request."""

from __future__ import annotations

import argparse

from agent.chat.answer import Answer
from agent.chat.reply import Reply, ToPlan
from agent.session.cancellation import Cancellation
from app.cli.errors import OK
from app.cli.output import Output
from app.cli.proposing import chosen_by
from app.cli.shapes import answer_shape
from app.cli.tables import print_answer
from app.cli.ways import WAYS
from app.studio.planning import PlanningContext
from app.studio.studio import Studio

_NAMELESS = "Untitled"


async def ask(arguments: argparse.Namespace, studio: Studio, output: Output, _: Cancellation) -> int:
    """Answer a question; nothing is planned or changed. Returns the exit status."""
    reply = await _reply(arguments, arguments.question, studio)
    show_answer(reply.answer, output)
    return OK


async def answered(arguments: argparse.Namespace, request: str, studio: Studio, output: Output) -> bool:
    """Print an answer if the words are no request; returns whether they were none. Nothing is planned or stored."""
    reply = await _reply(arguments, request, studio)
    if isinstance(reply, ToPlan):
        return False
    show_answer(reply.answer, output)
    return True


async def _reply(arguments: argparse.Namespace, text: str, studio: Studio) -> Reply:
    return await studio.replies.reply(text, await _stage(arguments, studio), ways=WAYS, chosen=chosen_by(arguments))


async def _stage(arguments: argparse.Namespace, studio: Studio) -> PlanningContext:
    """The project that is named, else the one used last; an empty song where there is none yet."""
    if arguments.project is None and await studio.projects.last() is None:
        return await studio.planning.stage(await studio.projects.draft(_NAMELESS))
    return await studio.planning.stage(await studio.projects.find(arguments.project))


def show_answer(answer: Answer, output: Output) -> None:
    """Print an answer, with `--json` as a document."""
    output.show(answer_shape(answer), lambda console: print_answer(console, answer))
