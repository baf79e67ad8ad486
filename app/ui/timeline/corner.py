"""The corner over the headers: labels of the two rows beside it, plan overlay and following."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from app.i18n import tr, trn
from app.ui.kit.icons import icon
from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.widgets.buttons import FocusedToolButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.timeline.measures import CHORD_HEIGHT, RULER_HEIGHT, SECTION_HEIGHT
from app.ui.timeline.stage import TimelineContext

SMALL_ICON = 13
SIDE = 10


class Corner(QFrame):
    """Holds the switches of plan overlay and following, and the button that adds a track (`add`)."""

    def __init__(self, stage: TimelineContext, parent: QWidget, add: Callable[[], None]) -> None:
        super().__init__(parent)
        changes, following = tr("Show what the plan would change"), tr("Keep the playhead in view")
        self.overlay = _switch("eye", "agent", tr("Plan overlay"), changes, "view.overlay")
        self.following = _switch("arrow-line-right", "t2", tr("Follow playhead"), following, "transport.follow")
        self.following.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.following.setChecked(True)
        grid = QGridLayout(self)
        grid.setContentsMargins(SIDE, 0, SIDE // 2, 0)
        grid.setSpacing(0)
        rows = ((tr("Sections"), SECTION_HEIGHT), (tr("Chords"), CHORD_HEIGHT), (tr("Bars"), RULER_HEIGHT))
        for row, (text, height) in enumerate(rows):
            label = PlainLabel(text, tone="t3", size="small")
            grid.addWidget(label, row, 0)
            grid.setRowMinimumHeight(row, height)
        self._chords = PlainLabel(tone="t3", size="small")
        grid.addWidget(self._chords, 1, 1, 1, 3, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.setColumnStretch(1, 1)
        about = tr("Add a track that plays an instrument")
        self.adding = _switch("plus", "t2", tr("Add track"), about, "track.add")
        self.adding.setCheckable(False)
        self.adding.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.adding.clicked.connect(add)
        grid.addWidget(self.adding, 0, 3, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.following, 0, 2, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.overlay, 2, 1, 1, 3, Qt.AlignmentFlag.AlignRight)
        self.overlay.clicked.connect(stage.opened.focus.overlay.set)

    def show_overlay(self, *, on: bool) -> None:
        """Show whether the plan overlay (ghosts) is on."""
        self.overlay.setChecked(on)
        self.overlay.setIcon(icon("eye" if on else "eye-slash", "agent" if on else "t3", SMALL_ICON))
        self.overlay.setText(tr("Plan overlay on") if on else tr("Plan overlay off"))

    def show_chords(self, *, changed: int, heard: int) -> None:
        """Show how many chords the plan would change (`changed`); if none, how many are only detected in the notes
        (`heard`)."""
        tone = "agent" if changed else "t3"
        if self._chords.property("tone") != tone:
            self._chords.setProperty("tone", tone)
            self._chords.style().unpolish(self._chords)
            self._chords.style().polish(self._chords)
        self._chords.setText(
            trn("{count} changed", "{count} changed", changed) if changed
            else trn("{count} heard", "{count} heard", heard) if heard else ""
        )
        self._chords.setToolTip(
            tr("Chords that the plan would change") if changed
            else tr("Chords that the song does not state, heard in its notes") if heard else ""
        )


def _switch(name: str, token: str, words: str, tip: str, action: str) -> FocusedToolButton:
    button = FocusedToolButton()
    button.setCheckable(True)
    button.setAutoRaise(True)
    button.setProperty("role", "plain")
    button.setIcon(icon(name, token, SMALL_ICON))
    button.setIconSize(QSize(SMALL_ICON, SMALL_ICON))
    button.setText(words)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setAccessibleName(words)
    keyed_tip(button, action, tip)
    button.setFixedHeight(20)
    return button
