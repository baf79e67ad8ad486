"""Keys of the timeline, as a table; where the shell's actions have the same shortcut, they come first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.ui.timeline.actions import TimelineActions
from app.ui.timeline.commands import AskName, OpenNotes, ZoomSelection, ZoomSteps
from app.ui.timeline.mark_actions import MarkActions
from app.ui.timeline.navigation import Way
from app.ui.timeline.stage import TimelineContext

_Key = Qt.Key
_NONE, _SHIFT, _CONTROL = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
)
COARSE = 5
"""Hundredths of a curve's value range by which one key press moves a point; with Shift it is one hundredth."""
_WAYS: dict[int, Way] = {
    _Key.Key_Left.value: "left", _Key.Key_Right.value: "right", _Key.Key_Up.value: "up", _Key.Key_Down.value: "down",
}
_RULER_KEYS = frozenset({
    _Key.Key_Home, _Key.Key_End, _Key.Key_Delete, _Key.Key_Backspace, _Key.Key_Return, _Key.Key_Enter, _Key.Key_F2,
})


def command_of(stage: TimelineContext, actions: TimelineActions, event: QKeyEvent) -> Callable[[], object] | None:
    """The command of a key over the lanes; None if the key has none."""
    keys, key = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier, event.key()
    way = _WAYS.get(key)
    on_point = _on_point(actions, key, way, keys) if actions.points.there else None
    if on_point is not None:
        return on_point
    if way in ("left", "right") and keys == _CONTROL | _SHIFT:
        return partial(actions.choose_bars, 1 if way == "right" else -1)
    if key in (_Key.Key_Return, _Key.Key_Enter) and keys == _NONE:
        item = stage.scene.find(stage.cursor, stage.overlay)
        return None if item is None else partial(stage.asked.emit, OpenNotes(item.clip.id))
    if way is not None and keys in (_NONE, _SHIFT):
        return partial(actions.go, way, extend=keys == _SHIFT)
    if way in ("left", "right") and keys == _CONTROL:
        return partial(actions.nudge, -1 if way == "left" else 1)
    if key == _Key.Key_Escape:
        return actions.escape if actions.chosen else None
    if keys == _CONTROL:
        return {_Key.Key_A.value: actions.select_all, _Key.Key_D.value: actions.duplicate_selected,
                _Key.Key_T.value: actions.split_selected}.get(key)
    return _plain(stage, actions).get(key) if keys in (_NONE, _SHIFT) else None


def takes_key(stage: TimelineContext, actions: TimelineActions, event: QKeyEvent, *, dragging: bool) -> bool:
    """Whether the timeline handles a key before the window's shortcuts: Esc while there is a drag or a selection, and
    keys that move or delete a chosen automation point."""
    key = event.key()
    if key == _Key.Key_Escape:
        return dragging or actions.chosen
    return stage.point is not None and (key in (_Key.Key_Delete, _Key.Key_Backspace) or key in _WAYS)


def handle_ruler_key(marks: MarkActions, event: QKeyEvent) -> bool:
    """Handle a key in the ruler; False if it has no meaning there."""
    key, keys = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    step = {_Key.Key_Left.value: -1, _Key.Key_Right.value: 1}.get(key)
    marks.stage.refuse("")
    if step is not None and keys == _NONE:
        marks.go(step)
    elif step is not None and keys == _CONTROL:
        marks.move(step)
    elif keys != _NONE:
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


def takes_ruler_key(marks: MarkActions, event: QKeyEvent, *, held: bool) -> bool:
    """Whether the ruler handles a key before the window's shortcuts; `held`: a drag is under way."""
    keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if event.key() == _Key.Key_Escape:
        return held or marks.now is not None
    if event.key() in (_Key.Key_Left, _Key.Key_Right):
        return keys in (_NONE, _CONTROL)
    return keys == _NONE and event.key() in _RULER_KEYS


def _on_point(
    actions: TimelineActions, key: int, way: Way | None, keys: Qt.KeyboardModifier
) -> Callable[[], object] | None:
    """What keys do while a point of a curve is chosen."""
    points = actions.points
    if key in (_Key.Key_Delete, _Key.Key_Backspace):
        return points.delete
    if way in ("left", "right"):
        step = 1 if way == "right" else -1
        return partial(points.change, steps=step) if keys == _CONTROL else partial(points.choose, step)
    if way in ("up", "down"):
        return partial(points.change, rise=(1 if way == "up" else -1) * (1 if keys == _SHIFT else COARSE))
    return None


def _plain(stage: TimelineContext, actions: TimelineActions) -> dict[int, Callable[[], object]]:
    focus = stage.opened.focus
    return {
        _Key.Key_Delete.value: actions.delete_selected, _Key.Key_Backspace.value: actions.delete_selected,
        _Key.Key_F2.value: partial(stage.asked.emit, AskName()),
        _Key.Key_Plus.value: partial(stage.asked.emit, ZoomSteps(1)),
        _Key.Key_Equal.value: partial(stage.asked.emit, ZoomSteps(1)),
        _Key.Key_Minus.value: partial(stage.asked.emit, ZoomSteps(-1)),
        _Key.Key_G.value: lambda: focus.overlay.set(not focus.overlay.value),
        _Key.Key_F.value: lambda: focus.follow.set(not focus.follow.value),
        _Key.Key_Z.value: partial(stage.asked.emit, ZoomSelection()), _Key.Key_M.value: actions.mute_track,
        _Key.Key_S.value: actions.solo_track,
    }
