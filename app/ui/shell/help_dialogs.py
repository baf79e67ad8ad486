"""What Bandleader is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel

_MARGIN, _GAP = 16, 8


class AboutDialog(QDialog):
    """Shows the program's name, its version and what it promises."""

    def __init__(self, parent: QWidget, version: str) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle(tr("About Bandleader"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        column.addWidget(PlainLabel("Bandleader", size="welcome"))
        column.addWidget(PlainLabel(tr("Version {version}", version=version), tone="t3"))
        for line in (
            tr("You lead. Bandleader plays what you approved, all of it, and nothing else."),
            tr("Works offline, without a key. Nothing is sent anywhere unless you choose a model."),
            tr("Free software under the GPL, version 3 or later."),
        ):
            column.addWidget(PlainLabel(line))
        close = PlainButton(tr("Close"))
        close.clicked.connect(self.accept)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
