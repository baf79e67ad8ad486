"""What somebody wants instead of what he dislikes."""

from __future__ import annotations

from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PAUSES, without_leading
from agent.chat.reading.sentences import said

_MILD = ("try", "do", "give", "make", "with", "more", "less", "go", "get", "have", "use", "let", "only", "no")
"""Orders that may only ask for another one of the same."""


def wish_beside(tokens: tuple[str, ...], language: Language) -> str | None:
    """What a refusal asks for instead, if it is no order of its own (which is None)."""
    left: list[str] = []
    at = 0
    reactions = language.reactions
    found = reactions["dislike"].find(tokens)
    begin = 0
    if found is not None:
        ends = (place for place in range(sum(found), len(tokens)) if tokens[place] in (*PAUSES, "but", "and"))
        begin = next(ends, len(tokens)) + 1
        if language.shape["doing"].at(without_leading(tokens[: found[0]], language.shape["openers"])):
            return None  # "make it less boring" says what to do
        left += [] if found[0] < 8 else list(tokens[: found[0]])
    at = begin
    while at < len(tokens):
        again = reactions["again"].at(tokens, at)
        if not again and tokens[at] not in PAUSES:
            left.append(tokens[at])
        at += again or 1
    wish = without_leading(left, language.shape["openers"])
    ordered = bool(wish) and bool(language.shape["doing"].at(wish)) and wish[0] not in _MILD
    return None if ordered else said(wish)
