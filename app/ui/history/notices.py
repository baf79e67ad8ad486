"""What the history shows beside its list: its errors, and that there is nothing yet."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.i18n import tr, trn
from app.ui.kit.context import Kit
from app.ui.kit.painted import dashed_pen
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.notice import NoticeStrip
from app.viewmodels.texts.troubles import Trouble

_SIZE = QSize(72, 110)
_NODES = ((28.0, 12.0, "agent"), (28.0, 56.0, "you"), (56.0, 66.0, "agent"), (28.0, 96.0, "agent"))
_RADIUS = 8.5
_SIDE = 24


class EmptyHistory(QWidget):
    """Shown in place of an empty history: a drawing, a title, one sentence."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE, 0, _SIDE, 0)
        column.setSpacing(6)
        column.addStretch(2)
        column.addWidget(_Drawing(kit), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(12)
        title = tr("No iterations yet")
        sentence = tr(
            "Each run becomes an iteration. You can compare two of them, go back to one, or start a branch from it."
        )
        for words, size, tone in ((title, "card", ""), (sentence, "", "t2")):
            label = PlainLabel(words, size=size, tone=tone)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
            column.addWidget(label)
        column.addStretch(3)
        self.setAccessibleName(f"{title}. {sentence}")


class _Drawing(QWidget):
    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self.setFixedSize(_SIZE)
        kit.theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._kit.theme
        pen = QPen(theme.color("line3"), 1.2, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawLine(QPointF(28, 21), QPointF(28, 47))
        painter.drawLine(QPointF(28, 65), QPointF(28, 87))
        path = QPainterPath(QPointF(28, 30))
        path.cubicTo(QPointF(28, 46), QPointF(56, 42), QPointF(56, 57))
        painter.drawPath(path)
        painter.setBrush(theme.color("panel"))
        for x, y, token in _NODES:
            painter.setPen(dashed_pen(theme.color(token)))
            painter.drawEllipse(QRectF(x - _RADIUS, y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS))
        painter.end()


_MOST_NAMED = 3


class HistoryNotices(QVBoxLayout):
    """Strips above the history: one for damaged iterations, one for the newest trouble."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__()
        self._owner = parent
        self._strips: dict[str, NoticeStrip] = {}

    def tell_damaged(self, damaged: tuple[str, ...]) -> None:
        """Name the first of the iterations that cannot be read; does nothing for none."""
        if not damaged:
            return
        named = "; ".join(damaged[:_MOST_NAMED])
        more = len(damaged) - _MOST_NAMED
        if more > 0:
            named += "; " + trn("and {count} more", "and {count} more", more)
        self._tell("damaged", Trouble(
            "history", tr("some iterations are damaged"), named,
            tr("restore another iteration; these stay as they are"),
        ))

    def tell(self, trouble: Trouble) -> None:
        """Show a trouble of the history; one of another place is ignored."""
        if trouble.place == "history":
            self._tell("trouble", trouble)

    def _tell(self, kind: str, trouble: Trouble) -> None:
        before = self._strips.pop(kind, None)
        if before is not None:
            self.removeWidget(before)
            before.deleteLater()
        strip = NoticeStrip(trouble, self._owner, tone="warn" if kind == "damaged" else "bad", card=True)
        strip.dismissed.connect(lambda: self._strips.pop(kind, None))
        self._strips[kind] = strip
        self.addWidget(strip)
        strip.announce()
