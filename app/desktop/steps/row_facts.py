"""What a row of the plan is, whatever is decided on it: its sentence, target, drawing, and the rows that it needs."""

from __future__ import annotations

from msgspec import Struct

from agent.plan.order import needed
from agent.plan.plan import Step
from agent.plan.tool import ToolSpec
from agent.review.preview import RowPreview
from agent.services.binding import MAX_ITEMS
from agent.services.goal_service import WORK_ON
from agent.services.registry import Registry
from agent.session.session import IN_ADVANCE
from agent.song.palette import Palette
from agent.song.song import Song
from app.desktop.steps.goals import left_to_model, limits_words
from app.desktop.steps.row_previews import Drawing, Target, drawing_of, start_of, target_of
from app.desktop.steps.sentences import step_sentence
from app.words import tr, trn


class RowFacts(Struct, frozen=True, gc=False):
    """What a row is, whatever is decided on it. `number` counts from 1 in the order of the plan."""

    step: Step
    number: int
    sentence: str
    group: str
    effect: str
    """What its edits do exactly; empty where that cannot be foreseen or the sentence says it."""
    service: str
    target: Target
    drawing: Drawing | None = None
    start: int | None = None
    """Tick at which its clip begins in the planned song."""
    sources: tuple[str, ...] = ()
    """Ids of the rows that it names, in the order of the plan."""
    needs: tuple[int, ...] = ()
    """Their numbers."""
    outside: str = ""
    """The service through which it leaves the song, reading or changing what lies outside; empty for one that does
    not."""
    most: str = ""
    """Of a loop whose items are known only when it runs: "at most 200 items"."""
    limits: str = ""
    """Of a row that is left to a model: what it may do."""

    @property
    def depends_on(self) -> str:
        """The rows that it needs, in words."""
        if not self.needs:
            return "–"
        return trn("step {numbers}", "steps {numbers}", len(self.needs), numbers=", ".join(map(str, self.needs)))


def fact_of(
    step: Step, preview: RowPreview | None, song: Song | None, numbers: dict[str, int], registry: Registry,
    palette: Palette, *, own_title: bool,
) -> RowFacts:
    """What is known of a row. `song` is the one without the plan; with `own_title` the row's own title is its
    sentence."""
    sources = tuple(sorted((one for one in needed(step) if one in numbers), key=numbers.__getitem__))
    made = step_sentence(step, preview, palette)
    said = step.title if own_title and step.title else made
    most = _most(step, preview)
    return RowFacts(
        step, numbers[step.id], f"{said}, {most}" if most else said, step.group or tr("Steps"),
        "" if said == made or preview is None or not preview.edits else made,
        _service(registry.tools.get(step.tool)),
        _target(step, preview, song, numbers, registry.tools.get(step.tool)),
        None if preview is None else drawing_of(preview, palette, asks=not left_to_model(step)),
        None if preview is None else start_of(preview),
        sources, tuple(numbers[one] for one in sources),
        outside_of(registry.tools.get(step.tool)),
        most,
        limits_words(step, song if preview is None else preview.before, numbers) if left_to_model(step) else "",
    )


def _target(
    step: Step, preview: RowPreview | None, song: Song | None, numbers: dict[str, int], tool: ToolSpec | None
) -> Target:
    """What a row changes; one that works outside and leaves the song alone changes nothing of it."""
    if outside_of(tool) and tool is not None and not tool.changes_song:
        return Target("–")
    return target_of(step, preview, song, numbers)


def outside_of(tool: ToolSpec | None) -> str:
    """The service of a tool that works outside of the song, on files or elsewhere; empty for any other."""
    return tool.service if tool is not None and tool.effect in ("files", "outside") else ""


def _most(step: Step, preview: RowPreview | None) -> str:
    """How many items a loop may have that nobody knows yet; the approval covers so many."""
    unknown = step.for_each is not None and preview is not None and preview.unseen
    most = step.max_edits or MAX_ITEMS
    return trn("at most {count:,} item", "at most {count:,} items", most) if unknown else ""


def _service(tool: ToolSpec | None) -> str:
    if tool is None:
        return tr("Unknown")
    if tool.name == WORK_ON:
        return tr("Model")
    return tr("Built-in") if tool.service in IN_ADVANCE and not outside_of(tool) else tool.service
