"""What the plan is painted with: the theme's colours and fonts, strokes, and the small pictures of its rows."""

from __future__ import annotations

from typing import TypeAlias

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyle

from app.i18n import tr
from app.ui.kit.icons import icon, paint_running_ring, pixmap
from app.ui.kit.painted import dashed_pen, hatch_brush
from app.ui.kit.theme import Theme, font
from app.ui.kit.theme import mono as mono_font
from app.ui.kit.tokens import Tokens, clip_body, clip_notes, ghost_hatch, ghost_outline, ghost_wash, mix
from app.viewmodels.plan.row_previews import Curve, NewTrack, Notes, RowDrawing, Settings, Unheard, ValueChange
from app.viewmodels.plan.row_states import RowMark

_TEXT_SIZE = 12
_BOLD = 600
_RING = "ring"


class Look:
    """Colours, fonts and icons of the theme, read at each painting, so that another theme only needs a repaint."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.color = theme.color
        """The colour of a token."""
        self._fonts: dict[tuple[bool, bool], QFont] = {}

    @property
    def tokens(self) -> Tokens:
        """The colours of the current theme."""
        return self.theme.tokens

    def font(self, *, bold: bool = False, mono: bool = False) -> QFont:
        """The font of rows, or with `mono` that of tool names."""
        key = (bold, mono)
        if key not in self._fonts:
            self._fonts[key] = mono_font() if mono else font(_TEXT_SIZE, _BOLD if bold else 400)
        return self._fonts[key]

    def icon(self, name: str, tone: str = "t2") -> QIcon:
        """An icon for a button, in the colour of the token `tone`."""
        return icon(name, tone)

    def paint_icon(self, painter: QPainter, area: QRect, name: str, token: str, turn: float = 0.0) -> None:
        """Paint an icon in a token's colour; `turn` (0 to 1) is the rotation of the icon "ring", the sign of
        running."""
        if name == _RING:
            paint_running_ring(painter, QRectF(area), self.color(token), turn)
            return
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(area.topLeft(), pixmap(name, self.color(token), area.width(), ratio))


PAD = 8
ICON = 14
LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
CENTRE = Qt.AlignmentFlag.AlignCenter
_BAR = (46, 4)
_HOVER_SHARE = 0.04
_NO_STATE = QStyle.StateFlag.State_None


class Brush:
    """Paints with a painter in the colours and fonts of a look; tokens name colours."""

    def __init__(self, painter: QPainter, look: Look) -> None:
        self.painter = painter
        self.look = look

    def fill(self, area: QRect, token: str) -> None:
        """Fill an area with the colour of a token."""
        self.painter.fillRect(area, self.look.color(token))

    def ground(self, area: QRect, token: str, state: QStyle.StateFlag = _NO_STATE, *, hovered: bool = False) -> None:
        """Paint the background of a cell in the colour of a token, with a line at its bottom; `state` gives the
        selection, `hovered` tells that the pointer is over its row."""
        fill = self.look.color(token)
        if state & QStyle.StateFlag.State_Selected:
            fill = self.look.color("you_soft" if state & QStyle.StateFlag.State_Active else "hover")
        elif hovered:
            fill = QColor(mix(self.look.tokens.t1, fill.name(), _HOVER_SHARE))
        self.painter.fillRect(area, fill)
        self.fill(QRect(area.x(), area.bottom(), area.width(), 1), "line")

    def width(self, text: str, *, bold: bool = False) -> int:
        """Width of a text in pixels, in the font of rows or its `bold` form."""
        self.painter.setFont(self.look.font(bold=bold))
        return self.painter.fontMetrics().horizontalAdvance(text)

    def text(
        self, area: QRect, text: str, token: str, align: Qt.AlignmentFlag = LEFT, *, bold: bool = False,
        mono: bool = False,
    ) -> int:
        """Paint a text in the colour of a token, elided if it is too long; returns its width in pixels. `mono` is the
        font of tool names."""
        self.painter.setFont(self.look.font(bold=bold, mono=mono))
        self.painter.setPen(self.look.color(token))
        metrics = self.painter.fontMetrics()
        elided = metrics.elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, area.width())
        self.painter.drawText(area, align, elided)
        return metrics.horizontalAdvance(elided)

    def icon(self, place: QRect, name: str, token: str, turn: float = 0.0) -> None:
        """Paint an icon that fills `place` in the colour of a token; `turn` (0 to 1) is the rotation of a ring, the
        sign of running."""
        self.look.paint_icon(self.painter, place, name, token, turn)

    def sign(self, area: QRect, name: str, token: str, turn: float = 0.0) -> int:
        """Paint an icon in the colour of a token at the left of a cell; `turn` as for `icon`. Returns the x in pixels
        where a text begins beside it."""
        place = square(area, area.x() + PAD)
        self.icon(place, name, token, turn)
        return place.right() + PAD

    def box(self, box: QRect, checked: bool | None) -> None:
        """Paint a check box; None is the partly checked state."""
        painter, color, on = self.painter, self.look.color, checked is not False
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color("you_fill" if on else "line3"), 1))
        painter.setBrush(color("you_fill" if on else "ctl"))
        painter.drawRoundedRect(box.adjusted(0, 0, -1, -1).toRectF().translated(0.5, 0.5), 3, 3)
        painter.setPen(QPen(color("on_you"), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        x, y = box.x(), box.y()
        if checked is None:
            painter.drawLine(x + 4, y + 7, x + 10, y + 7)
        elif checked:
            painter.drawPolyline([QPointF(x + 3.5, y + 7.5), QPointF(x + 6, y + 10), QPointF(x + 10.5, y + 4.5)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def rounded(self, area: QRect, radius: int, pen: QPen | Qt.PenStyle, brush: QColor | Qt.BrushStyle) -> None:
        """Paint a rectangle with corners of `radius` pixels."""
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.painter.setPen(pen)
        self.painter.setBrush(brush)
        self.painter.drawRoundedRect(area, radius, radius)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def ring(self, area: QRect) -> None:
        """Paint the focus ring of the cell that has the keyboard."""
        self.rounded(area.adjusted(1, 1, -2, -2), 4, QPen(self.look.color("you"), 2), Qt.BrushStyle.NoBrush)

    def progress(self, left: int, area: QRect, share: float) -> None:
        """Paint a progress bar from x `left` on, at half the height of `area`; `share` is 0 to 1. Nothing is painted if
        there is no room."""
        bar = QRect(left, area.center().y() - _BAR[1] // 2, *_BAR)
        if bar.right() <= area.right():
            self.fill(bar, "hover")
            bar.setWidth(round(bar.width() * share))
            self.fill(bar, "agent")


def square(area: QRect, left: int, size: int = ICON) -> QRect:
    """A square of `size` pixels at x `left`, at half the height of a cell."""
    return QRect(left, area.center().y() - size // 2, size, size)


def centred(area: QRect, size: int) -> QRect:
    """A square of `size` pixels in the middle of an area."""
    return QRect(area.x() + (area.width() - size) // 2, area.y() + (area.height() - size) // 2, size, size)


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
