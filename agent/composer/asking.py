"""Asking back: one question with full requests as answers, where a request is unclear."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.styles import StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.vocabulary import Genre
from agent.plan.planning import Choice, Question

_CLEAR = 4
"""Words of a clause from which it says more than what is meant."""
_MOST = 3
_FIRST = ("lofi", "ambient", "pop", "techno")


def needs_question(intent: Intent) -> bool:
    """Whether there is nothing to do, one of several sections is meant, or a new piece where there is music."""
    open_ended = intent.goal == "either" or intent.lacks in ("section", "style", "length", "chords")
    return open_ended or not (intent.says_something or intent.goal == "replace")


def question_for(intent: Intent, book: StyleBook, genres: Sequence[Genre] = ()) -> Question:
    """The question; every choice is a request that can be planned as it stands."""
    if intent.lacks == "style":
        name, *requests = intent.options
        genre = next(genre for genre in genres if genre.name == name)
        return Question(
            f"I cannot write {genre.name} yet. Near to it are these, but {genre.differs}. Which one shall it be?",
            tuple(Choice(book.style(near).label, said) for near, said in zip(genre.near, requests, strict=True)),
        )
    if intent.lacks == "length":
        asked, made, *requests = intent.options
        return Question(
            f"The piece is to have {asked} bars, and its parts make {made}. How long shall it be?",
            tuple(Choice(f"{made} bars, as its parts are", said) for said in requests),
        )
    if intent.lacks == "chords":
        what, fix, *requests = intent.options
        labels = ("Yes, those",) if len(requests) < 2 else _differing(requests)
        return Question(f"I {what}; {fix}", tuple(map(Choice, labels, requests)))
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
        return _about_change(intent)
    styles = [style for style in book.styles if style.name in _FIRST] or list(book.styles[:4])
    return Question(
        f"What kind of music would you like?{_unknown(intent)}",
        tuple(Choice(style.label, f"compose a {style.words[0]} piece") for style in styles),
    )


def _differing(requests: Sequence[str]) -> tuple[str, ...]:
    """What tells requests from each other that differ in single words."""
    words = [request.split() for request in requests]
    at = next(at for at, said in enumerate(zip(*words, strict=False)) if len(set(said)) > 1)
    return tuple(f"It is {said[at]}" for said in words)


def _about_change(intent: Intent) -> Question:
    kept = "".join(f", keep the {wish.label}" for wish in intent.kept)
    if intent.lacks == "section" and intent.options:
        return Question(
            "This song has several of that section. Which one do you mean?",
            tuple(Choice(option[:80], option) for option in dict.fromkeys(intent.options)),
        )
    if intent.lacks == "part":
        return Question(
            f"What should be added?{_unknown(intent)}",
            tuple(
                Choice(label, f"add {part}{kept}")
                for label, part in (
                    ("Drums", "drums"), ("A bass", "a bass"), ("Strings", "strings"),
                    ("A counter-melody", "a counter-melody"),
                )
            ),
        )
    if intent.lacks == "operation" and intent.mentioned:
        label = intent.mentioned[0].label
        return Question(
            f"{_told(intent)}What should happen to the {label}?{_unknown(intent)}",
            (
                Choice("Louder", f"make the {label} louder{kept}"),
                Choice("Quieter", f"make the {label} quieter{kept}"),
                Choice("Simpler", f"simplify the {label}{kept}"),
                Choice("Take it out", f"remove the {label}{kept}"),
            ),
        )
    is_so = f"This song is {intent.already[0]}. " if intent.already else ""
    return Question(
        f"{is_so}How should this song change?{_unknown(intent)}",
        (
            Choice("More ambient", f"recompose this song to be more ambient and atmospheric{kept}"),
            Choice("More energetic", f"make this song more energetic and faster{kept}"),
            Choice("Darker and calmer", f"make this song darker and calmer{kept}"),
            Choice("Lo-fi", f"recompose this song as lofi{kept}"),
        ),
    )


def _told(intent: Intent) -> str:
    """What was asked of a part in so many words and cannot be done, so that the question does not pass over it."""
    told = [clause.text for clause in intent.clauses if clause.outcome == "told"]
    clear = [f"“{text}”" for text in told if len(text.split()) >= _CLEAR][:_MOST]
    return f"I cannot do {', '.join(clear)} yet. " if clear else ""


def _unknown(intent: Intent) -> str:
    words = [word for word in intent.ignored if word.isalpha()][:3]
    return f" I do not know {', '.join(repr(word) for word in words)}." if words else ""
