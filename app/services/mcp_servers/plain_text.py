"""Texts of servers: what hides in them made visible for people, or taken out, and secrets never given back."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import TypeAlias

from agent.plan.plan import Json

Cleaner: TypeAlias = Callable[[str], str]

_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_SELECTORS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
_SEEN_BY_NOBODY = frozenset("\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5") | frozenset(map(chr, _SELECTORS))
_INSTEAD = "•••"
_SHORTEST_SECRET = 4


def is_hidden(char: str) -> bool:
    """Whether a character is invisible, or acts instead of being shown."""
    return char not in "\n\t" and (unicodedata.category(char) in _HIDDEN or char in _SEEN_BY_NOBODY)


def revealed(text: str) -> str:
    """The whole text with each hidden character written as ⟨U+200B⟩."""
    return "".join([f"⟨U+{ord(char):04X}⟩" if is_hidden(char) else char for char in text])


def hides(text: str) -> bool:
    """Whether the text contains hidden characters."""
    return any(map(is_hidden, text))


def cleaned(text: str) -> str:
    """The text without hidden characters."""
    return text.translate(_Shown())


class _Shown(dict[int, int | None]):
    """Each character once: what it becomes."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if is_hidden(chr(code)) else code
        return self[code]


def one_line(text: str, most: int) -> str:
    """The text without hidden characters on one line, cut to `most` characters."""
    line = " ".join(cleaned(text).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def cleaner(secrets: Sequence[str]) -> Cleaner:
    """A function that removes these secrets and hidden characters from a text."""
    hidden = sorted((one for one in secrets if len(one) >= _SHORTEST_SECRET), key=len, reverse=True)

    def clean(text: str) -> str:
        for secret in hidden:
            text = text.replace(secret, _INSTEAD)
        return cleaned(text)

    return clean


def cleaned_json(value: Json, clean: Cleaner) -> Json:
    """A JSON value with all its texts cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(name)): cleaned_json(inner, clean) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned_json(inner, clean) for inner in value]
    return value
