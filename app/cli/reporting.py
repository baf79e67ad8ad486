"""The report of a run as tables and bars at a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from agent.session.report_words import BAR, bar, longest, one_line, shown, title_of
from agent.session.run_report import ReportSection, RunReport

_NARROW = 20
"""Least columns to which a long text may be wrapped."""


def print_report(console: Console, report: RunReport) -> None:
    """Print every section: a sentence, or a table, with a bar in each row if there is something to compare."""
    for section in report.sections:
        console.print(Text(one_line(section.title), "bold"))
        if section.columns and (left := console.width - _needed(section)) >= 0:
            console.print(_table(section, with_bars=left >= BAR + 2))
        elif section.columns:
            _print_one_by_one(console, section)
        else:
            console.print(Text(f"  {one_line(section.text)}"))
        if section.left_out:
            console.print(Text(f"  {section.left_out:,} more are not shown", "dim"))


def _needed(section: ReportSection) -> int:
    """How wide a table must be to be read as one: no column squeezed to less than its words, or a few of them."""
    titles = (len(title_of(column)) for column in section.columns)
    cells = (
        max((len(shown(row[at], column.unit)) for row in section.rows), default=0)
        for at, column in enumerate(section.columns)
    )
    return sum(max(title, min(cell, _NARROW)) + 2 for title, cell in zip(titles, cells, strict=True))


def _print_one_by_one(console: Console, section: ReportSection) -> None:
    """A table that is too wide: each row as a paragraph of its values, each with its name."""
    for row in section.rows:
        values = [
            Text.assemble((f"{title_of(column)} ", "dim"), shown(value, column.unit))
            for value, column in zip(row, section.columns, strict=True)
            if value not in (None, "")
        ]
        console.print(Padding(Text(" · ").join(values), (0, 0, 0, 2)))


def _table(section: ReportSection, *, with_bars: bool) -> Table:
    most = longest(section) if with_bars else 0
    table = Table(box=None, header_style="dim", padding=(0, 1))
    for column in section.columns:
        table.add_column(Text(title_of(column)), justify="right" if column.unit else "left")
    if most:
        table.add_column("")
    for row in section.rows:
        cells = [Text(shown(value, column.unit)) for value, column in zip(row, section.columns, strict=True)]
        table.add_row(*cells, *([Text(bar(section, row, most), "cyan")] if most else []))
    return table
