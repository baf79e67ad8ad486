"""Tokens: the words, numbers and signs of which requests, and the phrases of a language file, consist."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"(?<!\d)(?:(?:19|20)\d|[5-9])0s(?!\w)|\d+(?:[.,]\d+)?|%|(?<=\d)\s?[-–—](?=\s?\d)|(?<!\w)[-−+](?=\s?\d)|"
    r"[^\W\d_]+(?:['’_\-/&][^\W_]+)*[#♯♭]?|[,;.!?&/:]"
)
_HYPHENED_KEY = re.compile(r"\b([A-G][#b]?)-(?=(?:sharp|flat|maj|min|dor|phr|lyd|mix))", re.IGNORECASE)
_ITEM = re.compile(r"\n\s*(?:[-*•–]|\d+[.)])\s+|\n\s*\n")
_RANGE = "–"
"""The token between the two numbers of a range, however its dash was written."""


def tokens_of(text: str) -> list[str]:
    """Words, numbers and punctuation of a request, as written; the items of a list end with a `;`."""
    plain = _ITEM.sub(" ; ", _HYPHENED_KEY.sub(r"\1 ", text))
    return [_token(found[0], found.start() and plain[found.start() - 1]) for found in _TOKEN.finditer(plain)]


def _token(text: str, before: str | int) -> str:
    if text.strip() in ("-", "–", "—") and str(before).isdecimal():
        return _RANGE
    return text.replace("’", "'").replace("−", "-")
