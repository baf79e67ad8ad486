"""The window of a start that failed: what happened, why, what to do, and Quit."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout

from agent.errors import BandleaderError
from app.i18n import tr
from app.ui.kit.widgets.buttons import MainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.notice import sentence
from app.viewmodels.texts.fixes import shown_fix

_WIDTH = 520
_MARGIN, _GAP = 20, 10


class RefusalDialog(QDialog):
    """Shows why the start failed; open it with `open()`. Signal `finished` is emitted when it was closed."""

    def __init__(self, error: BandleaderError) -> None:
        super().__init__()
        self.setWindowTitle(tr("Bandleader cannot start"))
        self.setMinimumWidth(_WIDTH)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        column.addWidget(_line(sentence(error.what), size="card"))
        if error.why:
            column.addWidget(_line(tr("Why: {reason}", reason=sentence(error.why))))
        if error.fix:
            column.addWidget(_line(tr("What to do: {fix}", fix=sentence(shown_fix(error.fix)))))
        column.addWidget(_line(tr("Your songs were not changed."), tone="t3"))
        quit_button = MainButton(tr("Quit"), tip=tr("Quit Bandleader"))
        quit_button.setDefault(True)
        quit_button.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(quit_button)
        column.addLayout(row)
        self.setAccessibleName(tr("Bandleader cannot start. {what}", what=error.what))


def _line(words: str, *, size: str = "", tone: str = "") -> PlainLabel:
    label = PlainLabel(words, size=size, tone=tone)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
