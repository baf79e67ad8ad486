"""The place of the timeline: lanes in a scroll area, with ruler and headers around them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.desktop.open_project import OpenProject
from app.ui.kit.context import Kit
from app.ui.kit.spoken.spoken import Spoken
from app.ui.kit.style import draw_focus
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.scrolling import name_scroll_bars
from app.ui.timeline.acts import Acts
from app.ui.timeline.chord_lane import ChordLane
from app.ui.timeline.corner import Corner
from app.ui.timeline.file_drop import FileDrop
from app.ui.timeline.following import Following
from app.ui.timeline.fonts import Fonts
from app.ui.timeline.frame_menus import FrameMenus
from app.ui.timeline.gestures.gesture import Gesture
from app.ui.timeline.hand import Hand
from app.ui.timeline.headers import Headers
from app.ui.timeline.lanes import LanesPainter
from app.ui.timeline.measures import CHORD_HEIGHT, FINE_ZOOM_STEP, HEADER_WIDTH, SCROLL_STEP, SECTION_HEIGHT, TOP_HEIGHT
from app.ui.timeline.menus import Menus
from app.ui.timeline.refusals import Refusals
from app.ui.timeline.ruler import Ruler
from app.ui.timeline.sight import Sight
from app.ui.timeline.stage import Stage
from app.ui.timeline.tones import Tones
from app.ui.timeline.voice import Voice
from app.words import tr


class TimelineArea(QAbstractScrollArea):
    """Places lanes, ruler and headers, paints them, and hands the pointer on; `close_view` ends its timers."""

    notes_wanted = Signal(str)
    """The id of a clip, or of a ghost's clip, whose notes are to be shown."""

    def __init__(self, opened: OpenProject, kit: Kit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stage = Stage(opened, kit, self._repaint)
        self.setObjectName("timeline")
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setViewportMargins(HEADER_WIDTH, TOP_HEIGHT, 0, 0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAcceptDrops(True)
        self.setAccessibleName(tr("Timeline"))
        name_scroll_bars(self)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._looks = 0
        self._tones: Tones | None = None
        self._fonts: Fonts | None = None
        self.corner = Corner(self.stage, self, lambda: self.acts.add_track())
        self.ruler = Ruler(self.stage, self._look, self)
        self.chords = ChordLane(
            self.stage, self._look, self, self._repaint, lambda start, end: self.sight.reveal_stretch(start, end)
        )
        self.headers = Headers(self.stage, self._look, self, lambda: self.menus, lambda: self.acts)
        self.corner.following.clicked.connect(self.follow_playhead)
        self.setTabOrder(self.corner.overlay, self.ruler)
        self.setTabOrder(self.ruler, self.chords)
        self.setTabOrder(self.chords, self.headers)
        self._painter = LanesPainter(self.stage)
        self.file = FileDrop(self)
        self._fitted = False
        self._hand = Hand(self.stage)
        self._voice = Voice(self.stage, self)
        self._refusals = Refusals(self.stage, self, lambda: self.dragging)
        self._following = Following(self)
        self.sight = Sight(self)
        self.acts = Acts(self)
        self.menus = Menus(self)
        self.frames = FrameMenus(self)
        self._refine = Coalesced(0, self.viewport().update, self)
        self._settle = Coalesced(0, self._settled, self, self.stage.kit.turns)
        self._subscriptions = Subscriptions()
        self._listen()
        kit.tasks.start(self.stage.lane_choice.load(), "timeline")
        # Of a scroll area's children Qt tells only the viewport; with this face corner, ruler and headers are told too.
        # It comes last: each slot that is connected gives the class another meta object, and the face is kept by that.
        self._spoken = Spoken(self, tuple, QAccessible.Role.Grouping)

    @property
    def follow(self) -> bool:
        """Whether the view follows the playhead."""
        return self.stage.opened.focus.follow.value

    def follow_playhead(self, on: bool) -> None:
        """Let the view follow the playhead, or not."""
        self.stage.opened.focus.follow.set(on)

    def wants_notes(self, clip: str) -> None:
        """Ask for the notes of a clip or a ghost to be shown."""
        self.notes_wanted.emit(clip)

    def close_view(self) -> None:
        """End timers and stop listening; the view shows nothing new afterwards."""
        self._subscriptions.close()
        self.stage.kit.theme.changed.disconnect(self._themed)
        self._following.stop()
        self._refusals.close()
        self.headers.close_view()
        self.chords.close_view()
        self._refine.drop()
        self._settle.drop()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Only what has to be painted again."""
        tones, fonts = self._look()
        painter = QPainter(self.viewport())
        self._painter.paint(
            painter, event.rect(), self.viewport().rect(), self._hand.gesture, tones, fonts, focused=self.hasFocus()
        )
        if self.file.active:
            self.file.paint(painter, tones, fonts)
        elif self.hasFocus() and self.stage.scene.find(self.stage.cursor, self.stage.overlay) is None:
            draw_focus(painter, QRectF(self.viewport().rect()), self.stage.kit.theme.tokens)
        painter.end()
        if self._painter.clips.unfinished:
            self._refine.ask()

    def resizeEvent(self, _event: QResizeEvent) -> None:  # noqa: N802
        """Lay the ruler and the headers around the lanes."""
        place = self.viewport().geometry()
        self.corner.setGeometry(0, 0, HEADER_WIDTH, TOP_HEIGHT)
        self.ruler.setGeometry(place.left(), 0, place.width(), TOP_HEIGHT)
        self.chords.setGeometry(place.left(), SECTION_HEIGHT, place.width(), CHORD_HEIGHT)
        self._voice.list.setGeometry(self.viewport().rect())
        self.headers.setGeometry(0, TOP_HEIGHT, HEADER_WIDTH, place.height())
        self.sight.fit_lanes()
        self.sync_range()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """Follow the scroll bars."""
        axis = self.stage.axis
        axis.left, axis.top = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        self.viewport().update()
        if dx:
            for part in (self.ruler, self.chords):
                part.update()
                part.spoken.outdated()
        if dy:
            self.headers.update()
            self.headers.spoken.outdated()

    def sync_range(self) -> None:
        """Let the scroll bars reach what there is; the first song that comes is shown whole."""
        scene, axis, place = self.stage.scene, self.stage.axis, self.viewport().rect()
        if not self._fitted and scene.lanes and place.width() > 100 and self.isVisible():
            self._fitted = True
            self.sight.zoom_song()
            return
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setRange(0, max(0, axis.width - place.width()))
        across.setPageStep(place.width())
        across.setSingleStep(SCROLL_STEP)
        down.setRange(0, max(0, axis.height - place.height()))
        down.setPageStep(place.height())
        down.setSingleStep(axis.row_height)

    def update_playhead(self, old: int, new: int) -> None:
        """Paint the strips of the playhead's old and new place, and nothing between them."""
        height = self.viewport().height()
        for x in (old, new):
            self.viewport().update(QRect(x - 1, 0, 3, height))
            self.ruler.update(QRect(x - 8, 0, 17, TOP_HEIGHT))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Select, or begin a drag."""
        self._hand.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Drag, or show what lies under the pointer."""
        self._hand.hover_or_move(event, self.viewport())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End a drag."""
        self._hand.release(event)

    def leaveEvent(self, _event: QEvent) -> None:  # noqa: N802
        """Nothing lies under the pointer."""
        self.stage.hovered = None
        self.stage.hover(None)
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Scroll; with Ctrl zoom around the pointer, with Shift scroll in time."""
        delta = event.angleDelta()
        keys = event.modifiers()
        if keys & Qt.KeyboardModifier.ControlModifier:
            steps = (delta.y() or delta.x()) / 120
            x = self.viewport().mapFromGlobal(event.globalPosition()).x()
            self.sight.zoom(self.stage.axis.per_beat * FINE_ZOOM_STEP ** (2 * steps), x)
            event.accept()
        elif keys & Qt.KeyboardModifier.ShiftModifier and delta.y():
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - delta.y())
            event.accept()
        else:
            super().wheelEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Ghosts come back when Alt is let go."""
        if event.key() == Qt.Key.Key_Alt and self.stage.peeking:
            self.stage.peeking = False
            self._repaint()
        super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """The focus ring comes."""
        super().focusInEvent(event)
        self._repaint()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """The focus ring goes, and a key that was held does not count any more."""
        super().focusOutEvent(event)
        self.stage.peeking = False
        self._repaint()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Another font means other sizes of texts."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_hand"):
            self._themed()

    def cancel_drag(self) -> bool:
        """End any drag without its effect; whether there was one."""
        return self._hand.cancel() or self.ruler.cancel() or self.headers.cancel()

    def _look(self) -> tuple[Tones, Fonts]:
        """Colours and fonts for this theme and this screen."""
        ratio = self.viewport().devicePixelRatioF()
        if self._tones is None or self._fonts is None or self._tones.ratio != ratio:
            self._looks += 1
            self._tones, self._fonts = Tones(self.stage.kit.theme.tokens, self._looks, ratio), Fonts()
        return self._tones, self._fonts

    def _themed(self) -> None:
        self._tones = self._fonts = None
        self._repaint()

    def repaint_lanes(self) -> None:
        """Paint lanes and ruler again, because time stands elsewhere."""
        self.viewport().update()
        self.ruler.update()
        self.chords.update()

    def _repaint(self) -> None:
        """Paint everything again, and once for all that changes now look at the range and the words."""
        self.viewport().update()
        self.ruler.update()
        self.chords.update()
        self.headers.update()
        self._settle.ask()

    def _settled(self) -> None:
        self.sync_range()
        self._voice.describe()
        self.headers.describe()
        self.ruler.describe()
        self.chords.describe()
        scene = self.chords.scene
        heard = sum(span.heard for span in scene.spans)
        self.corner.show_chords(changed=len(scene.ghosts), heard=heard)

    def _listen(self) -> None:
        opened, outdated, repaint = self.stage.opened, self.stage.outdated, self._repaint
        focus, playback = opened.focus, opened.playback
        self.stage.kit.theme.changed.connect(self._themed)
        for silence in (
            opened.workspace.changed.listen(lambda _: outdated()),
            opened.reviewing.proposal.changed.listen(lambda _: outdated()),
            opened.running.live.changed.listen(lambda _: outdated()),
            opened.locks.changed.listen(lambda _: outdated()),
            self.stage.lane_choice.size.changed.listen(lambda _: self.sight.fit_lanes()),
            focus.clips.changed.listen(lambda _: repaint()),
            focus.track.changed.listen(lambda _: self._track_chosen()),
            focus.step.changed.listen(lambda _: self._step_lit()),
            focus.hovered.changed.listen(lambda _: repaint()),
            focus.bars.changed.listen(lambda _: repaint()),
            focus.sought.listen(lambda bars: self.sight.reveal_bars(*bars)),
            focus.overlay.watch(lambda on: self.corner.show_overlay(on=on)),
            focus.follow.watch(lambda on: self.corner.show_follow(on=on)),
            focus.overlay.changed.listen(lambda _: outdated()),
            playback.solo.changed.listen(lambda _: repaint()),
            playback.state.watch(self._following.playing),
            playback.sought.listen(lambda _: repaint()),
        ):
            self._subscriptions.add(silence)

    def _track_chosen(self) -> None:
        """Scroll to the lane of the current track."""
        lane = self.stage.scene.lane_of(self.stage.opened.focus.track.value)
        if lane is not None:
            self.sight.reveal_lane(lane)
        self._repaint()

    def _step_lit(self) -> None:
        """Scroll to what the step makes, unless it can be seen."""
        self.sight.reveal_step(self.stage.opened.focus.step.value)
        self._repaint()

    @property
    def dragging(self) -> bool:
        """Whether Esc would end a drag over the lanes, the ruler or the headers."""
        return self._hand.held or self.ruler.held or self.headers.held

    @property
    def gesture(self) -> Gesture | None:
        """The drag that is under way."""
        return self._hand.gesture
