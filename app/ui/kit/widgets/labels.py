"""Labels: plain text that is never read as rich text, and one that is cut to its room."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.studio.naming import in_brief

_LONGEST = 2_000


def plain_tip(text: str) -> str:
    """A tooltip that shows the text literally; Qt would read one with `<` or `&` as rich text."""
    if "<" not in text and "&" not in text:
        return text
    from html import escape

    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>"


class PlainLabel(QLabel):
    """Plain text; `tone` is t2, t3, you, agent, ok, warn or bad, `size` is small, strong, card or welcome."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, tone: str = "", size: str = "") -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if tone:
            self.setProperty("tone", tone)
        if size:
            # Not "text": that is the label's own property.
            self.setProperty("textSize", size)
        self.setText(text)


class WrappedLabel(PlainLabel):
    """Wraps text over as many lines as it needs; one longer than `most` characters is cut, with more of it in the
    tooltip. `tone` and `size` as for `PlainLabel`."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, tone: str = "", size: str = "", most: int = _LONGEST
    ) -> None:
        self._most = most
        super().__init__(parent=parent, tone=tone, size=size)
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.say(text)

    def say(self, text: str) -> None:
        """Set the text."""
        shown = in_brief(text, self._most)
        self.setText(shown)
        self.setToolTip("" if shown == " ".join(text.split()) else plain_tip(text[:_LONGEST]))


class ElidedLabel(PlainLabel):
    """One line, elided at the end if it does not fit; the tooltip has the whole text then."""

    @property
    def drawn(self) -> str:
        """The text as elided now."""
        line = " ".join(self.text()[:_LONGEST].split())
        return self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, self.contentsRect().width())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(self.fontMetrics().horizontalAdvance("…"), super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:  # noqa: N802
        line = " ".join(self.text()[:_LONGEST].split())
        margins = self.contentsMargins()
        width = self.fontMetrics().horizontalAdvance(line) + margins.left() + margins.right() + 1
        return QSize(width, self.fontMetrics().height() + margins.top() + margins.bottom())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002
        drawn = self.drawn
        cut = drawn != " ".join(self.text()[:_LONGEST].split())
        tip = plain_tip(self.text()[:_LONGEST]) if cut else ""
        if self.toolTip() != tip:
            self.setToolTip(tip)
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(self.contentsRect(), self.alignment() | Qt.TextFlag.TextSingleLine, drawn)
        painter.end()
