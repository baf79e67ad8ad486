"""What opens under a row: its limits before the run, what was called for it, what waits, or why it failed."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from app.i18n import tr, trn
from app.viewmodels.plan.goals import acceptance_words, calls_words, left_to_model
from app.viewmodels.plan.row_states import ItemProgress, RowMark
from app.viewmodels.plan.rows import PlanRow, PlanTable, again_words

MAX_OPEN = 12
"""Rows that are opened by themselves; more would hide the plan."""
_LONGEST = 240
_MOST_ITEMS = 3
_MOST_TOLD = 20
_PROPOSED = (RowMark.PROPOSED, RowMark.EDITED, RowMark.CHANGED, RowMark.NEW, RowMark.CHECK, RowMark.ERROR)

StoryAction: TypeAlias = Literal["hear", "approve", "reject", "edit", "limits", "repair", "retry", "skip", "roll back"]


class RowStory(Struct, frozen=True):
    """A detail card of a row: title, two sentences, and the actions for it, the safest first. `number` is the row's.
    `bad` tells that something went wrong. `technical` has details for experts; `accessible_text` is what a screen
    reader says."""

    number: int
    title: str
    first: str
    second: str
    actions: tuple[StoryAction, ...]
    accessible_text: str
    technical: str = ""
    bad: bool = False


def stories_of(table: PlanTable, *, model: bool = False) -> dict[str, RowStory]:
    """Detail cards by step id, in the order of the plan; rows that need none are left out. `model` tells whether a
    model is chosen that could be asked."""
    found: dict[str, RowStory] = {}
    for row in table.rows:
        story = story_of(row, model=model) if len(found) < MAX_OPEN else None
        if story is not None:
            found[row.id] = story
    return found


def needing(table: PlanTable) -> tuple[str, ...]:
    """Step ids of the rows with a detail card that wait for the person, in the order of the plan."""
    return tuple(row.id for row in table.rows if table.run and row.standing.mark.waits_for_you)[:MAX_OPEN]


def story_of(row: PlanRow, *, model: bool = False) -> RowStory | None:
    """The detail card of a row; None if the row's line already says all. `model` tells whether a model is chosen that
    could be asked for a repair."""
    goal, mark = left_to_model(row.facts.step), row.standing.mark
    if mark.bad:
        return _left_behind(row) if goal and mark is RowMark.REVIEW else _failed(row, repairs=model and not goal)
    if mark is RowMark.READY:
        return _ready(row)
    if not goal:
        return None
    if mark is RowMark.RUNNING:
        return _working(row)
    return _limits(row) if mark in _PROPOSED and row.approved else None


def _limits(row: PlanRow) -> RowStory:
    step = row.facts.step
    return RowStory(
        row.facts.number,
        tr("Goal: {goal}", goal=" ".join(step.goal.split())), row.facts.limits, acceptance_words(step), ("limits",),
        tr("Step {number} is left to the model", number=row.facts.number),
    )


def _working(row: PlanRow) -> RowStory:
    title = tr("Step {number} is being worked on", number=row.facts.number)
    return RowStory(
        row.facts.number, title, calls_words(row.progress.calls) or tr("No calls yet"),
        tr("Nothing of it reaches the song before the work has ended."), (), title, _technical(row),
    )


def _ready(row: PlanRow) -> RowStory:
    number, waiting = row.facts.number, row.pending_edits
    assert waiting is not None
    calls, said = calls_words(row.progress.calls), " ".join(waiting.words.split())
    what = trn("{count:,} edit", "{count:,} edits", waiting.edits)
    title = tr("Step {number} was stopped with {what} ready", number=number, what=what)
    if waiting.finished:
        title = tr("Step {number} has {what} ready", number=number, what=what)
    second = calls if waiting.finished else f"{calls}. {row.standing.reason}"
    if said:
        second = f"{second}. “{said}”" if second else f"“{said}”"
    return RowStory(
        row.facts.number,
        tr("{title}; nothing of it is in the song yet", title=title), waiting.changes, second,
        ("hear", "approve", "reject"),
        tr("Step {number} waits for your approval of {what}", number=number, what=what), _technical(row),
    )


def _left_behind(row: PlanRow) -> RowStory:
    """Edits that were made for a song that is another now."""
    title = tr("Step {number} needs you", number=row.facts.number)
    return RowStory(
        row.facts.number, title, tr("Why: {reason}", reason=row.standing.reason or tr("no reason was given")),
        tr("What to do: try it again or skip it; if the song has changed since, undo that first or plan again."),
        ("retry", "skip", "roll back"), title, _technical(row), True,
    )


def _failed(row: PlanRow, *, repairs: bool) -> RowStory:
    what, why, do = failure_words(row, repairs=repairs)
    ways: tuple[StoryAction, ...] = ("retry", "skip", "roll back")
    repair: tuple[StoryAction, ...] = ("repair",) if repairs and row.standing.mark is not RowMark.REVIEW else ()
    return RowStory(
        row.facts.number,
        what, tr("Why: {reason}", reason=why), tr("What to do: {fix}", fix=do), ("edit", *repair, *ways),
        tr("Step {number} needs you", number=row.facts.number),
        _technical(row), True,
    )


def failure_words(row: PlanRow, *, repairs: bool = False) -> tuple[str, str, str]:
    """Three texts on a failed row: what happened, why, and what to do. `repairs` tells that a model can be asked for
    other inputs."""
    name = tr("Step {number}, “{sentence}”,", number=row.facts.number, sentence=row.facts.sentence)
    reason = row.standing.reason or tr("no reason was given")
    if row.standing.mark is RowMark.REVIEW and _too_many(row):
        more = tr("approve it for more with Edit, or skip it.")
        return tr("{name} has not begun", name=name), reason, more
    if row.standing.mark is RowMark.REVIEW:
        look = tr("look at what is there, then try it again or skip it. If its tool is another one now, plan again.")
        return tr("{name} needs you", name=name), reason, look
    done = row.standing.part
    what = tr("{name} was done only in part", name=name) if done else tr("{name} was not done", name=name)
    kept = "" if done else tr(" Nothing of this step was changed.")
    edit = tr("change it with Edit, try again, or skip it.")
    ask = tr("change it with Edit, ask the model for other values, try again, or skip it.")
    failed = _items_words(row)
    why = failed if failed else f"{reason[:1].upper()}{reason[1:].rstrip('.')}.{kept}"
    retried = again_words(row)
    if retried:
        return what, why, tr("{retry} Or change the step with Edit, or skip it.", retry=retried)
    return what, why, ask if repairs else edit


def _too_many(row: PlanRow) -> bool:
    """Whether it is a loop that came to more items than were approved: none of them has begun then."""
    step = row.facts.step
    return step.for_each is not None and step.max_edits is not None and not row.progress.items


def _items_words(row: PlanRow) -> str:
    """The items of a loop that went wrong: "machine studio-3: refused, and 2 more of 5 items"."""
    bad = row.progress.items_failed
    if not bad:
        return ""
    told = [item_words(item) for item in bad[:_MOST_ITEMS]]
    left = len(bad) - len(told)
    said = "; ".join((*told, *([tr("and {count} more", count=left)] if left else [])))
    return trn("{count:,} item failed. {said}", "{count:,} items failed. {said}", len(bad), said=said)


def item_words(item: ItemProgress) -> str:
    """Which item failed, and why; the item is named only once if the reason names it too."""
    reason = item.reason or item.state.value
    return reason if item.name and item.name in reason else f"{item.name or tr('an item')}: {reason}"


def _technical(row: PlanRow) -> str:
    items = "; ".join(f"{item.name}: {item.reason}" for item in row.progress.items_failed[:_MOST_TOLD])
    refused = "; ".join(f"{call.tool}: {call.told}" for call in row.progress.calls if not call.ok and call.told)
    parts = (tr("tool {tool}", tool=row.facts.step.tool), tr("step id {id}", id=row.id), row.standing.reason, items,
             refused and tr("refused: {refused}", refused=refused))
    text = " · ".join(" ".join(part.split()) for part in parts if part)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
