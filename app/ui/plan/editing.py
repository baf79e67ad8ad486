"""Asking for other inputs of a row: of a proposed one, of one that failed, or as the model proposes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QWidget

from agent.plan.plan import Inputs
from agent.services.goal_service import SONG
from agent.song.song import Song
from app.desktop.open_project import OpenProject
from app.desktop.plan.rows import PlanRow
from app.desktop.plan.step_fields import Surroundings
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Work
from app.ui.plan.look import Look
from app.ui.plan.step_form import StepForm

RUN_WITH_THESE = "Run with these inputs"


class Editing:
    """At most one form is open."""

    def __init__(self, opened: OpenProject, kit: Kit, parent: QWidget, look: Look) -> None:
        self._opened = opened
        self._kit = kit
        self._parent = parent
        self._look = look
        self.form: StepForm | None = None

    def close(self) -> None:
        """Close what is open."""
        if self.form is not None:
            self.form.close()

    def edit(self, row: PlanRow, numbers: Mapping[str, int]) -> None:
        """Ask for other inputs of a row that is proposed or has failed."""
        proposal, live = self._opened.reviewing.proposal.value, self._opened.running.live.value
        if proposal is not None:
            preview = None if proposal.whole.preview is None else proposal.whole.preview.row(row.id)
            song = proposal.song if preview is None else preview.before
            reviewing = self._opened.reviewing
            back = (lambda: self._start(reviewing.back(row.id))) if row.edited else None
            self._ask(row, proposal.inputs(row.id), self._around(song, numbers),
                      lambda inputs: self._start(reviewing.change(row.id, inputs)), back, "Save")
        elif live is not None and not live.running and row.id in live.failed and row.pending_edits is None:
            around = self._around(self._opened.workspace.song, numbers)
            step = live.plan.step(row.id)
            self._ask(row, step.inputs, around, lambda inputs: self._amend(row.id, inputs), None, "Approve and run",
                      most=step.max_edits)

    def repair(self, row: PlanRow, numbers: Mapping[str, int]) -> None:
        """Ask the model what a failed row should be run with, or ask no more; its proposal is only shown."""
        repairing = self._opened.repairing
        if repairing.asking.value == row.id:
            repairing.stop()
        else:
            self._start(self._repair(row, numbers))

    async def _repair(self, row: PlanRow, numbers: Mapping[str, int]) -> None:
        repair = await self._opened.repairing.propose(row.id)
        live = self._opened.running.live.value
        if repair is None or live is None:
            return
        around = self._around(self._opened.workspace.song, numbers)
        self._ask(row, repair.inputs, around, lambda inputs: self._amend(row.id, inputs), None, RUN_WITH_THESE,
                  old=live.plan.step(row.id).inputs)

    def _amend(self, step: str, inputs: Inputs) -> None:
        most = None if self.form is None else self.form.most
        self._start(self._opened.running.amend(step, inputs, most))

    def _around(self, song: Song | None, numbers: Mapping[str, int]) -> Surroundings:
        studio = self._opened.studio
        given = [tool for tool in studio.registry.tools.values() if tool.service == SONG and tool.changes_song]
        return Surroundings(studio.palette, song, numbers, tuple(tool.name for tool in given))

    def _ask(
        self, row: PlanRow, inputs: Inputs, around: Surroundings, save: Callable[[Inputs], None],
        back: Callable[[], None] | None, save_text: str, *, old: Inputs | None = None,
        most: int | None = None,
    ) -> None:
        tool = self._opened.studio.registry.tools.get(row.facts.step.tool)
        if tool is None or self.form is not None:
            return
        self.form = StepForm(row, inputs, tool.inputs, around, self._look, save, back, self._parent,
                             save_text=save_text, old=old, most=most)
        self.form.finished.connect(self._form_closed)
        self.form.open()

    def _form_closed(self) -> None:
        self.form = None

    def _start(self, work: Work) -> None:
        self._kit.tasks.start(work, "plan")
