"""When parts come in, and when the song as a whole does."""

from __future__ import annotations

from agent.chat.answer import Answer
from agent.chat.answering.growth import KICKS_IN, growth
from agent.chat.answering.parts import entrance as entrance_of_parts
from agent.chat.context import Context
from agent.chat.messages import Question


def entrance(context: Context, question: Question) -> Answer:
    """An answer with the bars and times where the named parts begin; for a song that "kicks in", where it rises
    most."""
    if not question.about.tracks and context.song.note_count and KICKS_IN.search(question.words.casefold()):
        return growth(context, question)
    return entrance_of_parts(context, question.about)
