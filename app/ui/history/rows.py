"""Iterations, the proposed plan and the run as rows of the history, in words; without Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from agent.song.ids import IterationId, RunId
from app.i18n import tr, trn
from app.storage.records import Iteration
from app.studio.undo import begins_branch, walked
from app.ui.history.graph import GraphRow, places
from app.viewmodels.chat.retold import shortened
from app.viewmodels.history.version_filter import Author, VersionFilter, author_of, shown_versions
from app.viewmodels.history.version_groups import Listed, VersionGroup, grouped
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.texts.moments import clock_time
from app.viewmodels.texts.money import dollars

Kind = Literal["iteration", "plan", "run", "group"]


class HistoryRow(Struct, frozen=True):
    """One row of the history. `dim` marks a step of undo or redo, `current` the current iteration; `when` is in words;
    `icon` is painted in the node, `place` is its place in the version tree. A folded group is shown as its newest
    iteration; an open one is a row above its members."""

    kind: Kind
    title: str
    about: str
    author: Author
    icon: str
    when: str = ""
    current: bool = False
    dim: bool = False
    named: bool = False
    end: bool = False
    """Whether it is the end of a branch: no iteration was made from it."""
    place: GraphRow = GraphRow(0)
    iteration: Iteration | None = None
    group: VersionGroup | None = None
    open: bool = False
    """For a group: whether its members are shown below it."""

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal for rows that stand for the same thing, whatever they show."""
        return (self.kind, self.id) if self.group is None else (self.kind, self.group.key, self.open)

    @property
    def holds(self) -> tuple[IterationId, ...]:
        """Ids of the iterations that only this row shows."""
        if self.iteration is None:
            return ()
        return (self.iteration.id,) if self.group is None else tuple(one.id for one in self.group.members)

    @property
    def id(self) -> IterationId | None:
        """The iteration's id; None for a plan and a run."""
        return None if self.iteration is None else self.iteration.id

    @property
    def run(self) -> RunId | None:
        """The run that made the iteration; None for none."""
        return None if self.iteration is None else self.iteration.run

    @property
    def accessible_text(self) -> str:
        """The whole row for a screen reader."""
        kind = {
            "plan": tr("Proposed plan"), "run": tr("Run"), "iteration": tr("Iteration"), "group": tr("Group"),
        }[self.kind]
        now = tr("current") if self.current else ""
        fold = "" if self.group is None else tr("open") if self.open else tr("folded")
        return ", ".join(part for part in (f"{kind} {self.title}", self.about, now, fold, self.when) if part)


class HistoryState(Struct, frozen=True):
    """What the rows are made from: iterations newest first, the current one (`head`), the person's names, the plan
    under review, the run and the filter (`wanted`)."""

    iterations: Sequence[Iteration]
    head: IterationId | None
    names: Mapping[IterationId, str] = {}
    proposal: Proposal | None = None
    live: LiveRun | None = None
    wanted: VersionFilter = VersionFilter()
    opened: frozenset[IterationId] = frozenset()
    """Keys of the open groups."""


def history_rows(state: HistoryState) -> tuple[HistoryRow, ...]:
    """All rows, newest first, with plan and run on top. Thousands take a while: then it must be called in a thread."""
    number = (state.iterations[0].number if state.iterations else 0) + 1
    above = [] if state.wanted.active else _pending(state, number)
    listed = shown_versions(state.iterations, state.names, state.wanted, state.head)
    # Who looks for words looks for single changes too.
    units = listed if state.wanted.words else grouped(listed, state.names, state.head)
    shown = [one for unit in units for one in _shown(unit, state)]
    parents, placed = {one.parent for one in shown}, iter(places(shown, state.head))
    rows: list[HistoryRow] = []
    for unit in units:
        made = [(one, next(placed)) for one in _shown(unit, state)]
        if isinstance(unit, VersionGroup):
            rows.append(_group_row(unit, made[0][1], state, end=made[0][0].id not in parents))
        if not isinstance(unit, VersionGroup) or unit.key in state.opened:
            rows += [_row(one, place, state, end=one.id not in parents) for one, place in made]
    return (*above, *rows)


