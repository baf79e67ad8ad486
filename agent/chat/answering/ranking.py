"""What is ranked where a question asks which is most: places of the song, or its parts."""

from __future__ import annotations

import re
from typing import Literal

Ranked = Literal["places", "bars", "parts", "either"]
_PLACES = re.compile(
    r"\b(where(?:'s|abouts)?|when|points?|moments?|seconds?|spots?|sections?|places?|timestamp|instant|bits?|stretch(?:es)?"
    r"|passages?|times?|parts? of (?:the|this|it|my|that)|half)\b")
_BARS = re.compile(r"\b(?:bars?|measures?)\b")
_PARTS = re.compile(
    r"\b(?:who(?:'s)?|whose|instruments?|tracks?|voices?|players?|channels?|which of (?:the|them|these|those)"
    r"|which one of|lines?|singers?|hands?)\b")
_EXTREME: dict[str, re.Pattern[str]] = {
    "loudness": re.compile(r"\b(loudest|quietest|softest)\b"),
    "busiest": re.compile(r"\b(busiest|fullest|emptiest|sparsest|thinnest|calmest|densest|most (?:going on|notes))\b"),
}


def ranked(words: str) -> Ranked:
    """What the words ask to be ranked; "bars" are places one by one, "either" where they do not say."""
    plain = words.casefold().replace("’", "'")
    if _PARTS.search(plain):
        return "parts"
    if _BARS.search(plain):
        return "bars"
    return "places" if _PLACES.search(plain) else "either"


def extreme_asked(words: str) -> Literal["loudness", "busiest", ""]:
    """The measure of which words name the most or the least; "" for none."""
    plain = words.casefold()
    if _EXTREME["loudness"].search(plain):
        return "loudness"
    return "busiest" if _EXTREME["busiest"].search(plain) else ""
