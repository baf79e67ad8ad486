"""Of what the sounds are made, and in which quality they are written."""

from __future__ import annotations

from agent.chat.answer import Answer, CommandLink, Fact
from agent.chat.answering.program import filled
from agent.chat.context import Context
from agent.chat.messages import About


def quality(context: Context) -> Answer:
    """An answer with the sample rate and bit depth of exported sound, and where its files end; none of these can be
    chosen."""
    said = context.program.sound_files
    if not said:
        return Answer("No sound is written here.", (Fact("sound files", False),))
    way = context.program.ways.get("export")
    links = (CommandLink(filled(way.command, context, About())),) if way is not None and way.command else ()
    ends = f" {context.program.sound_ends}." if context.program.sound_ends else ""
    text = f"{said}; there is no other choice of rate or depth.{ends}"
    return Answer(text, (Fact("sound files", said),), links)
