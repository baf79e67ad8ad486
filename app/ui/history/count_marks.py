"""How many notes were added, removed and moved, each with its own mark."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.history.difference_marks import draw_mark, mark_tones
from app.ui.kit.context import Kit
from app.ui.kit.theme import font
from app.viewmodels.history.comparing import counts_in_words
from app.viewmodels.history.difference import Counts, Kind

_MARK = (15, 11)
_GAP = 10


class CountMarks(QWidget):
    """Numbers of added, removed and moved notes in a row, each with its mark."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self._shown: tuple[tuple[int, Kind], ...] = ()
        kit.theme.changed.connect(self.update)

    def show_counts(self, counts: Counts) -> None:
        """Show these counts; those of 0 are left out."""
        all_of: tuple[tuple[int, Kind], ...] = (
            (counts.added, "added"), (counts.removed, "removed"), (counts.moved, "moved")
        )
        self._shown = tuple(one for one in all_of if one[0])
        self.setAccessibleName(counts_in_words(counts))
        self.setToolTip(counts_in_words(counts))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The size of one line."""
        return QSize(120, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As `sizeHint`."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """Paint marks and numbers."""
        painter = QPainter(self)
        painter.setFont(font(11, 500))
        tones = mark_tones(self._kit.theme.tokens, self.devicePixelRatioF())
        x, height = 0.0, self.height()
        for count, kind in self._shown:
            draw_mark(painter, QRectF(x, (height - _MARK[1]) // 2, *_MARK), kind, tones, "arrow-up")
            x += _MARK[0] + 5
            x += self._say(painter, x, f"{count:,}", "t1") + _GAP
        self._say(painter, x, tr("notes") if self._shown else tr("No notes differ"), "t3")
        painter.end()

    def _say(self, painter: QPainter, x: float, words: str, token: str) -> float:
        painter.setPen(self._kit.theme.color(token))
        wide = painter.fontMetrics().horizontalAdvance(words)
        painter.drawText(QRectF(x, 0, wide + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
        return float(wide)
