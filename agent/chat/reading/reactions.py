"""Reactions: messages, or their beginnings, that only say what one thinks of what was said or shown."""

from __future__ import annotations

from collections.abc import Sequence

from agent.chat.reading.language import Language
from agent.chat.reading.names import SentenceNames
from agent.chat.reading.phrases import PAUSES

KINDS = ("dislike", "again", "approve", "thanks", "who", "greeting", "bye", "praise", "no", "feeling")


def reactions_covering(names: SentenceNames, language: Language) -> frozenset[str]:
    """The kinds of reactions ("praise", "thanks") that the tokens consist of, besides filler and names of the song's
    parts; empty if any other word is left."""
    tokens = names.tokens
    found: set[str] = set()
    named = False
    at = 0
    while at < len(tokens):
        kind, length = reaction_at(tokens, at, language)
        if kind:
            found.add(kind)
        part = max((one.length for slot in _PARTS if (one := names.at(slot, at)) is not None), default=0)
        named |= part > length
        step = max(length, part, int(tokens[at] in PAUSES))
        if not step:
            return frozenset()
        at += step
    # one likes a part or not; nothing else is said of it without a wish
    return frozenset() if named and not found <= _OF_PARTS else frozenset(found)


_PARTS = ("track", "section", "version")
_OF_PARTS = frozenset({"dislike", "again", "praise"})


def reaction_at(tokens: Sequence[str], at: int, language: Language) -> tuple[str, int]:
    """The kind and length of the longest reaction at a token; ("", length) for filler, ("", 0) for none."""
    best = ("", language.reactions["filler"].at(tokens, at))
    for kind in KINDS:
        length = language.reactions[kind].at(tokens, at)
        if length > best[1] or (length and length == best[1] and not best[0]):
            best = (kind, length)
    return best


def dislikes(tokens: Sequence[str], language: Language) -> bool:
    """Whether the tokens contain a phrase of dislike."""
    return language.reactions["dislike"].find(tokens) is not None
