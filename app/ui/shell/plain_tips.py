"""Tooltips as a screen reader says them: their words, without the marks that lay them out."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAccessible, Qt, QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QWidget

_TOLD = "told_tip"


class PlainTips(QObject):
    """Sets the accessible description of widgets to the plain text of their rich tooltips, once a screen reader is in
    use.

    From then on every event of the program passes a filter in Python, which is slow; without a screen reader nothing is
    filtered."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._telling = False
        # Qt says nowhere in Python when a screen reader begins to listen; the first thing that it follows is focus.
        app.focusChanged.connect(self._look)
        self._look()

    def close(self) -> None:
        """Remove the event filter."""
        self._app.focusChanged.disconnect(self._look)
        self._app.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Update the description when a tooltip changes."""
        if event.type() is QEvent.Type.ToolTipChange and isinstance(watched, QWidget):
            tell_tip(watched)
        return False

    def _look(self, *_: object) -> None:
        if not self._telling and QAccessible.isActive():
            self._telling = True
            self._app.installEventFilter(self)
            for widget in self._app.allWidgets():
                tell_tip(widget)


def tell_tip(widget: QWidget) -> None:
    """Set a widget's accessible description to the plain text of its rich tooltip. A plain tooltip needs none, and a
    description from elsewhere stays."""
    tip, said = widget.toolTip(), widget.accessibleDescription()
    if said and said != widget.property(_TOLD):
        return
    words = QTextDocumentFragment.fromHtml(tip).toPlainText() if Qt.mightBeRichText(tip) else ""
    if words != said:
        widget.setProperty(_TOLD, words)
        widget.setAccessibleDescription(words)
