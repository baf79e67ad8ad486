"""The mixer: a strip for each track, one for the master, and the effects of the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from agent.song.ids import TrackId
from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.widgets.empty_state import EmptyState
from app.ui.mixer.board import Board
from app.ui.mixer.choice_popup import ChoicePopup
from app.ui.mixer.inspector import Inspector
from app.ui.mixer.master_strip import MasterStrip
from app.ui.mixer.strips_view import StripsView
from app.viewmodels.edits.choices import instrument_choices
from app.viewmodels.edits.clip_edits import find_track
from app.viewmodels.edits.mixing import with_instrument
from app.viewmodels.open_project import OpenProject

_INSPECTOR = 460


class MixerPanel(QWidget):
    """The mixer of an open project; `close_view` stores what keys have set and ends all subscriptions."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__()
        self.setObjectName("mixer")
        self.setAccessibleName(tr("Mixer"))
        self.board = Board(opened, kit)
        self.strips = StripsView(self.board)
        self.master = MasterStrip(self.board)
        self.inspector = Inspector(self.board)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.strips)
        self._pages.addWidget(EmptyState(tr("No tracks yet"), tr("Every track of the song gets a strip here.")))
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        for part in (self._pages, self.master, self.inspector):
            self.split.addWidget(part)
        self.split.setStretchFactor(0, 1)
        self.split.setSizes([_INSPECTOR * 2, self.master.width(), _INSPECTOR])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.split)
        self.strips.instrument_wanted.connect(self._ask_instrument)
        self.strips.framed.connect(self.master.take_levels)
        self.strips.counted.connect(self._show_page)
        self._show_page()
        kit.tasks.start(self.board.presets.load(), "timeline")

    def take_keyboard(self) -> None:
        """Give the strips the keyboard."""
        (self.strips if self.strips.scene.strips else self.master.effects).setFocus(Qt.FocusReason.OtherFocusReason)

    def close_view(self) -> None:
        """Store what keys have set, and end all subscriptions."""
        for part in (self.strips, self.master, self.inspector):
            part.close_view()
        self.board.close()

    def made_choices(self, track: TrackId) -> ChoicePopup:
        """A pop-up list of instruments for a track; it deletes itself."""
        found = find_track(self.board.song, track)
        popup = ChoicePopup(
            tr("Instrument of {name}", name="" if found is None else found.name[:80]),
            instrument_choices(self.board.palette), "" if found is None else found.instrument, self,
        )
        popup.chosen.connect(lambda name: self.board.commit(with_instrument(self.board.song, track, name)))
        return popup

    def _ask_instrument(self, track: str, place: QPoint) -> None:
        self.made_choices(TrackId(track)).open_at(place)

    def _show_page(self) -> None:
        self._pages.setCurrentIndex(0 if self.strips.scene.strips else 1)
