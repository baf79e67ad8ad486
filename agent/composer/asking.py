"""Asking back: one question with full requests as answers, where a request is unclear."""

from __future__ import annotations

from agent.composer.styles import StyleBook
from agent.composer.understanding.intent import Intent
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
        kept = "".join(f", keep the {wish.label}" for wish in intent.kept)
        why = " It keeps its length: only a new piece can be longer or shorter." if intent.asks_length else ""
        return Question(
            f"How should this song change?{why}{_unknown(intent)}",
            (
                Choice("More ambient", f"recompose this song to be more ambient and atmospheric{kept}"),
                Choice("More energetic", f"make this song more energetic and faster{kept}"),
                Choice("Darker and calmer", f"make this song darker and calmer{kept}"),
                Choice("Lo-fi", f"recompose this song as lofi{kept}"),
            ),
        )
    styles = [style for style in book.styles if style.name in _FIRST] or list(book.styles[:4])
    return Question(
        f"What kind of music would you like?{_unknown(intent)}",
        tuple(Choice(style.label, f"compose a {style.words[0]} piece") for style in styles),
    )


def _unknown(intent: Intent) -> str:
    words = [word for word in intent.ignored if word.isalpha()][:3]
    return f" I do not know {', '.join(repr(word) for word in words)}." if words else ""
