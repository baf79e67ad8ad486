"""The buttons under the history: compare, restore, branch; each says why it is not possible."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.version_reasons import Reasons
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import plain_tip
from app.words import tr

_HEIGHT = 43
_SIDE, _GAP = 8, 6


class VersionFooter(QWidget):
    """43 px high."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(_GAP)
        self.compare = PlainButton(tr("Compare"), icon="git-diff")
        self.restore = PlainButton(tr("Restore"), icon="clock-counter-clockwise")
        self.branch = PlainButton(tr("Branch"), icon="git-branch")
        for button in (self.compare, self.restore, self.branch):
            row.addWidget(button)
        row.addStretch()

    def show_reasons(self, why: Reasons) -> None:
        """What is possible now."""
        for button, reason, tip in (
            (self.compare, why.compare, why.compare_tip), (self.restore, why.restore, why.restore_tip),
            (self.branch, why.branch, why.branch_tip),
        ):
            button.setEnabled(not reason)
            button.setToolTip(plain_tip(reason or tip))
        self.branch.setText(tr("Switch") if why.at_end else tr("Branch"))
        self.branch.setAccessibleName(self.branch.text())
