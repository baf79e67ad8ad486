"""Fonts of the painted timeline, and names cut to the room that they have."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

from app.ui.kit.theme import font
from app.ui.timeline.measures import CLIP_TEXT, LABEL_TEXT, NAME_TEXT, RULER_TEXT

LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
CENTRE = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine)

_MOST_KEPT = 20_000
_LONGEST = 400


class Fonts:
    """The fonts of the timeline, derived from the application's; elided texts are cached."""

    def __init__(self) -> None:
        self.clip = font(CLIP_TEXT, 600)
        self.badge = font(CLIP_TEXT, 700)
        self.ruler = font(RULER_TEXT)
        self.chip = font(RULER_TEXT, 600)
        self.label = font(LABEL_TEXT)
        self.section = font(LABEL_TEXT, 600)
        self.name = font(NAME_TEXT, 600)
        self._metrics = {id(face): QFontMetrics(face) for face in (
            self.clip, self.badge, self.ruler, self.chip, self.label, self.section, self.name,
        )}
        self._short: dict[tuple[int, str, int], str] = {}

    def width(self, face: QFont, text: str) -> int:
        """Width of a text in pixels."""
        return self._metrics[id(face)].horizontalAdvance(text[:_LONGEST])

    def short(self, face: QFont, text: str, room: int) -> str:
        """The text in one line, elided to `room` pixels."""
        key = id(face), text, room
        found = self._short.get(key)
        if found is None:
            if len(self._short) > _MOST_KEPT:
                self._short.clear()
            line = " ".join(text[:_LONGEST].split())
            found = self._metrics[id(face)].elidedText(line, Qt.TextElideMode.ElideRight, room)
            self._short[key] = found
        return found
