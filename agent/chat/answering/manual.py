"""Questions about the program, answered from the manual."""

from __future__ import annotations

from collections.abc import Iterable

from agent.chat.answer import Answer, Fact, Link
from agent.chat.answering.program import told_way
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.chat.sayings import ManualEntry


def manual(context: Context, question: Question, name: str, entries: Iterable[ManualEntry]) -> Answer | None:
    """The answer of the manual's entry of this name, with how its actions are done here; None where it has none."""
    entry = next((one for one in entries if one.name == name), None)
    if entry is None:
        return None
    text, links = entry.answer, list[Link]()
    for action in entry.ways:
        if (way := context.program.ways.get(action)) is not None:
            midi = action == "export" and "MIDI" in entry.answer and "WAV" not in entry.answer
            told = told_way(way, context, question.about, value="midi" if midi else "")
            text, links = f"{text} {told.text}", [*links, *told.links]
    return Answer(text, (Fact("manual", entry.name),), tuple(dict.fromkeys(links)))
