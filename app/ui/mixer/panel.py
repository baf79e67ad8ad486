"""The mixer: a strip for each track, one for the whole mix, and the effects of the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from agent.song.ids import MASTER, TrackId
from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.buttons import ToggleButton
from app.ui.kit.widgets.empty_state import EmptyState
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.level_meter import LevelMeter
from app.ui.mixer.board import Board
from app.ui.mixer.choice_popup import ChoicePopup
from app.ui.mixer.inspector import Inspector
from app.ui.mixer.parameter_row import ValueField
from app.ui.mixer.strip_layout import LEAST_HEIGHT
from app.ui.mixer.strips_view import StripsView
from app.viewmodels.edits.choices import instrument_choices
from app.viewmodels.edits.clip_edits import find_track
from app.viewmodels.edits.mixing import LOUDEST, SOFTEST, read_number, with_instrument, with_loudness
from app.viewmodels.open_project import OpenProject
from app.viewmodels.texts.figures import decibels

WIDTH = 112
_METER = 22


class MasterStrip(QWidget):
    """The master's strip: level meter, loudness target, and the loudness measured of the song or preview that is
    listened to."""

    def __init__(self, board: Board, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._board = board
        self.setAccessibleName(tr("Master"))
        self.setFixedWidth(WIDTH)
        self.setMinimumHeight(LEAST_HEIGHT)
        self.effects = ToggleButton(tr("Effects"), self, icon="sliders", name=tr("Effects of the master"))
        self.effects.clicked.connect(self._choose)
        self.meter = LevelMeter(board.kit, tr("Master level"), self, upright=True)
        self.meter.setFixedWidth(_METER)
        self.target = ValueField(self)
        self.target.setFixedWidth(58)
        self.target.setAccessibleName(tr("Loudness target in LUFS"))
        self.target.setToolTip(tr("The loudness that the mix is brought to, from {low} to {high} LUFS",
                                  low=decibels(SOFTEST), high=decibels(LOUDEST)))
        self.target.typed.connect(self._set_target)
        self.measured = PlainLabel("", self, size="strong")
        self._lay_out()
        self._follow = Coalesced(0, self.refresh, self, board.kit.turns)
        self._subscriptions = Subscriptions()
        for told in (board.opened.workspace.changed, board.opened.playback.state.changed, board.subject.changed):
            self._subscriptions.add(told.listen(lambda _: self._follow.ask()))
        self.refresh()

    def refresh(self) -> None:
        """Update the strip from the song and the playback."""
        board = self._board
        self.target.show_value(decibels(board.song.loudness_target))
        loudness = board.opened.playback.loudness()
        known = loudness is not None and loudness > float("-inf")
        self.measured.setText(decibels(loudness) if known and loudness is not None else "–")
        self.measured.setAccessibleName(
            tr("Measured loudness {value} LUFS", value=self.measured.text()) if known else tr("Not measured yet")
        )
        self.measured.setToolTip("" if known else tr("The loudness is measured once all of the song was made"))
        self.effects.setChecked(board.subject.value == MASTER)
        count = len(board.song.master_effects)
        self.effects.setText(tr("Effects {count}", count=count) if count else tr("Effects"))
        self.update()

    def take_levels(self) -> None:
        """Show the current output levels."""
        self.meter.show_levels(self._board.opened.playback.levels())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the strip's background."""
        painter, theme = QPainter(self), self._board.kit.theme
        chosen = self._board.subject.value == MASTER
        painter.fillRect(event.rect(), theme.color("you_soft" if chosen else "panel"))
        painter.fillRect(0, 0, self.width(), 4, theme.color("t3"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), theme.color("line"))
        painter.fillRect(0, 0, 1, self.height(), theme.color("frame"))
        painter.end()

    def close_view(self) -> None:
        """End all subscriptions."""
        self._follow.drop()
        self.meter.clear()
        self._subscriptions.close()

    def _choose(self) -> None:
        subject: TrackId | None = MASTER
        if self._board.subject.value == MASTER:
            subject = self._board.opened.focus.track.value
        self._board.subject.set(subject)
        self.refresh()

    def _set_target(self, text: str) -> None:
        number = read_number(text)
        if number is not None:
            # Loudness in LUFS is below zero; nobody types the sign.
            self._board.commit(with_loudness(self._board.song, -abs(number)))

    def _lay_out(self) -> None:
        numbers = QVBoxLayout()
        numbers.setSpacing(2)
        for words, part in ((tr("Target"), self.target), (tr("Measured"), self.measured)):
            label = PlainLabel(words, self, tone="t3", size="small")
            numbers.addWidget(label)
            numbers.addWidget(part)
            unit = PlainLabel(tr("LUFS"), self, tone="t3", size="small")
            numbers.addWidget(unit)
            numbers.addSpacing(6)
        numbers.addStretch()
        middle = QHBoxLayout()
        middle.setSpacing(8)
        middle.addWidget(self.meter)
        middle.addLayout(numbers, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 6)
        column.setSpacing(6)
        column.addWidget(PlainLabel(tr("Master"), self, size="strong"))
        column.addLayout(middle, 1)
        column.addWidget(self.effects)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)


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
