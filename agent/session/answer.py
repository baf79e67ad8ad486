"""What is said at the end: asked ↔ rows that served it ↔ measured before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from agent.plan.document import Plan
from agent.plan.ledger import Ledger, StepState
from agent.review.asked import held
from agent.review.fenced import outside_digest
from agent.session.ports import RowReport
from agent.session.run_report import RunReport
from agent.session.run_state import RunState
from agent.song.fence import Fence, describe_fence
from agent.song.locks import Lock, describe, digest
from agent.song.palette import Palette
from agent.song.song import Song

_MOST_ROWS = 6
"""Number of rows that are named beside what they serve."""


class AskResult(Struct, frozen=True):
    """One thing that was asked for, the ids of the rows that served it, and its value before and after the run in the
    unit of `measure`. `met` is also True for what was done and cannot be measured: `after` is None then."""

    asked: str
    steps: tuple[str, ...]
    before: float | str | None
    after: float | str | None
    met: bool
    """Whether it was fulfilled; also True for what was done and cannot be measured: `after` is None then."""
    measure: str = ""

    @property
    def mark(self) -> Literal["✓", "•", "✗"]:
        """"✓" for measured and met, "•" for done without a measure, "✗" for not met."""
        return "✗" if not self.met else "•" if self.after is None else "✓"


class LockProof(Struct, frozen=True):
    """Digests of a locked part of the song before and after the run; `target` describes the part, `equal` says whether
    they are the same."""

    target: str
    before: str
    after: str
    equal: bool


class RunAnswer(Struct, frozen=True):
    """The account of a run for the person: text, measured wishes and proofs of locks. `report` is what a run that
    changes no song has found out, `fence` the proof that nothing outside of the plan's fence changed; both None for
    none."""

    text: str
    measured: tuple[AskResult, ...] = ()
    locks: tuple[LockProof, ...] = ()
    report: RunReport | None = None
    """What a run that changes no song has found out; None for any other."""
    fence: LockProof | None = None
    """Proof for everything outside of the plan's fence; `target` names what is inside. None without a fence."""


def answer(
    plan: Plan, state: RunState, ledger: Ledger, reports: Sequence[RowReport], before: Song, after: Song,
    palette: Palette,
) -> RunAnswer:
    """The account of a run that has ended, from the songs before and after it."""
    measured = tuple(_measured(plan, before, after, palette, reports))
    locks = tuple(_proof(lock, before, after) for lock in plan.locks)
    fence = None if plan.fence is None else _fence_proof(plan.fence, before, after)
    lines = [_headline(state, ledger)]
    lines += [f"{report.step}: {report.state.value.replace('_', ' ')}: {report.reason}" for report in reports
              if report.state is not StepState.DONE]
    lines += [_sentence(one) for one in measured]
    lines += [f"{one.target} is locked and {'unchanged' if one.equal else 'CHANGED'}" for one in locks]
    if fence is not None:
        lines.append(f"only {fence.target} could change: all else is {'unchanged' if fence.equal else 'CHANGED'}")
    return RunAnswer("\n".join(lines), measured, locks, fence=fence)


def _measured(
    plan: Plan, before: Song, after: Song, palette: Palette, reports: Sequence[RowReport]
) -> list[AskResult]:
    done = {report.step for report in reports if report.state is StepState.DONE}
    found = []
    for ask in plan.asks:
        figures = held(ask, before, after, palette)
        served = tuple(step for step in ask.steps if step in done)
        kept = figures.met and (bool(served) or not ask.steps)
        found.append(AskResult(
            ask.asked, served, _rounded(figures.before), _rounded(figures.after), kept, ask.measure
        ))
    return found


def _proof(lock: Lock, before: Song, after: Song) -> LockProof:
    was, now = digest(lock, before), digest(lock, after)
    return LockProof(describe(lock, before), was, now, was == now)


def _fence_proof(fence: Fence, before: Song, after: Song) -> LockProof:
    was, now = outside_digest(fence, before, before), outside_digest(fence, before, after)
    return LockProof(describe_fence(fence, before), was, now, was == now)


def _headline(state: RunState, ledger: Ledger) -> str:
    if state is RunState.COMPLETED:
        skipped = f", {ledger.skipped} skipped" if ledger.skipped else ""
        return f"All {ledger.approved} approved rows are accounted for: {ledger.done} done{skipped}."
    rest = {"failed": ledger.failed, "skipped": ledger.skipped, "not run": ledger.not_run,
            "to be reviewed": ledger.needs_review}
    others = ", ".join(f"{count} {name}" for name, count in rest.items() if count)
    return f"The run ended {state.value}: of {ledger.approved} approved rows {ledger.done} are done, {others}."


def _sentence(one: AskResult) -> str:
    first, more = ", ".join(one.steps[:_MOST_ROWS]), len(one.steps) > _MOST_ROWS
    rows = f"rows {first}{f' …, {len(one.steps)} in all' if more else ''}" if one.steps else "no row"
    name = one.measure.replace("_", " ").replace(":", " of ")
    figures = f"{name} {_shown(one.before)} → {_shown(one.after)}" if one.after is not None else "not measured"
    return f"{one.mark} {one.asked}: {figures} ({rows})"


def _shown(value: float | str | None) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _rounded(value: float | str | None) -> float | str | None:
    return round(value, 3) if isinstance(value, float) else value
