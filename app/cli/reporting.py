"""The report of a run as tables and bars at a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.session.report_words import bar, longest, one_line, shown, title_of
from agent.session.run_report import RunReport, Section


def print_report(console: Console, report: RunReport) -> None:
    """Every section: a sentence, or a table with a bar for each row where there is something to compare."""
    for section in report.sections:
        console.print(Text(one_line(section.title), "bold"))
        if section.columns:
            console.print(_table(section))
        else:
            console.print(Text(f"  {one_line(section.text)}"))
        if section.left_out:
            console.print(Text(f"  {section.left_out:,} more are not shown", "dim"))


def _table(section: Section) -> Table:
    most = longest(section)
    table = Table(box=None, header_style="dim", padding=(0, 1))
    for column in section.columns:
        table.add_column(Text(title_of(column)), justify="right" if column.unit else "left")
    if most:
        table.add_column("")
    for row in section.rows:
        cells = [Text(shown(value, column.unit)) for value, column in zip(row, section.columns, strict=True)]
        table.add_row(*cells, *([Text(bar(section, row, most), "cyan")] if most else []))
    return table
