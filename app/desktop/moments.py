"""Stored moments in the words of the window, in local time."""

from __future__ import annotations

from datetime import date, datetime, timedelta

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def clock_time(at: str, today: date | None = None) -> str:
    """A moment (ISO 8601, UTC): 14:32, yesterday 14:32, 14 Mar, 14 Mar 2024; empty for what is no moment."""
    moment = _local(at)
    if moment is None:
        return ""
    day = _day(moment, today)
    if day == "today":
        return f"{moment:%H:%M}"
    return f"yesterday {moment:%H:%M}" if day == "yesterday" else day


def second_of(at: str) -> str:
    """The moment of the day to the second: 14:32:05; empty for what is no moment."""
    moment = _local(at)
    return "" if moment is None else f"{moment:%H:%M:%S}"


def changed_when(at: str, today: date | None = None) -> str:
    """When something was changed: today, 14:32, yesterday, 14 Mar, 14 Mar 2024."""
    moment = _local(at)
    if moment is None:
        return ""
    day = _day(moment, today)
    return f"today, {moment:%H:%M}" if day == "today" else day


def _local(at: str) -> datetime | None:
    try:
        return datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone()
    except (ValueError, OverflowError):
        return None


def _day(moment: datetime, today: date | None) -> str:
    today = today or datetime.now().astimezone().date()
    if moment.date() == today:
        return "today"
    if moment.date() == today - timedelta(days=1):
        return "yesterday"
    year = "" if moment.year == today.year else f" {moment.year}"
    return f"{moment.day} {_MONTHS[moment.month - 1]}{year}"
