"""Colours of the timeline: the theme's tokens as colours, and what is derived from the tracks' colours."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QBrush, QColor, QIcon, QPixmap

from app.ui.kit.painted import hatch_brush
from app.ui.kit.tokens import Tokens, clip_body, clip_notes, ghost_hatch, ghost_outline, ghost_wash, mix, on_track
from app.ui.timeline.fonts import Fonts

SWATCH = 14


@dataclass(frozen=True)
class TrackTones:
    """The colours derived from a track's colour."""

    strip: QColor
    body: QColor
    notes: QColor
    wash: QColor
    hatch: QColor
    outline: QColor
    name: QColor


class Tones:
    """The colours of one theme, computed once; `look` is a number that differs for each theme and pixel ratio."""

    def __init__(self, tokens: Tokens, look: int, ratio: float) -> None:
        self.look = look
        self.ratio = ratio
        self._tokens = tokens
        self._tracks: dict[tuple[str, bool], TrackTones] = {}
        self._mixed: dict[tuple[int, float], QColor] = {}
        self.canvas, self.row2, self.panel = QColor(tokens.canvas), QColor(tokens.row2), QColor(tokens.panel)
        self.bar = QColor(tokens.bar)
        self.ctl, self.hover, self.meter = QColor(tokens.ctl), QColor(tokens.hover), QColor(tokens.meter)
        self.line, self.line2, self.line3 = QColor(tokens.line), QColor(tokens.line2), QColor(tokens.line3)
        self.grid, self.grid2, self.grid3 = QColor(tokens.grid), QColor(tokens.grid2), QColor(tokens.grid3)
        self.t1, self.t2, self.t3 = QColor(tokens.t1), QColor(tokens.t2), QColor(tokens.t3)
        self.you, self.you_soft = QColor(tokens.you), QColor(tokens.you_soft)
        self.agent, self.agent_soft = QColor(tokens.agent), QColor(tokens.agent_soft)
        self.agent_fill, self.on_agent = QColor(tokens.agent_fill), QColor(tokens.on_agent)
        self.warn, self.bad, self.on_track = QColor(tokens.warn), QColor(tokens.bad), QColor(tokens.on_track)
        self.on_toggle = QColor(tokens.on_agent if tokens.dark else tokens.on_you)

    def of(self, color: str, muted: bool = False) -> TrackTones:
        """The colours for a track's colour; grey ones if `muted`."""
        found = self._tracks.get((color, muted))
        if found is None:
            found = self._tracks[color, muted] = self._muted() if muted else self._derived(color)
        return found

    def over(self, color: QColor, share: float) -> QColor:
        """A colour mixed with the background of the canvas; `share` (0 to 1) is its part."""
        key = color.rgba(), share
        found = self._mixed.get(key)
        if found is None:
            found = self._mixed[key] = QColor(mix(color.name(), self._tokens.canvas, share))
        return found

    def hatch(self, ground: QColor, line: QColor) -> QBrush:
        """A brush of hatching in colour `line` on `ground`, for this pixel ratio."""
        return hatch_brush(line, ground, self.ratio)

    def _derived(self, color: str) -> TrackTones:
        tokens = self._tokens
        return TrackTones(
            QColor(color), QColor(clip_body(color, tokens)), QColor(clip_notes(color, tokens)),
            QColor(ghost_wash(color, tokens)), QColor(ghost_hatch(color, tokens)),
            QColor(ghost_outline(color, tokens)), QColor(on_track(color, tokens)),
        )

    def _muted(self) -> TrackTones:
        body = self.ctl if self._tokens.dark else self.over(self.line2, 0.4)
        return TrackTones(self.hover, body, self.t3, body, self.hover, self.t3, self.t1)


def color_icon(color: str) -> QIcon:
    """An icon filled with a track's colour."""
    made = QPixmap(SWATCH, SWATCH)
    made.fill(QColor(color))
    return QIcon(made)


Look = tuple[Tones, Fonts]
"""Colours and fonts that all painting uses."""
