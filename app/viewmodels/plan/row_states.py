"""How far a row of the plan is, by the events of its run, and where it stands in one mark and a few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from time import monotonic
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.document import Finding
from agent.plan.ledger import StepState
from agent.plan.plan import Json, Step
from agent.review.rule import Rule
from agent.session import events as ev
from agent.session.pace import ProgressEstimate
from agent.session.ports import RowReport
from agent.session.report_words import one_line
from app.i18n import lazy, tr, trn
from app.viewmodels.plan.goals import GoalCall, calls_in, calls_words
from app.viewmodels.texts.figures import number, ordinal

_MOST_INPUTS = 6
Known = TypeVar("Known", bound="_Progress")


def item_name(inputs: Json) -> str:
    """A name for an item of a loop from its inputs, on one line: "machine studio-3"; empty if they identify nothing."""
    if not isinstance(inputs, dict):
        return ""
    plain = [(name, value) for name, value in inputs.items() if isinstance(value, str | int | float) and value != ""]
    said = [f"{name.replace('_', ' ')} {value}" for name, value in plain[:_MOST_INPUTS]]
    return one_line(", ".join(said))


class _Progress(Struct, frozen=True, gc=False):
    """How far a row or an item of it is. `share` is 0-1 of a long call, `seconds` what it took (None: not known)."""

    state: StepState = StepState.WAITING
    reason: str = ""
    share: float | None = None
    retries: int = 0
    """How often it was tried again, or is about to be."""
    again_in: float | None = None
    began: float | None = None
    """Of `time.monotonic()`."""
    seconds: float | None = None


class ItemProgress(_Progress, frozen=True, gc=False):
    """How far an item of a loop is; `name` identifies it by its inputs: "machine studio-3"."""

    name: str = ""


WAITING_ITEM = ItemProgress()
"""The progress of an item that has not begun."""


class RowProgress(_Progress, frozen=True):
    """How far a row of a run is."""

    items: Mapping[int, ItemProgress] = {}
    """The items of a loop that have begun or were decided on, by their index from 0."""
    of: int = 0
    """How many items there are; 0 for a row that is no loop, and before its list is known."""
    ends: float | None = None
    """When the row is expected to end, in seconds of `time.monotonic()`; None if that is not known."""
    calls: tuple[GoalCall, ...] = ()
    """The calls that a model has made so far for a row left to it."""

    @property
    def items_done(self) -> int:
        """How many items are done."""
        return sum(item.state is StepState.DONE for item in self.items.values())

    @property
    def items_failed(self) -> tuple[ItemProgress, ...]:
        """The items that failed or need review, in their order."""
        bad = (StepState.FAILED, StepState.NEEDS_REVIEW)
        return tuple(item for _, item in sorted(self.items.items()) if item.state in bad)


def stored_progress(known: RowProgress, row: RowReport, items: Sequence[RowReport] = ()) -> RowProgress:
    """The progress of a row as stored in `row` and its `items`; times and retries, which are not stored, are taken from
    `known`."""
    told = {item.item: _stored_item(known.items.get(item.item), item) for item in items}
    return replace(
        known, state=row.state, reason=row.reason, share=None, again_in=None, ends=None,
        calls=calls_in(row.result) or known.calls, items=told, of=max(known.of, len(told)),
    )


def _stored_item(known: ItemProgress | None, item: RowReport) -> ItemProgress:
    name = item_name(item.inputs)
    if known is None:
        return ItemProgress(item.state, item.reason, name=name)
    return replace(known, state=item.state, name=name, reason=item.reason, share=None, again_in=None)


def paced(row: RowProgress, standing: ProgressEstimate, now: float) -> RowProgress:
    """The progress of a running row with the expected end and the share from its estimate; other rows are unchanged.
    `now` is of `time.monotonic()`."""
    if row.state is not StepState.RUNNING:
        return row
    left = standing.seconds_left
    share = standing.share if standing.items else row.share
    return replace(row, ends=None if left is None else now + left, share=share)


def progress_after(row: RowProgress, event: ev.Event) -> RowProgress:
    """The progress of a row after an event of the row or of one of its items."""
    now, item = monotonic(), getattr(event, "item", -1)
    if isinstance(event, ev.SubStepDone):
        return replace(row, calls=(*row.calls, GoalCall(event.tool, event.ok, event.told)))
    if item < 0:
        after = _after(row, event, now)
        match event:
            case ev.StepStarted():
                return replace(after, calls=())
            case ev.StepFailed():
                # What a failed row took tells nobody anything.
                return replace(after, ends=None, seconds=None)
        return replace(after, ends=None) if after.state is StepState.DONE else after
    one = _after(row.items.get(item, WAITING_ITEM), event, now)
    match event:
        case ev.StepStarted(inputs=inputs, of=of):
            one = ItemProgress(StepState.RUNNING, began=one.began, name=item_name(inputs))
            began = now if row.began is None else row.began
            row = replace(row, state=StepState.RUNNING, began=began, again_in=None, of=of)
        case ev.StepDone():
            one = replace(one, reason="")
    return replace(row, items={**row.items, item: one})


def _after(known: Known, event: ev.Event, now: float) -> Known:
    match event:
        case ev.StepStarted():
            # A start without an effect outside is told with its end: its progress knows when it began.
            since = known.began if known.state is StepState.RUNNING else now
            return replace(known, state=StepState.RUNNING, began=since, again_in=None)
        case ev.StepProgress(share=share):
            if known.state is StepState.WAITING:
                known = replace(known, state=StepState.RUNNING, began=now)
            return replace(known, share=share, again_in=None)
        case ev.StepDone():
            return _ended(known, StepState.DONE, known.reason, now)
        case ev.StepFailed(reason=reason, state=state):
            return _ended(known, StepState(state), reason, now)
        case ev.StepSkipped(reason=reason):
            return replace(known, state=StepState.SKIPPED, reason=reason)
        case ev.StepNotRun(reason=reason):
            return replace(known, state=StepState.NOT_RUN, reason=reason)
        case ev.Retrying(attempt=attempt, seconds=seconds, reason=reason):
            return replace(known, retries=attempt, again_in=seconds, reason=reason)
    return known


def _ended(known: Known, state: StepState, reason: str, now: float) -> Known:
    took = None if known.began is None else now - known.began
    return replace(known, state=state, reason=reason, share=None, again_in=None, seconds=took)


class RowMark(StrEnum):
    """The state of a row as far as its icon and colour show it."""

    PROPOSED = "proposed"
    EDITED = "edited"
    CHANGED = "changed"
    NEW = "new"
    CHECK = "check"
    ERROR = "error"
    REJECTED = "rejected"
    BLOCKED = "blocked"
    WAITING = "waiting"
    RUNNING = "running"
    RETRY = "retry"
    DONE = "done"
    FAILED = "failed"
    REVIEW = "review"
    READY = "ready"
    SKIPPED = "skipped"
    NOT_RUN = "not run"
    ROLLED_BACK = "rolled back"

    @property
    def bad(self) -> bool:
        """Whether something went wrong with this row."""
        return self in (RowMark.FAILED, RowMark.REVIEW)

    @property
    def waits_for_you(self) -> bool:
        """Whether a run needs the person for this row."""
        return self.bad or self is RowMark.READY


class Standing(Struct, frozen=True, gc=False):
    """A row's state as shown: `text` stands in its cell, `reason` explains it. `share` is the progress of a running
    row, 0 to 1, `seconds` how long a row took; None if not known."""

    mark: RowMark
    text: str
    reason: str = ""
    share: float | None = None
    seconds: float | None = None
    ends: float | None = None
    """When a running row is expected to end, in seconds of `time.monotonic()`; None if that is not known."""
    part: bool = False
    """Whether some items of a failed row are done."""


def proposed(
    *, rejected: str | None, needs: int | None, edited: bool, findings: Sequence[Finding], was: str = ""
) -> Standing:
    """The state of a row under review. `rejected` is the reason of a rejection (None: not rejected), `needs` the number
    of a rejected row that it needs, `edited` tells that its inputs were changed, `findings` are about this row.

    `was` says what differs in a row that was asked for again: "bpm 84 → 72"; "new" for a new row."""
    if rejected is not None:
        return Standing(RowMark.REJECTED, tr("Rejected"), rejected)
    if needs is not None:
        return Standing(
            RowMark.BLOCKED, tr("Needs step {number}", number=needs),
            tr("Step {number}, which it needs, is rejected.", number=needs),
        )
    for finding in findings:
        if finding.level == "error":
            return Standing(RowMark.ERROR, _short(finding), finding.message)
    known = next((one for one in findings if one.rule == Rule.KNOWN_LATER), None)
    doubts = [one for one in findings if one is not known]
    if doubts:
        more = f" (+{len(doubts) - 1})" if len(doubts) > 1 else ""
        return Standing(RowMark.CHECK, _short(doubts[0]) + more, doubts[0].message)
    if known is not None:
        # Nothing is wrong with it: nobody can look into the world without touching it.
        return Standing(RowMark.EDITED if edited else RowMark.PROPOSED, tr(_SHORT[Rule.KNOWN_LATER]), known.message)
    if edited:
        return Standing(RowMark.EDITED, tr("Edited by you"))
    if was:
        return Standing(RowMark.NEW, tr("New")) if was == "new" else Standing(RowMark.CHANGED, tr("Changed"), was)
    return Standing(RowMark.PROPOSED, tr("Proposed"))


def taken_away(progress: RowProgress, step: Step, words: str) -> Standing:
    """The state of a row of a run whose work is not in the song any more; `words` say how it was taken back
    ("Undone")."""
    if progress.state in (StepState.DONE, StepState.PARTIAL):
        return Standing(RowMark.ROLLED_BACK, words)
    return ran(progress, step, None)


def ran(
    progress: RowProgress, step: Step, waits: int | None, *, ready: bool = False, paused: bool = False
) -> Standing:
    """The state of a row of a run. `waits` is the number of an unfinished row that it needs, None if there is none;
    `ready` tells that its edits wait for approval, `paused` that the run is paused."""
    tries = progress.retries + 1
    match progress.state:
        case StepState.WAITING:
            said = tr("Queued") if waits is None else tr("Waits for step {number}", number=waits)
            return Standing(RowMark.WAITING, said)
        case StepState.RUNNING if paused:
            return Standing(RowMark.WAITING, tr("Paused") + _of_items(progress), progress.reason)
        case StepState.RUNNING:
            return _under_way(progress, step)
        case StepState.DONE:
            text = tr("Done, {ordinal} try", ordinal=ordinal(tries)) if tries > 1 else tr("Done")
            reason = progress.reason or calls_words(progress.calls)
            return Standing(RowMark.DONE, text + _of_items(progress), reason, None, progress.seconds)
        case StepState.PARTIAL:
            part = tr("Done in part")
            if progress.of:
                part = tr("{done} of {count} done", done=progress.items_done, count=progress.of)
            return Standing(RowMark.FAILED, part, progress.reason, None, progress.seconds, part=True)
        case StepState.FAILED:
            said = tr("Failed, tried {count}×", count=tries)
            return Standing(RowMark.FAILED, said, progress.reason, None, progress.seconds)
        case StepState.NEEDS_REVIEW if ready:
            return Standing(RowMark.READY, tr("Waits for you"), progress.reason)
        case StepState.NEEDS_REVIEW:
            return Standing(RowMark.REVIEW, tr("Needs you"), progress.reason)
        case StepState.SKIPPED:
            return Standing(RowMark.SKIPPED, tr("Skipped"), progress.reason)
    return Standing(RowMark.NOT_RUN, tr("Not run"), progress.reason)


def _under_way(progress: RowProgress, step: Step) -> Standing:
    if progress.again_in is not None:
        again = tr(
            "Retry {number} of {count} in {seconds} s", number=progress.retries,
            count=max(step.retry, progress.retries), seconds=number(progress.again_in, 0),
        )
        return Standing(RowMark.RETRY, again, progress.reason)
    failed = len(progress.items_failed)
    reason = trn("{count} item failed so far", "{count} items failed so far", failed) if failed else ""
    share, ends = progress.share, progress.ends
    if progress.items:
        return Standing(RowMark.RUNNING, tr("Running") + _of_items(progress), reason, share, ends=ends)
    if share is not None:
        return Standing(RowMark.RUNNING, tr("Running"), "", share, ends=ends)
    if progress.calls:
        calls = trn("Running, {count} call", "Running, {count} calls", len(progress.calls))
        return Standing(RowMark.RUNNING, calls, ends=ends)
    return Standing(RowMark.RUNNING, tr("Running"), ends=ends)


def _of_items(progress: RowProgress) -> str:
    """ " 9/20" of a loop's items."""
    return f" {progress.items_done}/{progress.of}" if progress.of else ""


