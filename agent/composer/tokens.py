"""Tokens: the words, numbers and signs of which requests, and the phrases of a language file, consist."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

_TOKEN = re.compile(
    r"[^\s\"'“”‘’«»„`,;:!?()\[\]/\\]{1,120}\.(?i:sf[23])(?!\w)|"
    r"(?<!\d)(?:(?:19|20)\d|[5-9])0['’]?s(?!\w)|\d+(?:[.,]\d+)?|%|(?<=\d)\s?[-–—](?=\s?\d)|(?<!\w)[-−+](?=\s?\d)|"
    r"[^\W\d_]+(?:['’_\-/&][^\W_]+)*[#♯♭]?|[,;.!?&/:]|@(?=\s?\d)"
)
_HYPHENED_KEY = re.compile(r"\b([A-G][#b]?)-(?=(?:sharp|flat|maj|min|dor|phr|lyd|mix|dur|moll))", re.IGNORECASE)
_MEASURES = re.compile(r"(?<![\w])(?<!\d )(?:mm\. |mm\.|m\. )(?=\d)", re.IGNORECASE)
_ITEM = re.compile(r"\n\s*(?:[-*•–]|\d+[.)])\s+|\n\s*\n")
_PLAIN = re.compile(r"[a-z]+(?: [a-z]+)*")
_RANGE = "–"
"""The token between the two numbers of a range, however its dash was written."""


class Token(Struct, frozen=True):
    """A token as it is looked up, and the characters `start` to `end` (not included) of the text that it was read
    from."""

    text: str
    start: int
    end: int


def tokens_in(text: str) -> list[Token]:
    """Words, numbers and punctuation of a request with their positions; bullets of a list become a `;`."""
    # Both put as many characters as they take, so that places are those of the text.
    text = _MEASURES.sub(lambda found: ("bars" if len(found[0]) > len("mm.") else "bar"), text)
    plain = _ITEM.sub(lambda found: ";".ljust(len(found[0])), _HYPHENED_KEY.sub(r"\1 ", text))
    return [
        Token(_token(found[0], plain[found.start() - 1] if found.start() else ""), found.start(), found.end())
        for found in _TOKEN.finditer(plain)
    ]


def tokens_of(text: str) -> list[str]:
    """The tokens of a text as strings."""
    return [token.text for token in tokens_in(text)]


@lru_cache(maxsize=50_000)
def phrase_tokens(phrase: str) -> tuple[str, ...]:
    """The tokens of a phrase or name, cached."""
    # Nine phrases of ten are plain words, which are found ten times as fast.
    return tuple(phrase.split(" ")) if _PLAIN.fullmatch(phrase) else tuple(tokens_of(phrase))


@lru_cache(maxsize=50_000)
def folded_tokens(phrase: str) -> tuple[str, ...]:
    """The casefolded tokens of a phrase or name, cached; requests are looked up by these."""
    return tuple(token.casefold() for token in phrase_tokens(phrase))


def _token(text: str, before: str) -> str:
    if text == "@":
        return "at"
    if text.strip() in ("-", "–", "—") and before.isdecimal():
        return _RANGE
    if text[0].isdecimal() and text[-1] == "s":
        # "the 70's" are the seventies
        return text.replace("’", "").replace("'", "")
    return text.replace("’", "'").replace("−", "-")
