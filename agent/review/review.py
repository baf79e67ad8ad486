"""The whole judgement of a plan: within its bounds, normalised, checked, hashed, previewed and linted."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.bounds import refuse_unbounded, some_of
from agent.plan.document import VERSION, Finding, Plan
from agent.plan.normalise import normalise
from agent.plan.pins import pins_of
from agent.plan.plan_hash import plan_hash
from agent.plan.request import refuse_secret
from agent.plan.row_inputs import RowInputs
from agent.plan.watch import UNWATCHED, Watch
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
        """The marks that forbid an approval; empty if the plan can be approved."""
        return tuple(finding for finding in self.plan.lint if finding.level == "error")


def review(plan: Plan, song: Song, registry: Registry, palette: Palette, watch: Watch = UNWATCHED) -> Review:
    """Judge a plan on the song that it names; pure, and the same every time.

    Raises `PlanError` for a plan beyond its bounds, for one whose words hold a secret, and `Stopped`
    when `watch` says so.
    """
    refuse_unbounded(plan)
    refuse_secret_words(plan)
    watch.look()
    normal = normalise(plan.steps, registry.tools, watch.part(0.05, 0.1))
    notes = tuple(dict.fromkeys((*plan.normalised, *normal.notes)))
    plan = replace(
        plan, steps=normal.steps, normalised=tuple(some_of(notes)), hash="", lint=(), pins={}, amended={},
        version=VERSION,
    )
    inputs = RowInputs()
    errors = check(plan.steps, registry.tools, watch.part(0.1, 0.35), inputs)
    if errors:
        return Review(replace(plan, lint=errors), None)
    bound = plan_hash(plan, registry.tools, watch.part(0.35, 0.5), inputs)
    plan = replace(plan, pins=pins_of(plan.steps, registry.tools))
    ghost = preview(plan, bound, song, registry, watch.part(0.5, 0.95))
    marks = lint(plan, ghost, song, palette, Watch(watch.cancelled))
    return Review(replace(plan, hash=bound, lint=marks), ghost)


def refuse_secret_words(plan: Plan) -> None:
    """Raise `PlanError` for a plan whose words hold a secret."""
    refuse_secret("\n".join(_words_of(plan)))


def _words_of(plan: Plan) -> Iterator[str]:
    yield from (plan.request, plan.analysis, plan.musical_reasoning, plan.provider, plan.planning)
    yield from (*plan.understood, *plan.ignored, *plan.normalised)
    for ask in plan.asks:
        yield from (ask.asked, ask.measure, str(ask.value))
