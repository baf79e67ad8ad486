"""What opens under a row: two sentences about it, and the ways on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.i18n import lazy, tr
from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.widgets.labels import ElidedLabel
from app.ui.plan.delegate import STORY_HEIGHT
from app.ui.plan.drawings import Look
from app.ui.plan.table_actions import PlanAction
from app.ui.plan.widgets import button
from app.viewmodels.plan.row_stories import RowStory, StoryAction

STOP_ASKING = lazy("Stop asking")


class _Button(NamedTuple):
    text: str
    tight: str
    """The words where there is little room; empty where they are the same."""
    icon: str
    role: str
    name: str
    """For screen readers; `{n}` is the row's number."""
    tip: str


_BUTTONS: Mapping[StoryAction, _Button] = MappingProxyType({
    "hear": _Button(
        lazy("Hear the edits"), lazy("Hear"), "ear", "", lazy("Hear step {n} with its edits"),
        lazy("Play the song as these edits would make it; A / B compares (B)"),
    ),
    "approve": _Button(
        lazy("Approve these edits"), lazy("Approve"), "check", "main", lazy("Approve the edits of step {n}"),
        lazy("Put exactly these edits into the song, and go on"),
    ),
    "reject": _Button(
        lazy("Reject"), "", "minus-circle", "", lazy("Reject the edits of step {n}"),
        lazy("Leave this step out and go on; the song stays as it is"),
    ),
    "edit": _Button(
        lazy("Edit"), "", "pencil-simple", "", lazy("Edit step {n}"),
        "",
    ),
    "limits": _Button(
        lazy("Edit limits"), "", "pencil-simple", "", lazy("Edit the limits of step {n}"),
        lazy("What the step may use and change, and whether its edits are accepted in advance (F2)"),
    ),
    "repair": _Button(
        lazy("Ask the model for a repair"), lazy("Repair"), "wrench", "",
        lazy("Ask the model for a repair of step {n}"),
        lazy("It proposes other values for this step; nothing runs before you say so"),
    ),
    "retry": _Button(
        lazy("Retry"), "", "arrow-clockwise", "", lazy("Retry failed steps"),
        lazy("Run what failed and was not reached again"),
    ),
    "skip": _Button(
        lazy("Skip"), "", "skip-forward", "", lazy("Skip step {n}"),
        lazy("Leave this step out and go on"),
    ),
    "roll back": _Button(
        lazy("Roll back"), "", "arrow-counter-clockwise", "danger", lazy("Roll back the run"),
        lazy("Restore the song from before the run as a new iteration"),
    ),
})
_TONES = {"main": "on_you", "danger": "bad"}
_DONE_AS: Mapping[StoryAction, PlanAction] = MappingProxyType({
    "hear": "hear edits", "approve": "approve edits", "reject": "skip", "limits": "edit",
})
"""What is called otherwise here than elsewhere in the plan."""
_EDGE = 3
_TEXT_LEFT = 70
_LINE = 18
_TIGHT = 1000


class Story(QWidget):
    """The detail row with a story: title, sentences and buttons. Signal `asked` carries the `PlanAction` of a
    button."""

    asked = Signal(str)

    def __init__(self, story: RowStory, look: Look) -> None:
        super().__init__()
        self._look = look
        self._story = story
        self._asking = False
        self.setFixedHeight(STORY_HEIGHT)
        self._title, self._first, self._second = ElidedLabel(""), ElidedLabel(""), ElidedLabel("")
        self._title.setFont(look.font(bold=True))
        self._more = button(tr("Show technical details"), lambda: None, role="plain")
        self._more.setCheckable(True)
        self._more.setStyleSheet("padding: 0; text-align: left; text-decoration: underline;")
        self._more.toggled.connect(self._show_technical)
        words = QVBoxLayout()
        words.setContentsMargins(0, 3, 0, 3)
        words.setSpacing(0)
        for widget in (self._title, self._first, self._second, self._more):
            widget.setFixedHeight(_LINE)
            words.addWidget(widget)
        if not story.technical:
            words.addStretch()
        line = QHBoxLayout(self)
        line.setContentsMargins(_TEXT_LEFT, 0, 12, 0)
        line.addLayout(words, 1)
        self.buttons = {action: self._button(action) for action in story.actions}
        for one in self.buttons.values():
            line.addWidget(one, 0, Qt.AlignmentFlag.AlignVCenter)
        self.tell(story)

    def _button(self, action: StoryAction) -> QPushButton:
        its = _BUTTONS[action]
        made = button(
            tr(its.text), lambda: self.asked.emit(_DONE_AS.get(action, action)), role=its.role,
            icon=self._look.icon(its.icon, _TONES.get(its.role, "t2")), tip=tr(its.tip) if its.tip else "",
            name=tr(its.name, n=self._story.number),
        )
        if action == "retry":
            keyed_tip(made, "plan.retry", tr(its.tip))
        return made

    @property
    def words(self) -> tuple[str, str, str]:
        """Title, first and second sentence as shown."""
        return self._title.text(), self._first.text(), self._second.text()

    def takes(self, story: RowStory) -> bool:
        """Whether it can show another story without rebuilding its buttons."""
        now = self._story
        return (now.actions, now.bad, now.number) == (story.actions, story.bad, story.number) and \
            bool(now.technical) == bool(story.technical)

    def tell(self, story: RowStory) -> None:
        """Show another story."""
        self._story = story
        self.setAccessibleName(story.accessible_text)
        self.setAccessibleDescription(f"{story.title}. {story.first} {story.second}")
        for label, text in ((self._title, story.title), (self._first, story.first), (self._second, story.second)):
            label.setText(text)
        self._more.setVisible(bool(story.technical))
        self._show_technical(self._more.isChecked())

    def safest(self) -> QPushButton | None:
        """The button to focus, that of the safest action; None if there are no buttons."""
        return next(iter(self.buttons.values()), None)

    def allow(self, on: bool, *, asking: bool = False) -> None:
        """Enable or disable the buttons; `asking` leaves only the one that stops asking the model."""
        for action, one in self.buttons.items():
            one.setEnabled(on and (not asking or action == "repair"))
        self._asking = asking
        self._name()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._name()

    def _name(self) -> None:
        for action, one in self.buttons.items():
            its = _BUTTONS[action]
            text = STOP_ASKING if self._asking and action == "repair" else its.text
            text = its.tight if text is its.text and its.tight and self.width() < _TIGHT else text
            if one.text() != tr(text):
                one.setText(tr(text))

    def _show_technical(self, on: bool) -> None:
        self._second.setVisible(not on)
        self._more.setText(self._story.technical if on else tr("Show technical details"))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        tone = "bad" if self._story.bad else "agent"
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._look.color(f"{tone}_soft"))
            painter.fillRect(QRect(0, 0, _EDGE, self.height()), self._look.color(tone))
