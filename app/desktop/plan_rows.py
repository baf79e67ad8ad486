"""The plan as a table: groups of rows with what they do, what was decided and how far they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.document import Finding
from agent.plan.plan import Step
from agent.review.preview import Preview
from agent.services.registry import Registry
from agent.session.events import RunRolledBack
from agent.song.palette import Palette
from agent.song.song import Song
from app.desktop.gathered import Gathered
from app.desktop.goals import GoalCall
from app.desktop.live_run import LiveRun
from app.desktop.redone import change_words
from app.desktop.reviewing import Proposal
from app.desktop.row_facts import RowFacts, fact_of
from app.desktop.row_previews import Drawing, drawing_of
from app.desktop.row_progress import ItemProgress, RowProgress
from app.desktop.row_states import Mark, Standing, blocked, group_summary, proposed, ran, rolled_back

_ROLLED_BACK = str(RunRolledBack.__struct_config__.tag)


class PlanRow(Struct, frozen=True):
    """A row of the table; its identity is the step's id."""

    facts: RowFacts
    standing: Standing
    approved: bool
    edited: bool = False
    findings: tuple[Finding, ...] = ()
    was: str = ""
    """Of a row that was asked for again: what is other now, "bpm 84 → 72"; "new" for a row that was not there."""
    calls: tuple[GoalCall, ...] = ()
    """What was called for a row that is left to a model."""
    items_failed: tuple[ItemProgress, ...] = ()
    """Items of a loop that went wrong."""
    gathered: Gathered | None = None
    """Its edits that wait for the person."""
    waiting: Drawing | None = None
    """What these edits would make."""

    @property
    def drawing(self) -> Drawing | None:
        """What it makes, as far as that is known."""
        return self.waiting or self.facts.drawing

    @property
    def id(self) -> str:
        """The step's id."""
        return self.facts.step.id


class PlanGroup(Struct, frozen=True):
    """Rows under one heading. `approved` is None where only some are."""

    name: str
    rows: tuple[PlanRow, ...]
    summary: str
    approved: bool | None
    mark: Mark | None = None
    """While it runs: the state of the group as a whole."""


class PlanTable(Struct, frozen=True, dict=True):
    """All groups, in the order in which the plan first names them. `run` tells a run from a proposal."""

    groups: tuple[PlanGroup, ...] = ()
    run: bool = False
    findings: tuple[Finding, ...] = ()
    """Marks on the plan as a whole."""

    @cached_property
    def rows(self) -> tuple[PlanRow, ...]:
        """All rows in the order of the plan."""
        return tuple(sorted((row for group in self.groups for row in group.rows), key=lambda row: row.facts.number))


def to_take_in(table: PlanTable, steps: Iterable[str]) -> tuple[str, ...]:
    """The rejected rows that must come back for these rows to run: they themselves and all that they need."""
    rows = {row.facts.number: row for row in table.rows}
    numbers = {row.id: number for number, row in rows.items()}
    wanted: set[int] = set()
    frontier = [numbers[step] for step in steps if step in numbers]
    while frontier:
        number = frontier.pop()
        if number not in wanted:
            wanted.add(number)
            frontier += rows[number].facts.needs
    return tuple(rows[number].id for number in sorted(wanted) if rows[number].standing.mark is Mark.REJECTED)


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


