"""What opens under a row: two sentences about it, and the ways on."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.desktop.table.row_stories import Deed, RowStory
from app.ui.kit.widgets.labels import ElidedLabel
from app.ui.plan.cells import STORY_HEIGHT
from app.ui.plan.look import Look
from app.ui.plan.story_buttons import STOP_ASKING, story_button
from app.ui.plan.widgets import button
from app.words import tr

_EDGE = 3
_TEXT_LEFT = 70
_LINE = 18
_TIGHT = 1000


class Story(QWidget):
    """A row, opened. `wished` carries what is to be done; the panel knows the row."""

    wished = Signal(str)

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
        self.buttons: dict[Deed, QPushButton] = {
            deed: story_button(deed, story.number, look, self.wished.emit) for deed in story.deeds
        }
        for one in self.buttons.values():
            line.addWidget(one, 0, Qt.AlignmentFlag.AlignVCenter)
        self.tell(story)

    @property
    def words(self) -> tuple[str, str, str]:
        """What it says."""
        return self._title.text(), self._first.text(), self._second.text()

    def takes(self, story: RowStory) -> bool:
        """Whether it can tell this instead, without other buttons."""
        now = self._story
        return (now.deeds, now.bad, now.number) == (story.deeds, story.bad, story.number) and \
            bool(now.technical) == bool(story.technical)

    def tell(self, story: RowStory) -> None:
        """Tell this from now on."""
        self._story = story
        self.setAccessibleName(story.accessible_text)
        self.setAccessibleDescription(f"{story.title}. {story.first} {story.second}")
        for label, text in ((self._title, story.title), (self._first, story.first), (self._second, story.second)):
            label.setText(text)
        self._more.setVisible(bool(story.technical))
        self._show_technical(self._more.isChecked())

    def safest(self) -> QPushButton | None:
        """The button that focus goes to."""
        return next(iter(self.buttons.values()), None)

    def allow(self, on: bool, *, asking: bool = False) -> None:
        """While the run goes on nothing can be decided on the row; while the model is asked only to stop that."""
        for deed, one in self.buttons.items():
            one.setEnabled(on and (not asking or deed == "repair"))
        self._asking = asking
        self._name()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fewer words where there is little room."""
        super().resizeEvent(event)
        self._name()

    def _name(self) -> None:
        for deed, one in self.buttons.items():
            tight = str(one.property("tight") or "") if self.width() < _TIGHT else ""
            text = tr(STOP_ASKING) if self._asking and deed == "repair" else tight or str(one.property("full"))
            if one.text() != text:
                one.setText(text)

    def _show_technical(self, on: bool) -> None:
        self._second.setVisible(not on)
        self._more.setText(self._story.technical if on else tr("Show technical details"))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """A soft ground with its edge: red where something went wrong, else brass."""
        tone = "bad" if self._story.bad else "agent"
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._look.color(f"{tone}_soft"))
            painter.fillRect(QRect(0, 0, _EDGE, self.height()), self._look.color(tone))
