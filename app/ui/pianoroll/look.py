"""Colours and fonts of the painted piano roll, looked up once for a theme."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QBrush, QColor

from app.ui.canvas.look import CanvasLook
from app.ui.canvas.note_chunk import BANDS
from app.ui.kit.painted import hatch_brush
from app.ui.kit.tokens import Tokens, clip_notes, contrast, ghost_hatch, ghost_outline, ghost_wash, mix

_SOFTEST = 0.45


@dataclass(frozen=True)
class NoteTones:
    """Colours of a track's notes: fills from soft to loud (`bands`), the text on each of them, the edge, those of
    proposed notes (wash, hatch, outline), and those of notes behind."""

    bands: tuple[QColor, ...]
    edge: QColor
    texts: tuple[QColor, ...]
    wash: QColor
    hatch: QColor
    outline: QColor
    behind: QColor


class RollLook(CanvasLook):
    """Fonts and colours of the piano roll, with those of the lit scale and of tracks."""

    def __init__(self, tokens: Tokens, ratio: float) -> None:
        super().__init__(tokens, ratio)
        self.scale = QColor(mix(tokens.you, tokens.canvas, 0.07))
        self.tonic = QColor(mix(tokens.you, tokens.canvas, 0.16))
        self._tones: dict[str, NoteTones] = {}

    def notes(self, color: str) -> NoteTones:
        """The colours of notes for a track's colour."""
        found = self._tones.get(color)
        if found is None:
            found = self._tones[color] = self._derived(color or self.tokens.t3)
        return found

    def hatched(self, tones: NoteTones) -> QBrush:
        """The brush for proposed notes."""
        return hatch_brush(tones.hatch, tones.wash, self.ratio)

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
