"""A run's report as tables of plain words: what stands where, which rows went wrong, how long bars are."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from msgspec import Struct

from agent.plan.ledger import StepState
from agent.plan.plan import Json
from agent.session.report_words import longest, one_line, place, shown, title_of
from agent.session.run_report import ReportSection, RunReport
from app.i18n import tr

_STATE = "state"
_BAD = tuple(
    f"{state.value.replace('_', ' ')}:"
    for state in (StepState.FAILED, StepState.PARTIAL, StepState.NEEDS_REVIEW, StepState.NOT_RUN, StepState.SKIPPED)
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class ReportTable(Struct, frozen=True):
    """One section of a report. `cells` are one-line texts; columns in `numbers` are right-aligned. `bars` are bar
    lengths, 0 to 1 of the longest, None in a row without one (empty: no bars); they show the values of the column named
    `bars_of`. `failed` are indices of rows about failed items, `left_out` counts rows that were not stored. `text`
    replaces the table."""

    title: str
    text: str = ""
    columns: tuple[str, ...] = ()
    numbers: frozenset[int] = frozenset()
    cells: tuple[tuple[str, ...], ...] = ()
    bars: tuple[float | None, ...] = ()
    bars_of: str = ""
    bar_place: int = 0
    """Index of the column with bar graphics, which follows the numbers that it shows."""
    failed: frozenset[int] = frozenset()
    left_out: int = 0


def report_tables(report: RunReport) -> tuple[ReportTable, ...]:
    """All sections as tables, in their order."""
    return tuple(_table(section) for section in report.sections)


def as_text(tables: Iterable[ReportTable]) -> str:
    """The tables as text, cells separated by tabs."""
    return "\n\n".join(_text(table) for table in tables)


def as_csv(tables: Iterable[ReportTable]) -> str:
    """The tables as comma-separated values, one below the other. Texts that a spreadsheet would take for a formula are
    prefixed with an apostrophe, as they come from services."""
    out = StringIO()
    writer = csv.writer(out)
    for at, table in enumerate(tables):
        if at:
            writer.writerow([])
        if not table.columns:
            writer.writerow([_harmless(table.title), _harmless(table.text)])
            continue
        writer.writerow([_harmless(name) for name in table.columns])
        writer.writerows([
            [cell if column in table.numbers else _harmless(cell) for column, cell in enumerate(row)]
            for row in table.cells
        ])
    return out.getvalue()


def _table(section: ReportSection) -> ReportTable:
    title = one_line(section.title)
    if not section.columns:
        return ReportTable(title, one_line(section.text) if section.text else "")
    numbers = frozenset(at for at, _ in enumerate(section.columns) if _all_numbers(section, at))
    most = longest(section)
    bars: tuple[float | None, ...] = ()
    at = 0
    if section.bars is not None and most:
        at = place(section, section.bars.value)
        bars = tuple(_share(row[at], most) for row in section.rows)
    return ReportTable(
        title, columns=tuple(one_line(title_of(column)) for column in section.columns), numbers=numbers,
        cells=tuple(
            tuple(shown(value, column.unit) for value, column in zip(row, section.columns, strict=True))
            for row in section.rows
        ),
        bars=bars, bars_of="" if section.bars is None else one_line(section.bars.value.replace("_", " ")),
        bar_place=at + 1, failed=_failed(section), left_out=section.left_out,
    )  # fmt: skip


def _share(value: Json, most: float) -> float | None:
    measured = isinstance(value, int | float) and not isinstance(value, bool)
    return min(1.0, max(0.0, value / most)) if measured else None


def _all_numbers(section: ReportSection, at: int) -> bool:
    values = [row[at] for row in section.rows if row[at] is not None]
    return bool(values) and all(isinstance(one, int | float) and not isinstance(one, bool) for one in values)


def _failed(section: ReportSection) -> frozenset[int]:
    names = [column.name for column in section.columns]
    if _STATE not in names:
        return frozenset()
    at = names.index(_STATE)
    return frozenset(
        number for number, row in enumerate(section.rows) if isinstance(row[at], str) and row[at].startswith(_BAD)
    )


def _text(table: ReportTable) -> str:
    if not table.columns:
        return f"{table.title}: {table.text}"
    lines = [table.title, "\t".join(table.columns), *("\t".join(row) for row in table.cells)]
    if table.left_out:
        lines.append(tr("and {count} more", count=f"{table.left_out:,}"))
    return "\n".join(lines)


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
