"""Brings the plan's pages up to date with the proposal, else with the run, else with what is being written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

from PySide6.QtWidgets import QApplication, QWidget

from agent.plan.plan import Step
from agent.review.review import Review
from agent.song.ids import ClipId
from app.i18n import tr
from app.ui.kit.tasks import Tasks
from app.ui.plan.model import PlanModel
from app.ui.plan.opened_rows import OpenedRows
from app.ui.plan.pages import DRAFT, EMPTY, TABLE, PlanPages
from app.ui.plan.top_bar import RowFilter, filtered
from app.viewmodels.chat.attaching import fence_words
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.proposal import Proposal, Sources
from app.viewmodels.plan.reverted import Reverted, reverted
from app.viewmodels.plan.row_previews import row_notes
from app.viewmodels.plan.row_reader import RowReader
from app.viewmodels.plan.row_states import RowMark
from app.viewmodels.plan.row_stories import needing, stories_of
from app.viewmodels.plan.rows import PlanTable
from app.viewmodels.plan.scaling import dial_words, percent_of, scalable
from app.viewmodels.plan.summary import about, elapsed, error_words, ledger_of, refusal, totals
from app.viewmodels.watched import Watched

AT_ONCE = 120
"""Number of rows up to which a table is read within one frame, not in the background."""


class TableReading:
    """Makes the tables of plans and runs in the background; `read` is called once a table is ready that was not
    before."""

    def __init__(self, reader: RowReader, tasks: Tasks, read: Callable[[], None]) -> None:
        self._reader = reader
        self._tasks = tasks
        self._read = read
        self._busy = False
        self._closed = False

    def close(self) -> None:
        """Stop calling `read`."""
        self._closed = True

    def proposal(self, proposal: Proposal) -> PlanTable | None:
        """The table of a plan under review; None while its rows are being read."""
        return self._reader.proposal(proposal) if self._ready(proposal, len(proposal.plan.steps)) else None

    def live(self, live: LiveRun, back: Reverted | None) -> PlanTable | None:
        """The table of a run; `back` says how its work was taken out of the song, None if it was not. None while its
        rows are being read."""
        return self._reader.live(live, back) if self._ready(live, len(live.plan.steps)) else None

    def _ready(self, source: Proposal | LiveRun, rows: int) -> bool:
        if self._busy:
            return False
        if rows <= AT_ONCE or self._reader.ready(source):
            return True
        self._busy = True
        self._tasks.start(self._take(source), "plan")
        return False

    async def _take(self, source: Proposal | LiveRun) -> None:
        try:
            self._reader.take(await asyncio.to_thread(self._reader.read, source))
        finally:
            self._busy = False
        if not self._closed:
            self._read()


class TablePresenter:
    """Fills the plan panel from the current state. `badge` is the text on the tab: "14", "9/14"."""

    def __init__(
        self, opened: OpenProject, panel: QWidget, pages: PlanPages, model: PlanModel, rows: OpenedRows,
        reading: TableReading,
    ) -> None:
        self._opened = opened
        self._panel = panel
        self._pages = pages
        self._model = model
        self.rows = rows
        self._reading = reading
        self._folded: set[str] = set()
        self._was_running = False
        self._sources: Sources | None = None
        self._back_of: tuple[object, ...] = ()
        self.back: Reverted | None = None
        """How the work of the shown run was taken out of the song; None if it was not."""
        self._at_top = True
        self.badge = Watched("")
        self.table = PlanTable()
        """The whole table, before the filter."""
        self.hash = ""
        """Hash of the plan that is shown."""
        self.refusal = ""
        """Why the plan cannot be run now; empty if it can."""
        self.filter = RowFilter.ALL
        self.chosen: str | None = None
        """The id of the row to select; None for none."""

    def refresh(self) -> bool:
        """Show the current state; True while a run goes on."""
        opened = self._opened
        proposal, live = opened.reviewing.proposal.value, opened.running.live.value
        self._look_back(live if proposal is None else None)
        running, drafting = live is not None and live.running, opened.asking.drafting.value
        if proposal is None and drafting and not running:
            self._draft(drafting)
            return False
        shown = True
        if proposal is not None:
            shown = self._proposal(proposal)
        elif live is not None:
            shown = self._run(live)
        else:
            self._show(PlanTable())
            self.badge.set("")
        if shown:
            self._pages.setCurrentIndex(TABLE if proposal is not None or live is not None else EMPTY)
        return proposal is None and running

    def comes(self, proposal: Proposal) -> bool:
        """Whether this is another plan than at the last call, so that the table should start at its top."""
        new, self._sources = proposal.sources is not self._sources and proposal.replan_diff is None, proposal.sources
        self._at_top = self._at_top or new
        return new

    def _look_back(self, live: LiveRun | None) -> None:
        """Bring `back` up to date; the same object as long as it says the same."""
        versions, view = self._opened.versions, None if live is None else live.view
        of = (versions.iterations.value, versions.head, view)
        if len(of) == len(self._back_of) and all(a is b for a, b in zip(of, self._back_of, strict=True)):
            return
        self._back_of = of
        ended = view is not None and view.state.ended
        back = reverted(versions.iterations.value, versions.head, view) if view is not None and ended else None
        if back != self.back:
            self.back = back

    def clip_of(self, step: str) -> ClipId | None:
        """The id of the clip that a row writes, in the planned song or in the song; None if it writes none, or if only
        a rejected row makes it."""
        origin = _origin(self._opened)
        if origin is None:
            return None
        ran = _written(origin.judged, step)
        if ran is not None:
            return ran
        clip = _written(origin.whole, step)
        return clip if any(one.id == clip for _, one in self._opened.workspace.song.clips()) else None

    def tell_time(self) -> None:
        """Show for how long the run has been going on."""
        live = self._opened.running.live.value
        if live is not None and self._opened.reviewing.proposal.value is None:
            self._tell_time(live)

    def _tell_time(self, live: LiveRun) -> None:
        standing = self._opened.running.standing()
        left = None if standing is None else standing.seconds_left
        self._pages.top.show_elapsed(self._where(live) or elapsed(live, monotonic(), left))

    def _where(self, live: LiveRun) -> str:
        """Which iteration the run made, if the song that is shown came of it."""
        made = None if live.view is None or self.back is not None else live.view.record.iteration
        number = next((one.number for one in self._opened.versions.iterations.value if one.id == made), 0)
        return tr("Iteration {number}, in the song", number=number) if number else ""

    def _draft(self, steps: tuple[Step, ...]) -> None:
        """Rows of a plan that is being written stand in the place of what was there before."""
        self._pages.draft.show_steps(steps)
        self._pages.setCurrentIndex(DRAFT)
        self.badge.set("")

    def _proposal(self, proposal: Proposal) -> bool:
        """Show a plan; False while its rows are being read, when what was there before stays."""
        pages, opened = self._pages, self._opened
        table = self._reading.proposal(proposal)
        if table is None:
            # Nothing can be approved before it is shown.
            self.refusal = tr("The plan is being read")
            pages.footer.proposed.run_button.setEnabled(False)
            return False
        self.table = table
        found = totals(self.table, proposal, opened.studio.registry, model=not opened.choosing.chosen.value.local)
        self.hash = proposal.judged.plan.hash
        self._show(filtered(self.table, self.filter))
        if self._at_top:
            self._at_top = False
            pages.view.show_top()
            pages.view.choose(self.chosen)
        errors = error_words(self.table, proposal)
        self.refusal = refusal(found, errors, pending=opened.reviewing.pending.value)
        pages.footer.proposed.show_totals(found, self.refusal, errors, listening=opened.focus.side.value == "plan")
        pages.footer.setCurrentWidget(pages.footer.proposed)
        pages.top.show_totals(found)
        reach = len(scalable(proposal))
        pages.top.dial.show_dial(percent_of(proposal), dial_words(proposal, reach), possible=bool(reach))
        pages.details.setText(about(proposal))
        self._tell_limits(proposal)
        pages.cells.hide()
        self._folded.clear()
        self.badge.set(str(found.steps))
        return True

    def _tell_limits(self, proposal: Proposal | None) -> None:
        fence = None if proposal is None else proposal.plan.fence
        words = "" if proposal is None or fence is None else fence_words(fence, proposal.song)
        self._pages.limits.setText(words)
        self._pages.limits.setVisible(bool(words))

    def _run(self, live: LiveRun) -> bool:
        """Show a run; False while its rows are being read, when what was there before stays."""
        pages, table = self._pages, self._reading.live(live, self.back)
        if table is None:
            return False
        self.table = table
        self._show(table, running=live.running)
        self._fold_finished(table)
        pages.footer.ran.show_run(ledger_of(table), live, back=self.back is not None)
        pages.footer.setCurrentWidget(pages.footer.ran)
        self._tell_time(live)
        pages.details.setText("" if live.proposal is None else about(live.proposal))
        self._tell_limits(live.proposal)
        marks = tuple(row.standing.mark for row in table.rows if row.approved)
        pages.cells.show_marks(marks)
        pages.cells.show()
        self.badge.set(f"{marks.count(RowMark.DONE)}/{len(marks)}")
        if self._was_running and not live.running:
            self._lead_on()
        self._was_running = live.running
        return True

    def _show(self, table: PlanTable, *, running: bool = False) -> None:
        notes = self.rows.notes_in(_origin(self._opened))
        stories = stories_of(table, model=not self._opened.choosing.chosen.value.local)
        stories = {step: story for step, story in stories.items() if story.bad or step not in notes}
        notes = {step: one for step, one in notes.items() if step not in stories}
        view = self._pages.view
        view.measure_rows(bool(stories or notes))
        self._model.noted = frozenset(notes)
        if self._model.show(table, (*stories, *notes)):
            view.choose(self.chosen)
        still = running or (table.run and self.back is not None)
        self.rows.show(table, stories, notes, running=still, asking=self._opened.repairing.asking.value)

    def _fold_finished(self, table: PlanTable) -> None:
        for group in table.groups:
            finished = group.mark is RowMark.DONE
            if finished and group.name not in self._folded:
                self._folded.add(group.name)
                self._pages.view.fold(group.name, True)
            elif group.mark is not None and group.mark.waits_for_you:
                self._pages.view.fold(group.name, False)

    def _lead_on(self) -> None:
        """Lead to what needs the person, unless they write something elsewhere."""
        step = next(iter(needing(self.table)), None)
        story, now = self.rows.story(step), QApplication.focusWidget()
        if step is None or story is None:
            return
        self._pages.view.scrollTo(self._model.story_index(step))
        safest = story.safest()
        if safest is not None and (now is None or now is self._panel or self._panel.isAncestorOf(now)):
            safest.setFocus()


def _written(review: Review, step: str) -> ClipId | None:
    """The clip that a row of a plan writes, as it was judged; ids of new clips differ from one judging to the next."""
    preview = review.preview
    row = None if preview is None else next((row for row in preview.rows if row.step == step), None)
    notes = None if row is None else row_notes(row)
    return None if notes is None else notes.clip


def _origin(opened: OpenProject) -> Proposal | None:
    """The plan that is shown, also while it runs."""
    proposal, live = opened.reviewing.proposal.value, opened.running.live.value
    return proposal if proposal is not None or live is None else live.proposal
