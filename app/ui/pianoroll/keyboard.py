"""Keys of the piano roll. While it has the keyboard they come before the window's shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.desktop.roll.note_selection import Way
from app.desktop.roll.step_input import REST, octave_after, pitch_of

if TYPE_CHECKING:
    from app.ui.pianoroll.area import RollArea

_Key = Qt.Key
_NONE, _SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
_CONTROL, _ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
_WAYS: dict[int, Way] = {
    _Key.Key_Left.value: "left", _Key.Key_Right.value: "right", _Key.Key_Up.value: "up", _Key.Key_Down.value: "down",
}
_OCTAVES = {_Key.Key_Up.value: 12, _Key.Key_Down.value: -12}
Act = Callable[[], object]


def act_of(view: RollArea, event: QKeyEvent) -> Act | None:
    """What a key does here; None where it means nothing, and the window may have it."""
    stage, acts = view.stage, view.acts
    if stage.shown is None:
        return None
    keys, key = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier, event.key()
    if stage.settings.value.stepping and stage.editable and keys in (_NONE, _SHIFT):
        step = _step(view, event, stay=keys == _SHIFT)
        if step is not None:
            return step
    way = _WAYS.get(key)
    if way is not None:
        return _arrow(view, way, key, keys)
    if key == _Key.Key_Escape.value:
        busy = view.dragging or stage.selected.value or stage.focus is not None or stage.settings.value.stepping
        return view.escape if busy else None
    if keys == _CONTROL:
        return {
            _Key.Key_A.value: acts.select_all, _Key.Key_C.value: acts.copy, _Key.Key_X.value: acts.cut,
            _Key.Key_V.value: acts.paste, _Key.Key_D.value: acts.duplicate,
            _Key.Key_Plus.value: lambda: view.sight.tall_rows(1), _Key.Key_Equal.value: lambda: view.sight.tall_rows(1),
            _Key.Key_Minus.value: lambda: view.sight.tall_rows(-1),
        }.get(key)
    if keys not in (_NONE, _SHIFT):
        return None
    return {
        _Key.Key_Delete.value: acts.delete, _Key.Key_Backspace.value: acts.delete,
        _Key.Key_Return.value: acts.enter, _Key.Key_Enter.value: acts.enter,
        _Key.Key_Plus.value: view.sight.zoom_in, _Key.Key_Equal.value: view.sight.zoom_in,
        _Key.Key_Minus.value: view.sight.zoom_out,
        _Key.Key_0.value: view.sight.zoom_clip, _Key.Key_Q.value: acts.quantize,
        _Key.Key_PageUp.value: lambda: view.sight.page(-1), _Key.Key_PageDown.value: lambda: view.sight.page(1),
    }.get(key)


def _arrow(view: RollArea, way: Way, key: int, keys: Qt.KeyboardModifier) -> Act | None:
    acts = view.acts
    if keys == _CONTROL:
        return lambda: view.sight.moved(lambda: acts.move(way))
    if keys == _ALT and key in _OCTAVES:
        return lambda: view.sight.moved(lambda: acts.transpose(_OCTAVES[key]))
    if keys in (_NONE, _SHIFT):
        return lambda: view.sight.moved(lambda: acts.go(way, extend=keys == _SHIFT))
    return None


def _step(view: RollArea, event: QKeyEvent, *, stay: bool) -> Act | None:
    acts, key, settings = view.acts, event.key(), view.stage.settings.value
    if key in (_Key.Key_Left.value, _Key.Key_Right.value):
        return lambda: view.sight.moved(lambda: acts.move_step(1 if key == _Key.Key_Right.value else -1))
    if key == _Key.Key_Backspace.value:
        return lambda: view.sight.moved(acts.step_back)
    if key in (_Key.Key_Period.value, ord(REST)):
        return lambda: view.sight.moved(acts.rest)
    letter = chr(key) if ord("A") <= key <= ord("Z") else ""
    if letter and (pitch_of(letter, settings.octave) is not None or octave_after(settings.octave, letter) is not None):
        return lambda: view.sight.moved(lambda: acts.letter(letter, stay=stay))
    return None
