"""The items of a row that goes through a list: where each stands, and which of them a retry runs again."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.ledger import StepState
from app.desktop.steps.row_progress import WAITING_ITEM, RowProgress
from app.desktop.steps.row_states import Mark, Standing, ran
from app.desktop.table.plan_rows import PlanRow
from app.words import tr, trn

_NAMED = 4
"""Items that are named one by one."""


class PlanItem(Struct, frozen=True):
    """One item of a row; `place` counts from 0, `name` tells what it is by its inputs (empty before it has begun)."""

    row: PlanRow
    place: int
    name: str
    standing: Standing

    @property
    def number(self) -> str:
        """ "4.12": of its row, and in it."""
        return f"{self.row.facts.number}.{self.place + 1}"

    @property
    def words(self) -> str:
        """What it is."""
        return self.name or tr("Item {number}", number=self.place + 1)


def item_count(row: PlanRow) -> int:
    """How many items a row of a run has, as far as that is known."""
    return max(row.of, len(row.items))


def item_at(row: PlanRow, place: int) -> PlanItem:
    """The item at a place; one that has not begun waits, or was not run where its row has ended."""
    known = row.items.get(place, WAITING_ITEM)
    mark = row.standing.mark
    if known.state is StepState.WAITING and mark not in (Mark.WAITING, Mark.RUNNING, Mark.RETRY):
        return PlanItem(row, place, known.name, Standing(Mark.NOT_RUN, tr("Not run"), known.reason))
    if mark is Mark.ROLLED_BACK and known.state is StepState.DONE:
        return PlanItem(row, place, known.name, row.standing)
    progress = RowProgress(
        known.state, known.reason, known.share, retries=known.retries, again_in=known.again_in, seconds=known.seconds
    )
    paused = known.state is StepState.RUNNING and mark is Mark.WAITING
    standing = ran(progress, row.facts.step, None, paused=paused)
    if standing.mark is Mark.FAILED and not known.retries:
        standing = replace(standing, text=tr("Failed"))
    return PlanItem(row, place, known.name, standing)


def changed_items(before: PlanRow, after: PlanRow, most: int) -> list[int]:
    """The first `most` places whose items stand elsewhere now."""
    if before.items is after.items and before.standing.mark is after.standing.mark:
        return []
    if before.standing.mark is not after.standing.mark:
        return list(range(most))
    old, new = before.items, after.items
    return [place for place in range(most) if old.get(place) is not new.get(place) and old.get(place) != new.get(place)]


def again(row: PlanRow) -> list[int]:
    """The places of the items that a retry of the run takes up again: all that are not done."""
    return [
        place for place in range(item_count(row))
        if row.items.get(place, WAITING_ITEM).state not in (StepState.DONE, StepState.SKIPPED)
    ]


def again_words(row: PlanRow) -> str:
    """What Retry does with the items of a row; empty for a row that is no loop."""
    places = again(row)
    if not places:
        return ""
    done = item_count(row) - len(places)
    said = tr("Retry runs {items} again.", items=items_named(places))
    kept = trn("The {count:,} that is done stays.", "The {count:,} that are done stay.", done)
    return f"{said} {kept}" if done else said


def items_named(places: Iterable[int]) -> str:
    """ "items 3 and 7"; "12 items" where they are many."""
    numbers = [str(place + 1) for place in places]
    if len(numbers) > _NAMED:
        return trn("{count:,} item", "{count:,} items", len(numbers))
    named = numbers[0] if len(numbers) == 1 else tr(
        "{some} and {last}", some=", ".join(numbers[:-1]), last=numbers[-1]
    )
    return trn("item {numbers}", "items {numbers}", len(numbers), numbers=named)