_SHORT = {
    Rule.SECRET: lazy("Holds a secret"), Rule.UNKNOWN_TOOL: lazy("Unknown tool"), Rule.INPUTS: lazy("Wrong inputs"),
    Rule.ORDER: lazy("Wrong order"), Rule.REFERENCE: lazy("Wrong reference"), Rule.ALONE: lazy("Must stand alone"),
    Rule.LOCKED: lazy("Locked"), Rule.FENCE: lazy("Beyond the limit"), Rule.WOULD_FAIL: lazy("Would fail"),
    Rule.ITEMS: lazy("Items would fail"),
    Rule.NO_EFFECT: lazy("Changes nothing"), Rule.DUPLICATE: lazy("Same as another step"),
    Rule.SILENT_TRACK: lazy("Track stays empty"), Rule.EMPTY_CLIP: lazy("Empty clip"),
    Rule.OVERLAP: lazy("Overlap"), Rule.RANGE: lazy("Out of range"), Rule.PAST_SECTION: lazy("Past its section"),
    Rule.GOAL: lazy("No clear goal"), Rule.UNHEARD: lazy("Not heard yet"),
    Rule.KNOWN_LATER: lazy("Known when it runs"),
    Rule.REQUEST: lazy("Not what you asked"), Rule.MEASURE: lazy("Not what you asked"),
}
"""Marks in two or three words, because a cell has no room for more."""


