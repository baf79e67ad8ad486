"""Stored moments in the words of the window, in local time."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from app.i18n import tr


def clock_time(at: str, today: date | None = None) -> str:
    """A time (ISO 8601, UTC) as 14:32, yesterday 14:32, 14 Mar or 14 Mar 2024, in local time; empty for an invalid one.
    `today` stands for the present date, None for that of the clock."""
    moment = _local(at)
    if moment is None:
        return ""
    match _age(moment, today):
        case 0:
            return f"{moment:%H:%M}"
        case 1:
            return tr("yesterday {time}", time=f"{moment:%H:%M}")
    return _day(moment, today)


def second_of(at: str) -> str:
    """The local time of day of a time (ISO 8601, UTC): 14:32:05; empty for an invalid one."""
    moment = _local(at)
    return "" if moment is None else f"{moment:%H:%M:%S}"


def changed_when(at: str, today: date | None = None) -> str:
    """When something was changed: today, 14:32, yesterday, 14 Mar, 14 Mar 2024; empty for an invalid time. `at` is ISO
    8601, UTC; `today` stands for the present date, None for that of the clock."""
    moment = _local(at)
    if moment is None:
        return ""
    match _age(moment, today):
        case 0:
            return tr("today, {time}", time=f"{moment:%H:%M}")
        case 1:
            return tr("yesterday")
    return _day(moment, today)


def _local(at: str) -> datetime | None:
    try:
        return datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone()
    except (ValueError, OverflowError):
        return None


def _today(today: date | None) -> date:
    return today or datetime.now().astimezone().date()


def _age(moment: datetime, today: date | None) -> int:
    """Whole days since then."""
    return (_today(today) - moment.date()) // timedelta(days=1)


def _day(moment: datetime, today: date | None) -> str:
    months = (
        tr("{day} Jan"), tr("{day} Feb"), tr("{day} Mar"), tr("{day} Apr"), tr("{day} May"), tr("{day} Jun"),
        tr("{day} Jul"), tr("{day} Aug"), tr("{day} Sep"), tr("{day} Oct"), tr("{day} Nov"), tr("{day} Dec"),
    )
    said = months[moment.month - 1].format(day=moment.day)
    return said if moment.year == _today(today).year else f"{said} {moment.year}"
