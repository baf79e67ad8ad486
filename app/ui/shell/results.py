"""What came of something, in a strip: what was written or brought in, how a run ended, and where to see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from app.i18n import tr
from app.ui.kit.icons import icon
from app.ui.kit.widgets.buttons import IconButton, PlainButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel
from app.ui.kit.widgets.notice import MOST_IN_STRIP, STRIP_HEIGHT, Offer

_ICON = 14
_SIDE, _GAP = 10, 6
_BAR = QSize(140, 6)


class ResultStrip(QWidget):
    """A one-line notification with a button per offer, until it is dismissed; `well` is False for a failure."""

    dismissed = Signal()

    def __init__(self, words: str, offers: Sequence[Offer] = (), *, well: bool = True) -> None:
        super().__init__()
        self.setProperty("surface", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumHeight(STRIP_HEIGHT)
        self.setAccessibleName(words)
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 1, 2, 1)
        row.setSpacing(_GAP)
        mark = PlainLabel()
        sign, tone = ("check-circle-fill", "ok") if well else ("warning-fill", "warn")
        mark.setPixmap(icon(sign, tone, _ICON).pixmap(_ICON, _ICON))
        row.addWidget(mark)
        row.addWidget(WrappedLabel(words, most=MOST_IN_STRIP), 1, Qt.AlignmentFlag.AlignVCenter)
        for text, act in offers:
            button = PlainButton(text, self)
            button.setMinimumHeight(STRIP_HEIGHT - _GAP)
            button.clicked.connect(lambda _=False, act=act: act())
            row.addWidget(button)
        close = IconButton("x", tr("Dismiss this message"), parent=self, size=12)
        close.clicked.connect(self.dismiss)
        row.addWidget(close)

    def dismiss(self) -> None:
        """Hide and delete the notification, and emit `dismissed`."""
        self.hide()
        self.dismissed.emit()
        self.deleteLater()


class ProgressStrip(QWidget):
    """A one-line notification with a progress bar and a button that calls `cancel`."""

    def __init__(self, words: str, cancel: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("surface", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(STRIP_HEIGHT)
        self.setAccessibleName(words)
        self.words = ElidedLabel(words)
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Progress: {what}", what=words))
        self.bar.setFixedSize(_BAR)
        self.bar.setTextVisible(False)
        self.cancel = PlainButton(tr("Cancel"), name=tr("Cancel: {what}", what=words))
        self.cancel.setMinimumHeight(STRIP_HEIGHT - _GAP)
        self.cancel.clicked.connect(lambda: self._stop(cancel))
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(_GAP)
        row.addWidget(self.words, 1)
        row.addWidget(self.bar)
        row.addWidget(self.cancel)

    def show_share(self, share: float) -> None:
        """Set the progress, 0 to 1."""
        self.bar.setValue(round(share * 100))

    def _stop(self, cancel: Callable[[], None]) -> None:
        self.cancel.setEnabled(False)
        self.words.setText(tr("Stopping…"))
        cancel()