def _short(finding: Finding) -> str:
    known = next((tr(words) for rule, words in _SHORT.items() if rule == finding.rule), "")
    return known or finding.message[:1].upper() + finding.message[1:]


def group_summary(marks: Sequence[RowMark], included: Sequence[bool], *, run: bool, away: str = "") -> str:
    """A group in a few words: "4 steps · 3 approved", "All 4 done", "1 failed, 3 to go". `marks` and `included` are the
    states of its rows and whether each is approved; `run` tells a run from a plan under review; `away` says how the
    work of its rows was taken back, empty if it was not."""
    if not run:
        steps = trn("{count} step", "{count} steps", len(marks))
        return tr("{steps} · {count} approved", steps=steps, count=sum(included))
    if away:
        return away
    bad, yours = marks.count(RowMark.FAILED), sum(mark in (RowMark.REVIEW, RowMark.READY) for mark in marks)
    done = sum(mark is RowMark.DONE for mark in marks)
    running = sum(mark in (RowMark.RUNNING, RowMark.RETRY) for mark in marks)
    waiting = sum(mark is RowMark.WAITING for mark in marks)
    rest = sum(mark in (RowMark.SKIPPED, RowMark.NOT_RUN) for mark in marks)
    if done and done == sum(included):
        return tr("All {count} done", count=done) if done > 1 else tr("Done")
    needs = trn("{count} needs you", "{count} need you", yours)
    parts = (
        (bad, tr("{count} failed", count=bad)), (yours, needs), (done, tr("{count} done", count=done)),
        (running, tr("{count} running", count=running)), (waiting, tr("{count} to go", count=waiting)),
        (rest, tr("{count} left out", count=rest)),
    )
    said = [words for count, words in parts if count]
    return ", ".join(said) or trn("{count} step", "{count} steps", len(marks))
