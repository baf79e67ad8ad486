"""The piano roll: the notes of the clip that is chosen."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from agent.song.ids import ClipId
from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.empty_state import EmptyState
from app.ui.pianoroll.header import ClipHeader
from app.ui.pianoroll.toolbar import RollBar
from app.ui.pianoroll.view import RollView
from app.viewmodels.open_project import OpenProject


class PianoRollPanel(QWidget):
    """The piano roll for the clip in focus, or a single selected clip. `bar` is its toolbar, for the dock's title."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__()
        self.setObjectName("pianoroll")
        self.setAccessibleName(tr("Piano roll"))
        self._opened = opened
        self.view = RollView(opened, kit, self.isVisible)
        scene = self.view.scene
        self.bar = RollBar(scene, self.view.menu)
        self.header = ClipHeader(scene, kit)
        self.empty = EmptyState(tr("No clip chosen"), tr("Select a clip to see its notes."))
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.view, 1)
        self._page = page
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(page)
        self._subscriptions = Subscriptions()
        for silence in (
            opened.focus.clips.watch(self._clips_selected),
            opened.focus.follow.changed.listen(lambda _: self.bar.show_state()),
            scene.selected.changed.listen(lambda _: self.header.show_chosen()),
            scene.renewed.listen(lambda _: self._renewed()),
            scene.settings.changed.listen(lambda _: self._renewed()),
        ):
            self._subscriptions.add(silence)
        self._renewed()

    def take_keyboard(self) -> None:
        """Give the notes the keyboard."""
        # The clip may have been chosen a moment ago.
        self.view.scene.renew()
        if self.view.scene.shown is None:
            self.setFocus()
        else:
            self.view.setFocus()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Update what has changed while the panel was hidden."""
        super().showEvent(event)
        self.view.catch_up()

    def close_view(self) -> None:
        """End all subscriptions and close the view."""
        self._subscriptions.close()
        self.view.close_view()

    def _renewed(self) -> None:
        """Something else is shown, or works otherwise."""
        self._pages.setCurrentWidget(self.empty if self.view.scene.shown is None else self._page)
        self.header.show_state()
        self.bar.show_state()

    def _clips_selected(self, clips: frozenset[ClipId]) -> None:
        if len(clips) == 1:
            self._opened.focus.clip.set(next(iter(clips)))
