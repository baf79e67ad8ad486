"""Kit slots: the drum kit of a song as a whole, or single drums of one."""

from __future__ import annotations

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.wishes import Wish


def names_kit(parts: tuple[object, ...], lexicon: Lexicon, *, whole: bool) -> bool:
    """With `whole`, whether all parts mean the song's drum kit as a whole; otherwise whether all are single drums of a
    kit."""
    wishes = [part for part in parts if isinstance(part, Wish)]
    if len(wishes) < len(parts):
        return False
    if whole:
        return all(wish.role == "drums" and not wish.pieces and lexicon.has(wish) for wish in wishes)
    return all(wish.pieces for wish in wishes)
