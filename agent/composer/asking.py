"""Asking back: one question with full requests as answers, where a request is unclear."""

from __future__ import annotations

from agent.composer.intent import Intent
from agent.composer.styles import StyleBook
from agent.plan.planning import Choice, Question

_FIRST = ("lofi", "ambient", "pop", "techno")


def needs_question(intent: Intent) -> bool:
    """Whether nothing musical was recognised, or a new piece was asked for where there is music."""
    return intent.goal == "either" or not (intent.says_something or intent.goal == "replace")


def question_for(intent: Intent, book: StyleBook) -> Question:
    """The question; every choice is a request that can be planned as it stands."""
    if intent.goal == "either":
        label = book.style(intent.style).label if intent.style else "new"
        words = book.style(intent.style).words[0] if intent.style else "more energetic"
        changed = f"recompose this song as {words}" if intent.style else "make this song more energetic"
        return Question(
            "This song already has music. What should happen to it?",
            (
                Choice(f"Turn this song into {label}" if intent.style else "Change this song", changed),
                Choice("Start over with a new piece", f"start over: compose a {words} piece"),
                Choice("Make it more ambient", "recompose this song to be more ambient and atmospheric"),
            ),
        )
    if intent.goal == "change":
        return Question(
            "How should this song change?",
            (
                Choice("More ambient", "recompose this song to be more ambient and atmospheric"),
                Choice("More energetic", "make this song more energetic and faster"),
                Choice("Darker and calmer", "make this song darker and calmer"),
                Choice("Lo-fi", "recompose this song as lofi"),
            ),
        )
    styles = [style for style in book.styles if style.name in _FIRST] or list(book.styles[:4])
    return Question(
        "What kind of music would you like?",
        tuple(Choice(style.label, f"compose a {style.words[0]} piece") for style in styles),
    )
