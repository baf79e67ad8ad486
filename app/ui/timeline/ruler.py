"""The ruler: sections, bars, tempo and meter changes, the loop and the playhead's head."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import structs
from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from agent.song.song import Section
from agent.song.time import Ticks
from app.desktop.frame_edits import section_at
from app.desktop.ghosts import Cause, Kind
from app.desktop.timeline_layout import lines_between
from app.desktop.timeline_words import length_in_words, meter_in_words, tempo_in_words
from app.ui.timeline.fonts import CENTRE, LEFT, RIGHT, Fonts
from app.ui.timeline.frame_menus import FrameMenus
from app.ui.timeline.gestures.frame import ChooseBars, DragSectionEdge
from app.ui.timeline.gestures.gesture import Gesture
from app.ui.timeline.gestures.ruler import DragLoop, Seek
from app.ui.timeline.ghost_painter import draw_dashed, draw_hatch
from app.ui.timeline.marks import badge_width, draw_badge, draw_icon, draw_playhead, fill_all
from app.ui.timeline.measures import (
    CORNER_ICON,
    EDGE_GRIP,
    GHOST_OUTLINE,
    HEAD_WIDTH,
    LIT_OUTLINE,
    LOOP_BAR,
    LOOP_GRIP,
    NAME_INSET,
    SECTION_HEIGHT,
    TOP_HEIGHT,
)
from app.ui.timeline.stage import Spot, Stage
from app.ui.timeline.tones import Tones
from app.words import tr

SECTION_EDGE = 3
FLAG_HEIGHT = 15
FLAG_TOP = 2
LENGTH_ROOM = 24
TALL = {"strong": 14, "bar": 6, "beat": 3}
NEVER = 1 << 62
BARS_SHARE = 40
"""How much of the colour lies over chosen bars, of 255."""
Flag = tuple[int, str, Cause | None, Kind]
"""Tick, words, the row that proposes it, and what it would do to the flag of the song."""
KIND_ICONS: dict[Kind, str] = {"changed": "swap", "removed": "eraser"}


class Ruler(QWidget):
    """Painted over the lanes; a press moves the playhead, a drag chooses bars, one along its upper edge the loop."""

    def __init__(
        self, stage: Stage, look: Callable[[], tuple[Tones, Fonts]], parent: QWidget, frames: Callable[[], FrameMenus]
    ) -> None:
        super().__init__(parent)
        self._stage = stage
        self._frames = frames
        self._look = look
        self._lanes = parent
        self._gesture: Gesture | None = None
        self._places: list[tuple[QRect, Cause]] = []
        self.setAccessibleName(tr("Ruler"))
        self.setAccessibleDescription(tr("Drag to choose bars; drag the upper edge to span the loop"))
        self.setToolTip(tr(
            "Click: playhead · drag: choose bars · upper edge or Shift+drag: loop (L on and off, Shift+L loop the "
            "selection) · right click: sections, tempo, time signature"
        ))
        self.setMouseTracking(True)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Only what has to be painted again."""
        tones, fonts = self._look()
        painter = QPainter(self)
        window = event.rect()
        painter.fillRect(window, tones.panel)
        self._paint_lines(painter, window, tones, fonts)
        self._places.clear()
        self._paint_sections(painter, window, tones, fonts)
        self._paint_bars(painter, window, tones)
        self._paint_loop(painter, tones)
        painter.fillRect(window.x(), TOP_HEIGHT - 1, window.width(), 1, tones.line)
        x = round(self._stage.axis.x(self._stage.opened.playback.position()))
        draw_playhead(painter, x, TOP_HEIGHT, tones.t1)
        painter.end()

    def _paint_lines(self, painter: QPainter, window: QRect, tones: Tones, fonts: Fonts) -> None:
        axis = self._stage.axis
        start, end = int(axis.at(window.left() - 60)), int(axis.at(window.right() + 1))
        ticks = []
        labels = []
        for line in lines_between(self._stage.song.bar_map, start, end, axis.per_beat):
            x, tall = round(axis.x(line.at)), TALL[line.weight]
            ticks.append(QRect(x, TOP_HEIGHT - tall, 1, tall))
            if line.bar is not None:
                labels.append((x + 4, str(line.bar)))
        fill_all(painter, ticks, tones.line2)
        painter.setFont(fonts.ruler)
        painter.setPen(tones.t3)
        for x, number in labels:
            painter.drawText(QRect(x, TOP_HEIGHT - 16, 60, 14), LEFT, number)

    def _paint_sections(self, painter: QPainter, window: QRect, tones: Tones, fonts: Fonts) -> None:
        """Sections with their names; changes of tempo and meter stand after the name that they fall behind."""
        axis, song = self._stage.axis, self._stage.song
        flags = sorted(self._flags(), key=lambda flag: flag[0])
        taken = -1000
        drag = self._gesture if isinstance(self._gesture, DragSectionEdge) else None
        sections = [
            structs.replace(one, start=Ticks(drag.start), duration=Ticks(drag.end - drag.start))
            if drag is not None and drag.section == one.id else one for one in song.sections
        ]
        seen = [
            (section, x, end) for section in sections
            if (end := round(axis.x(section.end))) >= 0 and (x := round(axis.x(section.start))) <= self.width()
        ]
        for _, x, end in seen:
            painter.fillRect(QRect(x, 0, end - x, SECTION_HEIGHT).intersected(window), tones.ctl)
            painter.fillRect(x, 0, min(SECTION_EDGE, end - x), SECTION_HEIGHT, tones.t3)
        for section, x, end in seen:
            taken = self._paint_flags(painter, flags, section.start, taken, tones, fonts)
            left = max(x + SECTION_EDGE, 0, taken) + NAME_INSET
            name = fonts.short(fonts.section, section.name, end - left - NAME_INSET) if end - left > 16 else ""
            painter.setFont(fonts.section)
            painter.setPen(tones.t1)
            painter.drawText(QRect(left, 0, max(0, end - left), SECTION_HEIGHT), LEFT, name)
            taken = max(taken, left + fonts.width(fonts.section, name) + NAME_INSET) if name else taken
            taken = self._paint_flags(painter, flags, section.end, taken, tones, fonts)
            length = length_in_words(song.bar_map, section.start, section.duration)
            if end - taken > fonts.width(fonts.ruler, length) + LENGTH_ROOM:
                painter.setFont(fonts.ruler)
                painter.setPen(tones.t3)
                painter.drawText(QRect(x, 0, end - x - NAME_INSET, SECTION_HEIGHT), RIGHT, length)
        self._paint_flags(painter, flags, NEVER, taken, tones, fonts)

    def _flags(self) -> list[Flag]:
        """Changes of tempo and meter, and what the plan would make of the frame."""
        scene = self._stage.scene
        flags: list[Flag] = [
            *((tempo.at, f"{tempo.bpm:g} BPM", None, "added") for tempo in scene.song.tempos[1:]),
            *((meter.at, f"{meter.beats}/{meter.unit}", None, "added") for meter in scene.song.meters[1:]),
        ]
        if self._stage.overlay:
            ghosts = scene.ghosts
            flags += [(one.change.at, tempo_in_words(one), one.cause, one.kind) for one in ghosts.tempos]
            flags += [(one.change.at, meter_in_words(one), one.cause, one.kind) for one in ghosts.meters]
            flags += [(one.section.start, one.section.name, one.cause, one.kind) for one in ghosts.sections]
        return flags

    def _paint_flags(
        self, painter: QPainter, flags: list[Flag], before: int, taken: int, tones: Tones, fonts: Fonts
    ) -> int:
        """Paint and take away the flags before a tick; returns the pixel up to which there is no room."""
        while flags and flags[0][0] < before:
            at, text, cause, kind = flags.pop(0)
            x = max(round(self._stage.axis.x(at)) + SECTION_EDGE + 1, taken + 2)
            width = self._paint_flag(painter, x, text, cause, kind, tones, fonts)
            if cause is not None:
                self._places.append((QRect(x, 0, width, SECTION_HEIGHT), cause))
            taken = x + width
        return taken

    def _paint_flag(
        self, painter: QPainter, x: int, text: str, cause: Cause | None, kind: Kind, tones: Tones, fonts: Fonts
    ) -> int:
        text, color = text[:40], tones.bad if kind == "removed" else tones.agent
        icon = KIND_ICONS.get(kind, "")
        badge = 0 if cause is None else badge_width(str(cause.number), fonts) + 2 + bool(icon) * (CORNER_ICON + 2)
        width = badge + fonts.width(fonts.section, text) + 2 * NAME_INSET
        place = QRect(x, FLAG_TOP, width, FLAG_HEIGHT)
        if cause is None:
            painter.fillRect(place, tones.hover)
        else:
            ground = tones.canvas if kind == "removed" else tones.agent_soft
            draw_hatch(painter, place, place, ground, tones.over(color, 0.25), tones)
            lit = self._stage.lit(cause)
            draw_dashed(
                painter, place, self.rect(), tones.t1 if lit else color, LIT_OUTLINE if lit else GHOST_OUTLINE
            )
            after = draw_badge(painter, x + 2, FLAG_TOP + 2, str(cause.number), tones, fonts)
            if icon:
                draw_icon(painter, x + after + 4, FLAG_TOP + 2, icon, color, CORNER_ICON, tones)
        painter.setFont(fonts.section)
        painter.setPen(tones.t1 if cause is None else color)
        painter.drawText(place.adjusted(badge, 0, 0, 0), CENTRE, text)
        return width

    def _paint_bars(self, painter: QPainter, window: QRect, tones: Tones) -> None:
        """The chosen bars: a soft ground and a line below their numbers."""
        bars = self._stage.opened.focus.bars.value
        if bars is None:
            return
        left, right = (round(self._stage.axis.x(at)) for at in self._stage.song.bar_map.span(*bars))
        left, right = max(left, window.left() - 1), min(right, window.right() + 2)
        veil = QColor(tones.you)
        veil.setAlpha(BARS_SHARE)
        if left < right:
            painter.fillRect(left, SECTION_HEIGHT + LOOP_BAR, right - left, TOP_HEIGHT - SECTION_HEIGHT, veil)
            painter.fillRect(left, TOP_HEIGHT - 3, right - left, 2, tones.you)

    def _paint_loop(self, painter: QPainter, tones: Tones) -> None:
        state = self._stage.opened.playback.state.value
        if state.loop is None:
            return
        left, right = (round(self._stage.axis.x(at)) for at in state.loop)
        left, right = max(left, -1), min(right, self.width() + 1)
        painter.fillRect(left, SECTION_HEIGHT, right - left, LOOP_BAR, tones.you if state.looping else tones.line2)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begin to drag the loop, the edge of a section, the playhead or a stretch of bars.

        A press on a proposed flag lights its step, one on a section chooses its bars.
        """
        if event.button() != Qt.MouseButton.LeftButton:
            return
        # So that Esc reaches the drag.
        self._lanes.setFocus(Qt.FocusReason.MouseFocusReason)
        spot = _spot(event)
        state = self._stage.opened.playback.state.value
        on_bar = SECTION_HEIGHT <= spot.y < SECTION_HEIGHT + LOOP_GRIP
        if on_bar or spot.extend:
            ends = state.loop or ()
            edge = any(abs(self._stage.axis.x(at) - spot.x) <= LOOP_GRIP for at in ends)
            self._gesture = DragLoop(self._stage, spot, edge=edge)
        elif spot.y < SECTION_HEIGHT and self._light(spot):
            return
        elif (edge_of := self._section_edge(spot)) is not None:
            self._gesture = DragSectionEdge(self._stage, edge_of[0].id, left=edge_of[1])
        else:
            self._seek_or_choose(spot)

    def _seek_or_choose(self, spot: Spot) -> None:
        """The playhead goes where the press is; its own head is dragged along, else a drag chooses bars."""
        stage = self._stage
        head = abs(stage.axis.x(stage.opened.playback.position()) - spot.x) <= HEAD_WIDTH and spot.y >= SECTION_HEIGHT
        seek = Seek(stage)
        if head:
            self._gesture = seek
            return
        section = section_at(stage.song, stage.axis.at(spot.x)) if spot.y < SECTION_HEIGHT else None
        seek.move(spot)
        self._gesture = ChooseBars(stage, spot)
        if section is not None:
            bars = stage.song.bar_map
            stage.opened.focus.bars.set((bars.bar_at(section.start), bars.bar_at(section.end - 1)))

    def _section_edge(self, spot: Spot) -> tuple[Section, bool] | None:
        """The section whose edge lies there, and whether it is its left one."""
        if spot.y >= SECTION_HEIGHT:
            return None
        for section in reversed(self._stage.song.sections):
            left, right = self._stage.axis.x(section.start), self._stage.axis.x(section.end)
            if right - left < 4 * EDGE_GRIP:
                continue
            if 0 <= right - spot.x <= EDGE_GRIP:
                return section, False
            if 0 <= spot.x - left <= EDGE_GRIP:
                return section, True
        return None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """What can be done with the section, the bar and the chosen bars."""
        in_sections = event.pos().y() < SECTION_HEIGHT
        at = self._stage.axis.at(event.pos().x())
        self._frames().at(at, self._stage.bar_at(event.pos().x()), in_sections=in_sections).popup(event.globalPos())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Go on with the drag."""
        if self._gesture is not None:
            self._gesture.move(_spot(event))
            return
        self._stage.hover(self._flag_at(_spot(event)))
        on_bar = SECTION_HEIGHT <= event.position().y() < SECTION_HEIGHT + LOOP_GRIP
        on_bar = on_bar or self._section_edge(_spot(event)) is not None
        self.setCursor(Qt.CursorShape.SizeHorCursor if on_bar else Qt.CursorShape.ArrowCursor)

    def leaveEvent(self, _event: QEvent) -> None:  # noqa: N802
        """No flag is under the pointer."""
        self._stage.hover(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End the drag."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.release(_spot(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Loop the section under the pointer."""
        at = self._stage.axis.at(event.position().x())
        for section in self._stage.song.sections:
            if event.position().y() < SECTION_HEIGHT and section.start <= at < section.end:
                self._stage.opened.playback.set_loop((section.start, section.end), True)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """The lanes scroll and zoom."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """The lanes take keys."""
        event.ignore()

    @property
    def held(self) -> bool:
        """Whether a drag is under way."""
        return self._gesture is not None

    def cancel(self) -> bool:
        """End a drag without its effect; whether there was one."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.cancel()
        return gesture is not None

    def _light(self, spot: Spot) -> bool:
        """Put the step of a proposed flag at a place into focus."""
        cause = self._flag_at(spot)
        if cause is not None:
            self._stage.opened.focus.step.set(cause.step)
        return cause is not None

    def _flag_at(self, spot: Spot) -> Cause | None:
        """The row that proposes the flag at a place."""
        return next((cause for place, cause in self._places if place.contains(int(spot.x), int(spot.y))), None)


def _spot(event: QMouseEvent) -> Spot:
    keys = event.modifiers()
    place = event.position()
    return Spot(
        place.x(), place.y(), bool(keys & Qt.KeyboardModifier.ControlModifier),
        bool(keys & Qt.KeyboardModifier.AltModifier), bool(keys & Qt.KeyboardModifier.ShiftModifier),
    )
