"""Menus of the piano roll: notes, the scale, tracks behind; and small dialogs that ask how far to go."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import get_args

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QHBoxLayout, QMenu, QSpinBox, QVBoxLayout, QWidget

from agent.song.ids import TrackId
from agent.song.key import Key, Mode
from agent.song.time import PPQ
from agent.theory.pitch import usual_tonic
from app.i18n import tr
from app.ui.kit.key_text import key_text
from app.ui.kit.widgets.buttons import FlatButton, MainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.pianoroll.actions import RollActions
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.grid import SNAPS
from app.viewmodels.pianoroll.roll_words import mode_in_words

_GRIDS = tuple(one for one in SNAPS if one != "off")
_SEEDS = 999_999


class Choices(QDialog):
    """A form of labelled fields with one main button `verb`, which calls `act` and closes the dialog."""

    def __init__(
        self, title: str, rows: list[tuple[str, QWidget]], verb: str, act: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        column = QVBoxLayout(self)
        form = QFormLayout()
        for text, field in rows:
            field.setAccessibleName(text)
            label = PlainLabel(text, self)
            label.setBuddy(field)
            form.addRow(label, field)
        column.addLayout(form)
        buttons = QHBoxLayout()
        self.cancel = FlatButton(tr("Cancel"), self)
        self.main = MainButton(verb, self)
        self.main.setDefault(True)
        self.cancel.clicked.connect(self.reject)
        self.main.clicked.connect(self.accept)
        self.accepted.connect(act)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.main)
        column.addLayout(buttons)


def ask_quantize(scene: RollScene, actions: RollActions, parent: QWidget) -> Choices:
    """Ask for grid and strength, then quantize; both are remembered."""
    how = scene.settings.value
    grid = QComboBox()
    grid.addItems([_grid_name(one) for one in _GRIDS])
    grid.setCurrentIndex(_GRIDS.index(how.quantize))
    strength = _number(0, 100, round(how.strength * 100), tr("%"))

    def act() -> None:
        scene.set(quantize=_GRIDS[grid.currentIndex()], strength=strength.value() / 100)
        actions.quantize()

    rows: list[tuple[str, QWidget]] = [(tr("Grid"), grid), (tr("Strength"), strength)]
    return _opened(Choices(tr("Quantize notes"), rows, tr("Quantize notes"), act, parent))


def ask_humanize(scene: RollScene, actions: RollActions, parent: QWidget) -> Choices:
    """Ask for the limits of time (ticks) and velocity and for a seed, then humanize; the same seed gives the same
    result."""
    how = scene.settings.value
    timing = _number(0, 240, how.timing, tr(" ticks"))
    timing.setToolTip(tr("A beat has {count} ticks", count=PPQ))
    louder = _number(0, 60, how.louder, "")
    seed = _number(0, _SEEDS, secrets.randbelow(_SEEDS), "")
    seed.setToolTip(tr("The same number always gives the same result"))

    def act() -> None:
        scene.set(timing=timing.value(), louder=louder.value())
        actions.humanize(seed.value())

    rows: list[tuple[str, QWidget]] = [
        (tr("Timing, up to"), timing), (tr("Velocity, up to"), louder), (tr("Variation"), seed),
    ]
    return _opened(Choices(tr("Humanize notes"), rows, tr("Humanize notes"), act, parent))


def ask_velocity(actions: RollActions, parent: QWidget) -> Choices:
    """Ask for a percentage, then scale velocities."""
    percent = _number(1, 400, 100, tr("%"))
    rows: list[tuple[str, QWidget]] = [(tr("Velocity"), percent)]

    def act() -> None:
        actions.scale_velocity(percent.value() / 100)

    return _opened(Choices(tr("Scale velocity"), rows, tr("Scale velocity"), act, parent))


def _number(low: int, high: int, value: int, unit: str) -> QSpinBox:
    made = QSpinBox()
    made.setRange(low, high)
    made.setValue(value)
    made.setSuffix(unit)
    return made


def _grid_name(snap: str) -> str:
    return tr("{length} triplet", length=snap[:-1]) if snap.endswith("T") else snap


def _opened(dialog: Choices) -> Choices:
    dialog.open()
    return dialog


_LONGEST_NAME = 40


class NotesMenu(QMenu):
    """Operations on the selected notes, or on all of the clip."""

    def __init__(self, scene: RollScene, actions: RollActions, parent: QWidget) -> None:
        super().__init__(tr("Change notes"), parent)
        self._scene = scene
        self.setAccessibleName(tr("Change notes"))
        self._add(tr("Quantize"), actions.quantize, "Q")
        self._add(tr("Quantize…"), lambda: ask_quantize(scene, actions, parent))
        self._add(tr("Humanize"), lambda: actions.humanize(secrets.randbelow(1_000_000)))
        self._add(tr("Humanize…"), lambda: ask_humanize(scene, actions, parent))
        self._add(tr("Legato"), actions.legato)
        self.addSeparator()
        self._add(tr("Semitone up"), partial(actions.transpose, 1), "Ctrl+Up")
        self._add(tr("Semitone down"), partial(actions.transpose, -1), "Ctrl+Down")
        self._add(tr("Octave up"), partial(actions.transpose, 12), "Alt+Up")
        self._add(tr("Octave down"), partial(actions.transpose, -12), "Alt+Down")
        self._add(tr("Move into the scale"), actions.bring_into_scale)
        self.addSeparator()
        self._add(tr("Scale velocity…"), lambda: ask_velocity(actions, parent))
        self.addSeparator()
        self._add(tr("Select all"), actions.select_all, "Ctrl+A")
        self._add(tr("Cut"), actions.cut, "Ctrl+X")
        self._add(tr("Copy"), actions.copy, "Ctrl+C")
        self._add(tr("Paste at the playhead"), actions.paste, "Ctrl+V")
        self._add(tr("Duplicate"), actions.duplicate, "Ctrl+D")
        self._add(tr("Delete"), actions.delete, "Del")
        self.aboutToShow.connect(self._look)

    def _add(self, text: str, act: Callable[[], object], key: str = "") -> None:
        # The keys are the view's own; here they are only told.
        action = self.addAction(f"{text}\t{key_text(key)}" if key else text)
        action.triggered.connect(lambda: act())

    def _look(self) -> None:
        for action in self.actions():
            action.setEnabled(self._scene.editable)


class ScaleMenu(QMenu):
    """Which scale is lit, and whether notes are kept to it."""

    def __init__(self, scene: RollScene, parent: QWidget) -> None:
        super().__init__(tr("Scale"), parent)
        self._scene = scene
        self.setAccessibleName(tr("Scale"))
        self._lit = self._switch(tr("Highlight the scale"), lambda on: scene.set(light_scale=on))
        self._kept = self._switch(tr("Snap notes to the scale"), lambda on: scene.set(keep_to_scale=on))
        self.addSeparator()
        self._own = self._switch("", lambda _: scene.set(key=None))
        self._tonics = self._keys(
            tr("Tonic"), [(usual_tonic(pc, "major"), partial(self._tonic, pc)) for pc in range(12)]
        )
        self._modes = self._keys(
            tr("Mode"), [(mode_in_words(mode), partial(self._mode, mode)) for mode in get_args(Mode)]
        )
        self.aboutToShow.connect(self._look)

    def _switch(self, text: str, act: Callable[[bool], object]) -> QAction:
        action = self.addAction(text)
        action.setCheckable(True)
        action.triggered.connect(act)
        return action

    def _keys(self, title: str, rows: list[tuple[str, Callable[[], None]]]) -> QMenu:
        menu = self.addMenu(title)
        group = QActionGroup(menu)
        for text, act in rows:
            action = menu.addAction(text)
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, act=act: act())
            group.addAction(action)
        return menu

    def _tonic(self, pitch_class: int) -> None:
        mode = self._scene.key.mode
        self._scene.set(key=Key(usual_tonic(pitch_class, mode), mode))

    def _mode(self, mode: Mode) -> None:
        self._scene.set(key=Key(usual_tonic(self._scene.key.pitch_class, mode), mode))

    def _look(self) -> None:
        how, key = self._scene.settings.value, self._scene.key
        self._lit.setChecked(how.light_scale)
        self._kept.setChecked(how.keep_to_scale)
        self._own.setText(tr("Key of the song: {key}", key=self._scene.song.key))
        self._own.setChecked(how.key is None)
        self._tonics.actions()[key.pitch_class].setChecked(True)
        self._modes.actions()[get_args(Mode).index(key.mode)].setChecked(True)


class OthersMenu(QMenu):
    """Which other tracks' notes are shown behind those of the clip."""

    def __init__(self, scene: RollScene, parent: QWidget) -> None:
        super().__init__(tr("Notes of other tracks"), parent)
        self._scene = scene
        self.setAccessibleName(tr("Notes of other tracks"))
        self.aboutToShow.connect(self._fill)
        self._fill()

    def _fill(self) -> None:
        scene, how = self._scene, self._scene.settings.value
        self.clear()
        shown = self.addAction(tr("Show notes of other tracks"))
        shown.setCheckable(True)
        shown.setChecked(how.others)
        shown.triggered.connect(lambda on: scene.set(others=on))
        every = self.addAction(tr("All tracks but drums"))
        every.setCheckable(True)
        every.setChecked(how.beside is None)
        every.triggered.connect(lambda: scene.set(others=True, beside=None))
        if scene.drums:
            whole = self.addAction(tr("All pieces of the kit"))
            whole.setCheckable(True)
            whole.setChecked(how.whole_kit)
            whole.triggered.connect(lambda on: scene.set(whole_kit=on))
        self.addSeparator()
        own = None if scene.shown is None else scene.shown.track.id
        for track in scene.song.tracks:
            if track.id != own:
                action = self.addAction(" ".join(track.name[:_LONGEST_NAME].split()).replace("&", "&&"))
                action.setCheckable(True)
                action.setChecked(how.beside is not None and track.id in how.beside)
                action.triggered.connect(lambda on, track=track.id: self._toggle(track, on))

    def _toggle(self, track: TrackId, on: bool) -> None:
        beside = self._scene.settings.value.beside or frozenset()
        self._scene.set(others=True, beside=(beside | {track}) if on else (beside - {track}) or None)
