"""What the words of a question say beside the parts and places that it names."""

from __future__ import annotations

import re
from typing import Literal

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[♭♯]")
_AMOUNT = re.compile(
    r"(?<![\d.,])(\d{1,6}(?:[.,]\d{1,4})?)[ -]{0,3}(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|bars?)\b")
_CLOCK = re.compile(r"\b(\d{1,2}):([0-5]\d)\b")
_SPELLED = {
    "half": 0.5, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "sixteen": 16, "twenty": 20, "thirty": 30,
    "forty": 40, "sixty": 60, "ninety": 90,
}
Unit = Literal["s", "bars"]


def words_of(text: str) -> frozenset[str]:
    """The casefolded words and numbers of a text, without punctuation."""
    return frozenset(_WORD.findall(text.casefold().replace("’", "'")))


def amounts(text: str) -> tuple[tuple[float, Unit], ...]:
    """Every stretch of time that a text states, in seconds or in bars, in order: "three minutes", "1:30", "25 secs"."""
    plain = _in_digits(text.casefold())
    found: list[tuple[int, float, Unit]] = []
    for one in _AMOUNT.finditer(plain):
        value, unit = float(one[1].replace(",", ".")), one[2]
        found.append((one.start(), *_in_unit(value, unit)))
    found += [(one.start(), int(one[1]) * 60.0 + int(one[2]), "s") for one in _CLOCK.finditer(plain)]
    return tuple((value, unit) for _, value, unit in sorted(found))


def _in_digits(text: str) -> str:
    """The text with spelled numbers before a unit as digits, and halves added: "one and a half minutes", 1.5."""
    def digits(one: re.Match[str]) -> str:
        return f"{_SPELLED[one[1]] + 0.5 * bool(one[2])} {one[3]}"

    spelled = "|".join(_SPELLED)
    unit = r"(seconds?|secs?|minutes?|mins?|hours?|bars?)"
    return re.sub(rf"\b({spelled})( and a half)?(?: an?)? {unit}\b", digits, text)


def _in_unit(value: float, unit: str) -> tuple[float, Unit]:
    if unit.startswith("bar"):
        return value, "bars"
    return value * (3600 if unit.startswith("h") else 60 if unit.startswith("m") else 1), "s"
