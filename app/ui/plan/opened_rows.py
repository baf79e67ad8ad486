"""Which rows of the plan are opened, and what lies under them: their story, or their notes in a small piano roll."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from agent.song.time import PPQ
from app.i18n import tr
from app.ui.kit.painted import dashed_pen
from app.ui.kit.tokens import clip_body, clip_notes, ghost_outline
from app.ui.plan.delegate import NOTES_HEIGHT
from app.ui.plan.drawings import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.story import Story
from app.ui.plan.table_actions import PlanAction, PlanRequest, can_hear
from app.ui.plan.widgets import PlanLabel, button
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.row_previews import Drawn, RowNotes, row_notes
from app.viewmodels.plan.row_stories import RowStory
from app.viewmodels.plan.rows import PlanTable

_LEFT = 70
_KEYS = 28
_PAD = 6
_LEAST_NOTE = 2.0
_BLACK = frozenset((1, 3, 6, 8, 10))
_OCTAVE = 12
_BAR_BEATS = 4
_LEAST_LINE = 14.0


class SmallRoll(QWidget):
    """A small piano roll: kept notes are plain, new ones outlined, removed ones dashed and empty."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._notes: RowNotes | None = None
        self._color = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_notes(self, notes: RowNotes, color: str) -> None:
        """Show these notes in a track's colour (#rrggbb)."""
        self._notes, self._color = notes, color
        self.setAccessibleName(tr("Notes of {name}: {words}", name=notes.name, words=notes.words))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(400, NOTES_HEIGHT - 2 * _PAD)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        notes = self._notes
        if notes is None:
            return
        look, tone = self._look, self._color or self._look.tokens.t3
        area = self.rect().adjusted(_KEYS, 0, 0, 0)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), look.color("canvas"))
            self._ground(painter, area, notes)
            kept = QColor(clip_body(tone, look.tokens))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(kept.lighter(140) if look.tokens.dark else kept.darker(120))
            painter.drawRects([self._place(one, area, notes) for one in notes.kept])
            painter.setPen(QPen(QColor(ghost_outline(tone, look.tokens)), 1))
            painter.setBrush(QColor(clip_notes(tone, look.tokens)))
            painter.drawRects([self._place(one, area, notes) for one in notes.new])
            painter.setPen(dashed_pen(look.color("bad"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRects([self._place(one, area, notes) for one in notes.gone])
            painter.setPen(look.color("line2"))
            painter.drawRect(area.adjusted(0, 0, -1, -1))

    def _ground(self, painter: QPainter, area: QRect, notes: RowNotes) -> None:
        look, rows = self._look, notes.high - notes.low + 1
        painter.setFont(look.font())
        for pitch in range(notes.low, notes.high + 1):
            top = area.top() + area.height() * (notes.high - pitch) / rows
            if pitch % _OCTAVE in _BLACK:
                painter.fillRect(QRectF(area.x(), top, area.width(), area.height() / rows), look.color("row2"))
            if pitch % _OCTAVE == 0:
                painter.setPen(look.color("t3"))
                room = QRectF(0, top - 8 + area.height() / rows / 2, _KEYS - 4, 16)
                painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                                 f"C{pitch // _OCTAVE - 1}")
        beats = notes.length / PPQ
        for every in (1, _BAR_BEATS):
            width = area.width() / max(beats, 1e-6) * every
            if width >= _LEAST_LINE:
                for line in range(0, int(beats) + 1, every):
                    x = area.x() + round(line / every * width)
                    painter.fillRect(x, area.top(), 1, area.height(), look.color("grid2" if every > 1 else "grid"))

    @staticmethod
    def _place(note: Drawn, area: QRect, notes: RowNotes) -> QRectF:
        start, length, pitch = note
        row = area.height() / (notes.high - notes.low + 1)
        scale = area.width() / max(1, notes.length)
        height = max(_LEAST_NOTE, row - 1)
        return QRectF(
            area.x() + start * scale, area.top() + row * (notes.high - pitch) + (row - height) / 2,
            max(_LEAST_NOTE, length * scale - 1), height,
        )


class NotesRow(QWidget):
    """The detail row with the notes of the row with this `number`. Signal `asked` carries the `PlanAction` of a
    button."""

    asked = Signal(str)

    def __init__(self, look: Look, number: int) -> None:
        super().__init__()
        self._look = look
        self.setFixedHeight(NOTES_HEIGHT)
        self.roll = SmallRoll(look)
        self._words = PlanLabel(look, tone="t2", wrap=True)
        self._words.setFixedWidth(150)
        self.open_button = button(
            tr("Piano roll"), partial(self.asked.emit, "roll"), icon=look.icon("piano-keys"),
            name=tr("Open the notes of step {number} in the piano roll", number=number),
            tip=tr("Open these notes in the piano roll"),
        )
        self.hear_button = button(
            tr("Hear"), partial(self.asked.emit, "hear row"), icon=look.icon("ear"),
            name=tr("Hear step {number} from here", number=number), tip=tr("Play the plan from where this step writes"),
        )
        side = QVBoxLayout()
        side.setSpacing(4)
        side.addWidget(self._words, 1, Qt.AlignmentFlag.AlignTop)
        side.addWidget(self.open_button)
        side.addWidget(self.hear_button)
        line = QHBoxLayout(self)
        line.setContentsMargins(_LEFT, _PAD, 12, _PAD)
        line.setSpacing(12)
        line.addWidget(self.roll, 1)
        line.addLayout(side)

    def tell(self, notes: RowNotes, color: str, *, heard: bool, opens: bool) -> None:
        """Show these notes in a track's colour (#rrggbb). `heard` enables the audition button, `opens` the one that
        opens the clip."""
        self.roll.show_notes(notes, color)
        self._words.setText(f"{notes.name}\n{notes.words}" if notes.name else notes.words)
        self.setAccessibleName(self.roll.accessibleName())
        self.hear_button.setVisible(heard)
        self.open_button.setVisible(opens)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._look.color("panel"))


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
            row, roll = table.by_step.get(step), self._shown.get(step)
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
