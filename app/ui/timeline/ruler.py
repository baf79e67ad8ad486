"""The ruler under the pointer and the keyboard: playhead, bars, loop, and the marks that can be moved along it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from agent.song.song import Section
from app.i18n import tr
from app.ui.canvas.tool import Holding, PointerSpot, spot_of
from app.ui.kit.accessibility.accessible_parts import AccessibleParts
from app.ui.kit.accessibility.part import AccessiblePart
from app.ui.kit.shortcuts import key_of
from app.ui.kit.widgets.labels import plain_tip
from app.ui.timeline.frame_menus import FrameMenus
from app.ui.timeline.mark_actions import MarkActions
from app.ui.timeline.measures import BARS_TOP, EDGE_GRIP, HEAD_WIDTH, LOOP_BAR, LOOP_GRIP, SECTION_HEIGHT
from app.ui.timeline.ruler_layout import Flag, RulerLayout, lay_out
from app.ui.timeline.ruler_painter import RulerPainter
from app.ui.timeline.shortcuts import handle_ruler_key, takes_ruler_key
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look
from app.ui.timeline.tools.drag import TimelineDrag
from app.ui.timeline.tools.frame import ChooseBars, DragSectionEdge
from app.ui.timeline.tools.mark import DragMark
from app.ui.timeline.tools.ruler import DragLoop, Seek
from app.viewmodels.edits.frame_edits import section_at
from app.viewmodels.texts.places import bars_in_words
from app.viewmodels.timeline.marks import Marker, mark_in_words
from app.viewmodels.timeline.words import kind_in_words


class Ruler(QWidget):
    """The timeline's ruler. A press moves the playhead, a drag chooses bars, a drag along the upper edge of the bars
    sets the loop; sections and flags (tempo, meter) can be dragged along it."""

    def __init__(
        self, stage: TimelineContext, look: Callable[[], Look], actions: MarkActions, frames: FrameMenus, lanes: QWidget
    ) -> None:
        super().__init__(lanes)
        self.stage = stage
        self._look = look
        self._actions = actions
        self._frames = frames
        self._lanes = lanes
        self._painter = RulerPainter(stage)
        self._laid = RulerLayout()
        self._holding = Holding[TimelineDrag]()
        self.setAccessibleName(tr("Ruler"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.accessibility = AccessibleParts(self, lambda: ruler_parts(self.layout_now(), stage, actions))

    def layout_now(self) -> RulerLayout:
        """The current rectangles of sections and flags."""
        return lay_out(self.stage, self._look()[1], self.width(), self._holding.shown)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the part that needs it."""
        tones, fonts = self._look()
        self._laid = self.layout_now()
        ring = self._actions.now if self.hasFocus() else None
        painter = QPainter(self)
        self._painter.paint(painter, event.rect(), self.rect(), self._laid, ring, tones, fonts)
        painter.end()

    def describe(self) -> None:
        """Update the accessible description: the mark at the keyboard cursor."""
        self.accessibility.outdated()
        words = self._actions.words()
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)

    def below(self, mark: Marker) -> QPoint:
        """The point on the screen below a mark, for its menu."""
        place = self._laid.place_of(mark)
        x = place.left() if not place.isEmpty() else round(self.stage.axis.x(mark.at))
        return self.mapToGlobal(QPoint(max(0, min(x, self.width())), SECTION_HEIGHT))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begin to drag the loop, a flag, a section or its edge, the playhead or a range of bars. A press on a proposed
        flag selects its step in the plan."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        spot = spot_of(event)
        stage, state = self.stage, self.stage.opened.playback.state.value
        stage.refuse("")
        mark = None if self._on_loop(spot) or spot.shift else self._mark_at(spot)
        # So that Esc reaches the drag.
        (self if mark is not None else self._lanes).setFocus(Qt.FocusReason.MouseFocusReason)
        if self._on_loop(spot) or spot.shift:
            ends = state.loop or ()
            edge = any(abs(stage.axis.x(at) - spot.x) <= LOOP_GRIP for at in ends)
            self._holding.take(DragLoop(stage, spot, edge=edge))
        elif (flag := self._flag_at(spot)) is not None and flag.cause is not None:
            stage.opened.focus.step.set(flag.cause.step)
        elif flag is None and (edge_of := self._section_edge(spot)) is not None:
            self._holding.take(DragSectionEdge(stage, edge_of[0].id, left=edge_of[1]))
        elif mark is not None:
            stage.mark = mark
            self._holding.take(DragMark(stage, mark, spot))
            stage.repaint()
        else:
            self._seek_or_choose(spot)

    def _seek_or_choose(self, spot: PointerSpot) -> None:
        """The playhead goes where the press is; its own head is dragged along, else a drag chooses bars."""
        stage = self.stage
        seek = Seek(stage)
        if abs(stage.axis.x(stage.opened.playback.position()) - spot.x) <= HEAD_WIDTH and spot.y >= SECTION_HEIGHT:
            self._holding.take(seek)
            return
        seek.move(spot)
        self._holding.take(ChooseBars(stage, spot))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Continue the drag, or highlight the step of a proposed flag."""
        spot = spot_of(event)
        held = self._holding.held
        if held is not None:
            held.move(spot)
            self.stage.refuse(held.reason)
            return
        flag = self._flag_at(spot)
        self.stage.hover(None if flag is None else flag.cause)
        across = self._on_loop(spot) or (flag is None and self._section_edge(spot) is not None)
        if flag is not None and flag.mark is not None:
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.setCursor(Qt.CursorShape.SizeHorCursor if across else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Finish the drag; a click on a section chooses its bars."""
        drag = self._holding.let_go()
        if drag is None:
            return
        spot = spot_of(event)
        if isinstance(drag, DragMark) and drag.mark.section is not None and not drag.begun:
            Seek(self.stage).move(spot)
            self._actions.choose_section(drag.mark)
        drag.release(spot)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Change tempo or meter of the flag, or loop the section under the pointer."""
        spot = spot_of(event)
        flag = self._flag_at(spot)
        if flag is not None and flag.mark is not None:
            self._actions.change_at(flag.mark)
            return
        section = section_at(self.stage.song, self.stage.axis.at(spot.x)) if spot.y < SECTION_HEIGHT else None
        if section is not None:
            self.stage.opened.playback.set_loop((section.start, section.end), True)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Open the context menu of the mark or bar."""
        frames, place = self._frames, event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            now, here = self._actions.now, self._actions.place()
            place = self.mapToGlobal(QPoint(round(self.stage.axis.x(here)), SECTION_HEIGHT))
            frames.at(here, self.stage.song.bar_map.bar_at(here), in_sections=now is None or now.kind == "section"
                      ).popup(place)
            return
        flag = self._laid.flag_at(event.pos().x(), event.pos().y())
        own = flag is not None and flag.mark is not None
        at = float(flag.at) if flag is not None and own else self.stage.axis.at(event.pos().x())
        bar = self.stage.song.bar_map.bar_at(max(0, int(at)))
        frames.at(at, bar, in_sections=event.pos().y() < SECTION_HEIGHT and not own).popup(place)

    def event(self, event: QEvent) -> bool:
        """Claim the ruler's keys before the window's shortcuts; show tooltips."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if takes_ruler_key(self._actions, event, held=self.held):
                event.accept()
                return True
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            flag = self._laid.flag_at(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), self._tip(flag), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Left and right go to the neighbouring mark, with Ctrl move it; Enter changes it, Delete removes it."""
        if event.key() == Qt.Key.Key_Escape and self.cancel():
            self.stage.repaint()
        elif not handle_ruler_key(self._actions, event):
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Paint the focus ring; a focus by keyboard makes the nearest mark current if none is."""
        super().focusInEvent(event)
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_key and self._actions.now is None:
            self._actions.go(0)
        self.stage.repaint()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Remove the focus ring."""
        super().focusOutEvent(event)
        self.stage.repaint()

    def leaveEvent(self, _event: QEvent) -> None:  # noqa: N802
        """End the highlight of a step."""
        self.stage.hover(None)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to the lanes, which scroll and zoom."""
        event.ignore()

    @property
    def held(self) -> bool:
        """Whether a drag is under way."""
        return self._holding.held is not None

    def cancel(self) -> bool:
        """Cancel a drag without effect; returns whether there was one."""
        cancelled = self._holding.cancel()
        if cancelled:
            self.stage.refuse("")
        return cancelled

    def _tip(self, flag: Flag | None) -> str:
        if flag is not None and flag.mark is not None:
            return plain_tip(tr("{mark}. Drag to move it, double click to change it",
                            mark=mark_in_words(self.stage.song, flag.mark)))
        if flag is not None and flag.cause is not None:
            return plain_tip(tr("Step {number}: {what}", number=flag.cause.number, what=flag.text))
        return tr(
            "Click: playhead · drag: choose bars · upper edge or Shift+drag: loop ({loop} on and off, {selection} loop "
            "the selection) · drag a section to move it · right click: sections, tempo, time signature",
            loop=key_of("transport.loop") or "–", selection=key_of("transport.loop_selection") or "–",
        )

    def _on_loop(self, spot: PointerSpot) -> bool:
        return BARS_TOP <= spot.y < BARS_TOP + LOOP_GRIP

    def _flag_at(self, spot: PointerSpot) -> Flag | None:
        return self._laid.flag_at(spot.x, spot.y)

    def _mark_at(self, spot: PointerSpot) -> Marker | None:
        """The mark under a place of the upper row: a flag's, else the section's."""
        if spot.y >= SECTION_HEIGHT:
            return None
        flag = self._flag_at(spot)
        if flag is not None:
            return flag.mark
        section = section_at(self.stage.song, self.stage.axis.at(spot.x))
        return None if section is None else Marker("section", section.start, section.id)

    def _section_edge(self, spot: PointerSpot) -> tuple[Section, bool] | None:
        """The section whose edge lies there, and whether it is its left one."""
        if spot.y >= SECTION_HEIGHT:
            return None
        for section in reversed(self.stage.song.sections):
            left, right = self.stage.axis.x(section.start), self.stage.axis.x(section.end)
            if right - left < 4 * EDGE_GRIP:
                continue
            if 0 <= right - spot.x <= EDGE_GRIP:
                return section, False
            if 0 <= spot.x - left <= EDGE_GRIP:
                return section, True
        return None


def ruler_parts(laid: RulerLayout, stage: TimelineContext, actions: MarkActions) -> tuple[AccessiblePart, ...]:
    """Accessible items for the visible sections, flags and the loop, from left to right."""
    marks: list[tuple[int, AccessiblePart]] = []
    for block in laid.blocks:
        mark = Marker("section", block.section.start, block.section.id)
        place = QRect(block.left, 0, block.right - block.left, SECTION_HEIGHT)
        marks.append((block.left, _mark(stage, actions, mark, place)))
    marks += [(flag.place.x(), _flag(stage, actions, flag)) for flag in laid.flags]
    marks.sort(key=lambda one: one[0])
    state = stage.opened.playback.state.value
    parts = [part for _, part in marks]
    if state.loop is not None:
        left, right = (round(stage.axis.x(at)) for at in state.loop)
        where = bars_in_words(stage.song.bar_map, state.loop[0], state.loop[1])
        loop, on = state.loop, state.looping
        parts.append(AccessiblePart(
            "loop", "toggle", tr("Loop {bars}", bars=where), QRect(left, BARS_TOP, right - left, LOOP_BAR), on=on,
            press=lambda: stage.opened.playback.set_loop(loop, not on),
        ))
    return tuple(parts)


def _mark(stage: TimelineContext, actions: MarkActions, mark: Marker, place: QRect) -> AccessiblePart:
    words = mark_in_words(stage.song, mark)
    press = (lambda: actions.choose_section(mark)) if mark.section is not None else (lambda: actions.change_at(mark))
    return AccessiblePart(f"{mark.kind} {mark.section or mark.at}", "button", words, place, press=press)


def _flag(stage: TimelineContext, actions: MarkActions, flag: Flag) -> AccessiblePart:
    if flag.mark is not None:
        return _mark(stage, actions, flag.mark, flag.place)
    cause = flag.cause
    assert cause is not None
    words = tr("Step {number}: {what}, {kind}", number=cause.number, what=flag.text, kind=kind_in_words(flag.kind))
    return AccessiblePart(
        f"step {cause.step} {flag.at} {flag.text}", "button", words, flag.place,
        press=lambda: stage.opened.focus.step.set(cause.step),
    )
