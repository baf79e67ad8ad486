"""The whole judgement of a plan: normalised, checked, hashed, previewed and linted."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.document import Finding, Plan, plan_hash
from agent.plan.normalise import normalise
from agent.plan.pins import pins_of
from agent.review.check import check
from agent.review.lint import lint
from agent.review.preview import Preview, preview
from agent.services.registry import Registry
from agent.song.palette import Palette
from agent.song.song import Song


class Review(Struct, frozen=True):
    """A plan ready to be decided on. A plan with errors of form has no hash and no preview."""

    plan: Plan
    preview: Preview | None

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What forbids an approval."""
        return tuple(finding for finding in self.plan.lint if finding.level == "error")


def review(plan: Plan, song: Song, registry: Registry, palette: Palette) -> Review:
    """Judge a plan on the song that it names; pure, and the same every time."""
    normal = normalise(plan.steps, registry.tools)
    notes = (*plan.normalised, *(note for note in normal.notes if note not in plan.normalised))
    plan = replace(plan, steps=normal.steps, normalised=notes, hash="", lint=(), pins={}, amended={})
    errors = check(plan.steps, registry.tools)
    if errors:
        return Review(replace(plan, lint=errors), None)
    bound = plan_hash(plan, registry.tools)
    plan = replace(plan, pins=pins_of(plan.steps, registry.tools))
    ghost = preview(plan, bound, song, registry)
    return Review(replace(plan, hash=bound, lint=lint(plan, ghost, song, palette)), ghost)
