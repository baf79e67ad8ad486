"""What is wrong with a draft: form, marks of the ghost, and the musical gate, in words for the model."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from agent.model_planner.telling.data_block import inert
from agent.plan.document import Finding, Plan
from agent.plan.errors import PlanError
from agent.plan.plan import Draft
from agent.plan.planning import Brief
from agent.plan.watch import UNWATCHED, Watch
from agent.review.review import review
from agent.review.rule import Rule
from agent.services.registry import Registry
from agent.song.song import Song
from agent.theory.gate import findings as flaws_of

_MOST = 40


class Judgement(Struct, frozen=True):
    """The findings of a draft, errors first, and the rows that they name."""

    errors: int = 0
    warnings: int = 0
    lines: tuple[str, ...] = ()
    rows: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        """All findings."""
        return self.errors + self.warnings

    def better_than(self, other: Judgement) -> bool:
        """Whether there are fewer errors, or as many and fewer warnings."""
        return (self.errors, self.warnings) < (other.errors, other.warnings)


def judge(
    draft: Draft, brief: Brief, registry: Registry, concerned: Collection[str] | None = None,
    watch: Watch = UNWATCHED,
) -> Judgement:
    """The draft judged on the brief's song; pure, and slow on a large song. Raises `Stopped` when `watch` says so.

    With `concerned`, only what is found on these rows counts.
    """
    locks = tuple(dict.fromkeys((*brief.locks, *draft.locks)))
    plan = Plan(draft.steps, seed=brief.seed, locks=locks, fence=brief.fence, request=brief.request, asks=draft.asks)
    try:
        judged = review(plan, brief.song, registry, brief.palette, watch)
    except PlanError as problem:
        return Judgement(1, 0, (inert(f"{problem}"),))
    goals = {step.id for step in draft.steps if step.by == "model"}
    found = [
        one for one in judged.plan.lint
        # Nobody can tell before the run whether a row that is left to a model will meet a wish.
        if (concerned is None or one.step in concerned) and not (one.rule == Rule.REQUEST and one.step in goals)
    ]
    errors = [one for one in found if one.level == "error"]
    warnings = [one for one in found if one.level == "warning"]
    flaws = [] if judged.preview is None or concerned is not None else _new_flaws(brief, judged.preview.song)
    lines = [*(_line(one) for one in (*errors, *warnings)), *flaws]
    if len(lines) > _MOST:
        lines = [*lines[:_MOST], f"and {len(lines) - _MOST} more of the kind"]
    rows = frozenset(one.step for one in found if one.step)
    return Judgement(len(errors), len(warnings) + len(flaws), tuple(lines), rows)


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
