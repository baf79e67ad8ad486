"""Which rows of the plan are opened, and what lies under them: their story, or their notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QObject, Signal
from PySide6.QtWidgets import QWidget

from app.ui.plan.hit_test import can_hear
from app.ui.plan.look import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.notes_row import NotesRow
from app.ui.plan.story import Story
from app.ui.plan.table_actions import PlanAction, PlanRequest
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.row_previews import RowNotes, row_notes
from app.viewmodels.plan.row_stories import RowStory
from app.viewmodels.plan.rows import PlanTable

_MOST = 24
"""Rows whose notes are open; opening one more closes the one that was opened first."""
Opened = TypeVar("Opened", Story, NotesRow)


class OpenedRows(QObject):
    """Keeps a widget in each detail row below a row; `put` places it at its index in the table."""

    asked = Signal(object)
    """Emitted with the `PlanRequest` of a pressed button."""

    def __init__(self, put: Callable[[QModelIndex, QWidget], None], model: PlanModel, look: Look) -> None:
        super().__init__(model)
        self._put = put
        self._model = model
        self._look = look
        self._noted: dict[str, None] = {}
        self._shown: dict[str, Story | NotesRow] = {}
        model.modelReset.connect(self._shown.clear)

    def toggle_notes(self, step: str) -> None:
        """Mark a row's notes to be opened or closed; the next `show` does so."""
        if step in self._noted:
            del self._noted[step]
            return
        self._noted[step] = None
        while len(self._noted) > _MOST:
            del self._noted[next(iter(self._noted))]

    def notes_in(self, proposal: Proposal | None) -> dict[str, RowNotes]:
        """Notes, by step id, of the rows marked by `toggle_notes`; rows that write none are left out."""
        preview = None if proposal is None else proposal.whole.preview
        rows = {} if preview is None or not self._noted else {row.step: row for row in preview.rows}
        found = {step: row_notes(rows[step]) for step in self._noted if step in rows}
        return {step: notes for step, notes in found.items() if notes is not None}

    def show(
        self, table: PlanTable, stories: Mapping[str, RowStory], notes: Mapping[str, RowNotes], *, running: bool,
        asking: str | None,
    ) -> None:
        """Show these stories and notes (by step id) in the detail rows, which the model has opened before. While the
        run goes on (`running`) their buttons are disabled; `asking` is the row for which a model is asked for other
        inputs, None for none."""
        for gone in self._shown.keys() - stories.keys() - notes.keys():
            del self._shown[gone]
        for step, story in stories.items():
            known = self._shown.get(step)
            if isinstance(known, Story) and known.takes(story):
                known.tell(story)
            else:
                known = self._laid(step, Story(story, self._look))
            known.allow(not running, asking=step == asking)
        for step, one in notes.items():
            row, roll = table.row(step), self._shown.get(step)
            if row is not None:
                if not isinstance(roll, NotesRow):
                    roll = self._laid(step, NotesRow(self._look, row.facts.number))
                roll.tell(one, row.facts.target.color, heard=can_hear(row), opens=row.approved)

    def story(self, step: str | None) -> Story | None:
        """The widget of a row's story; None if it is not open."""
        found = None if step is None else self._shown.get(step)
        return found if isinstance(found, Story) else None

    def notes(self, step: str) -> NotesRow | None:
        """The small piano roll below a row; None if it is not open."""
        found = self._shown.get(step)
        return found if isinstance(found, NotesRow) else None

    def _laid(self, step: str, made: Opened) -> Opened:
        def ask(action: PlanAction) -> None:
            self.asked.emit(PlanRequest(action, (step,)))

        made.asked.connect(ask)
        self._put(self._model.story_index(step), made)
        self._shown[step] = made
        return made
