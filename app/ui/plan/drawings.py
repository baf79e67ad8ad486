"""The small pictures in the table: what a row would write, and the sign of where it stands."""

from __future__ import annotations

from typing import TypeAlias

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.i18n import tr
from app.ui.kit.painted import dashed_pen, hatch_brush
from app.ui.kit.tokens import clip_body, clip_notes, ghost_hatch, ghost_outline, ghost_wash
from app.ui.plan.brush import Brush
from app.viewmodels.plan.row_previews import Curve, NewTrack, Notes, RowDrawing, Settings, Unheard, ValueChange
from app.viewmodels.plan.row_states import RowMark

DRAWING_HEIGHT = 18
_NOTE_HEIGHT = 2
_PAD = 2
_BAR_GAP = 8
_BAR_HEIGHT = 3

SignName: TypeAlias = tuple[str, str]
"""Name of an icon and of its colour."""

SIGNS: dict[RowMark, SignName] = {
    RowMark.PROPOSED: ("circle-dashed", "agent"),
    RowMark.EDITED: ("pencil-simple-fill", "you"),
    RowMark.CHANGED: ("git-diff", "agent"),
    RowMark.NEW: ("plus-circle", "agent"),
    RowMark.CHECK: ("warning-fill", "warn"),
    RowMark.ERROR: ("x-circle-fill", "bad"),
    RowMark.REJECTED: ("minus-circle", "t3"),
    RowMark.BLOCKED: ("link-break", "warn"),
    RowMark.WAITING: ("hourglass", "t3"),
    RowMark.RUNNING: ("ring", "agent"),
    RowMark.RETRY: ("arrow-clockwise", "warn"),
    RowMark.DONE: ("check-circle-fill", "ok"),
    RowMark.FAILED: ("x-circle-fill", "bad"),
    RowMark.REVIEW: ("warning-fill", "warn"),
    RowMark.READY: ("circle-dashed", "agent"),
    RowMark.SKIPPED: ("skip-forward", "t3"),
    RowMark.NOT_RUN: ("minus-circle", "t3"),
    RowMark.ROLLED_BACK: ("arrow-counter-clockwise", "t3"),
}

TOOL_ICONS = {
    "set_tempo": "gauge", "set_loudness": "speaker-simple-high", "set_key": "music-notes",
    "set_chords": "music-notes", "set_sound_font": "waveform",
    "create_track": "plus-circle",
    "duplicate_track": "plus-circle", "update_track": "faders", "create_midi_clip": "music-notes",
    "modify_clip": "music-notes", "transform_clip": "music-notes", "duplicate_clip": "music-notes",
    "split_clip": "music-notes", "add_effect": "sliders", "update_effect": "sliders", "set_automation": "chart-line",
    "work_on": "target",
}
_TOOL_KINDS = (("delete", "eraser"), ("remove", "eraser"), ("export", "export"), ("section", "flag"))
_OTHER_TOOL = "circle"


def tool_icon(tool: str) -> str:
    """Name of the icon of a tool."""
    kind = next((icon for word, icon in _TOOL_KINDS if word in tool), _OTHER_TOOL)
    return TOOL_ICONS.get(tool, kind)


def draw(brush: Brush, area: QRect, drawing: RowDrawing | None, color: str) -> None:
    """Paint the preview `drawing` of a row, in its track's colour (#rrggbb, empty for the song as a whole); nothing for
    None."""
    tone = color or brush.look.tokens.t3
    match drawing:
        case Notes(notes=notes, gone=gone):
            _notes(brush, area, notes, tone, gone)
        case ValueChange(before=before, after=after):
            _value(brush, area, before, after)
        case Curve(points=points):
            _curve(brush, area, points, tone)
        case Settings(shares=shares):
            _settings(brush, area, shares, tone)
        case NewTrack():
            _hatched(brush, area, tone)
        case Unheard(asks=asks):
            brush.text(area, tr("known later") if asks else tr("not heard yet"), "t3")


def _notes(brush: Brush, area: QRect, notes: tuple[tuple[float, float, float], ...], tone: str, gone: bool) -> None:
    inner, color = _clip(brush, area, tone)
    room = inner.height() - _NOTE_HEIGHT
    brush.painter.setPen(Qt.PenStyle.NoPen)
    brush.painter.setBrush(color)
    brush.painter.drawRects([
        QRectF(
            inner.x() + start * inner.width(), inner.y() + (1 - pitch) * room,
            max(1.0, length * inner.width() - 0.5), _NOTE_HEIGHT,
        )
        for start, length, pitch in notes
    ])
    if gone:
        _dashed(brush, area, brush.look.color("bad"))


def _clip(brush: Brush, area: QRect, tone: str) -> tuple[QRectF, QColor]:
    """The body of a clip; returns the room within it, and the colour of what stands there."""
    tokens = brush.look.tokens
    brush.painter.fillRect(area, QColor(clip_body(tone, tokens)))
    return QRectF(area.adjusted(_PAD, _PAD, -_PAD, -_PAD)), QColor(clip_notes(tone, tokens))


def _value(brush: Brush, area: QRect, before: str, after: str) -> None:
    was = f"{before} → " if before else ""
    if brush.width(was) + brush.width(after, bold=True) > area.width():
        was = "→ " if before else ""
    place = area.adjusted(brush.width(was), 0, 0, 0)
    brush.text(area, was, "t2")
    brush.text(place, after, "agent", bold=True)


def _curve(brush: Brush, area: QRect, points: tuple[tuple[float, float], ...], tone: str) -> None:
    inner, color = _clip(brush, area, tone)
    line = [QPointF(inner.x() + x * inner.width(), inner.bottom() - y * inner.height()) for x, y in points]
    if len(line) == 1:
        line.append(QPointF(inner.right(), line[0].y()))
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    brush.painter.setPen(QPen(color, 1.5))
    brush.painter.drawPolyline(QPolygonF(line))
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _settings(brush: Brush, area: QRect, shares: tuple[float, ...], tone: str) -> None:
    width = (area.width() - _BAR_GAP * (len(shares) - 1)) // max(1, len(shares))
    top = area.center().y() - _BAR_HEIGHT // 2
    for place, share in enumerate(shares):
        bar = QRect(area.x() + place * (width + _BAR_GAP), top, width, _BAR_HEIGHT)
        brush.fill(bar, "line2")
        bar.setWidth(max(1, round(width * share)))
        brush.painter.fillRect(bar, QColor(clip_notes(tone, brush.look.tokens)))


def _hatched(brush: Brush, area: QRect, tone: str) -> None:
    tokens, painter = brush.look.tokens, brush.painter
    painter.setBrushOrigin(area.topLeft())
    ratio = painter.device().devicePixelRatioF()
    painter.fillRect(area, hatch_brush(ghost_hatch(tone, tokens), ghost_wash(tone, tokens), ratio))
    _dashed(brush, area, QColor(ghost_outline(tone, tokens)))


def _dashed(brush: Brush, area: QRect, tone: QColor) -> None:
    brush.painter.setPen(dashed_pen(tone, 1))
    brush.painter.setBrush(Qt.BrushStyle.NoBrush)
    brush.painter.drawRect(area.adjusted(0, 0, -1, -1))
