"""Reads the plan's table from a proposal or a run, keeping what does not change between two of one plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

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
from app.desktop.plan.goals import left_to_model, limits_words
from app.desktop.plan.live_run import LiveRun
from app.desktop.plan.pending_edits import PendingEdits
from app.desktop.plan.proposal import Proposal
from app.desktop.plan.replan_diff import change_words
from app.desktop.plan.reverted import Reverted
from app.desktop.plan.row_previews import Target, drawing_of, start_of, target_of
from app.desktop.plan.row_states import RowProgress, proposed, ran, taken_away
from app.desktop.plan.rows import PlanRow, PlanTable, RowFacts, grouped
from app.desktop.plan.sentences import step_sentence
from app.words import tr, trn


class _Source(Struct, frozen=True):
    """What the facts of rows come from. `amended` rows have other inputs than the preview was made with."""

    steps: tuple[Step, ...]
    preview: Preview | None
    song: Song | None
    edited: frozenset[str] = frozenset()
    amended: frozenset[str] = frozenset()

    def same(self, other: _Source) -> bool:
        """Whether both are made of the very same parts; comparing songs by value would be slow."""
        parts = ((self.steps, other.steps), (self.preview, other.preview), (self.song, other.song))
        return all(one is two for one, two in parts) and (self.edited, self.amended) == (other.edited, other.amended)


class Foreseen(Struct, frozen=True, eq=False):
    """What the rows of a plan or a run are, and what that was read from."""

    source: _Source
    facts: Mapping[str, RowFacts]


class RowReader:
    """Makes tables; remembers what does not change between two of one plan, so that each event costs little."""

    def __init__(self, registry: Registry, palette: Palette) -> None:
        self._registry = registry
        self._palette = palette
        self._facts: Mapping[str, RowFacts] = {}
        self._source: _Source | None = None
        self._origin: tuple[object, object, _Source] | None = None
        self._rows: dict[str, tuple[object, PlanRow]] = {}

    def foresee(self, source: Proposal | LiveRun) -> Foreseen:
        """What its rows are; takes a while for a long plan, changes nothing here, and can be called in any thread."""
        wanted = _source(source) if isinstance(source, Proposal) else self._origin_of(source)
        return Foreseen(wanted, self._read(wanted, self._source, self._facts))

    def take(self, foreseen: Foreseen) -> None:
        """Make tables of this from now on."""
        self._rows.clear()
        self._source, self._facts = foreseen.source, foreseen.facts

    def ready(self, source: Proposal | LiveRun) -> bool:
        """Whether a table of it can be made at once."""
        wanted = _source(source) if isinstance(source, Proposal) else self._origin_of(source)
        return self._source is not None and wanted.same(self._source)

    def proposal(self, proposal: Proposal) -> PlanTable:
        """A plan under review."""
        facts = self._facts_of(_source(proposal))
        fallen = self._fallen(proposal, facts)
        marks, news = _by_step(proposal.judged.plan.lint), _news(proposal)
        rows = []
        for one in facts.values():
            step = one.step.id
            key = (
                one, proposal.rejections.get(step), fallen.get(step), step in proposal.changes, marks.get(step, ()),
                news.get(step, ""),
            )
            known = self._rows.get(step)
            if known is None or not _same(known[0], key):
                known = self._rows[step] = key, _proposed_row(*key)
            rows.append(known[1])
        return PlanTable(grouped(rows, run=False), findings=marks.get("", ()))

    def live(self, live: LiveRun, back: Reverted | None = None) -> PlanTable:
        """A run, while it is carried out and afterwards; rows that were rejected before stay visible as such.

        `back` says how its work was taken out of the song, if it was.
        """
        source = self._origin_of(live)
        facts, edited = self._facts_of(source), source.edited | source.amended
        fallen = {} if live.proposal is None else self._fallen(live.proposal, facts)
        rows = []
        for one in facts.values():
            step, progress = one.step, live.rows.get(one.step.id)
            waits = None if progress is None else _awaited(one, facts, live.rows)
            waiting = live.pending_edits.get(step.id)
            key = (one, progress, waits, back, live.proposal, waiting, live.paused)
            known = self._rows.get(step.id)
            if known is None or not _same(known[0], key):
                row = _run_row(
                    one, progress, waits, back, step.id in edited, live.proposal, fallen.get(step.id), waiting,
                    paused=live.paused,
                )
                if waiting is not None:
                    row = replace(row, waiting=drawing_of(waiting.ghost.row(step.id), self._palette))
                known = (key, row)
                self._rows[step.id] = known
            rows.append(known[1])
        return PlanTable(grouped(rows, run=True), run=True)

    def _origin_of(self, live: LiveRun) -> _Source:
        if self._origin is None or self._origin[0] is not live.plan or self._origin[1] is not live.proposal:
            self._origin = (live.plan, live.proposal, _origin(live))
        return self._origin[2]

    @staticmethod
    def _fallen(proposal: Proposal, facts: Mapping[str, RowFacts]) -> dict[str, int]:
        """Rows that fall with a rejected one, with its number."""
        return {step: facts[root].number for step, root in proposal.blocked.items() if step in facts}

    def _facts_of(self, source: _Source) -> Mapping[str, RowFacts]:
        if self._source is None or not source.same(self._source):
            self.take(Foreseen(source, self._read(source, self._source, self._facts)))
        return self._facts

    def _read(
        self, source: _Source, before: _Source | None, known: Mapping[str, RowFacts]
    ) -> dict[str, RowFacts]:
        """The facts of all rows; those that are `known` and stand on the same are taken over."""
        foreseen = {} if source.preview is None else {
            row.step: row for row in source.preview.rows if row.step not in source.amended
        }
        numbers = {step.id: number for number, step in enumerate(source.steps, 1)}
        changed = source.edited | source.amended
        kept = set() if before is None else _unchanged(source, before)
        return {
            step.id: known[step.id] if step.id in kept else fact_of(
                step, foreseen.get(step.id), source.song, numbers, self._registry, self._palette,
                own_title=step.id not in changed,
            )
            for step in source.steps
        }


def rows_of(source: Proposal | LiveRun, registry: Registry, palette: Palette) -> PlanTable:
    """The table of a proposal or a run."""
    reader = RowReader(registry, palette)
    return reader.proposal(source) if isinstance(source, Proposal) else reader.live(source)


def _source(proposal: Proposal) -> _Source:
    whole = proposal.whole
    return _Source(whole.plan.steps, whole.preview, proposal.song, frozenset(proposal.changes))


def _unchanged(source: _Source, before: _Source) -> set[str]:
    """Rows that are as they were: the same inputs and number, before an equal plan, and foreseen in the same way."""
    if source.preview is not before.preview or source.song is not before.song:
        return set()
    if [step.id for step in source.steps] != [step.id for step in before.steps]:
        return set()
    other = (source.edited | source.amended) ^ (before.edited | before.amended)
    return {
        step.id for step, was in zip(source.steps, before.steps, strict=True)
        if step.id not in other and (step is was or step == was)
    }


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


def _same(one: object, other: object) -> bool:
    """Whether two keys hold the very same things; comparing the songs behind them would be slow."""
    assert isinstance(one, tuple)
    assert isinstance(other, tuple)
    return all(a is b or (isinstance(a, int) and a == b) for a, b in zip(one, other, strict=True))


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
    origin: Proposal | None, needs: int | None, waiting: PendingEdits | None, *, paused: bool,
) -> PlanRow:
    if progress is None:
        rejection = None if origin is None else origin.rejections.get(one.step.id)
        reason = "" if rejection is None else rejection.reason
        standing = proposed(rejected=None if needs is not None else reason, needs=needs, edited=edited, findings=())
        return PlanRow(one, standing, False, edited)
    if back is not None:
        standing = taken_away(progress, one.step, back.row_words)
        return PlanRow(one, standing, True, edited, progress=progress)
    standing = ran(progress, one.step, waits, ready=waiting is not None, paused=paused)
    return PlanRow(one, standing, True, edited, progress=progress, pending_edits=waiting)


def _awaited(one: RowFacts, facts: Mapping[str, RowFacts], rows: Mapping[str, RowProgress]) -> int | None:
    """The number of the first row that it needs and that has not ended."""
    open_rows = [
        facts[source].number for source in one.sources if source in rows and not rows[source].state.ended
    ]
    return min(open_rows, default=None)


def _by_step(findings: Iterable[Finding]) -> dict[str, tuple[Finding, ...]]:
    found: dict[str, tuple[Finding, ...]] = {}
    for finding in findings:
        found[finding.step] = (*found.get(finding.step, ()), finding)
    return found


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
