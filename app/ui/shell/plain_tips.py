"""Tooltips as a screen reader says them: their words, without the marks that lay them out."""

from __future__ import annotations

from PySide6.QtGui import Qt, QTextDocumentFragment
from PySide6.QtWidgets import QWidget

_TOLD = "told_tip"


def tell_tip(widget: QWidget) -> None:
    """Describe a widget by the words of its tooltip, unless its tooltip says them itself or it is described already."""
    tip, said = widget.toolTip(), widget.accessibleDescription()
    if said and said != widget.property(_TOLD):
        return
    words = QTextDocumentFragment.fromHtml(tip).toPlainText() if Qt.mightBeRichText(tip) else ""
    if words != said:
        widget.setProperty(_TOLD, words)
        widget.setAccessibleDescription(words)
