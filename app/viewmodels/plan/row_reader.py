"""Reads the plan's table from a proposal or a run, keeping what does not change between two of one plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVarTuple

from msgspec import Struct

from agent.plan.decision import Reject
from agent.plan.document import Finding
from agent.plan.order import needed
from agent.plan.plan import Step
from agent.plan.tool import ToolSpec
from agent.review.preview import Preview, RowPreview
from agent.services.binding import MAX_ITEMS
from agent.services.goal_service import WORK_ON
from agent.services.registry import Registry
from agent.session.session import IN_ADVANCE
from agent.song.palette import Palette
from agent.song.song import Song
from app.i18n import tr, trn
from app.viewmodels.plan.goals import left_to_model, limits_words
from app.viewmodels.plan.live_run import LiveRun, PendingEdits
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.replan_diff import change_words
from app.viewmodels.plan.reverted import Reverted
from app.viewmodels.plan.row_previews import Target, drawing_of, start_of, target_of
from app.viewmodels.plan.row_states import RowProgress, proposed, ran, taken_away
from app.viewmodels.plan.rows import PlanRow, PlanTable, RowFacts, grouped
from app.viewmodels.plan.sentences import step_sentence

Of = TypeVarTuple("Of")


class _Source(Struct, frozen=True, eq=False):
    """What the facts of rows come from. `amended` rows have other inputs than the preview was made with."""

    steps: tuple[Step, ...]
    preview: Preview | None
    song: Song | None
    edited: frozenset[str] = frozenset()
    amended: frozenset[str] = frozenset()

    @property
    def changed(self) -> frozenset[str]:
        """Rows that have other inputs than were proposed."""
        return self.edited | self.amended

    def same(self, other: _Source) -> bool:
        """Whether both are made of the very same parts; comparing songs by value would be slow."""
        parts = ((self.steps, other.steps), (self.preview, other.preview), (self.song, other.song))
        return all(one is two for one, two in parts) and (self.edited, self.amended) == (other.edited, other.amended)


class ReadRows(Struct, frozen=True, eq=False):
    """Facts on the rows of a plan or a run, by step id, and the `source` that they were read from."""

    source: _Source
    facts: Mapping[str, RowFacts]


class RowReader:
    """Makes the tables of plans and runs; keeps unchanged rows between two tables of one plan, so that each event costs
    little."""

    def __init__(self, registry: Registry, palette: Palette) -> None:
        self._registry = registry
        self._palette = palette
        self._known: ReadRows | None = None
        self._origin: tuple[object, object, _Source] | None = None
        self._rows: dict[str, tuple[tuple[object, ...], PlanRow]] = {}

    def read(self, source: Proposal | LiveRun) -> ReadRows:
        """Facts on all rows of a plan or a run. Slow for a long plan; changes nothing here and can be called in any
        thread."""
        return self._read(self._source(source), self._known)

    def take(self, read: ReadRows) -> None:
        """Use these facts for the tables from now on."""
        self._rows.clear()
        self._known = read

    def ready(self, source: Proposal | LiveRun) -> bool:
        """Whether a table of `source` can be made without reading its rows again."""
        return self._known is not None and self._source(source).same(self._known.source)

    def proposal(self, proposal: Proposal) -> PlanTable:
        """The table of a plan under review."""
        facts, _ = self._facts_of(proposal)
        fallen, marks, news = _fallen(proposal, facts), _by_step(proposal.judged.plan.lint), _news(proposal)
        return PlanTable(grouped([
            self._row(
                _proposed_row, one, proposal.rejections.get(step), fallen.get(step), step in proposal.changes,
                marks.get(step, ()), news.get(step, ""),
            )
            for step, one in facts.items()
        ], run=False))

    def live(self, live: LiveRun, back: Reverted | None = None) -> PlanTable:
        """The table of a run, while it is carried out and afterwards; rows that were rejected before stay visible as
        such.

        `back` says how the run's work was taken out of the song; None if it was not."""
        facts, source = self._facts_of(live)
        fallen = {} if live.proposal is None else _fallen(live.proposal, facts)
        return PlanTable(grouped([
            self._row(
                _run_row, one, live.rows.get(step), _awaited(one, facts, live.rows), back, step in source.changed,
                live.proposal, fallen.get(step), live.pending_edits.get(step), live.paused, self._palette,
            )
            for step, one in facts.items()
        ], run=True), run=True)

    def _row(self, make: Callable[[RowFacts, *Of], PlanRow], one: RowFacts, *of: *Of) -> PlanRow:
        """A row made of facts and more; the one before where all of that is the very same."""
        key: tuple[object, ...] = (one, *of)
        known = self._rows.get(one.step.id)
        if known is None or not _same(known[0], key):
            known = self._rows[one.step.id] = key, make(one, *of)
        return known[1]

    def _source(self, source: Proposal | LiveRun) -> _Source:
        if isinstance(source, Proposal):
            whole = source.whole
            return _Source(whole.plan.steps, whole.preview, source.song, frozenset(source.changes))
        if self._origin is None or self._origin[0] is not source.plan or self._origin[1] is not source.proposal:
            self._origin = (source.plan, source.proposal, _origin(source))
        return self._origin[2]

    def _facts_of(self, source: Proposal | LiveRun) -> tuple[Mapping[str, RowFacts], _Source]:
        wanted, known = self._source(source), self._known
        if known is None or not wanted.same(known.source):
            known = self._read(wanted, known)
            self.take(known)
        return known.facts, wanted

    def _read(self, source: _Source, before: ReadRows | None) -> ReadRows:
        """The facts of all rows; those that are known and stand on the same are taken over."""
        foreseen = {} if source.preview is None else {
            row.step: row for row in source.preview.rows if row.step not in source.amended
        }
        numbers = {step.id: number for number, step in enumerate(source.steps, 1)}
        kept = {} if before is None else _unchanged(source, before)
        return ReadRows(source, {
            step.id: kept.get(step.id) or fact_of(
                step, foreseen.get(step.id), source.song, numbers, self._registry, self._palette,
                own_title=step.id not in source.changed,
            )
            for step in source.steps
        })


