"""What opens under a row that failed: what happened, why, what to do, and the ways on."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.desktop.plan_rows import PlanRow
from app.desktop.row_states import Mark
from app.ui.kit.widgets.labels import ElidedLabel
from app.ui.plan.cells import STORY_HEIGHT
from app.ui.plan.look import Look
from app.ui.plan.widgets import Words, button

_EDGE = 3
_TEXT_LEFT = 70
_LINE = 18


class Story(QWidget):
    """The failed row, opened. Its wishes carry nothing: the panel knows the row."""

    edit = Signal()
    retry = Signal()
    skip = Signal()
    roll_back = Signal()

    def __init__(self, row: PlanRow, look: Look, *, last_try: bool) -> None:
        super().__init__()
        self._look = look
        self.setAccessibleName(f"Step {row.facts.number} needs you")
        self.setFixedHeight(STORY_HEIGHT)
        what, why, do = story_words(row, can_retry=not last_try)
        self._technical = f"tool {row.facts.step.tool} · step id {row.id} · {row.standing.reason}"
        title = Words(look, what, bold=True)
        self._why = ElidedLabel(f"Why: {why}")
        self._more = button("Show technical details", lambda: None, role="plain")
        self._more.setCheckable(True)
        self._more.setStyleSheet("padding: 0; text-align: left; text-decoration: underline;")
        self._more.toggled.connect(self._show_technical)
        self._do = ElidedLabel(f"What to do: {do}")
        words = QVBoxLayout()
        words.setContentsMargins(0, 3, 0, 3)
        words.setSpacing(0)
        for widget in (title, self._why, self._do, self._more):
            widget.setFixedHeight(_LINE)
            words.addWidget(widget)
        line = QHBoxLayout(self)
        line.setContentsMargins(_TEXT_LEFT, 0, 12, 0)
        line.addLayout(words, 1)
        number = row.facts.number
        self.buttons = {
            "edit": button("Edit", self.edit.emit, icon=look.icon("pencil-simple"), name=f"Edit step {number}"),
            "retry": button("Retry", self.retry.emit, icon=look.icon("arrow-clockwise"), name="Retry failed steps",
                            tip="Run what failed and was not reached again (Ctrl+R)"),
            "skip": button("Skip", self.skip.emit, icon=look.icon("skip-forward"), name=f"Skip step {number}",
                           tip="Leave this step out and go on"),
            "roll back": button("Roll back", self.roll_back.emit, role="danger",
                                icon=look.icon("arrow-counter-clockwise", "bad"), name="Roll back the run",
                                tip="Restore the song from before the run as a new iteration"),
        }
        for one in self.buttons.values():
            line.addWidget(one, 0, Qt.AlignmentFlag.AlignVCenter)

    def safest(self) -> QPushButton:
        """The button that focus goes to."""
        return self.buttons["edit"]

    def allow(self, on: bool) -> None:
        """While the run goes on nothing can be decided on the row."""
        for one in self.buttons.values():
            one.setEnabled(on)

    def _show_technical(self, on: bool) -> None:
        self._do.setVisible(not on)
        self._more.setText(self._technical if on else "Show technical details")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """The soft red ground with its edge."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._look.color("bad_soft"))
            painter.fillRect(QRect(0, 0, _EDGE, self.height()), self._look.color("bad"))


def story_words(row: PlanRow, *, can_retry: bool) -> tuple[str, str, str]:
    """What happened, why, and what to do."""
    name = f"Step {row.facts.number}, “{row.facts.sentence}”,"
    reason = row.standing.reason or "no reason was given"
    if row.standing.mark is Mark.REVIEW:
        return f"{name} may or may not have happened", reason, "look at the song, then retry or skip the step."
    done = row.standing.text == "Done in part"
    what = f"{name} was done only in part" if done else f"{name} was not done"
    kept = "" if done else " Nothing of this step was changed."
    advice = "change it with Edit, try again, or skip it." if can_retry else "change it with Edit, or skip it."
    return what, f"{reason[:1].upper()}{reason[1:].rstrip('.')}.{kept}", advice
