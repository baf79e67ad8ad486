"""A report in words: values with their units, and tables as Markdown in which nothing foreign has a meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.plan.plan import Json
from agent.session.run_report import ReportColumn, ReportSection, RunReport

_SIZES = ("B", "kB", "MB", "GB", "TB", "PB")
BAR = 16
"""Length of the longest bar in characters."""
_MEANT = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&:@/])")
_LONGEST = 200


def shown(value: Json, unit: str = "") -> str:
    """A value as text, by its `unit`: "bytes" in powers of 1,000, a "share" of 0 to 1 in percent; empty for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _size(value) if unit == "bytes" else f"{value:.0%}" if unit == "share" else _number(value, unit)
    return one_line(str(value))


def one_line(text: str) -> str:
    """The text without line breaks and hidden characters, cut to 200 characters."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def markdown(report: RunReport) -> str:
    """The report as Markdown."""
    return "\n\n".join(_section(section) for section in report.sections)


def bar(section: ReportSection, row: Sequence[Json], most: float) -> str:
    """The bar of a table row as a string of "█"; `most` is the value of the longest bar. Empty if the section has no
    bar chart or the row no value."""
    if section.bars is None or not most:
        return ""
    value = row[place(section, section.bars.value)]
    return "█" * max(1, round(value / most * BAR)) if isinstance(value, int | float) and value else ""


def longest(section: ReportSection) -> float:
    """The value of the longest bar in the section's chart; 0 without a chart."""
    if section.bars is None:
        return 0
    at = place(section, section.bars.value)
    return max((row[at] for row in section.rows if isinstance(row[at], int | float)), default=0)


def place(section: ReportSection, column: str) -> int:
    """The index of the column of that name."""
    return [one.name for one in section.columns].index(column)


def title_of(column: ReportColumn) -> str:
    """A column's name for people."""
    return column.name.replace("_", " ").replace(".", " ")


def _section(section: ReportSection) -> str:
    head = f"**{_plain(section.title)}**"
    if not section.columns:
        return f"{head}: {_plain(section.text)}"
    most = longest(section)
    names = [*(_plain(title_of(column)) for column in section.columns), *([""] if most else [])]
    numeric = ["--:" if column.unit else "---" for column in section.columns]
    lines = [head, "", _line(names), _line([*numeric, *(["---"] if most else [])])]
    for row in section.rows:
        cells = [_plain(shown(value, column.unit)) for value, column in zip(row, section.columns, strict=True)]
        lines.append(_line([*cells, *([bar(section, row, most)] if most else [])]))
    if section.left_out:
        lines += ["", f"{section.left_out:,} more are not shown."]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    return _MEANT.sub(r"\\\1", one_line(text))


def _number(value: int | float, unit: str) -> str:
    text = f"{value:,}" if isinstance(value, int) else f"{value:g}"
    return f"{text} {unit}" if unit else text


def _size(value: int | float) -> str:
    for name in _SIZES:
        if abs(value) < 1000 or name == _SIZES[-1]:
            return f"{value:.0f} B" if name == "B" else f"{value:.1f} {name}"
        value /= 1000
    return ""
