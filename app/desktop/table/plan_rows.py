"""The plan as a table: groups of rows with what they do, what was decided and how far they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from agent.plan.document import Finding
from app.desktop.review.gathered import Gathered
from app.desktop.steps.goals import GoalCall
from app.desktop.steps.row_facts import RowFacts
from app.desktop.steps.row_previews import Drawing
from app.desktop.steps.row_progress import ItemProgress, failed_items
from app.desktop.steps.row_states import Mark, Standing, group_summary


class PlanRow(Struct, frozen=True, gc=False):
    """A row of the table; its identity is the step's id."""

    facts: RowFacts
    standing: Standing
    approved: bool
    edited: bool = False
    findings: tuple[Finding, ...] = ()
    was: str = ""
    """Of a row that was asked for again: what is other now, "bpm 84 → 72"; "new" for a row that was not there."""
    calls: tuple[GoalCall, ...] = ()
    """What was called for a row that is left to a model."""
    items: Mapping[int, ItemProgress] = {}
    """Of a loop in a run: the items that have begun or were decided on."""
    of: int = 0
    """How many items there are; 0 where that is not known, and for a row that is no loop."""
    gathered: Gathered | None = None
    """Its edits that wait for the person."""
    waiting: Drawing | None = None
    """What these edits would make."""

    @property
    def drawing(self) -> Drawing | None:
        """What it makes, as far as that is known."""
        return self.waiting or self.facts.drawing

    @property
    def items_failed(self) -> tuple[ItemProgress, ...]:
        """Items of a loop that went wrong, in their order."""
        return failed_items(self.items)

    @property
    def id(self) -> str:
        """The step's id."""
        return self.facts.step.id


class PlanGroup(Struct, frozen=True):
    """Rows under one heading. `approved` is None where only some are."""

    name: str
    rows: tuple[PlanRow, ...]
    summary: str
    approved: bool | None
    mark: Mark | None = None
    """While it runs: the state of the group as a whole."""


class PlanTable(Struct, frozen=True, dict=True):
    """All groups, in the order in which the plan first names them. `run` tells a run from a proposal."""

    groups: tuple[PlanGroup, ...] = ()
    run: bool = False
    findings: tuple[Finding, ...] = ()
    """Marks on the plan as a whole."""

    @cached_property
    def rows(self) -> tuple[PlanRow, ...]:
        """All rows in the order of the plan."""
        return tuple(sorted((row for group in self.groups for row in group.rows), key=lambda row: row.facts.number))


def place_beside(table: PlanTable, step: str, by: int) -> tuple[str, bool] | None:
    """The row beside which a shown row comes to stand that goes up (-1) or down (1), and whether below that one.

    It changes places with a row of its own group, and joins another group at the end that is nearer. None where the
    table ends.
    """
    groups = {row.id: at for at, group in enumerate(table.groups) for row in group.rows}
    rows = list(groups)
    at = rows.index(step) + by if step in groups else -1
    if not 0 <= at < len(rows):
        return None
    joins = groups[rows[at]] != groups[step]
    return rows[at], (by > 0) != joins


def to_take_in(table: PlanTable, steps: Iterable[str]) -> tuple[str, ...]:
    """The rejected rows that must come back for these rows to run: they themselves and all that they need."""
    rows = {row.facts.number: row for row in table.rows}
    numbers = {row.id: number for number, row in rows.items()}
    wanted: set[int] = set()
    frontier = [numbers[step] for step in steps if step in numbers]
    while frontier:
        number = frontier.pop()
        if number not in wanted:
            wanted.add(number)
            frontier += rows[number].facts.needs
    return tuple(rows[number].id for number in sorted(wanted) if rows[number].standing.mark is Mark.REJECTED)


_WORST = (
    Mark.FAILED, Mark.REVIEW, Mark.READY, Mark.RETRY, Mark.RUNNING, Mark.WAITING, Mark.NOT_RUN, Mark.ROLLED_BACK,
    Mark.DONE,
)


def grouped(rows: Sequence[PlanRow], *, run: bool) -> tuple[PlanGroup, ...]:
    """Rows under the headings that they name, in the order in which the plan first names them."""
    by_name: dict[str, list[PlanRow]] = {}
    for row in rows:
        by_name.setdefault(row.facts.group, []).append(row)
    return tuple(_group(name, tuple(group), run) for name, group in by_name.items())


def _group(name: str, rows: tuple[PlanRow, ...], run: bool) -> PlanGroup:
    marks, included = [row.standing.mark for row in rows], [row.approved for row in rows]
    worst = next((mark for mark in _WORST if mark in marks), Mark.SKIPPED) if run else None
    approved = None if len(set(included)) > 1 else included[0]
    away = next((row.standing.text for row in rows if row.standing.mark is Mark.ROLLED_BACK), "")
    return PlanGroup(name, rows, group_summary(marks, included, run=run, away=away), approved, worst)
