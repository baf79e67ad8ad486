"""Keys of the strips, before the window's shortcuts while a strip has them, and the line in which a value is typed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.kit.widgets.in_place import InPlaceLine
from app.ui.mixer.commands import AskInstrument, Choose, Command, GiveUp, Nudge, TypeValue
from app.ui.mixer.scene import MixerScene
from app.viewmodels.edits.mixing import FADER_STEP, FINE_PAN_STEP, FINE_STEP, PAN_STEP, read_pan, read_volume, with_mix
from app.viewmodels.texts.figures import decibels

_MOST = 24


class ValueEntry(InPlaceLine):
    """An inline text field for a number; `keep` gets the text and returns whether it could be read."""

    def __init__(self, parent: QWidget, place: QRect, text: str, name: str, keep: Callable[[str], bool]) -> None:
        super().__init__(parent, place, text, name, keep, longest=_MOST)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setTextMargins(-4, -2, -4, -2)


def open_entry(scene: MixerScene, wanted: TypeValue, viewport: QWidget) -> None:
    """Open the field over a strip's value; what is typed is stored in the song."""
    strip, volume = wanted.strip, wanted.what == "volume"
    board = scene.board

    def keep(typed: str) -> bool:
        read = read_volume(typed) if volume else read_pan(typed)
        if read is not None:
            board.commit(with_mix(board.song, strip.track, read if volume else None, None if volume else read))
        return read is not None

    place = scene.place_of(strip, scene.places.value if volume else scene.places.pan)
    name = tr("Volume of {name} in dB", name=strip.name) if volume else tr("Pan of {name}", name=strip.name)
    now = decibels(strip.volume_db) if volume else f"{strip.pan * 100:.0f}"
    line = ValueEntry(viewport, place, now if wanted.begun is None else wanted.begun, name, keep)
    if wanted.begun is None:
        line.selectAll()


_Key = Qt.Key
_SIDEWAYS = {_Key.Key_Left.value: -1, _Key.Key_Right.value: 1}
_UPRIGHT = {_Key.Key_Up.value: 1, _Key.Key_Down.value: -1}
_ENTER = (_Key.Key_Return.value, _Key.Key_Enter.value)
_ENDS = (_Key.Key_Home.value, _Key.Key_End.value)
_NONE, _SHIFT, _ALT = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
)
_BEGINS_NUMBER = frozenset("0123456789+-\N{MINUS SIGN}")


def command_of(scene: MixerScene, event: QKeyEvent, *, dragging: bool) -> Command | None:
    """The command of a key; None if it has none and the window may handle it. Esc has one while a drag is under way
    (`dragging`) or keys have set a value."""
    if event.key() == _Key.Key_Escape:
        return GiveUp() if dragging or scene.keyed.rest.isActive() else None
    if not _takes(event):
        return None
    strip, key = scene.current, event.key()
    if strip is None:
        return Choose(0)
    fine = bool(event.modifiers() & _SHIFT)
    if key in _SIDEWAYS and event.modifiers() & _ALT:
        return Nudge(strip, pan=_SIDEWAYS[key] * (FINE_PAN_STEP if fine else PAN_STEP))
    if key in _SIDEWAYS:
        return Choose((scene.index_of(strip.track) or 0) + _SIDEWAYS[key])
    if key in _UPRIGHT:
        return Nudge(strip, volume=_UPRIGHT[key] * (FINE_STEP if fine else FADER_STEP))
    if key in _ENDS:
        return Choose(0 if key == _Key.Key_Home.value else len(scene.strips) - 1)
    if key == _Key.Key_I.value:
        return AskInstrument(strip)
    return TypeValue(strip, begun=None if key in _ENTER else event.text())


def _takes(event: QKeyEvent) -> bool:
    """Whether a key belongs to the strips."""
    keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    key = event.key()
    if key in _SIDEWAYS:
        return keys & ~_SHIFT == _ALT or keys == _NONE
    if key in _UPRIGHT:
        return keys in (_NONE, _SHIFT)
    if key in (*_ENTER, *_ENDS, _Key.Key_I.value):
        return keys == _NONE
    return keys in (_NONE, _SHIFT) and event.text() in _BEGINS_NUMBER and bool(event.text())
