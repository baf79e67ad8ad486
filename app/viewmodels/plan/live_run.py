"""A run as the window shows it: where it stands row by row, which edits wait for the person, what time it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.plan.document import Plan
from agent.plan.ledger import Ledger, StepState, balance
from agent.review.preview import Preview, RowPreview
from agent.review.review import Review
from agent.session import events as ev
from agent.session.gathering import gathered_edits
from agent.session.pace import Pace, ProgressEstimate
from agent.session.ports import RowReport
from agent.session.run_state import RunState
from agent.song.apply import apply_all
from agent.song.changes import Changes, TrackChanges, compare
from agent.song.ids import RunId
from agent.song.song import Song
from app.studio.running.run_view import RunView
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.row_states import RowProgress, paced, progress_after, stored_progress
from app.viewmodels.plan.sentences import changes_text
from app.viewmodels.texts.figures import counted
from app.viewmodels.watched import Watched

_MOST_NAMES = 2


class PendingEdits(Struct, frozen=True):
    """The edits of one row that wait for approval: `edits` is their number, `proposal` holds the song with them.
    `words` are the model's own comment.

    `finished` is False if the model that worked on the row was cut off."""

    step: str
    edits: int
    proposal: Proposal
    words: str = ""
    finished: bool = True

    @property
    def ghost(self) -> Preview:
        """The song before and after the edits, as a preview."""
        assert self.proposal.judged.preview is not None
        return self.proposal.judged.preview

    @property
    def changes(self) -> str:
        """ "Changes 1 track, bars 1–4: 12 notes added, 3 removed." """
        return effect_words(self.proposal.song, self.ghost)


def pending_edits_of(view: RunView, song: Song, shown: Plan | None = None) -> dict[str, PendingEdits]:
    """Edits that wait for approval, by step id, previewed on `song`; those that no longer fit it are left out.

    `shown` is the plan by which rows are numbered; without it the run's own."""
    found: dict[str, PendingEdits] = {}
    for row in view.rows:
        one = _pending(row, song, shown or view.plan)
        if one is not None:
            found[row.step] = one
    return found


def _pending(row: RowReport, song: Song, plan: Plan) -> PendingEdits | None:
    try:
        edits = gathered_edits(row)
        after = apply_all(song, edits)
    except (BandleaderError, ValueError):
        return None
    if not edits:
        return None
    ghost = Preview(after, compare(song, after), (RowPreview(row.step, song, after, edits),))
    judged = Review(plan, ghost)
    words, finished = row.result.get("words"), row.result.get("finished")
    return PendingEdits(
        row.step, len(edits), Proposal(plan, judged, judged, song), words if isinstance(words, str) else "",
        finished is not False,
    )


def effect_words(song: Song, ghost: Preview) -> str:
    """What a preview adds, removes and moves, and in which bars: "Changes 1 track, bars 1–4: 12 notes added, 3
    removed."."""
    said = changes_text(song, ghost.song, ghost.changes).rstrip(".")
    tracks = ghost.changes.tracks
    if 0 < len(tracks) <= _MOST_NAMES:
        said = said.replace(counted(len(tracks), "track"), " and ".join(_named(track) for track in tracks), 1)
    counts = [(number, word) for number, word in _notes(ghost.changes) if number]
    parts = [f"{f'{number:,}' if at else counted(number, 'note')} {word}" for at, (number, word) in enumerate(counts)]
    if parts:
        said += f": {', '.join(parts)}"
    return f"{said}."


def _named(track: TrackChanges) -> str:
    """A track with what is other in it besides its clips: "Pad (volume)"."""
    fields = ", ".join(one.field.removesuffix("_db").replace("_", " ") for one in track.fields)
    return f"{track.name} ({fields})" if fields else track.name


def _notes(changes: Changes) -> tuple[tuple[int, str], ...]:
    return (
        (sum(track.notes_added for track in changes.tracks), "added"),
        (sum(track.notes_removed for track in changes.tracks), "removed"),
        (sum(track.notes_moved for track in changes.tracks), "moved"),
    )


