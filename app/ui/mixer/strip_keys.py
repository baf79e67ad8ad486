"""Keys of the strips; they come before the window's shortcuts while a strip has the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.desktop.edits.mixing import FADER_STEP, FINE_PAN_STEP, FINE_STEP, PAN_STEP
from app.ui.mixer.strip_typing import type_value

if TYPE_CHECKING:
    from app.ui.mixer.strips import Strips

_Key = Qt.Key
_SIDEWAYS = {_Key.Key_Left.value: -1, _Key.Key_Right.value: 1}
_UPRIGHT = {_Key.Key_Up.value: 1, _Key.Key_Down.value: -1}
_ENTER = (_Key.Key_Return.value, _Key.Key_Enter.value)
_ENDS = (_Key.Key_Home.value, _Key.Key_End.value)
_MODIFIERS = Qt.KeyboardModifier
_BEGINS_NUMBER = frozenset("0123456789+-\N{MINUS SIGN}")


def takes(event: QKeyEvent) -> bool:
    """Whether a key belongs to the strips."""
    keys = event.modifiers() & ~_MODIFIERS.KeypadModifier
    key = event.key()
    if key in _SIDEWAYS:
        return keys & ~_MODIFIERS.ShiftModifier == _MODIFIERS.AltModifier or keys == _MODIFIERS.NoModifier
    if key in _UPRIGHT:
        return keys in (_MODIFIERS.NoModifier, _MODIFIERS.ShiftModifier)
    if key in (*_ENTER, *_ENDS, _Key.Key_I.value):
        return keys == _MODIFIERS.NoModifier
    return keys in (_MODIFIERS.NoModifier, _MODIFIERS.ShiftModifier) and event.text() in _BEGINS_NUMBER and (
        bool(event.text())
    )


def handle_key(strips: Strips, event: QKeyEvent) -> bool:
    """Do what a key says; False if it says nothing here."""
    key = event.key()
    if key == _Key.Key_Escape:
        if strips.hand.cancel() or strips.keyed.drop():
            strips.redraw()
            return True
        return False
    strip = strips.current
    if not takes(event):
        return False
    if strip is None:
        strips.choose(0)
        return True
    now = strip.volume_db, strip.pan
    fine = bool(event.modifiers() & _MODIFIERS.ShiftModifier)
    if key in _SIDEWAYS and event.modifiers() & _MODIFIERS.AltModifier:
        strips.keyed.nudge(strip.track, now, pan=_SIDEWAYS[key] * (FINE_PAN_STEP if fine else PAN_STEP))
    elif key in _SIDEWAYS:
        strips.choose((strips.index_of(strip.track) or 0) + _SIDEWAYS[key])
    elif key in _UPRIGHT:
        strips.keyed.nudge(strip.track, now, volume=_UPRIGHT[key] * (FINE_STEP if fine else FADER_STEP))
    elif key in _ENDS:
        strips.choose(0 if key == _Key.Key_Home.value else len(strips.strips) - 1)
    elif key == _Key.Key_I.value:
        strips.hand.want_instrument(strip)
    else:
        type_value(strips, strip, begun=None if key in _ENTER else event.text())
    strips.redraw()
    return True
