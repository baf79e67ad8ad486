"""Ending chords: the chords on which a new piece is said to end, by their names: "at the end B flat and then F"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.composer.understanding.phrases import Phrases
from agent.song.chord_symbols import chord
from agent.song.errors import SongError

_STOPS = frozenset(".;!?")
_LETTER = re.compile(r"[A-G](?:#|b|♯|♭)?")
_SYMBOL = re.compile(r"([A-G](?:#|b|♯|♭)?)(m|min|maj|M|dim|aug|sus|add|mmaj)")
_SIGNS = {"sharp": "#", "flat": "b"}
_MODES = {"major": "", "minor": "m", "diminished": "dim", "augmented": "aug"}
_GLUE = frozenset((
    ",", "and", "then", "to", "-", "\N{EN DASH}", ">", "→", "followed", "by", "a", "an", "the", "chord", "/",
))
_NOUNS = frozenset(("chord", "chords"))
_FAR, _PARTS = 16, 3
"""Most tokens between what says that it is the end and its first chord, and most digits and letters of a symbol."""
_TWO = 2


def ending_chords(
    tokens: Sequence[str], spoken: Sequence[str], phrases: Phrases
) -> tuple[tuple[str, ...], frozenset[int]]:
    """The symbols of the chords on which the piece ends ("end on Dm6": `Dm6`), and the indices of the tokens that say
    so; both empty if no such chords are named.

    `tokens` are casefolded, `spoken` the same tokens as written, one for one; `phrases` looks up the tokens. A letter
    alone counts only if another chord follows or a noun calls it a chord, as it could be a note or a key.
    """
    for name in ("ends_on", "at_end", "ends_together"):
        for span in phrases.spans(name):
            found, used = _run(tokens, spoken, span[-1] + 1)
            around = tokens[span[0] : max(used, default=-1) + _TWO]
            sure = any(one[1:] not in ("", "b", "#") for one in found) or any(token in _NOUNS for token in around)
            behind = max(used, default=-1) + 1
            used |= {behind} if used and tokens[behind : behind + 1] and tokens[behind] in _NOUNS else set()
            if len(found) > 1 or (found and (name == "ends_together" or (name == "ends_on" and sure))):
                return found, frozenset((*span, *used))
    return (), frozenset()


def _run(tokens: Sequence[str], spoken: Sequence[str], start: int) -> tuple[tuple[str, ...], set[int]]:
    """The chords that follow a token in its sentence, the first perhaps behind other words."""
    found: list[str] = []
    used: set[int] = set()
    at = start
    while at < len(tokens) and tokens[at] not in _STOPS:
        one = _symbol_at(tokens, spoken, at)
        if one is not None:
            found.append(one[1])
            used |= set(range(at, one[0]))
            at = one[0]
            continue
        if (found and tokens[at] not in _GLUE) or (not found and at - start > _FAR):
            break
        at += 1
    # the words between the chords are theirs
    return tuple(found), used | set(range(min(used, default=0), max(used, default=-1) + 1))


def _symbol_at(tokens: Sequence[str], spoken: Sequence[str], at: int) -> tuple[int, str] | None:
    """Where a chord ends, and its symbol: "Dm6", "B flat", "G 7", "A minor"."""
    root = _LETTER.fullmatch(spoken[at])
    long = _SYMBOL.fullmatch(spoken[at]) if root is None else None
    if root is None and long is None:
        return None
    text, end = spoken[at], at + 1
    if root is not None and end < len(tokens) and tokens[end] in _SIGNS:
        text, end = text + _SIGNS[tokens[end]], end + 1
    if end < len(tokens) and tokens[end] in _MODES:
        text, end = text + _MODES[tokens[end]], end + 1
    best: tuple[int, str] | None = (end, text) if _is_symbol(text) else None
    for more in range(1, _PARTS):
        said = spoken[end : end + more]
        if len(said) == more and said[0].isdecimal() and _is_symbol(text + "".join(said)):
            best = end + more, text + "".join(said)
    lone = best is not None and best[1] == "A" and not (best[0] < len(tokens) and tokens[best[0]] in _GLUE | _STOPS)
    return None if lone else best


def _is_symbol(text: str) -> bool:
    try:
        chord(text)
    except SongError:
        return False
    return True
