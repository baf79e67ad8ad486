"""Keys of the piano roll. While it has the keyboard they come before the window's shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.ui.pianoroll.actions import RollActions
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.note_selection import Way
from app.viewmodels.pianoroll.step_input import REST, octave_after, pitch_of

_Key = Qt.Key
_NONE, _SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
_CONTROL, _ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
_WAYS: dict[int, Way] = {
    _Key.Key_Left.value: "left", _Key.Key_Right.value: "right", _Key.Key_Up.value: "up", _Key.Key_Down.value: "down",
}
_OCTAVES = {_Key.Key_Up.value: 12, _Key.Key_Down.value: -12}


@dataclass(frozen=True)
class Act:
    """Call `do`; with `reveal` then scroll to the keyboard's note or cell."""

    do: Callable[[], object]
    reveal: bool = False


@dataclass(frozen=True)
class Zoom:
    """Zoom in by so many steps (negative: out) around the keyboard's note or cell; 0 shows the whole clip."""

    steps: int


@dataclass(frozen=True)
class GrowRows:
    """Make rows `by` pixels higher; negative is lower."""

    by: int


@dataclass(frozen=True)
class TurnPage:
    """Scroll by so many pages to the right; negative is left."""

    by: int


@dataclass(frozen=True)
class Escape:
    """Cancel a drag; without one end step input, else deselect."""


Command = Act | Zoom | GrowRows | TurnPage | Escape
_IN_SIGHT: dict[int, Command] = {
    _Key.Key_Plus.value: Zoom(1), _Key.Key_Equal.value: Zoom(1), _Key.Key_Minus.value: Zoom(-1),
    _Key.Key_0.value: Zoom(0), _Key.Key_PageUp.value: TurnPage(-1), _Key.Key_PageDown.value: TurnPage(1),
}
_ROWS: dict[int, Command] = {
    _Key.Key_Plus.value: GrowRows(1), _Key.Key_Equal.value: GrowRows(1), _Key.Key_Minus.value: GrowRows(-1),
}


class RollShortcuts:
    """The table of keys of the piano roll."""

    def __init__(self, scene: RollScene, actions: RollActions) -> None:
        self._scene = scene
        self._actions = actions
        self._plain = _IN_SIGHT | {
            _Key.Key_Delete.value: Act(actions.delete), _Key.Key_Backspace.value: Act(actions.delete),
            _Key.Key_Return.value: Act(actions.enter), _Key.Key_Enter.value: Act(actions.enter),
            _Key.Key_Q.value: Act(actions.quantize),
        }
        self._control = _ROWS | {
            _Key.Key_A.value: Act(actions.select_all), _Key.Key_C.value: Act(actions.copy),
            _Key.Key_X.value: Act(actions.cut), _Key.Key_V.value: Act(actions.paste),
            _Key.Key_D.value: Act(actions.duplicate),
        }

    def command(self, event: QKeyEvent, *, dragging: bool) -> Command | None:
        """The command of a key; None if it has none and the window may handle it. Esc has one while a drag is under way
        (`dragging`), with a selection, a focused note or step input."""
        scene = self._scene
        if scene.shown is None:
            return None
        keys, key = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier, event.key()
        stepping = scene.settings.value.stepping
        if stepping and scene.editable and keys in (_NONE, _SHIFT):
            step = self._step(key, stay=keys == _SHIFT)
            if step is not None:
                return Act(step, reveal=True)
        way = _WAYS.get(key)
        if way is not None:
            return self._arrow(way, key, keys)
        if key == _Key.Key_Escape.value:
            return Escape() if dragging or scene.selected.value or scene.focus is not None or stepping else None
        if keys == _CONTROL:
            return self._control.get(key)
        return self._plain.get(key) if keys in (_NONE, _SHIFT) else None

    def _arrow(self, way: Way, key: int, keys: Qt.KeyboardModifier) -> Command | None:
        actions = self._actions
        if keys == _CONTROL:
            return Act(partial(actions.move, way), reveal=True)
        if keys == _ALT and key in _OCTAVES:
            return Act(partial(actions.transpose, _OCTAVES[key]), reveal=True)
        return Act(partial(actions.go, way, extend=keys == _SHIFT), reveal=True) if keys in (_NONE, _SHIFT) else None

    def _step(self, key: int, *, stay: bool) -> Callable[[], None] | None:
        """What a key does in step input."""
        actions, octave = self._actions, self._scene.settings.value.octave
        if key in (_Key.Key_Left.value, _Key.Key_Right.value):
            return partial(actions.move_step, 1 if key == _Key.Key_Right.value else -1)
        if key == _Key.Key_Backspace.value:
            return actions.step_back
        if key in (_Key.Key_Period.value, ord(REST)):
            return actions.rest
        letter = chr(key) if ord("A") <= key <= ord("Z") else ""
        if letter and (pitch_of(letter, octave) is not None or octave_after(octave, letter) is not None):
            return partial(actions.letter, letter, stay=stay)
        return None
