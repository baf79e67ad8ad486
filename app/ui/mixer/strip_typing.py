"""Typing a level or a pan over a strip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from app.desktop.edits.mixing import read_pan, read_volume, with_mix
from app.desktop.edits.strip_facts import Strip
from app.desktop.texts.figures import decibels
from app.ui.mixer.entry import ValueEntry
from app.words import tr

if TYPE_CHECKING:
    from app.ui.mixer.strips import Strips


def type_value(
    strips: Strips, strip: Strip, what: Literal["volume", "pan"] = "volume", begun: str | None = None
) -> None:
    """Open a line over a value of a strip; `begun` is what was typed already."""
    at = strips.index_of(strip.track)
    if at is None:
        return
    strips.reveal(strip.track)
    strips.keyed.keep()
    board, volume = strips.board, what == "volume"

    def keep(typed: str) -> bool:
        read = read_volume(typed) if volume else read_pan(typed)
        if read is not None:
            board.commit(with_mix(board.song, strip.track, read if volume else None, None if volume else read))
        return read is not None

    place = (strips.places.value if volume else strips.places.pan).translated(strips.rect_of(at).topLeft())
    name = tr("Volume of {name} in dB", name=strip.name) if volume else tr("Pan of {name}", name=strip.name)
    now = decibels(strip.volume_db) if volume else f"{strip.pan * 100:.0f}"
    line = ValueEntry(strips.viewport(), place, now if begun is None else begun, name, keep)
    if begun is None:
        line.selectAll()
