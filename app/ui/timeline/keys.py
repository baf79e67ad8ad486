"""Keys of the timeline, as a table; where the shell's actions have the same shortcut, they come first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.ui.timeline.navigation import Way

if TYPE_CHECKING:
    from app.ui.timeline.area import TimelineArea
    from app.ui.timeline.view import TimelineView

_Key = Qt.Key
COARSE = 5
"""Hundredths of a curve's range that one key moves a point by; with Shift it is one."""
_WAYS: dict[int, Way] = {
    _Key.Key_Left.value: "left", _Key.Key_Right.value: "right", _Key.Key_Up.value: "up", _Key.Key_Down.value: "down",
}
_RULER_KEYS = frozenset({
    _Key.Key_Home, _Key.Key_End, _Key.Key_Delete, _Key.Key_Backspace, _Key.Key_Return, _Key.Key_Enter, _Key.Key_F2,
})


def handle_key(view: TimelineView, event: QKeyEvent) -> bool:
    """Do what a key says; False if it says nothing here."""
    keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    none, shift = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
    control = Qt.KeyboardModifier.ControlModifier
    way = _WAYS.get(event.key())
    if view.stage.point is not None and _on_point(view, event.key(), way, keys):
        return True
    if way in ("left", "right") and keys == control | shift:
        view.acts.choose_bars(1 if way == "right" else -1)
        return True
    if event.key() in (_Key.Key_Return, _Key.Key_Enter) and keys == none:
        return view.open_notes()
    if way is not None and keys in (none, shift):
        view.acts.go(way, extend=keys == shift)
        return True
    if way in ("left", "right") and keys == control:
        view.nudge(-1 if way == "left" else 1)
        return True
    if event.key() == _Key.Key_Escape:
        return view.acts.escape()
    act = _with(view, event.key(), control=keys == control, plain=keys in (none, shift))
    if act is None:
        return False
    act()
    return True


def takes_key(view: TimelineView, event: QKeyEvent) -> bool:
    """Whether a key is the timeline's even where the window has the same one: Esc while there is something to let
    go, and what moves or deletes a chosen point."""
    focus, key = view.stage.opened.focus, event.key()
    if key == _Key.Key_Escape:
        chosen = focus.clips.value or focus.step.value is not None or focus.bars.value is not None
        return view.dragging or view.stage.point is not None or bool(chosen)
    return view.stage.point is not None and (key in (_Key.Key_Delete, _Key.Key_Backspace) or key in _WAYS)


def handle_ruler_key(view: TimelineArea, event: QKeyEvent) -> bool:
    """Do what a key says while the ruler has the keyboard; False if it says nothing there."""
    marks, key = view.acts.marks, event.key()
    keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    step = {_Key.Key_Left.value: -1, _Key.Key_Right.value: 1}.get(key)
    view.stage.refuse("")
    if step is not None and keys == Qt.KeyboardModifier.NoModifier:
        marks.go(step)
    elif step is not None and keys == Qt.KeyboardModifier.ControlModifier:
        marks.move(step)
    elif keys != Qt.KeyboardModifier.NoModifier:
        return False
    elif key in (_Key.Key_Home, _Key.Key_End):
        marks.go_to_end(last=key == _Key.Key_End)
    elif key in (_Key.Key_Delete, _Key.Key_Backspace):
        marks.delete()
    elif key in (_Key.Key_Return, _Key.Key_Enter, _Key.Key_F2):
        marks.change()
    elif key == _Key.Key_Escape and marks.now is not None:
        marks.take(None)
    else:
        return False
    return True


def takes_ruler_key(view: TimelineArea, event: QKeyEvent) -> bool:
    """Whether a key is the ruler's even where the window has the same one."""
    keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if event.key() == _Key.Key_Escape:
        return view.ruler.held or view.acts.marks.now is not None
    if event.key() in (_Key.Key_Left, _Key.Key_Right):
        return keys in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier)
    return keys == Qt.KeyboardModifier.NoModifier and event.key() in _RULER_KEYS


def _on_point(view: TimelineView, key: int, way: Way | None, keys: Qt.KeyboardModifier) -> bool:
    """What keys do while a point of a curve is chosen."""
    acts = view.acts.points
    if key in (_Key.Key_Delete, _Key.Key_Backspace):
        return acts.delete()
    fine = keys == Qt.KeyboardModifier.ShiftModifier
    if way in ("left", "right"):
        step = 1 if way == "right" else -1
        return acts.change(steps=step) if keys == Qt.KeyboardModifier.ControlModifier else acts.choose(step)
    if way in ("up", "down"):
        return acts.change(rise=(1 if way == "up" else -1) * (1 if fine else COARSE))
    return False


def _with(view: TimelineView, key: int, *, control: bool, plain: bool) -> Callable[[], None] | None:
    if control:
        return {_Key.Key_A.value: view.select_all, _Key.Key_D.value: view.duplicate_selected,
                _Key.Key_T.value: view.split_selected}.get(key)
    if not plain:
        return None
    return {
        _Key.Key_Delete.value: view.delete_selected, _Key.Key_Backspace.value: view.delete_selected,
        _Key.Key_F2.value: view.rename_selected, _Key.Key_Plus.value: view.zoom_in,
        _Key.Key_Equal.value: view.zoom_in, _Key.Key_Minus.value: view.zoom_out,
        _Key.Key_G.value: view.toggle_overlay, _Key.Key_F.value: view.toggle_follow,
        _Key.Key_Z.value: view.zoom_selection, _Key.Key_M.value: view.mute_track, _Key.Key_S.value: view.solo_track,
    }.get(key)
