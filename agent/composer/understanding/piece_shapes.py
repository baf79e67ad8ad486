"""The shape of a new piece: whether it is called a beat or a loop, a cue, or a song."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agent.composer.vocabulary import Vocabulary

Shape = Literal["", "loop", "cue"]
"""`loop`: a few repeated bars; `cue`: music for pictures, short; "": as long as pieces of its style."""
_PAUSES = frozenset(",.;:!?")


def shape_of(tokens: Sequence[str], vocabulary: Vocabulary) -> Shape:
    """The shape ("loop", "cue" or "" for a song) that the first noun for a piece implies ("groove": a loop), unless a
    word such as "with" leads to it ("a lofi beat with a groove").

    Of adjacent nouns the last counts: "a beat track" is a track.
    """
    words = vocabulary.figures
    if words is None:
        return ""
    shapes: dict[str, Shape] = {**dict.fromkeys(words.songs, ""), **dict.fromkeys(words.loop_pieces, "loop")}
    shapes |= dict.fromkeys(words.cues, "cue")
    beside = False
    for at, token in enumerate(tokens):
        beside = token in words.beside or (beside and token not in _PAUSES)
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        counted = following.isdigit() or (at > 0 and tokens[at - 1].isdigit())
        if token in shapes and following not in shapes and not beside and not counted:
            return shapes[token]
    return ""
