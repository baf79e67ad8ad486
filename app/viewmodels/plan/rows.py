"""The plan as a table: groups of rows and items, with what they do, what was decided and how far they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.document import Finding
from agent.plan.ledger import StepState
from agent.plan.plan import Step
from app.i18n import tr, trn
from app.viewmodels.plan.live_run import PendingEdits
from app.viewmodels.plan.row_previews import RowDrawing, Target
from app.viewmodels.plan.row_states import WAITING_ITEM, RowMark, RowProgress, Standing, group_summary, ran


class RowFacts(Struct, frozen=True, gc=False):
    """What is known of a row before any decision on it. `number` counts from 1 in the order of the plan, `sentence`
    says what the row does, `group` is its heading, `service` the service it works through, `needs` the numbers of the
    rows it needs."""

    step: Step
    number: int
    sentence: str
    group: str
    effect: str
    """What its edits do exactly; empty where that cannot be foreseen or the sentence says it."""
    service: str
    target: Target
    drawing: RowDrawing | None = None
    start: int | None = None
    """Tick at which its clip begins in the planned song."""
    sources: tuple[str, ...] = ()
    """Ids of the rows whose results it takes as inputs, in the order of the plan."""
    needs: tuple[int, ...] = ()
    """The numbers of these rows."""
    outside: str = ""
    """The service through which the row works outside of the song, on files or elsewhere; empty if it does not."""
    most: str = ""
    """For a loop whose items are known only when it runs: "at most 200 items"; else empty."""
    limits: str = ""
    """For a row that is left to a model: what the model may do, in words; else empty."""

    @property
    def depends_on(self) -> str:
        """The numbers of the rows that it needs, in words: "steps 3, 5"; "–" for none."""
        if not self.needs:
            return "–"
        return trn("step {numbers}", "steps {numbers}", len(self.needs), numbers=", ".join(map(str, self.needs)))


class PlanRow(Struct, frozen=True, gc=False):
    """A row of the table, identified by its step's id. `approved` tells whether it would run, `edited` whether its
    inputs were changed."""

    facts: RowFacts
    standing: Standing
    approved: bool
    edited: bool = False
    findings: tuple[Finding, ...] = ()
    was: str = ""
    """What differs in a row that was asked for again: "bpm 84 → 72", or "new" for a row that was not there; else
    empty."""
    progress: RowProgress = RowProgress()
    """How far the row is in a run: its items, and the calls made for it."""
    pending_edits: PendingEdits | None = None
    """The row's edits that wait for the person; None if there are none."""
    waiting: RowDrawing | None = None
    """The drawing of these edits."""

    @property
    def drawing(self) -> RowDrawing | None:
        """The drawing of its pending edits, or else of its planned ones; None if neither is known."""
        return self.waiting or self.facts.drawing

    @property
    def item_count(self) -> int:
        """The number of items of a loop in a run, as far as it is known; 0 for other rows."""
        return max(self.progress.of, len(self.progress.items))

    @property
    def id(self) -> str:
        """The step's id."""
        return self.facts.step.id


class PlanGroup(Struct, frozen=True):
    """Rows under one heading (`name`); `summary` describes them in a few words. `approved` is None if only some of them
    are."""

    name: str
    rows: tuple[PlanRow, ...]
    summary: str
    approved: bool | None
    mark: RowMark | None = None
    """The state of the group as a whole while a run goes on; None otherwise."""


class PlanTable(Struct, frozen=True, dict=True):
    """All groups of a plan, in the order in which the plan first names them. `run` tells that a run is shown, not a
    plan under review."""

    groups: tuple[PlanGroup, ...] = ()
    run: bool = False

    @cached_property
    def rows(self) -> tuple[PlanRow, ...]:
        """All rows in the order of the plan."""
        return tuple(sorted((row for group in self.groups for row in group.rows), key=lambda row: row.facts.number))

    @cached_property
    def by_step(self) -> dict[str, PlanRow]:
        """All rows by their step ids."""
        return {row.id: row for row in self.rows}


def place_beside(table: PlanTable, step: str, by: int) -> tuple[str, bool] | None:
    """The new neighbour of a row that is moved up (`by` -1) or down (1): its id, and whether the row then stands below
    it.

    A row changes places with a row of its own group, or joins the nearer end of the next group. None at the end of the
    table."""
    groups = {row.id: at for at, group in enumerate(table.groups) for row in group.rows}
    rows = list(groups)
    at = rows.index(step) + by if step in groups else -1
    if not 0 <= at < len(rows):
        return None
    joins = groups[rows[at]] != groups[step]
    return rows[at], (by > 0) != joins


