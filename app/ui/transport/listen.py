"""A / B: whether the song or what the plan would make of it is heard."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from app.desktop.focus import Side
from app.desktop.watched import Watched
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import ToggleButton
from app.ui.kit.widgets.labels import PlainLabel

_GAP = 6


class ListenTo(QWidget):
    """Two buttons of which one is down; B is possible while there is a plan."""

    def __init__(self, kit: Kit, side: Watched[Side], action: QAction) -> None:
        super().__init__()
        self._kit = kit
        self._side = side
        self._tip = action.shortcut().toString()
        self.setAccessibleName("Listen to")
        self.song = ToggleButton("A  Now", tip="Hear the song as it is", key=self._tip, name="Listen to A, the song")
        self.plan = ToggleButton("B  With plan", name="Listen to B, the plan")
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._words = PlainLabel("Listen to", tone="t3")
        row.addWidget(self._words)
        row.addSpacing(_GAP)
        for button in (self.song, self.plan):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            group.addButton(button)
            row.addWidget(button)
        self.song.clicked.connect(lambda: self._side.set("song"))
        self.plan.clicked.connect(lambda: self._side.set("plan"))
        self._silence = side.watch(self._show)
        self.offer(False)

    def offer(self, plan: bool) -> None:
        """Whether there is a plan to hear."""
        self.plan.setEnabled(plan)
        words = "Hear the song as the plan would make it" if plan else "There is no plan to hear yet"
        self.plan.setToolTip(f"{words} ({self._tip})" if plan and self._tip else words)

    def show_words(self, shown: bool) -> None:
        """A tight bar has room for the buttons alone."""
        self._words.setVisible(shown)

    def close_view(self) -> None:
        """Stop listening."""
        self._silence()

    def _show(self, side: Side) -> None:
        (self.plan if side == "plan" else self.song).setChecked(True)