def _unchanged(source: _Source, known: ReadRows) -> dict[str, RowFacts]:
    """Rows that are as they were: the same inputs and number, before an equal plan, and foreseen in the same way."""
    before = known.source
    if source.preview is not before.preview or source.song is not before.song:
        return {}
    if [step.id for step in source.steps] != [step.id for step in before.steps]:
        return {}
    other = source.changed ^ before.changed
    return {
        step.id: known.facts[step.id] for step, was in zip(source.steps, before.steps, strict=True)
        if step.id not in other and (step is was or step == was)
    }


def _fallen(proposal: Proposal, facts: Mapping[str, RowFacts]) -> dict[str, int]:
    """Rows that fall with a rejected one, with its number."""
    return {step: facts[root].number for step, root in proposal.blocked.items() if step in facts}


def _proposed_row(
    one: RowFacts, rejection: Reject | None, root: int | None, edited: bool, findings: tuple[Finding, ...], was: str
) -> PlanRow:
    standing = proposed(
        rejected=None if rejection is None else rejection.reason, needs=root, edited=edited, findings=findings, was=was
    )
    approved = rejection is None and root is None
    return PlanRow(one, standing, approved, edited, findings if approved else (), was)


def _news(proposal: Proposal) -> dict[str, str]:
    """What is other in rows that were asked for again."""
    if proposal.replan_diff is None:
        return {}
    steps = {step.id: step for step in proposal.plan.steps}
    return {step: change_words(old, steps[step]) for step, old in proposal.replan_diff.was.items() if step in steps}


def _origin(live: LiveRun) -> _Source:
    """All rows that were proposed, those of the run as they ran; without the proposal only those of the run."""
    origin = live.proposal
    if origin is None:
        return _Source(live.plan.steps, None, None)
    ran_steps = {step.id: step for step in live.plan.steps}
    was = origin.whole.plan.steps
    steps = tuple(ran_steps.get(step.id, step) for step in was)
    amended = frozenset(
        step.id for step, before in zip(steps, was, strict=True) if step is not before and step.inputs != before.inputs
    )
    return _Source(steps, origin.whole.preview, origin.song, frozenset(origin.changes), amended)


def _run_row(
    one: RowFacts, progress: RowProgress | None, waits: int | None, back: Reverted | None, edited: bool,
    origin: Proposal | None, needs: int | None, waiting: PendingEdits | None, paused: bool, palette: Palette,
) -> PlanRow:
    if progress is None:
        rejection = None if origin is None else origin.rejections.get(one.step.id)
        reason = "" if rejection is None else rejection.reason
        standing = proposed(rejected=None if needs is not None else reason, needs=needs, edited=edited, findings=())
        return PlanRow(one, standing, False, edited)
    drawing = None if waiting is None else drawing_of(waiting.ghost.row(one.step.id), palette)
    if back is not None:
        return PlanRow(one, taken_away(progress, one.step, back.row_words), True, edited, progress=progress,
                       waiting=drawing)
    standing = ran(progress, one.step, waits, ready=waiting is not None, paused=paused)
    return PlanRow(one, standing, True, edited, progress=progress, pending_edits=waiting, waiting=drawing)


def _awaited(one: RowFacts, facts: Mapping[str, RowFacts], rows: Mapping[str, RowProgress]) -> int | None:
    """The number of the first row that it needs and that has not ended."""
    waits = [facts[source].number for source in one.sources if source in rows and not rows[source].state.ended]
    return min(waits, default=None)


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether two keys hold the very same things; comparing the songs behind them would be slow."""
    return all(a is b or (isinstance(a, int) and a == b) for a, b in zip(one, other, strict=True))


def _by_step(findings: Iterable[Finding]) -> dict[str, tuple[Finding, ...]]:
    found: dict[str, tuple[Finding, ...]] = {}
    for finding in findings:
        found[finding.step] = (*found.get(finding.step, ()), finding)
    return found


def fact_of(
    step: Step, preview: RowPreview | None, song: Song | None, numbers: dict[str, int], registry: Registry,
    palette: Palette, *, own_title: bool,
) -> RowFacts:
    """Facts on one row. `preview` is None if it could not be previewed, `song` is the song without the plan, `numbers`
    are the row numbers by step id; with `own_title` the row's own title is its sentence."""
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
    """The service of a tool that works outside of the song, on files or elsewhere; empty for any other tool and for
    None."""
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