_WORST = (
    RowMark.FAILED, RowMark.REVIEW, RowMark.READY, RowMark.RETRY, RowMark.RUNNING, RowMark.WAITING, RowMark.NOT_RUN,
    RowMark.ROLLED_BACK,
    RowMark.DONE,
)


def grouped(rows: Sequence[PlanRow], *, run: bool) -> tuple[PlanGroup, ...]:
    """Rows under the headings that they name, in the order in which the plan first names them."""
    by_name: dict[str, list[PlanRow]] = {}
    for row in rows:
        by_name.setdefault(row.facts.group, []).append(row)
    return tuple(_group(name, tuple(group), run) for name, group in by_name.items())


def _group(name: str, rows: tuple[PlanRow, ...], run: bool) -> PlanGroup:
    marks, included = [row.standing.mark for row in rows], [row.approved for row in rows]
    worst = next((mark for mark in _WORST if mark in marks), RowMark.SKIPPED) if run else None
    approved = None if len(set(included)) > 1 else included[0]
    away = next((row.standing.text for row in rows if row.standing.mark is RowMark.ROLLED_BACK), "")
    return PlanGroup(name, rows, group_summary(marks, included, run=run, away=away), approved, worst)


_NAMED = 4
"""Items that are named one by one."""


class PlanItem(Struct, frozen=True):
    """One item of a loop row; `place` counts from 0, `name` identifies it by its inputs (empty before it has begun)."""

    row: PlanRow
    place: int
    name: str
    standing: Standing

    @property
    def number(self) -> str:
        """The numbers of its row and of the item, from 1: "4.12"."""
        return f"{self.row.facts.number}.{self.place + 1}"

    @property
    def words(self) -> str:
        """The item's name, or "Item 3" as long as it has none."""
        return self.name or tr("Item {number}", number=self.place + 1)


def item_at(row: PlanRow, place: int) -> PlanItem:
    """The item at `place`, counted from 0. One that has not begun is shown as waiting, or as not run if its row has
    ended."""
    known = row.progress.items.get(place, WAITING_ITEM)
    mark = row.standing.mark
    if known.state is StepState.WAITING and mark not in (RowMark.WAITING, RowMark.RUNNING, RowMark.RETRY):
        return PlanItem(row, place, known.name, Standing(RowMark.NOT_RUN, tr("Not run"), known.reason))
    if mark is RowMark.ROLLED_BACK and known.state is StepState.DONE:
        return PlanItem(row, place, known.name, row.standing)
    progress = RowProgress(
        known.state, known.reason, known.share, known.retries, known.again_in, known.began, known.seconds
    )
    paused = known.state is StepState.RUNNING and mark is RowMark.WAITING
    standing = ran(progress, row.facts.step, None, paused=paused)
    if standing.mark is RowMark.FAILED and not known.retries:
        standing = replace(standing, text=tr("Failed"))
    return PlanItem(row, place, known.name, standing)


def changed_items(before: PlanRow, after: PlanRow, most: int) -> list[int]:
    """The places (from 0, below `most`) whose items changed between two states of a row; all of them if the row's own
    state has changed."""
    if before.progress.items is after.progress.items and before.standing.mark is after.standing.mark:
        return []
    if before.standing.mark is not after.standing.mark:
        return list(range(most))
    old, new = before.progress.items, after.progress.items
    return [place for place in range(most) if old.get(place) is not new.get(place) and old.get(place) != new.get(place)]


def again(row: PlanRow) -> list[int]:
    """The places (from 0) of the items that a retry of the run repeats: all that are not done."""
    return [
        place for place in range(row.item_count)
        if row.progress.items.get(place, WAITING_ITEM).state not in (StepState.DONE, StepState.SKIPPED)
    ]


def again_words(row: PlanRow) -> str:
    """Which items of a loop Retry runs again and how many done ones stay: "Retry runs items 3 and 7 again."; empty if
    there is nothing to repeat."""
    places = again(row)
    if not places:
        return ""
    done = row.item_count - len(places)
    said = tr("Retry runs {items} again.", items=items_named(places))
    kept = trn("The {count:,} that is done stays.", "The {count:,} that are done stay.", done)
    return f"{said} {kept}" if done else said


def items_named(places: Iterable[int]) -> str:
    """Item numbers in words: "items 3 and 7"; "12 items" where they are many. `places` count from 0."""
    numbers = [str(place + 1) for place in places]
    if len(numbers) > _NAMED:
        return trn("{count:,} item", "{count:,} items", len(numbers))
    named = numbers[0] if len(numbers) == 1 else tr(
        "{some} and {last}", some=", ".join(numbers[:-1]), last=numbers[-1]
    )
    return trn("item {numbers}", "items {numbers}", len(numbers), numbers=named)
