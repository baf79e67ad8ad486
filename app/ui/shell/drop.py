"""A MIDI file over the window: an outline, its name, and the file once it is let go."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.theme import font

_OUTLINE = 2
_PIXELS, _WEIGHT = 13, 600
_PLATE = 36
_ENDINGS = (".mid", ".midi")


def midi_file(data: QMimeData) -> Path | None:
    """The path of the dragged MIDI file; None unless exactly one local MIDI file is dragged."""
    files = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return files[0] if len(files) == 1 and files[0].suffix.lower() in _ENDINGS else None


class DropOutline(QWidget):
    """An overlay of the window while a MIDI file is dragged over it; mouse events pass through."""

    def __init__(self, kit: Kit, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._theme = kit.theme
        self._words = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def offer(self, path: Path) -> None:
        """Show the overlay with the name of the file that a drop would open."""
        self._words = tr("Drop to open {file}", file=path.name)
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002
        painter = QPainter(self)
        painter.setPen(QPen(self._theme.color("you"), _OUTLINE))
        painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.setFont(font(_PIXELS, _WEIGHT))
        wide = painter.fontMetrics().horizontalAdvance(self._words) + _PLATE
        plate = QRectF((self.width() - wide) / 2, (self.height() - _PLATE) / 2, wide, _PLATE)
        painter.setBrush(self._theme.color("you_soft"))
        painter.drawRoundedRect(plate, 4, 4)
        painter.setPen(self._theme.color("t1"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, self._words)
        painter.end()
