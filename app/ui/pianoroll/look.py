"""Colours and fonts of the painted piano roll, looked up once for a theme."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics

from app.ui.canvas.note_chunk import BANDS
from app.ui.kit.painted import hatch_brush
from app.ui.kit.theme import font
from app.ui.kit.tokens import Tokens, clip_notes, contrast, ghost_hatch, ghost_outline, ghost_wash, mix
from app.ui.pianoroll.measures import LABEL_TEXT, NOTE_TEXT, RULER_TEXT

LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
BLACK = frozenset({1, 3, 6, 8, 10})
"""Pitch classes of the black keys."""
_SOFTEST = 0.45
_LONGEST = 200


@dataclass(frozen=True)
class NoteTones:
    """Fills of notes from soft to loud with the text that can be read on each, their edge, and what is proposed."""

    bands: tuple[QColor, ...]
    edge: QColor
    texts: tuple[QColor, ...]
    wash: QColor
    hatch: QColor
    outline: QColor
    behind: QColor


class Look:
    """What painting reads; another one is made when theme or screen change."""

    def __init__(self, tokens: Tokens, ratio: float) -> None:
        self.tokens = tokens
        self.ratio = ratio
        self.canvas, self.row2, self.panel = QColor(tokens.canvas), QColor(tokens.row2), QColor(tokens.panel)
        self.line, self.line2, self.line3 = QColor(tokens.line), QColor(tokens.line2), QColor(tokens.line3)
        self.grid, self.grid2, self.grid3 = QColor(tokens.grid), QColor(tokens.grid2), QColor(tokens.grid3)
        self.t1, self.t2, self.t3 = QColor(tokens.t1), QColor(tokens.t2), QColor(tokens.t3)
        self.you, self.you_soft, self.bad = QColor(tokens.you), QColor(tokens.you_soft), QColor(tokens.bad)
        self.scale = QColor(mix(tokens.you, tokens.canvas, 0.07))
        self.tonic = QColor(mix(tokens.you, tokens.canvas, 0.16))
        self.white_key = QColor(mix(tokens.t1, tokens.canvas, 0.88 if tokens.dark else 0.02))
        self.black_key = QColor(mix(tokens.canvas, tokens.t1, 1.0 if tokens.dark else 0.22))
        self.on_white = QColor(tokens.on_track)
        self.outside = QColor(tokens.panel)
        self.note_font, self.label_font = font(NOTE_TEXT, 600), font(LABEL_TEXT)
        self.ruler_font, self.strong_font = font(RULER_TEXT), font(LABEL_TEXT, 600)
        self._metrics = {id(face): QFontMetrics(face) for face in (
            self.note_font, self.label_font, self.ruler_font, self.strong_font,
        )}
        self._tones: dict[str, NoteTones] = {}

    def notes(self, color: str) -> NoteTones:
        """The tones of a track's colour."""
        found = self._tones.get(color)
        if found is None:
            found = self._tones[color] = self._derived(color or self.tokens.t3)
        return found

    def hatched(self, tones: NoteTones) -> QBrush:
        """The ground of what is proposed."""
        return hatch_brush(tones.hatch, tones.wash, self.ratio)

    def width(self, face: object, text: str) -> int:
        """Pixels of a text in one of these fonts."""
        return self._metrics[id(face)].horizontalAdvance(text[:_LONGEST])

    def short(self, face: object, text: str, room: int) -> str:
        """A text in one line that fits its room."""
        line = " ".join(text[:_LONGEST].split())
        return self._metrics[id(face)].elidedText(line, Qt.TextElideMode.ElideRight, room)

    def _derived(self, color: str) -> NoteTones:
        tokens = self.tokens
        shares = [_SOFTEST + (1 - _SOFTEST) * band / (BANDS - 1) for band in range(BANDS)]
        fills = [mix(color, tokens.canvas, share) for share in shares]
        inks = (tokens.on_track, tokens.t1)
        return NoteTones(
            tuple(map(QColor, fills)), QColor(clip_notes(color, tokens)),
            tuple(QColor(max(inks, key=lambda ink: contrast(ink, fill))) for fill in fills),
            QColor(ghost_wash(color, tokens)), QColor(ghost_hatch(color, tokens)),
            QColor(ghost_outline(color, tokens)), QColor(mix(color, tokens.canvas, 0.42)),
        )
