"""What assistive programs are told about the painted notes."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from app.desktop.roll.roll_words import clip_in_words, note_in_words, pitch_in_words
from app.desktop.texts.places import beat_in_words
from app.ui.pianoroll.stage import Stage
from app.words import tr, trn


class Voice:
    """Keeps the view's accessible description at the note, or the place, that the keyboard is at."""

    def __init__(self, stage: Stage, view: QWidget) -> None:
        self._stage = stage
        self._view = view

    def describe(self) -> None:
        """Say it again if it has changed."""
        words = self.words()
        if words != self._view.accessibleDescription():
            self._view.setAccessibleDescription(words)
            QAccessible.updateAccessibility(QAccessibleEvent(self._view, QAccessible.Event.DescriptionChanged))

    def words(self) -> str:
        """The focused note, else the cell, else what is shown at all."""
        stage, shown = self._stage, self._stage.shown
        if shown is None:
            return tr("No clip chosen")
        note, count = stage.focused(), len(stage.selected.value)
        more = ", " + trn("{count} note selected", "{count} notes selected", count) if count > 1 else ""
        if stage.settings.value.stepping:
            return tr("Step input at {where}", where=beat_in_words(stage.bars, shown.clip.start + stage.cell[0]))
        if note is not None:
            return note_in_words(note, shown.clip, stage.bars, stage.key, kit=shown.kit) + more
        if stage.on_cell:
            at, pitch = stage.cell
            name = pitch_in_words(pitch, stage.key, kit=shown.kit)
            where = beat_in_words(stage.bars, shown.clip.start + at)
            return tr("Empty place {name}, {where}. Enter draws a note", name=name, where=where) + more
        return clip_in_words(shown.clip, shown.track, stage.bars) + more