class RowReader:
    """Makes tables; remembers what does not change between two of one plan, so that each event costs little."""

    def __init__(self, registry: Registry, palette: Palette) -> None:
        self._registry = registry
        self._palette = palette
        self._facts: dict[str, RowFacts] = {}
        self._source: _Source | None = None
        self._origin: tuple[object, object, _Source] | None = None
        self._rows: dict[str, tuple[object, PlanRow]] = {}

    def proposal(self, proposal: Proposal) -> PlanTable:
        """A plan under review."""
        whole = proposal.whole
        edited = frozenset(proposal.changes)
        facts = self._facts_of(_Source(whole.plan.steps, whole.preview, proposal.song, edited))
        fallen = self._fallen(proposal, facts)
        marks, news = _by_step(proposal.judged.plan.lint), _news(proposal)
        rows = []
        for one in facts.values():
            rejection = proposal.rejections.get(one.step.id)
            root = fallen.get(one.step.id)
            findings = marks.get(one.step.id, ())
            standing = proposed(
                rejected=None if rejection is None else rejection.reason,
                needs=root,
                edited=one.step.id in edited, findings=findings, was=news.get(one.step.id, ""),
            )
            approved = rejection is None and root is None
            rows.append(PlanRow(
                one, standing, approved, one.step.id in edited, findings if approved else (),
                news.get(one.step.id, ""),
            ))
        return PlanTable(_grouped(rows, run=False), findings=marks.get("", ()))

    def live(self, live: LiveRun) -> PlanTable:
        """A run, while it is carried out and afterwards; rows that were rejected before stay visible as such."""
        if self._origin is None or self._origin[0] is not live.plan or self._origin[1] is not live.proposal:
            self._origin = (live.plan, live.proposal, _origin(live))
        source = self._origin[2]
        facts, edited = self._facts_of(source), source.edited | source.amended
        back = live.view is not None and any(event.kind == _ROLLED_BACK for event in live.view.events)
        fallen = {} if live.proposal is None else self._fallen(live.proposal, facts)
        rows = []
        for one in facts.values():
            step, progress = one.step, live.rows.get(one.step.id)
            waits = None if progress is None else _awaited(one, facts, live.rows)
            waiting = live.gathered.get(step.id)
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
        return PlanTable(_grouped(rows, run=True), run=True)

    @staticmethod
    def _fallen(proposal: Proposal, facts: Mapping[str, RowFacts]) -> dict[str, int]:
        """Rows that fall with a rejected one, with its number."""
        if not proposal.rejections:
            return {}
        needs = {step: frozenset(one.sources) for step, one in facts.items()}
        roots = blocked(list(facts), needs, frozenset(proposal.rejections))
        return {step: facts[root].number for step, root in roots.items()}

    def _facts_of(self, source: _Source) -> dict[str, RowFacts]:
        if self._source is not None and source.same(self._source):
            return self._facts
        foreseen = {} if source.preview is None else {
            row.step: row for row in source.preview.rows if row.step not in source.amended
        }
        numbers = {step.id: number for number, step in enumerate(source.steps, 1)}
        changed = source.edited | source.amended
        self._rows.clear()
        self._source = source
        self._facts = {
            step.id: fact_of(
                step, foreseen.get(step.id), source.song, numbers, self._registry, self._palette,
                own_title=step.id not in changed,
            )
            for step in source.steps
        }
        return self._facts


def rows_of(source: Proposal | LiveRun, registry: Registry, palette: Palette) -> PlanTable:
    """The table of a proposal or a run."""
    reader = RowReader(registry, palette)
    return reader.proposal(source) if isinstance(source, Proposal) else reader.live(source)


def _news(proposal: Proposal) -> dict[str, str]:
    """What is other in rows that were asked for again."""
    if proposal.redone is None:
        return {}
    steps = {step.id: step for step in proposal.plan.steps}
    return {step: change_words(old, steps[step]) for step, old in proposal.redone.was.items() if step in steps}


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
    one: RowFacts, progress: RowProgress | None, waits: int | None, back: bool, edited: bool, origin: Proposal | None,
    needs: int | None, waiting: Gathered | None, *, paused: bool,
) -> PlanRow:
    if progress is None:
        rejection = None if origin is None else origin.rejections.get(one.step.id)
        reason = "" if rejection is None else rejection.reason
        standing = proposed(rejected=None if needs is not None else reason, needs=needs, edited=edited, findings=())
        return PlanRow(one, standing, False, edited)
    if back:
        return PlanRow(one, rolled_back(progress, one.step), True, edited, calls=progress.calls)
    standing = ran(progress, one.step, waits, ready=waiting is not None, paused=paused)
    return PlanRow(
        one, standing, True, edited, calls=progress.calls, items_failed=progress.items_failed, gathered=waiting
    )


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


_WORST = (
    Mark.FAILED, Mark.REVIEW, Mark.READY, Mark.RETRY, Mark.RUNNING, Mark.WAITING, Mark.NOT_RUN, Mark.ROLLED_BACK,
    Mark.DONE,
)


def _grouped(rows: Sequence[PlanRow], *, run: bool) -> tuple[PlanGroup, ...]:
    by_name: dict[str, list[PlanRow]] = {}
    for row in rows:
        by_name.setdefault(row.facts.group, []).append(row)
    return tuple(_group(name, tuple(group), run) for name, group in by_name.items())


def _group(name: str, rows: tuple[PlanRow, ...], run: bool) -> PlanGroup:
    marks, included = [row.standing.mark for row in rows], [row.approved for row in rows]
    worst = next((mark for mark in _WORST if mark in marks), Mark.SKIPPED) if run else None
    approved = None if len(set(included)) > 1 else included[0]
    return PlanGroup(name, rows, group_summary(marks, included, run=run), approved, worst)
