"""The ghost: what a plan would make of a song, without touching anything."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.order import needed
from agent.plan.plan import Json, Step, Threshold
from agent.plan.watch import UNWATCHED, Stopped, Watch
from agent.review.fenced import Closed
from agent.review.goals import goal_problem
from agent.services.binding import Bound, bind, gathered
from agent.services.registry import Registry
from agent.services.service import Call, Origin, Outcome, ServiceError, Unforeseen, foreseen
from agent.song.apply import apply_all
from agent.song.changes import Changes, compare
from agent.song.edits import Edit
from agent.song.locks import broken, describe
from agent.song.song import Song

MAX_CALLS = 5_000
"""Calls of all rows together; each one on a song that grows with them, so more would take minutes."""


class RowPreview(Struct, frozen=True):
    """One row on a copy of the song: its edits, the song before and after it, and what would go wrong (`problem`).

    `failing` are errors of single items of a fan-out, `skipped` says why its condition leaves the row out. `locked` and
    `fenced` say that the problem is a lock or the plan's fence; `unseen` that nothing can be told before the run.
    """

    step: str
    before: Song
    after: Song
    edits: tuple[Edit, ...] = ()
    result: Json = None
    failing: tuple[BandleaderError, ...] = ()
    """Why single items of a loop would fail, where the row goes on without them."""
    skipped: str = ""
    problem: BandleaderError | None = None
    locked: bool = False
    fenced: bool = False
    """Whether the problem is that the row touches what lies outside of the plan's fence."""
    unseen: bool = False
    """True where a model or the world decides later, and for rows that need such a row: nothing can be told yet."""


class Preview(Struct, frozen=True):
    """The song after all rows that can be foreseen, what has changed, and each row's part in it."""

    song: Song
    changes: Changes
    rows: tuple[RowPreview, ...]

    def row(self, step_id: str) -> RowPreview:
        """The preview of the row with that id, which must be in the plan."""
        return next(row for row in self.rows if row.step == step_id)


def preview(
    plan: Plan, plan_hash: str, song: Song, registry: Registry, watch: Watch = UNWATCHED
) -> Preview:
    """The plan's result on the song; a row that would fail carries its problem and changes nothing.

    Made objects get the ids that the run will give them, as long as `plan_hash` is the one that runs.
    """
    ghost = song
    results: dict[str, Json] = {}
    rows = []
    unseen: set[str] = set()
    budget = _Budget()
    closed = Closed(plan.locks, plan.fence, song)
    for step in watch.each(plan.steps):
        waits = bool(unseen and needed(step) & unseen)
        if step.by == "model" or waits:
            known = not waits
            unseen.add(step.id)
            problem = goal_problem(step, ghost, results) if known else None
            row = RowPreview(step.id, ghost, ghost, problem=problem, unseen=True)
        else:
            row = _row(step, plan, plan_hash, ghost, results, registry, budget, closed, watch)
            if row.unseen:
                unseen.add(step.id)
        if row.problem is None and not row.skipped and not row.unseen:
            results[step.id] = row.result
        ghost = row.after
        rows.append(row)
    return Preview(ghost, compare(song, ghost), tuple(rows))


class _Budget:
    """How many calls the rows of a plan may still make."""

    def __init__(self) -> None:
        self._left = MAX_CALLS

    def spend(self, step: Step, calls: int) -> None:
        """Take calls away, also if they fail later; raises `PlanError` once there are not enough."""
        if calls > self._left:
            raise PlanError(
                msg(
                    "row {step} is one too many: the plan would make more than {max_calls:,} calls",
                    step=step.id, max_calls=MAX_CALLS,
                ),
                fix=msg("make it two plans"),
            )
        self._left -= calls


def _row(
    step: Step, plan: Plan, plan_hash: str, ghost: Song, results: Mapping[str, Json], registry: Registry,
    budget: _Budget, closed: Closed, watch: Watch,
) -> RowPreview:
    try:
        bound = bind(step, results)
        if bound.skipped:
            return RowPreview(step.id, ghost, ghost, skipped=bound.skipped)
        budget.spend(step, len(bound.calls))
        after = ghost
        edits: list[Edit] = []
        values: list[Json] = []
        failing: list[BandleaderError] = []
        for item, inputs in enumerate(bound.calls):
            origin = Origin(plan_hash, step.id, item if bound.fan_out else -1)
            watch.look()
            call = Call(step.tool, inputs, after, origin, plan.project, watch.cancelled)
            try:
                outcome = foreseen(registry.owner(step.tool), call)
                after = _applied(step, after, outcome)
            except (Unforeseen, Stopped):
                raise
            except BandleaderError as problem:
                failing.append(problem)
                if _too_many(failing, bound, step, registry):
                    raise
                continue
            edits += outcome.edits
            values.append(outcome.result)
    except Unforeseen:
        return RowPreview(step.id, ghost, ghost, unseen=True)
    except Stopped:
        raise
    except BandleaderError as problem:
        return RowPreview(step.id, ghost, ghost, problem=problem)
    lock = broken(plan.locks, ghost, after)
    if lock is not None:
        refusal = BandleaderError(
            msg("row {step} would change {lock}, which is locked", step=step.id, lock=describe(lock, ghost)),
        )
        return RowPreview(step.id, ghost, ghost, problem=refusal, locked=True)
    outside = "" if after is ghost else closed.breach(after)
    if outside:
        fix = msg("reject the row, or ask again without that limit")
        refusal = BandleaderError(msg("row {step} would change {outside}", step=step.id, outside=outside), fix=fix)
        return RowPreview(step.id, ghost, ghost, problem=refusal, fenced=True)
    return RowPreview(step.id, ghost, after, tuple(edits), gathered(bound, values), failing=tuple(failing))


def _too_many(failing: list[BandleaderError], bound: Bound, step: Step, registry: Registry) -> bool:
    """Whether the row as a whole would fail with its items, by what it says of errors."""
    rule = step.on_error or registry.tools[step.tool].default_on_error
    allowed = rule.failures if isinstance(rule, Threshold) else len(bound.calls) - 1 if rule == "continue" else 0
    return not bound.fan_out or len(failing) > allowed


def _applied(step: Step, song: Song, outcome: Outcome) -> Song:
    """The song after the outcome; edits that are none are a fault of the service that gave them."""
    try:
        return apply_all(song, outcome.edits)
    except (TypeError, AttributeError, ValueError, LookupError) as fault:
        why = f"{type(fault).__name__}: {fault}"[:400]
        raise ServiceError(msg("the edits of {tool} cannot be applied", tool=step.tool), why=why) from fault
