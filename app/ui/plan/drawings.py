"""The small pictures in the table: what a row would write, and the sign of where it stands."""

from __future__ import annotations

from typing import TypeAlias

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF

from app.desktop.plan.row_previews import Curve, Drawing, NewTrack, Notes, Settings, Unheard, Value
from app.desktop.plan.row_states import Mark
from app.ui.kit.painted import dashed_pen, hatch_brush
from app.ui.kit.tokens import clip_body, clip_notes, ghost_hatch, ghost_outline, ghost_wash
from app.ui.plan.look import Look
from app.words import tr

DRAWING_HEIGHT = 18
_NOTE_HEIGHT = 2
_PAD = 2
_BAR_GAP = 8
_BAR_HEIGHT = 3

Sign: TypeAlias = tuple[str, str]
"""Name of an icon and of its colour."""

SIGNS: dict[Mark, Sign] = {
    Mark.PROPOSED: ("circle-dashed", "agent"),
    Mark.EDITED: ("pencil-simple-fill", "you"),
    Mark.CHANGED: ("git-diff", "agent"),
    Mark.NEW: ("plus-circle", "agent"),
    Mark.CHECK: ("warning-fill", "warn"),
    Mark.ERROR: ("x-circle-fill", "bad"),
    Mark.REJECTED: ("minus-circle", "t3"),
    Mark.BLOCKED: ("link-break", "warn"),
    Mark.WAITING: ("hourglass", "t3"),
    Mark.RUNNING: ("ring", "agent"),
    Mark.RETRY: ("arrow-clockwise", "warn"),
    Mark.DONE: ("check-circle-fill", "ok"),
    Mark.FAILED: ("x-circle-fill", "bad"),
    Mark.REVIEW: ("warning-fill", "warn"),
    Mark.READY: ("circle-dashed", "agent"),
    Mark.SKIPPED: ("skip-forward", "t3"),
    Mark.NOT_RUN: ("minus-circle", "t3"),
    Mark.ROLLED_BACK: ("arrow-counter-clockwise", "t3"),
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
    """The icon of a tool."""
    kind = next((icon for word, icon in _TOOL_KINDS if word in tool), _OTHER_TOOL)
    return TOOL_ICONS.get(tool, kind)


def draw(painter: QPainter, area: QRect, drawing: Drawing | None, color: str, look: Look) -> None:
    """Paint what a row would make, in its track's colour (#rrggbb, or empty for the song)."""
    tone = color or look.tokens.t3
    match drawing:
        case Notes(notes=notes, gone=gone):
            _notes(painter, area, notes, tone, gone, look)
        case Value(before=before, after=after):
            _value(painter, area, before, after, look)
        case Curve(points=points):
            _curve(painter, area, points, tone, look)
        case Settings(shares=shares):
            _settings(painter, area, shares, tone, look)
        case NewTrack():
            _hatched(painter, area, tone, look)
        case Unheard(asks=asks):
            _unheard(painter, area, tr("known later") if asks else tr("not heard yet"), look)


def _notes(
    painter: QPainter, area: QRect, notes: tuple[tuple[float, float, float], ...], tone: str, gone: bool, look: Look
) -> None:
    painter.fillRect(area, QColor(clip_body(tone, look.tokens)))
    inner = QRectF(area.adjusted(_PAD, _PAD, -_PAD, -_PAD))
    room = inner.height() - _NOTE_HEIGHT
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(clip_notes(tone, look.tokens)))
    painter.drawRects([
        QRectF(
            inner.x() + start * inner.width(), inner.y() + (1 - pitch) * room,
            max(1.0, length * inner.width() - 0.5), _NOTE_HEIGHT,
        )
        for start, length, pitch in notes
    ])
    if gone:
        _dashed(painter, area, look.color("bad"))


def _value(painter: QPainter, area: QRect, before: str, after: str, look: Look) -> None:
    place = QRect(area)
    align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.setFont(look.font())
    metrics = painter.fontMetrics()
    was = f"{before} → " if before else ""
    wanted, room = metrics.horizontalAdvance(was), place.width()
    if wanted + QFontMetrics(look.font(bold=True)).horizontalAdvance(after) > room:
        was, wanted = "→ " if before else "", metrics.horizontalAdvance("→ " if before else "")
    painter.setPen(look.color("t2"))
    painter.drawText(place, align, was)
    place.setLeft(place.left() + wanted)
    painter.setFont(look.font(bold=True))
    painter.setPen(look.color("agent"))
    painter.drawText(place, align, painter.fontMetrics().elidedText(after, Qt.TextElideMode.ElideRight, place.width()))


def _unheard(painter: QPainter, area: QRect, text: str, look: Look) -> None:
    painter.setFont(look.font())
    painter.setPen(look.color("t3"))
    words = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)


def _curve(
    painter: QPainter, area: QRect, points: tuple[tuple[float, float], ...], tone: str, look: Look
) -> None:
    painter.fillRect(area, QColor(clip_body(tone, look.tokens)))
    inner = QRectF(area.adjusted(_PAD, _PAD, -_PAD, -_PAD))
    line = [QPointF(inner.x() + x * inner.width(), inner.bottom() - y * inner.height()) for x, y in points]
    if len(line) == 1:
        line.append(QPointF(inner.right(), line[0].y()))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(clip_notes(tone, look.tokens)), 1.5))
    painter.drawPolyline(QPolygonF(line))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _settings(painter: QPainter, area: QRect, shares: tuple[float, ...], tone: str, look: Look) -> None:
    width = (area.width() - _BAR_GAP * (len(shares) - 1)) // max(1, len(shares))
    top = area.center().y() - _BAR_HEIGHT // 2
    for place, share in enumerate(shares):
        bar = QRect(area.x() + place * (width + _BAR_GAP), top, width, _BAR_HEIGHT)
        painter.fillRect(bar, look.color("line2"))
        bar.setWidth(max(1, round(width * share)))
        painter.fillRect(bar, QColor(clip_notes(tone, look.tokens)))


def _hatched(painter: QPainter, area: QRect, tone: str, look: Look) -> None:
    tokens, ratio = look.tokens, painter.device().devicePixelRatioF()
    painter.setBrushOrigin(area.topLeft())
    painter.fillRect(area, hatch_brush(ghost_hatch(tone, tokens), ghost_wash(tone, tokens), ratio))
    _dashed(painter, area, QColor(ghost_outline(tone, tokens)))


def _dashed(painter: QPainter, area: QRect, tone: QColor) -> None:
    painter.setPen(dashed_pen(tone, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area.adjusted(0, 0, -1, -1))
