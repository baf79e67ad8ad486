"""Reports as a person reads them at a terminal: tables where they fit, else a paragraph for each row."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from agent.session.run_report import BarChart, ReportColumn, ReportSection, RunReport
from app.cli.reporting import print_report


def printed(section: ReportSection, width: int = 80) -> str:
    out = StringIO()
    print_report(Console(file=out, width=width), RunReport((section,)))
    return out.getvalue()


def test_what_fits_is_a_table_with_bars() -> None:
    columns = (ReportColumn("machine"), ReportColumn("free", "bytes"))
    lines = printed(
        ReportSection("s", "Disks", columns=columns, rows=(("a", 10), ("b", 5)), bars=BarChart("machine", "free"))
    )
    assert [line.count("█") for line in lines.splitlines()] == [0, 0, 16, 8]


def test_where_bars_do_not_fit_the_table_goes_without() -> None:
    columns = (ReportColumn("machine"), ReportColumn("free", "bytes"))
    section = ReportSection("s", "Disks", columns=columns, rows=(("a", 10), ("b", 5)), bars=BarChart("machine", "free"))
    lines = printed(section, 30)
    assert "█" not in lines
    assert [line.split() for line in lines.splitlines()[1:]] == [["machine", "free"], ["a", "10", "B"], ["b", "5", "B"]]


def test_no_word_of_a_wide_table_is_cut_off() -> None:
    columns = tuple(ReportColumn(f"measure_number_{n}") for n in range(12))
    rows = tuple(tuple(f"value-{r}-{n}" for n in range(12)) for r in (1, 2))
    section = ReportSection("s", "Song", columns=columns, rows=rows)
    told = " ".join(printed(section).split())
    assert "…" not in told
    assert all(f"measure number {n} value-{r}-{n}" in told for r in (1, 2) for n in range(12))
