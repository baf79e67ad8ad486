"""A / B: which of two songs is heard, the earlier one or the later one."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.shortcuts import follow_keys, tip_with
from app.ui.kit.widgets.buttons import ToggleButton
from app.ui.kit.widgets.labels import PlainLabel
from app.viewmodels.transport.focus import Side
from app.viewmodels.watched import Watched

_GAP = 6
Kind = Literal["plan", "before"]


class ListenTo(QWidget):
    """Two buttons for which of two songs is heard: A the earlier, B the later. B needs the preview of a plan, or a
    run."""

    def __init__(self, side: Watched[Side], action: QAction) -> None:
        super().__init__()
        self._side = side
        self._action = action.objectName()
        self._kind: Kind | None = None
        self._sides: tuple[Side, Side] = ("song", "plan")
        self.setAccessibleName(tr("Listen to"))
        self.first, self.second = ToggleButton("A"), ToggleButton("B")
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.words = PlainLabel(tr("Listen to"), tone="t3")
        row.addWidget(self.words)
        row.addSpacing(_GAP)
        for place, button in enumerate((self.first, self.second)):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, place=place: self._side.set(self._sides[place]))
            group.addButton(button)
            row.addWidget(button)
        self._silence = side.watch(self._show)
        follow_keys(self, lambda: self.offer(self._kind))

    def offer(self, kind: Kind | None) -> None:
        """Name the two songs by the kind of the other one; None: there is only the song."""
        self._kind = kind
        now = "song", tr("Now"), tr("Hear the song as it is")
        plan = "plan", tr("With plan"), tr("Hear the song as the plan would make it")
        before = "plan", tr("Before"), tr("Hear the song as it was before this run")
        pair = (before, now) if kind == "before" else (now, plan)
        for letter, button, (side, words, tip) in zip("AB", (self.first, self.second), pair, strict=True):
            button.setText(f"{letter}  {words}")
            button.setAccessibleName(tr("Listen to {letter}, {words}", letter=letter, words=words))
            button.setEnabled(kind is not None or side == "song")
            button.setToolTip(tip_with(self._action, tip))
        if kind is None:
            self.second.setToolTip(tr("There is no plan to hear yet"))
        self._sides = ("plan", "song") if kind == "before" else ("song", "plan")
        self._show(self._side.value)

    def close_view(self) -> None:
        """End the subscription."""
        self._silence()

    def _show(self, side: Side) -> None:
        (self.first, self.second)[self._sides.index(side)].setChecked(True)