def _shown(unit: Listed, state: HistoryState) -> Sequence[Iteration]:
    """The nodes of the tree that stand for a version or a group."""
    if not isinstance(unit, VersionGroup):
        return (unit,)
    return unit.members if unit.key in state.opened else (unit.folded,)


def _group_row(group: VersionGroup, place: GraphRow, state: HistoryState, *, end: bool) -> HistoryRow:
    newest, oldest = group.members[0], group.members[-1]
    about = _about(f"{oldest.number}–{newest.number}", author_words("you"), _title(newest.label))
    when = clock_time(newest.created)
    if group.key not in state.opened:
        return HistoryRow(
            "group", group.words, about, "you", "stack", when, newest.id == state.head, end=end, place=place,
            iteration=newest, group=group,
        )
    passing = {*place.through, *place.joins, *([place.lane] if place.above else [])}
    above = GraphRow(place.lane, tuple(sorted(passing)))
    return HistoryRow("group", group.words, about, "you", "", when, place=above, group=group, open=True)


def author_words(author: Author) -> str:
    """The author in words."""
    return {"agent": "Bandleader", "you": tr("You"), "import": tr("Imported")}[author]


def spent_on(one: Iteration) -> str:
    """Tokens and cost of an iteration in words; empty if there were none."""
    if not one.tokens:
        return ""
    tokens = trn("{count} token", "{count} tokens", one.tokens, count=f"{one.tokens:,}")
    return f"{tokens}  {dollars(one.cost)}" if one.cost > 0 else tokens


def _pending(state: HistoryState, number: int) -> list[HistoryRow]:
    live, proposal = state.live, state.proposal
    if live is not None and live.running:
        steps = len(live.plan.steps)
        done = trn("{done} of {count} step, running", "{done} of {count} steps, running", steps, done=live.ledger.done)
        about = _about(str(number), "Bandleader", done)
        return [HistoryRow("run", _title(live.plan.request), about, "agent", "baton", tr("now"))]
    if proposal is not None:
        steps = len(proposal.plan.steps)
        about = _about(str(number), "Bandleader", trn("{count} step, not run", "{count} steps, not run", steps))
        return [HistoryRow("plan", _title(proposal.plan.request), about, "agent", "baton")]
    return []


def _row(one: Iteration, place: GraphRow, state: HistoryState, *, end: bool) -> HistoryRow:
    author = author_of(one)
    name = state.names.get(one.id, "")
    about = _about(str(one.number), author_words(author), _size(one), spent_on(one))
    return HistoryRow(
        "iteration", name or _title(one.label), about,
        author, _icon(one, author), clock_time(one.created), one.id == state.head, walked(one) is not None, bool(name),
        end, place, one,
    )


def _size(one: Iteration) -> str:
    if one.actions and one.source == "ai_iteration":
        return trn("{count} step", "{count} steps", one.actions, count=f"{one.actions:,}")
    if one.actions:
        return trn("{count} change", "{count} changes", one.actions, count=f"{one.actions:,}")
    if begins_branch(one):
        return tr("branch")
    return {"restore": tr("restored"), "merge": tr("tracks taken over"), "import": tr("opened")}.get(one.source, "")


def _icon(one: Iteration, author: Author) -> str:
    way = walked(one)
    if way is not None:
        return "arrow-counter-clockwise" if way == "undo" else "arrow-clockwise"
    if begins_branch(one) or one.source == "merge":
        return "git-branch"
    if one.source == "restore":
        return "clock-counter-clockwise"
    return {"agent": "baton", "you": "user", "import": "download-simple"}[author]


def _about(*parts: str) -> str:
    return "  ".join(part for part in parts if part)


def _title(words: str) -> str:
    return shortened(words) or tr("Untitled")
