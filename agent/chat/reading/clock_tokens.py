"""Times as a clock shows them, each one token: 0:48, 0:48.5."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d(?:\.\d{1,3})?)")


def with_clocks(tokens: Sequence[str]) -> tuple[str, ...]:
    """The tokens with times joined to single tokens: minutes, colon and seconds with or without a fraction ("0:48.5"),
    and times after words such as "at" ("at 30 seconds", which becomes 0:30)."""
    found: list[str] = []
    at = 0
    while at < len(tokens):
        joined = "".join(tokens[at : at + 3])
        clock = tokens[at + 1 : at + 2] == (":",) and _CLOCK.fullmatch(joined)
        before = found[:-1] if found and found[-1] in _NEARLY else found
        led = any(one and one[-1] in _LEADS for one in (found, before))
        length, said = (3, joined) if clock else _worded(tokens, at) if led else (0, "")
        found.append(said or tokens[at])
        at += length or 1
    return tuple(found)


_LEADS = ("at", "from", "around", "the")
_NEARLY = ("like", "about", "around", "roughly", "exactly", "circa", "say", "just")
"""May stand between such a word and the time."""
_UNITS = {"seconds": 1, "second": 1, "secs": 1, "sec": 1, "minutes": 60, "minute": 60, "min": 60, "mins": 60}


def _worded(tokens: Sequence[str], at: int) -> tuple[int, str]:
    """The length and the time of a number with its unit before or behind it; a count of seconds in words only."""
    first, second = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
    count, unit = (first, second) if first.isdecimal() else (second, first)
    if not count.isdecimal() or len(count) > _DIGITS or unit not in _UNITS:
        return 0, ""
    seconds = int(count) * _UNITS[unit]
    return 2, f"{seconds // 60}:{seconds % 60:02d}"


_DIGITS = 3


def clock_seconds(token: str) -> float | None:
    """The seconds of a token such as "0:48"; None for any other token."""
    found = _CLOCK.fullmatch(token)
    return None if found is None else 60.0 * int(found[1]) + float(found[2])
