"""Which rows of the plan are opened to show their notes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from app.desktop.review.proposal import Proposal
from app.desktop.steps.row_notes import RowNotes, row_notes
from app.desktop.table.plan_rows import PlanTable
from app.ui.plan.cell_parts import can_hear
from app.ui.plan.look import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.notes_row import NotesRow

_MOST = 24
"""Rows; opening one more closes the one that was opened first."""


class OpenedNotes:
    """Keeps a small piano roll under each row that was opened.

    `put` lays it over its place in the table; `roll` and `hear` are told the step of a button.
    """

    def __init__(
        self, put: Callable[[QModelIndex, QWidget], None], model: PlanModel, look: Look, roll: Callable[[str], None],
        hear: Callable[[str], None],
    ) -> None:
        self._put = put
        self._model = model
        self._look = look
        self._roll = roll
        self._hear = hear
        self._wanted: dict[str, None] = {}
        self._shown: dict[str, NotesRow] = {}
        model.modelReset.connect(self._shown.clear)

    def toggle(self, step: str) -> None:
        """Open a row, or close it."""
        if step in self._wanted:
            del self._wanted[step]
            return
        self._wanted[step] = None
        while len(self._wanted) > _MOST:
            del self._wanted[next(iter(self._wanted))]

    def read(self, proposal: Proposal | None) -> dict[str, RowNotes]:
        """The notes of the opened rows, as far as they write any."""
        preview = None if proposal is None else proposal.whole.preview
        rows = {} if preview is None or not self._wanted else {row.step: row for row in preview.rows}
        found = {step: row_notes(rows[step]) for step in self._wanted if step in rows}
        return {step: notes for step, notes in found.items() if notes is not None}

    def show(self, table: PlanTable, notes: dict[str, RowNotes]) -> None:
        """Put them under their rows, which the model has opened before."""
        for gone in self._shown.keys() - notes.keys():
            del self._shown[gone]
        for row in table.rows if notes else ():
            if row.id not in notes:
                continue
            known = self._shown.get(row.id)
            if known is None:
                known = self._shown[row.id] = NotesRow(self._look, row.facts.number)
                known.roll_wanted.connect(lambda step=row.id: self._roll(step))
                known.hear_wanted.connect(lambda step=row.id: self._hear(step))
                self._put(self._model.story_index(row.id), known)
            known.tell(notes[row.id], row.facts.target.color, heard=can_hear(row), opens=row.approved)

    def of(self, step: str) -> NotesRow | None:
        """The small piano roll of a row."""
        return self._shown.get(step)
