"""Versions of a day: of the weekday, of yesterday, of last night, as the words of a question name it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct

from agent.chat.answering.asked import words_of
from agent.chat.context import Version

_WEEKDAYS = {
    "monday": 0, "tuesday": 1, "tues": 1, "tue": 1, "wednesday": 2, "weds": 2, "thursday": 3, "thurs": 3, "thur": 3,
    "friday": 4, "saturday": 5, "sunday": 6,
}
_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MORNING = "06"
"""The hour at which a night ends."""
_AGO = re.compile(r"\b(\d{1,3}|a|an|one|two|three) (day|week)s? ago\b")
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}


class Day(Struct, frozen=True):
    """A day that words name: `said` in words, the dates that it may be, and those of which only the small hours
    count."""

    said: str
    dates: frozenset[date]
    small_hours: frozenset[date] = frozenset()

    def versions(self, known: Sequence[Version]) -> tuple[Version, ...]:
        """The versions of that day, newest first."""
        return tuple(one for one in known if self._has(one))

    def _has(self, version: Version) -> bool:
        made = made_on(version)
        early = version.created[11:13] < _MORNING
        return made in self.dates or (made in self.small_hours and early)


def day_named(words: str, known: Sequence[Version], today: str = "") -> Day | None:
    """The day that words name. `today` is the date of now, as YYYY-MM-DD; without it only weekdays are understood, as
    the last such day on which there is a version. None if no day is named."""
    said = words_of(words)
    dates = sorted({made for one in known if (made := made_on(one)) is not None}, reverse=True)
    number = next((number for name, number in _WEEKDAYS.items() if name in said or f"{name}'s" in said), None)
    if number is not None:
        last = next((one for one in dates if one.weekday() == number), None)
        return Day(f"a {_NAMES[number]}", frozenset()) if last is None else Day(day_said(last), frozenset({last}))
    if not today:
        return None
    now = date.fromisoformat(today)
    plain = " ".join(words.casefold().split())
    if "last night" in plain:
        return Day("last night", frozenset({now - timedelta(1)}), frozenset({now}))
    if "yesterday" in said or "yesterday's" in said:
        return Day("yesterday", frozenset({now - timedelta(1)}))
    if {"today", "tonight"} & said or "this morning" in plain or "before lunch" in plain:
        return Day("today", frozenset({now}))
    if "last week" in plain:
        return Day("last week", frozenset(now - timedelta(now.weekday() + 7 - at) for at in range(7)))
    if (ago := _AGO.search(plain)) is not None:
        count = _COUNTS.get(ago[1]) or int(ago[1])
        then = now - timedelta(count * (7 if ago[2] == "week" else 1))
        return Day(ago[0], frozenset({then}))
    return None


def made_on(version: Version) -> date | None:
    """The date on which a version was made, in UTC; None where it is not known."""
    try:
        return date.fromisoformat(version.created[:10])
    except ValueError:
        return None


def day_said(day: date) -> str:
    """A date with its weekday: Saturday 28 November."""
    return f"{_NAMES[day.weekday()]} {day.day} {day:%B}"
