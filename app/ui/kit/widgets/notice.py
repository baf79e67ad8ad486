"""A trouble where it happened: a strip of one line, or a card with what, why and what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.icons import icon
from app.ui.kit.widgets.buttons import IconButton, PlainButton
from app.ui.kit.widgets.labels import PlainLabel, WrappedLabel
from app.viewmodels.texts.troubles import Trouble

STRIP_HEIGHT = 28
MOST_IN_STRIP = 480
"""Characters shown in a one-line strip; the tooltip has the whole text."""
_ICON = 14
_MARGIN = 10
_GAP = 6
_LONGEST = 2_000

Tone = Literal["warn", "bad"]
Offer = tuple[str, Callable[[], None]]


def sentence(words: str) -> str:
    """The text with a capital at the beginning and a full stop at the end, so that parts of an error can follow each
    other; empty for empty."""
    words = words.strip()[:_LONGEST]
    if not words:
        return ""
    return words[0].upper() + words[1:] + ("" if words[-1] in ".!?…" else ".")


class NoticeStrip(QFrame):
    """Shows one trouble until it is dismissed, in the colours of `tone`, as one line or as a `card`; `offers` are its
    buttons."""

    dismissed = Signal()

    def __init__(
        self, trouble: Trouble, parent: QWidget | None = None, *, tone: Tone = "bad", card: bool = False,
        offers: Sequence[Offer] = (),
    ) -> None:
        super().__init__(parent)
        self.trouble = trouble
        self._tone: Tone = tone
        self.setProperty("card", tone)
        self.buttons = [self._offer(*offer) for offer in offers]
        self.close_button = IconButton("x", tr("Dismiss this message"), parent=self, size=12)
        self.close_button.clicked.connect(self.dismiss)
        if card:
            self._lay_card()
        else:
            self._lay_strip()
        parts = (sentence(trouble.what), *_more(trouble))
        self.setAccessibleName(" ".join(part for part in parts if part))
        self._announced = False

    def dismiss(self) -> None:
        """Hide and delete the message, and emit `dismissed`."""
        self.hide()
        self.dismissed.emit()
        self.deleteLater()

    def announce(self) -> None:
        """Have screen readers announce the message; only the first call does."""
        if not self._announced:
            self._announced = True
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _lay_strip(self) -> None:
        self.setMinimumHeight(STRIP_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN, 1, 2, 1)
        row.setSpacing(_GAP)
        row.addWidget(self._mark())
        parts = (self.trouble.what, self.trouble.why, self.trouble.fix)
        words = " ".join(filter(None, map(sentence, parts)))
        row.addWidget(WrappedLabel(words, self, most=MOST_IN_STRIP), 1, Qt.AlignmentFlag.AlignVCenter)
        for button in self.buttons:
            button.setMinimumHeight(STRIP_HEIGHT - _GAP)
            row.addWidget(button)
        row.addWidget(self.close_button)

    def _lay_card(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _GAP, 2, _MARGIN)
        column.setSpacing(_GAP // 2)
        head = QHBoxLayout()
        head.setSpacing(_GAP)
        head.addWidget(self._mark(), 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(_wrapped(PlainLabel(sentence(self.trouble.what), self, size="card")), 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        for words in _more(self.trouble):
            column.addWidget(_wrapped(PlainLabel(words, self)))
        if self.buttons:
            row = QHBoxLayout()
            row.setContentsMargins(0, _GAP, 0, 0)
            for button in self.buttons:
                row.addWidget(button)
            row.addStretch()
            column.addLayout(row)

    def _mark(self) -> QLabel:
        mark = QLabel(self)
        name = "warning-fill" if self._tone == "warn" else "x-circle-fill"
        mark.setPixmap(icon(name, self._tone, _ICON).pixmap(_ICON, _ICON))
        return mark

    def _offer(self, text: str, act: Callable[[], None]) -> PlainButton:
        button = PlainButton(text, self)
        button.clicked.connect(lambda: act())
        return button


def _more(trouble: Trouble) -> tuple[str, ...]:
    why = trouble.why and tr("Why: {reason}", reason=sentence(trouble.why))
    fix = trouble.fix and tr("What to do: {fix}", fix=sentence(trouble.fix))
    return tuple(filter(None, (why, fix)))


def _wrapped(label: PlainLabel) -> PlainLabel:
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
