"""What is wrong with a draft: form, marks of the ghost, and the musical gate, in words for the model."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from agent.errors import Blame
from agent.model_planner.prompt.data_block import inert
from agent.plan.document import Finding, Plan
from agent.plan.errors import PlanError
from agent.plan.plan import Draft
from agent.plan.planning import Brief
from agent.plan.watch import UNWATCHED, Watch
from agent.review.deletions import deletions
from agent.review.review import Review, review
from agent.review.rule import Rule
from agent.services.registry import Registry
from agent.song.song import Song
from agent.theory.gate import findings as flaws_of

_MOST = 40
_BEYOND = frozenset({Rule.UNHEARD, Rule.KNOWN_LATER, Rule.THINS})
"""Marks that are for a person alone: what is known only when the plan runs, and that a part gets fewer notes."""
_OF_BRIEF = frozenset({Rule.LOCK, Rule.FENCE})
"""Marks that, without a row, are about what the person gave, which no plan can mend."""


class PlanIssue(Struct, frozen=True):
    """A fault of a plan in words for the model (`line`), with the id of its row ("" for none); with `error` the plan
    cannot be used."""

    line: str
    step: str = ""
    error: bool = False


class Judgement(Struct, frozen=True):
    """The faults of a draft that another draft may mend, errors first."""

    marks: tuple[PlanIssue, ...] = ()

    @property
    def errors(self) -> int:
        """The number of faults that forbid the plan."""
        return sum(mark.error for mark in self.marks)

    @property
    def warnings(self) -> int:
        """The number of faults that do not forbid the plan."""
        return len(self.marks) - self.errors

    @property
    def rows(self) -> frozenset[str]:
        """Ids of the rows that have faults."""
        return frozenset(mark.step for mark in self.marks if mark.step)

    def better_than(self, other: Judgement) -> bool:
        """Whether there are fewer errors, or equally many and fewer warnings."""
        return (self.errors, self.warnings) < (other.errors, other.warnings)


def judge(
    draft: Draft, brief: Brief, registry: Registry, concerned: Collection[str] | None = None,
    watch: Watch = UNWATCHED,
) -> Judgement:
    """Check the draft on the brief's song; pure, and slow for a large song. Raises `Stopped` when `watch` says so.

    With `concerned` only faults of these rows count.
    """
    locks = tuple(dict.fromkeys((*brief.locks, *draft.locks)))
    plan = Plan(draft.steps, seed=brief.seed, locks=locks, fence=brief.fence, request=brief.request, asks=draft.asks)
    try:
        judged = review(plan, brief.song, registry, brief.palette, watch)
    except PlanError as problem:
        return Judgement((PlanIssue(inert(f"{problem}"), error=True),))
    goals = {step.id for step in draft.steps if step.by == "model"}
    silencing = _unasked(judged, brief)
    found = [
        one for one in judged.plan.lint
        if one.rule not in _BEYOND and (one.step or one.rule not in _OF_BRIEF)
        and (one.rule != Rule.REMOVES or one.step in silencing) and not _of_machine(judged, one)
        # Nobody can tell before the run whether a row that is left to a model will meet a wish.
        and (concerned is None or one.step in concerned) and not (one.rule == Rule.REQUEST and one.step in goals)
    ]
    marks = [PlanIssue(_line(one), one.step, one.level == "error") for one in found]
    flaws = [] if judged.preview is None or concerned is not None else _new_flaws(brief, judged.preview.song)
    return Judgement((*sorted(marks, key=lambda mark: not mark.error), *map(PlanIssue, flaws)))


def listed(marks: Sequence[PlanIssue]) -> str:
    """The faults for the model, a line each; of many only the first, and the number of the others."""
    lines = [mark.line for mark in marks[:_MOST]]
    return "\n".join([*lines, f"and {len(marks) - _MOST} more of the kind"] if len(marks) > _MOST else lines)


def _unasked(judged: Review, brief: Brief) -> frozenset[str]:
    """The rows that take music away which the request does not ask to go."""
    if judged.preview is None:
        return frozenset()
    lost = deletions(judged.preview, brief.song, brief.palette)
    return frozenset(step for step, track, bars in lost if not brief.removable.allows(track, bars))


def _of_machine(judged: Review, finding: Finding) -> bool:
    """Whether it is this machine that lets the row fail, which no other row would mend."""
    if finding.rule != Rule.WOULD_FAIL or judged.preview is None:
        return False
    problem = judged.preview.row(finding.step).problem
    return problem is not None and problem.blame is Blame.MACHINE


def _line(finding: Finding) -> str:
    fix = f" ({finding.fix})" if finding.fix else ""
    row = f"row {finding.step}: " if finding.step else ""
    return inert(f"- {finding.level}: {row}{finding.message}{fix}".replace("\n", " "))


def _new_flaws(brief: Brief, after: Song) -> list[str]:
    """Flaws of the gate that the plan brings; those that lint marks on a row are told there.

    Where there was music before, a track may well end before the others: only a new piece must end together.
    """
    told = ("empty track", "empty clip", "overlap", "range", *(("ending",) if brief.song.note_count else ()))
    before = set(flaws_of(brief.song, brief.palette))
    new = [flaw for flaw in flaws_of(after, brief.palette) if flaw not in before and flaw.rule not in told]
    return [inert(f"- music: {flaw.message}") for flaw in new]
