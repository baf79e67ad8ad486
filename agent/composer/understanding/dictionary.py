"""The dictionary: words that exist in a language, so that none of them is taken for a slip of the hand."""

from __future__ import annotations

from functools import cache
from gzip import decompress
from importlib.resources import files

from msgspec import json


@cache
def dictionary(language: str) -> frozenset[str]:
    """Some 160,000 casefolded words of English ("en") with their inflections, read once (a fifth of a second).

    It is the word list of pyspellchecker. Raises `FileNotFoundError` for a language that it does not have.
    """
    data = (files("spellchecker") / "resources" / f"{language}.json.gz").read_bytes()
    return frozenset(json.decode(decompress(data), type=dict[str, int]))
