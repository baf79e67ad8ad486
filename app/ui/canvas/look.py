"""Colours and fonts that painted views share, looked up once for a theme and a screen."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics

from app.ui.kit.theme import font
from app.ui.kit.tokens import Tokens, mix

LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_NOTE_TEXT, _RULER_TEXT, _LABEL_TEXT = 9.5, 10, 11
_LONGEST = 200


class CanvasLook:
    """Fonts and colours for painting at a device pixel `ratio`; made anew when theme or screen change."""

    def __init__(self, tokens: Tokens, ratio: float) -> None:
        self.tokens = tokens
        self.ratio = ratio
        self.canvas, self.row2, self.panel = QColor(tokens.canvas), QColor(tokens.row2), QColor(tokens.panel)
        self.line, self.line2, self.line3 = QColor(tokens.line), QColor(tokens.line2), QColor(tokens.line3)
        self.grid, self.grid2, self.grid3 = QColor(tokens.grid), QColor(tokens.grid2), QColor(tokens.grid3)
        self.t1, self.t2, self.t3 = QColor(tokens.t1), QColor(tokens.t2), QColor(tokens.t3)
        self.you, self.you_soft, self.bad = QColor(tokens.you), QColor(tokens.you_soft), QColor(tokens.bad)
        self.white_key = QColor(mix(tokens.t1, tokens.canvas, 0.88 if tokens.dark else 0.02))
        self.black_key = QColor(mix(tokens.canvas, tokens.t1, 1.0 if tokens.dark else 0.22))
        self.on_white = QColor(tokens.on_track)
        self.note_font, self.label_font = font(_NOTE_TEXT, 600), font(_LABEL_TEXT)
        self.ruler_font, self.strong_font = font(_RULER_TEXT), font(_LABEL_TEXT, 600)
        self._metrics = {id(face): QFontMetrics(face) for face in (
            self.note_font, self.label_font, self.ruler_font, self.strong_font,
        )}

    def width(self, face: QFont, text: str) -> int:
        """Width of a text in pixels in one of these fonts."""
        return self._metrics[id(face)].horizontalAdvance(text[:_LONGEST])

    def short(self, face: QFont, text: str, room: int) -> str:
        """The text in one line, elided to `room` pixels."""
        line = " ".join(text[:_LONGEST].split())
        return self._metrics[id(face)].elidedText(line, Qt.TextElideMode.ElideRight, room)
