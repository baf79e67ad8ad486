"""The menus of the piano roll: what can be done with notes, the scale, and the tracks that are shown behind."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import get_args

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from agent.song.ids import TrackId
from agent.song.key import Key, Mode
from agent.theory.pitch import usual_tonic
from app.i18n import tr
from app.ui.kit.key_text import key_text
from app.ui.pianoroll.actions import RollActions
from app.ui.pianoroll.dialogs import ask_humanize, ask_quantize, ask_velocity
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.roll_words import mode_in_words

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
