"""Typing a level or a pan over a strip."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.kit.widgets.in_place import InPlaceLine
from app.ui.mixer.commands import TypeValue
from app.ui.mixer.scene import MixerScene
from app.viewmodels.edits.mixing import read_pan, read_volume, with_mix
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