class LiveRun(Struct, frozen=True):
    """A run as the window shows it, while it runs and afterwards. `rows` are by step id, `began` is of
    `time.monotonic()`; `stopping` and `pausing` tell that this was asked for and has not happened yet."""

    run: RunId
    plan: Plan
    state: RunState
    rows: Mapping[str, RowProgress]
    proposal: Proposal | None = None
    """The plan with the decisions that the run was approved from; None if the window was closed since."""
    began: float = 0.0
    stopping: bool = False
    pausing: bool = False
    elsewhere: bool = False
    """Whether another program, or the queue of this one, carries the run out."""
    view: RunView | None = None
    """The run as stored, once it has ended; None before."""
    pending_edits: Mapping[str, PendingEdits] = {}
    """Edits that wait for the person, by step id, as long as the song is the one that they were made for."""

    @property
    def running(self) -> bool:
        """Whether the run is being carried out."""
        return self.state in (RunState.APPROVED, RunState.RUNNING)

    @property
    def paused(self) -> bool:
        """Whether the run is paused between two rows; it holds the song meanwhile."""
        return self.state is RunState.WAITING_USER

    @property
    def ledger(self) -> Ledger:
        """How many rows have ended in which way so far (done, failed, skipped…); rows that wait or run are not
        counted."""
        return balance(row.state for row in self.rows.values())

    @property
    def failed(self) -> tuple[str, ...]:
        """Step ids of the rows that need the person, in the order of the plan: failed, partly done, or with edits to
        review."""
        bad = (StepState.FAILED, StepState.PARTIAL, StepState.NEEDS_REVIEW)
        return tuple(step.id for step in self.plan.steps if self.rows[step.id].state in bad)

    @property
    def waiting(self) -> PendingEdits | None:
        """The edits of the first row whose edits wait for approval; None if no row's do."""
        return next((self.pending_edits[step.id] for step in self.plan.steps if step.id in self.pending_edits), None)


def rows_of(view: RunView, known: Mapping[str, RowProgress]) -> dict[str, RowProgress]:
    """The progress of all rows, by step id, as stored in `view`; times and other values that are not stored are taken
    from `known`."""
    items: dict[str, list[RowReport]] = {}
    for item in view.items:
        items.setdefault(item.step, []).append(item)
    return {
        row.step: stored_progress(known.get(row.step, RowProgress()), row, items.get(row.step, ()))
        for row in view.rows
    }


def pace_of(view: RunView) -> Pace:
    """A progress estimate for the rows of a run that have not ended yet."""
    done: dict[str, int] = {}
    for item in view.items:
        done[item.step] = done.get(item.step, 0) + item.state.ended
    return Pace(view.plan.steps, [row.step for row in view.rows if row.state.ended], done)


_ITEMS_EVERY = 0.05
"""Seconds between two tellings of items; each would have every view look at all rows."""


class PacedRows:
    """Writes the progress of the rows of the run in `live` into it, from the events of that run."""

    def __init__(self, live: Watched[LiveRun | None]) -> None:
        self._live = live
        self._pace: Pace | None = None
        self._pending: dict[str, RowProgress] | None = None
        self._soon: asyncio.Handle | None = None
        self._late = False

    def begin(self, pace: Pace) -> None:
        """Estimate with `pace` from now on, as a run begins or is taken up again."""
        self._pace = pace

    def standing(self) -> ProgressEstimate | None:
        """How far the run is and how long it may still take; None before a run has begun."""
        return None if self._pace is None else self._pace.whole(monotonic())

    def hear(self, now: LiveRun, step: str, event: ev.Event) -> None:
        """Take in an event of the row `step`; `now` is the run as shown. Rows are updated at once, items of a loop a
        few times a second."""
        rows = dict(now.rows) if self._pending is None else self._pending
        if step not in rows:
            return
        rows[step] = self._paced(step, progress_after(rows[step], event), event)
        self._pending, loop = rows, asyncio.get_running_loop()
        if not isinstance(event, ev.StepProgress) and getattr(event, "item", -1) < 0:
            # Not for each of sixty events of one turn: every view looks at all rows.
            if self._soon is None or self._late:
                self._cancel()
                self._soon = loop.call_soon(self.tell)
        elif self._soon is None:
            self._soon, self._late = loop.call_later(_ITEMS_EVERY, self.tell), True

    def tell(self) -> None:
        """Write the gathered updates into `live` now."""
        now, rows = self._live.value, self._pending
        self.forget()
        if now is not None and now.running and rows is not None:
            self._live.set(replace(now, rows=rows))

    def forget(self) -> None:
        """Drop the gathered updates."""
        self._pending = None
        self._cancel()

    def _cancel(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
        self._soon, self._late = None, False

    def _paced(self, step: str, row: RowProgress, event: ev.Event) -> RowProgress:
        if self._pace is None:
            return row
        at = monotonic()
        self._pace.hear(event, at)
        return paced(row, self._pace.row(step, at), at)
