"""Draws one track header, and tells whose badge lies at a place of it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from agent.song.ids import TrackId
from app.i18n import tr
from app.ui.kit.icons import INSTRUMENT_ICONS, SONG_ICON
from app.ui.kit.track_levels import Pair
from app.ui.kit.widgets.level_meter import HOT_DB, WARM_DB, share
from app.ui.timeline import measures as m
from app.ui.timeline.fonts import CENTRE, LEFT, RIGHT, Fonts
from app.ui.timeline.ghost_painter import draw_dashed, draw_hatch
from app.ui.timeline.marks import LOCK_WIDTH, badge_width, draw_badge, draw_icon, draw_lock
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Tones
from app.ui.timeline.tools.pan import x_of_pan
from app.ui.timeline.tools.volume import x_of_volume
from app.viewmodels.edits.curve_edits import curve_of, target_of
from app.viewmodels.plan.ghosts import Cause
from app.viewmodels.texts.figures import decibels
from app.viewmodels.timeline.layout import Lane

NAME_TOP = 3
NAME_HEIGHT = 18
MOST_BADGES = 2
MOST_PICTURES = 600
"""Headers whose pictures are cached."""


class HeaderPainter:
    """Paints track headers and finds their badges."""

    def __init__(self, stage: TimelineContext) -> None:
        self._stage = stage
        self._pictures: dict[tuple[TrackId, str], tuple[tuple[object, ...], Lane, QPixmap]] = {}
        self._toggles: dict[tuple[str, bool, int], QPixmap] = {}
        self._families = {one.name: one.family for one in stage.opened.studio.palette.instruments}

    def draw(
        self, painter: QPainter, lane: Lane, place: QRect, mix: tuple[float, float], levels: Pair,
        tones: Tones, fonts: Fonts, *, focused: bool,
    ) -> None:
        """Paint one header with this volume (dB) and pan (`mix`); `focused`: it has the keyboard. Everything but the
        level meters comes from a picture that is cached until the header looks different."""
        stage = self._stage
        causes = (*stage.scene.ghosts.marks.get(lane.track.id, ()), *([lane.proposed.cause] if lane.proposed else ()))
        state = (
            id(lane.track), id(lane.proposed), mix, place.height(), tones.look, stage.overlay, focused,
            stage.opened.focus.track.value == lane.track.id, lane.track.id in stage.scene.locked_tracks,
            lane.track.id in stage.opened.playback.solo.value, tuple((one.number, stage.lit(one)) for one in causes),
        )
        found = self._pictures.get((lane.track.id, lane.curve))
        if found is None or found[0] != state:
            if len(self._pictures) > MOST_PICTURES:
                self._pictures.clear()
            picture = QPixmap(place.size() * tones.ratio)
            picture.setDevicePixelRatio(tones.ratio)
            picture.fill(tones.panel)
            inner = QPainter(picture)
            whole = QRect(0, 0, place.width(), place.height())
            self._draw_still(inner, lane, whole, mix, tones, fonts, focused=focused)
            inner.end()
            # The lane is kept with its picture, so that equal ids mean the same track.
            found = self._pictures[lane.track.id, lane.curve] = state, lane, picture
        painter.drawPixmap(place.topLeft(), found[2])
        if lane.in_song and not lane.curve:
            self._draw_levels(painter, place, levels, tones)

    def _draw_still(
        self, painter: QPainter, lane: Lane, place: QRect, mix: tuple[float, float], tones: Tones, fonts: Fonts, *,
        focused: bool,
    ) -> None:
        if lane.curve:
            self._draw_curve(painter, lane, place, tones, fonts)
            return
        overlay = self._stage.overlay
        current = self._stage.opened.focus.track.value == lane.track.id
        y, track = place.y(), lane.track
        colors = tones.of(track.color)
        if lane.proposed is not None and overlay:
            line = colors.hatch if lane.proposed.kind == "added" else tones.over(tones.bad, 0.35)
            draw_hatch(painter, place, place.adjusted(0, 0, 0, -1), colors.wash, line, tones)
        elif current:
            painter.fillRect(place, tones.you_soft)
        painter.fillRect(0, place.bottom(), place.width(), 1, tones.line)
        painter.fillRect(0, y, m.STRIPE, place.height() - 1, colors.strip)
        room = place.height() >= m.SLIDERS_FROM
        mark = self._icon(track.instrument)
        draw_icon(painter, m.ICON_AT, y + (5 if room else 4), mark, tones.t2, m.ICON_SIZE, tones)
        self._draw_name(painter, lane, y, tones, fonts)
        if lane.in_song:
            self._draw_toggles(painter, lane, y, tones, fonts)
            if room:
                self._draw_volume(painter, y, mix[0], tones, fonts)
                self._draw_pan(painter, y, mix[1], tones)
        if lane.proposed is not None and lane.proposed.kind == "removed" and overlay:
            draw_icon(painter, m.ICON_AT + 2, y + m.SLIDER_Y - 6, "eraser", tones.bad, 12, tones)
        if lane.proposed is not None and overlay:
            lit = self._stage.lit(lane.proposed.cause)
            color = tones.bad if lane.proposed.kind == "removed" else colors.outline
            draw_dashed(
                painter, place.adjusted(0, 0, 0, -1), place, tones.t1 if lit else color,
                m.LIT_OUTLINE if lit else m.GHOST_OUTLINE,
            )
        if current and focused:
            painter.setPen(QPen(tones.you, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(1, 1, -1, -2))

    def _draw_curve(self, painter: QPainter, lane: Lane, place: QRect, tones: Tones, fonts: Fonts) -> None:
        """The header of an automation row: what it moves, how its points are joined, and a cross that hides it."""
        target = target_of(lane.track, lane.curve, self._stage.opened.studio.palette)
        y, middle = place.y(), place.y() + place.height() // 2
        painter.fillRect(0, place.bottom(), place.width(), 1, tones.line)
        painter.fillRect(0, y, m.STRIPE, place.height() - 1, tones.of(lane.track.color).strip)
        draw_icon(painter, m.NAME_AT, middle - 7, "chart-line", tones.t3, 14, tones)
        painter.setFont(fonts.label)
        painter.setPen(tones.t2)
        words = lane.curve if target is None else target.label
        room = m.MUTE_AT - m.NAME_AT - 26
        painter.drawText(QRect(m.NAME_AT + 20, y, room, place.height()), LEFT, fonts.short(fonts.label, words, room))
        hold = curve_of(lane.track, lane.curve).curve == "hold"
        _draw_shape(painter, m.MUTE_AT + 3, middle, hold=hold, color=tones.t2)
        draw_icon(painter, m.SOLO_AT + 4, middle - 6, "x", tones.t2, 12, tones)

    def _draw_pan(self, painter: QPainter, y: int, pan: float, tones: Tones) -> None:
        middle, centre, knob = y + m.SLIDER_Y, round(x_of_pan(0.0)), round(x_of_pan(pan))
        painter.fillRect(m.PAN_LEFT, middle - 1, m.PAN_RIGHT - m.PAN_LEFT, 2, tones.line2)
        painter.fillRect(min(centre, knob), middle - 1, abs(knob - centre), 2, tones.t2)
        painter.fillRect(centre, middle + 3, 1, 4, tones.line3)
        painter.fillRect(knob - 2, middle - 4, 4, 8, tones.t1)

    def mark_at(self, lane: Lane, x: float, y: float, fonts: Fonts) -> Cause | None:
        """The cause of the badge at pixel (x, y) of a header; None for none."""
        if not NAME_TOP <= y < NAME_TOP + NAME_HEIGHT:
            return None
        for cause, left, width in self.badges(lane, fonts):
            if left <= x < left + width:
                return cause
        return None

    def _icon(self, instrument: str) -> str:
        return INSTRUMENT_ICONS.get(self._families.get(instrument, ""), SONG_ICON)

    def badges(self, lane: Lane, fonts: Fonts) -> list[tuple[Cause, int, int]]:
        """Causes of the badges behind the name, each with its left edge and width in pixels."""
        if not self._stage.overlay:
            return []
        causes = list(self._stage.scene.ghosts.marks.get(lane.track.id, ()))
        low = self._stage.axis.row_height < m.SLIDERS_FROM
        if lane.proposed is not None and (lane.proposed.kind == "removed" or low):
            causes = [lane.proposed.cause]
        lit = [cause for cause in causes if self._stage.lit(cause)]
        shown = [*lit, *(cause for cause in causes if cause not in lit)][:MOST_BADGES]
        shown.sort(key=lambda cause: cause.number)
        widths = [badge_width(str(cause.number), fonts) for cause in shown]
        room = m.MUTE_AT - m.NAME_AT - 6 - sum(widths) - 3 * len(widths)
        x = m.NAME_AT + min(room, fonts.width(fonts.name, lane.track.name)) + 6
        found = []
        for cause, width in zip(shown, widths, strict=True):
            found.append((cause, x, width))
            x += width + 3
        return found

    def _draw_name(self, painter: QPainter, lane: Lane, y: int, tones: Tones, fonts: Fonts) -> None:
        badges = self.badges(lane, fonts)
        locked = lane.track.id in self._stage.scene.locked_tracks
        wide = self._stage.axis.row_height >= m.SLIDERS_FROM
        right = badges[0][1] - 4 if badges else (m.MUTE_AT if lane.in_song else m.HEADER_WIDTH) - 6
        if locked:
            x, top = (m.ICON_AT + 4, y + m.SLIDER_Y - 4) if wide else (m.MUTE_AT - LOCK_WIDTH - 4, y + 7)
            draw_lock(painter, x, top, tones.t1)
            right = right if wide else min(right, m.MUTE_AT - LOCK_WIDTH - 8)
        elif wide and lane.in_song and lane.proposed is None:
            draw_icon(painter, m.ICON_AT + 2, y + m.SLIDER_Y - 6, "lock-simple-open", tones.line3, 12, tones)
        painter.setFont(fonts.name)
        painter.setPen(tones.t1)
        room = right - m.NAME_AT
        name = fonts.short(fonts.name, lane.track.name, room)
        painter.drawText(QRect(m.NAME_AT, y + NAME_TOP, room, NAME_HEIGHT), LEFT, name)
        for cause, x, _ in badges:
            draw_badge(painter, x, y + NAME_TOP + 3, str(cause.number), tones, fonts)
        if not lane.in_song and lane.proposed is not None and wide:
            width = draw_badge(painter, m.NAME_AT, y + 23, str(lane.proposed.cause.number), tones, fonts)
            painter.setFont(fonts.label)
            painter.setPen(tones.agent)
            words = QRect(m.NAME_AT + width + 5, y + 21, m.HEADER_WIDTH, 16)
            painter.drawText(words, LEFT, tr("new track, proposed"))

    def _draw_toggles(self, painter: QPainter, lane: Lane, y: int, tones: Tones, fonts: Fonts) -> None:
        solo = lane.track.id in self._stage.opened.playback.solo.value
        for x, letter, on, fill in (
            (m.MUTE_AT, "M", lane.track.mute, tones.warn), (m.SOLO_AT, "S", solo, tones.you)
        ):
            painter.drawPixmap(x, y + m.TOGGLE_TOP, self._toggle(letter, fill if on else None, tones, fonts))

    def _toggle(self, letter: str, fill: QColor | None, tones: Tones, fonts: Fonts) -> QPixmap:
        """The picture of a mute or solo switch; made once for each look."""
        key = letter, fill is not None, tones.look
        found = self._toggles.get(key)
        if found is None:
            found = self._toggles[key] = _toggle_picture(letter, fill, tones, fonts)
        return found

    def _draw_volume(self, painter: QPainter, y: int, volume: float, tones: Tones, fonts: Fonts) -> None:
        middle = y + m.SLIDER_Y
        painter.fillRect(m.SLIDER_LEFT, middle - 1, m.SLIDER_RIGHT - m.SLIDER_LEFT, 2, tones.line2)
        knob = round(x_of_volume(volume))
        painter.fillRect(m.SLIDER_LEFT, middle - 1, knob - m.SLIDER_LEFT, 2, tones.t2)
        painter.fillRect(round(x_of_volume(0.0)), middle + 2, 1, 4, tones.line3)
        width, height = m.SLIDER_HANDLE
        painter.fillRect(knob - width // 2, middle - height // 2, width, height, tones.t1)
        painter.setFont(fonts.label)
        painter.setPen(tones.t3)
        painter.drawText(QRect(0, middle - 8, m.VALUE_RIGHT, 16), RIGHT, decibels(volume))

    def _draw_levels(self, painter: QPainter, place: QRect, levels: Pair, tones: Tones) -> None:
        height = place.height() - 5
        bottom = place.y() + 2 + height
        for x, reading in zip(m.METER_AT, levels, strict=True):
            painter.fillRect(x, place.y() + 2, m.METER_WIDTH, height, tones.ctl)
            low = 0.0
            for upto, color in ((WARM_DB, tones.meter), (HOT_DB, tones.agent_fill), (0.0, tones.bad)):
                high = share(min(reading.level, upto))
                if high > low:
                    self._bar(painter, x, bottom, height, low, high, color)
                low = share(upto)

    def _bar(
        self, painter: QPainter, x: int, bottom: int, height: int, low: float, high: float, color: QColor
    ) -> None:
        top = bottom - round(height * high)
        painter.fillRect(x, top, m.METER_WIDTH, bottom - round(height * low) - top, color)


def _draw_shape(painter: QPainter, x: int, middle: int, *, hold: bool, color: QColor) -> None:
    """A small drawing of how points are joined."""
    painter.setPen(QPen(color, 1.5))
    if hold:
        painter.drawPolyline([QPoint(x, middle + 4), QPoint(x + 7, middle + 4), QPoint(x + 7, middle - 4),
                              QPoint(x + 14, middle - 4)])
    else:
        painter.drawLine(x, middle + 4, x + 14, middle - 4)


def _toggle_picture(letter: str, fill: QColor | None, tones: Tones, fonts: Fonts) -> QPixmap:
    place = QRect(0, 0, m.TOGGLE_WIDTH, m.TOGGLE_HEIGHT)
    made = QPixmap(place.size() * tones.ratio)
    made.setDevicePixelRatio(tones.ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen if fill is not None else QPen(tones.line2, 1))
    painter.setBrush(tones.ctl if fill is None else fill)
    painter.drawRoundedRect(place.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setFont(fonts.section)
    painter.setPen(tones.t2 if fill is None else tones.on_toggle)
    painter.drawText(place, CENTRE, letter)
    painter.end()
    return made
