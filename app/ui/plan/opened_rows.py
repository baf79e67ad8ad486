"""Which rows of the plan are opened, and what lies under them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from app.desktop.plan.proposal import Proposal
from app.desktop.plan.row_previews import RowNotes, row_notes
from app.desktop.plan.row_stories import RowStory
from app.desktop.plan.rows import PlanTable
from app.ui.plan.hit_test import can_hear
from app.ui.plan.look import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.notes_row import NotesRow
from app.ui.plan.story import Story


class Stories:
    """Keeps one story under each row that has one.

    `put` lays it over its place in the table, `connect` joins a new one to what its buttons do.
    """

    def __init__(
        self, put: Callable[[QModelIndex, QWidget], None], model: PlanModel, look: Look,
        connect: Callable[[str, Story], None],
    ) -> None:
        self._put = put
        self._model = model
        self._look = look
        self._connect = connect
        self._shown: dict[str, Story] = {}
        model.modelReset.connect(self._shown.clear)

    def show(self, stories: Mapping[str, RowStory], *, running: bool = False, asking: str | None = None) -> None:
        """Put these under their rows, which the model has opened before; `asking` is the row that the model is asked
        to repair."""
        for gone in self._shown.keys() - stories.keys():
            del self._shown[gone]
        for step, story in stories.items():
            known = self._shown.get(step)
            if known is None or not known.takes(story):
                known = Story(story, self._look)
                self._connect(step, known)
                self._put(self._model.story_index(step), known)
                self._shown[step] = known
            else:
                known.tell(story)
            known.allow(not running, asking=step == asking)

    def of(self, step: str | None) -> Story | None:
        """The story of a row."""
        return None if step is None else self._shown.get(step)


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
