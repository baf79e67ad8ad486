"""A request's life, as one sentence: propose, approve, run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from agent.errors import BandleaderError, Blame
from agent.fixes import FixKind
from agent.message import msg
from agent.plan.bounds import refuse_unbounded_rows
from agent.plan.decision import Approval
from agent.plan.document import Estimate, Finding, FirstApproved, Plan
from agent.plan.errors import PlanError
from agent.plan.in_thread import in_thread
from agent.plan.ledger import Ledger, balance
from agent.plan.pins import pins_of, unpinned
from agent.plan.plan import Draft, Inputs
from agent.plan.plan_hash import approved_hash, hash_before
from agent.plan.planning import Brief, ClarifyingQuestion, DraftReady, Planner, PlannerEvent, Spent
from agent.plan.request import refuse_secret
from agent.plan.watch import UNWATCHED, Watch
from agent.providers.provider import Usage
from agent.review.check import check
from agent.review.review import Review, review
from agent.review.rule import Rule
from agent.services.binding import MAX_ITEMS
from agent.services.registry import Registry
from agent.session.answer import RunAnswer, answer
from agent.session.cancellation import Cancellation
from agent.session.events import Executing, RunStarted
from agent.session.executor import Executor
from agent.session.planner_worker import PlannerWorker
from agent.session.ports import Journal, Report, RowReport, SongDoor
from agent.session.run_report import RunReport, run_report
from agent.session.run_state import RunState, end_of
from agent.session.spending import Spending
from agent.session.worker import Worker
from agent.song.fence import locks_outside
from agent.song.palette import Palette
from agent.song.song import Song

IN_ADVANCE: Final = ("song", "library", "sound", "versions")
"""What they do can be taken back, or only adds a file: `--yes` may stand for an approval."""


Listener: TypeAlias = Callable[[PlannerEvent], None]


class NotApproved(BandleaderError):
    """The plan may not run: it has no approval, or the approval is for another plan or song."""

    blame = Blame.APPROVAL


class Ended(Struct, frozen=True):
    """How a run ended; every approved row is in `reports`. `usage` and `cost` (US dollars, None if unknown) are what it
    used of models."""

    state: RunState
    ledger: Ledger
    reports: tuple[RowReport, ...]
    answer: RunAnswer
    usage: Usage = Usage()
    """What rows with a goal used of a model, in this part of the run."""
    cost: float | None = 0.0
    """The cost of `usage` in US dollars; None if the price is unknown."""


class Session:
    """Proposes, checks, approves and runs plans."""

    def __init__(self, planner: Planner, registry: Registry, palette: Palette) -> None:
        self._planner = planner
        self._registry = registry
        self._palette = palette

    async def propose(
        self, brief: Brief, project: str, song_revision: str, listen: Listener = lambda _: None,
        planner: Planner | None = None, checked: Callable[[float], None] = lambda _: None,
    ) -> Review | ClarifyingQuestion:
        """Plan a request with `planner`, or if None the session's own; returns the checked plan, or for an unclear
        request a question. Nothing is changed.

        `project` and `song_revision` (of the brief's song) are those that the plan is bound to. `listen` gets the
        planner's events, `checked` the share (0 to 1) of a long plan that has been checked. Raises `PlanError` if there
        is nothing to plan, and the planner's errors.
        """
        planner = planner or self._planner
        used = Estimate()
        # Whoever knows locks alone plans within the fence all the same.
        told = replace(brief, locks=tuple(dict.fromkeys((*brief.locks, *locks_outside(brief.fence, brief.song)))))
        # A planner that is stopped lets go of its model at once, not when the garbage is collected.
        async with aclosing(planner.plan(told)) as events:
            async for event in events:
                listen(event)
                match event:
                    case ClarifyingQuestion():
                        return event
                    case Spent():
                        used = Estimate(event.tokens, event.cost)
                    case DraftReady(draft=draft):
                        plan = _plan_of(draft, brief, project, song_revision, planner.name, used)
                        # Pure, and seconds of work on a large song: not on the event loop.
                        return await in_thread(partial(self.judge, plan, brief.song), checked)
        raise PlanError(
            msg("the planner ended without a plan"), why=msg("{planner} gave no rows", planner=planner.name),
        )

    def judge(self, plan: Plan, song: Song, watch: Watch = UNWATCHED) -> Review:
        """The plan checked, hashed, previewed and linted against the song. Its `estimate` is what its rows may use of a
        model, without a price. Raises as `review`, and `PlanError` for a plan without rows."""
        if not plan.steps:
            raise PlanError(msg("the plan has no rows"), why=msg("there is nothing to do"))
        judged = review(plan, song, self._registry, self._palette, watch)
        return replace(judged, plan=replace(judged.plan, estimate=self._estimate(judged.plan, song)))

    def _estimate(self, plan: Plan, song: Song) -> Estimate:
        if all(step.by == "exact" for step in plan.steps):
            return Estimate()
        # Loaded here: whoever plans offline need not wait for what a model needs.
        from agent.session.goal_estimate import most_used

        return Estimate(most_used(plan, song, self._registry, self._palette).total, None)

    def approve(self, judged: Review, given_hash: str, song_revision: str) -> Approval:
        """A person's approval, bound to the hash that was shown and to the current song. Raises `PlanError` for a plan
        with errors and `NotApproved` for any other hash or song."""
        refuse_errors(judged)
        plan = judged.plan
        if given_hash != plan.hash and given_hash == hash_before(plan, self._registry.tools):
            raise NotApproved(
                msg("this approval was given to an earlier version of Bandleader"),
                why=msg("an approval is bound to what the plan is measured by as well now"),
                fix=msg("look at the plan again, then approve {hash}", hash=plan.hash),
            )
        if given_hash != plan.hash:
            raise NotApproved(
                msg("this approval is for another plan"),
                why=msg(
                    "the plan's hash is {hash}…, the approved one {given_hash}",
                    hash=plan.hash[:16], given_hash=_in_brief(given_hash, plan.hash),
                ),
                fix=msg("look at the plan again and approve its hash"),
            )
        if plan.song_revision != song_revision:
            raise NotApproved(
                msg("the song has changed since this plan was made"),
                why=msg(
                    "it was made for revision {song_revision}…, the song is at {song_revision_2}…",
                    song_revision=plan.song_revision[:16], song_revision_2=song_revision[:16],
                ),
                fix=msg("plan the request again"),
            )
        return Approval(plan.hash, song_revision, "person", _now())

    def approve_in_advance(self, judged: Review) -> Approval:
        """The approval that `--yes` stands for. Raises `PlanError` for a plan with errors, and `NotApproved` for rows
        of other services than song, library, sound and versions."""
        refuse_errors(judged)
        for step in judged.plan.steps:
            owner = self._registry.tools[step.tool].service
            if step.by == "model" or owner not in IN_ADVANCE:
                raise NotApproved(
                    msg("row {step} ({tool}) cannot be approved in advance", step=step.id, tool=step.tool),
                    why=(
                        msg("it is left to a model") if step.by == "model"
                        else msg("it belongs to the service {owner}", owner=owner)
                    ),
                    fix=FixKind.APPROVE_PLAN(judged.plan.hash),
                )
        return Approval(judged.plan.hash, judged.plan.song_revision, "in advance by --yes", _now())

    def amended(self, plan: Plan, step: str, inputs: Inputs | None = None, most: int | None = None) -> Plan:
        """The plan with other inputs for the row `step`, or another maximum `most` of items or edits; the row is bound
        to its tool as it is now. Raises `PlanError` for inputs that the tool does not accept, and for a maximum where
        the row has none."""
        before = plan.step(step)
        if most is not None and before.max_edits is None:
            raise PlanError(
                msg("row {step} has no number to change", step=step), why=msg("it was approved without `max_edits`"),
            )
        if most is not None and not 1 <= most <= MAX_ITEMS:
            raise PlanError(
                msg("{most} is no number for row {step}", most=most, step=step),
                why=msg("it takes 1 to {max_items}", max_items=MAX_ITEMS),
            )
        row = replace(before, inputs=before.inputs if inputs is None else inputs, max_edits=most or before.max_edits)
        refuse_unbounded_rows((row,))
        refuse_secret(str(row.inputs))
        steps = tuple([row if one.id == step else one for one in plan.steps])
        for finding in check(steps, self._registry.tools):
            if finding.step == step:
                raise PlanError(finding.message, why=_rule(finding), fix=finding.fix)
        first = FirstApproved(before.inputs, plan.pins.get(step, ""), before.max_edits)
        pins = {**plan.pins, **pins_of((row,), self._registry.tools)} if plan.pins else {}
        return replace(plan, steps=steps, pins=pins, amended={step: first, **plan.amended})

    def report(self, plan: Plan, rows: Sequence[RowReport], items: Sequence[RowReport]) -> RunReport | None:
        """The report of a run that changes no song, from the results of its rows and items; None if there is none."""
        return run_report(plan, rows, items, self._registry.tools)

    async def run(
        self, run: str, plan: Plan, before: Song, journal: Journal, door: SongDoor, cancellation: Cancellation,
        past: Sequence[RowReport] = (), worker: Worker | None = None,
    ) -> Ended:
        """Run exactly the rows of an approved plan and account for them. `past` are reports of an earlier part of this
        run; rows that are done stay done. `before` is the song that was approved. `worker` works on rows with a goal;
        with None the session's own planner does."""
        resumed = bool(past)
        await journal.note(Report((), (RunStarted(plan.song_revision, resumed), Executing(len(plan.steps)))))
        known = {(report.step, report.item): report for report in past}
        spending = Spending()
        worker = worker or PlannerWorker(self._planner, self._palette, plan.seed)
        executor = Executor(
            run, plan, plan.hash, self._registry, journal, door, cancellation, known, worker, spending,
            await self._refused(plan) if resumed else None, before,
        )
        reports = await executor.execute()
        ledger = balance(report.state for report in reports)
        if not all(report.state.ended for report in reports):
            said = _resting_answer(ledger, sum(not report.state.ended for report in reports))
            return Ended(RunState.WAITING_USER, ledger, reports, said, spending.usage, spending.cost)
        state = end_of(ledger, cancelled=cancellation.requested())
        said = await asyncio.to_thread(answer, plan, state, ledger, reports, before, door.song, self._palette)
        return Ended(state, ledger, reports, said, spending.usage, spending.cost)

    async def _refused(self, plan: Plan) -> dict[str, str]:
        """Why rows of a run that is taken up again may not run, by row: none may if the plan is not the approved one.

        Rows whose tool is another one are found out by their pins alone: the hash cannot be theirs any more.
        """
        tools = self._registry.tools
        found = unpinned(plan.steps, plan.pins, tools)
        moved = any(first.pin != plan.pins.get(step) for step, first in plan.amended.items())
        if found or moved or not plan.pins or not plan.hash:
            return found
        try:
            same = await asyncio.to_thread(approved_hash, plan, tools) == plan.hash
        except PlanError:
            same = False
        return {} if same else {step.id: "the plan is not the one that was approved" for step in plan.steps}


def _plan_of(
    draft: Draft, brief: Brief, project: str, song_revision: str, planner: str, used: Estimate
) -> Plan:
    locks = tuple(dict.fromkeys((*brief.locks, *draft.locks)))
    fence = brief.fence
    if fence is not None and draft.new_tracks:
        fence = replace(fence, allows_new_tracks=True)
    return Plan(
        draft.steps, project, song_revision, brief.seed, locks, brief.request, planner, draft.analysis,
        draft.musical_reasoning, draft.understood, draft.ignored, draft.clauses, draft.normalised, draft.asks,
        fence=fence, used=used,
    )


def refuse_errors(judged: Review) -> None:
    """Raise `PlanError` for the first error of a checked plan; an error caused by the machine is raised unchanged."""
    for finding in judged.errors:
        row = judged.preview.row(finding.step) if judged.preview and finding.rule == Rule.WOULD_FAIL else None
        if row is not None and row.problem is not None and row.problem.blame is Blame.MACHINE:
            raise row.problem
        others = len({other.step for other in judged.errors} - {finding.step})
        more = f"; {others} more {'row has' if others == 1 else 'rows have'} errors" if others else ""
        raise PlanError(finding.message, why=_rule(finding) + more, fix=finding.fix)


def _rule(finding: Finding) -> str:
    return f"row {finding.step}: {finding.rule}" if finding.step else f"rule: {finding.rule}"


def _resting_answer(ledger: Ledger, left: int) -> RunAnswer:
    rows = f"of {ledger.approved} approved rows {ledger.approved - left} have ended, {left} wait"
    return RunAnswer(f"The run rests and keeps the song: {rows}. Resume it, cancel it or roll it back.")


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _in_brief(given: str, wanted: str) -> str:
    """A hash that is not the wanted one, so that one sees how it differs."""
    same = given[:16] == wanted[:16]
    return f"begins like it and has {len(given)} of {len(wanted)} signs" if same else f"{given[:16]}…"
