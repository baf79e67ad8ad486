"""When parts come in, and when the song as a whole does."""

from __future__ import annotations

from msgspec.structs import replace

from agent.chat.answer import Answer
from agent.chat.answering.growth import growth, kicks_in
from agent.chat.answering.parts import entrance as entrance_of_parts
from agent.chat.context import Context
from agent.chat.messages import Question


def entrance(context: Context, question: Question) -> Answer:
    """An answer with the bars and times where the named parts begin; for a song that "kicks in", where it rises
    most."""
    if kicks_in(question.words) and context.song.note_count:
        return growth(context, replace(question, about=replace(question.about, tracks=())))
    return entrance_of_parts(context, question.about)
