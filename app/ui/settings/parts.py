"""What pages of the settings are made of: headings, rows of widgets, and a place that says how something went."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from agent.errors import BandleaderError
from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.notice import sentence
from app.viewmodels.texts.fixes import shown_fix

SIDE, GAP, BETWEEN = 20, 6, 16
_ICON = 14
_LONGEST = 1200

Tone = Literal["ok", "warn", "bad", "t3"]
_ICONS: dict[Tone, str] = {"ok": "check-circle-fill", "warn": "warning-fill", "bad": "x-circle-fill", "t3": "info"}


class Page(QWidget):
    """A page of the settings: title, a sentence about it, and below the layout `column`."""

    def __init__(self, title: str, about: str) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(SIDE, SIDE - 4, SIDE, SIDE)
        self.column.setSpacing(GAP)
        self.column.addWidget(PlainLabel(title, size="card"))
        self.column.addWidget(paragraph(about, "t2"))

    def heading(self, words: str) -> None:
        """Add the title of a group of fields."""
        self.column.addSpacing(BETWEEN - GAP)
        self.column.addWidget(PlainLabel(words, tone="t3", size="small"))

    def row(self, *widgets: QWidget, stretch: int = 0) -> QHBoxLayout:
        """Add widgets side by side; the one at index `stretch` takes the free width, with -1 none does."""
        line = QHBoxLayout()
        line.setSpacing(GAP)
        for at, widget in enumerate(widgets):
            line.addWidget(widget, 1 if at == stretch else 0)
        if stretch < 0:
            line.addStretch()
        self.column.addLayout(line)
        return line


class ResultLabel(QFrame):
    """A message about how something went, with a sign; hidden while it is empty."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._sign = QLabel()
        self._sign.setFixedSize(_ICON, _ICON + 2)
        self._words = paragraph("", "")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 2, 0, 2)
        line.setSpacing(GAP)
        line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._words, 1)
        self._tone: Tone = "t3"
        kit.theme.changed.connect(self._renew)
        self.hide()

    @property
    def text(self) -> str:
        """The message; empty while it is hidden."""
        return "" if self.isHidden() else self._words.text()

    @property
    def tone(self) -> Tone:
        """The kind of the message."""
        return self._tone

    def tell(self, words: str, tone: Tone = "ok") -> None:
        """Show a message and announce it to screen readers; empty hides it."""
        self._tone = tone
        self._words.setText(words[:_LONGEST])
        self.setAccessibleName(words[:_LONGEST])
        self._renew()
        self.setVisible(bool(words))
        if words and self.isVisible():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def tell_error(self, error: BandleaderError) -> None:
        """Show an error: what happened, why, and what to do."""
        parts = (sentence(error.what), error.why and tr("Why: {why}", why=sentence(error.why)),
                 error.fix and tr("What to do: {fix}", fix=sentence(shown_fix(error.fix))))
        self.tell("\n".join(part for part in parts if part), "bad")

    def clear(self) -> None:
        """Hide the message."""
        self.tell("")

    def _renew(self) -> None:
        made = icon(_ICONS[self._tone], self._tone, _ICON)
        self._sign.setPixmap(made.pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))


def paragraph(words: str, tone: str) -> PlainLabel:
    """A label of plain text in the colour of `tone` that wraps and can be selected."""
    label = PlainLabel(words, tone=tone)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    label.setSizePolicy(policy)
    return label
