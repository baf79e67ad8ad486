"""A key that shows itself to no one who does not ask for it by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

_SHORTEST = 8
_MASK = "***"
_TELLING = 16
"""Length from which a key in an answer cannot be a coincidence; placeholders for servers without keys are short."""


class Secret:
    """Holds a key, or none. Neither `repr` nor `vars` nor a pickle shows it."""

    __slots__ = ("_pieces", "_reveal")

    def __init__(self, key: str | None) -> None:
        text = (key or "").strip()
        # Functions, because what shows the fields of an object shows of these only that they are functions.
        self._reveal: Callable[[], str] = lambda: text
        self._pieces: Callable[[], set[str]] = lambda: _pieces(text)

    def __repr__(self) -> str:
        return f"Secret({_MASK})" if self else "Secret()"

    def __bool__(self) -> bool:
        return bool(self._reveal())

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is never written down")

    def reveal(self) -> str:
        """The key itself, for sending; empty if there is none."""
        return self._reveal()

    @property
    def fits_a_header(self) -> bool:
        """Whether it only contains characters that can be sent in a header."""
        text = self._reveal()
        return text.isascii() and (text.isprintable() or not text) and " " not in text

    def tail(self, text: str) -> str:
        """The end of a text, one character shorter than the key, in which the key may have begun; "" if the key is too
        short to be real."""
        return text[1 - len(self._reveal()) :] if len(self._reveal()) >= _TELLING else ""

    def is_in(self, text: str) -> bool:
        """Whether the text contains the whole key; False for one too short to be real."""
        key = self._reveal()
        return len(key) >= _TELLING and key in text

    def scrub(self, text: str) -> str:
        """The text without the key, whole or in pieces of 8 characters and more."""
        pieces = self._pieces()
        if not pieces:
            return text
        length = len(next(iter(pieces)))
        hidden = [False] * len(text)
        for at in range(len(text) - length + 1):
            if text[at : at + length] in pieces:
                hidden[at : at + length] = [True] * length
        return "".join(
            _MASK if hide and (at == 0 or not hidden[at - 1]) else "" if hide else text[at]
            for at, hide in enumerate(hidden)
        )


def _pieces(text: str) -> set[str]:
    length = min(_SHORTEST, len(text))
    return {text[at : at + length] for at in range(len(text) - length + 1)} if text else set()
