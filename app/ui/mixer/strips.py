"""The strips of all tracks, painted side by side."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from agent.song.ids import TrackId
from app.desktop.edits.strip_facts import Strip, strip_in_words, strips_of
from app.ui.canvas.accessibility import describe
from app.ui.kit.keyed_rest import KeyedRest
from app.ui.kit.spoken.spoken import Spoken
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.kit.track_levels import TrackLevels
from app.ui.kit.widgets.scrolling import name_scroll_bars
from app.ui.mixer.board import Board
from app.ui.mixer.metering import Metering
from app.ui.mixer.strip_hand import StripHand
from app.ui.mixer.strip_keys import handle_key, takes
from app.ui.mixer.strip_layout import LEAST_HEIGHT, STRIP_WIDTH, StripLayout
from app.ui.mixer.strip_painter import StripPainter
from app.ui.mixer.strip_parts import parts_of
from app.words import tr, trn


class Strips(QAbstractScrollArea):
    """Left and right choose a strip, up and down move its fader, with Alt its pan; a digit or Enter types a level.

    `instrument_wanted` asks for another instrument of a track, at a place on the screen.
    `framed` tells that it looked at the levels, `counted` that there are other tracks.
    """

    instrument_wanted = Signal(str, QPoint)
    framed = Signal()
    counted = Signal()

    def __init__(self, board: Board, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board = board
        self.strips: tuple[Strip, ...] = ()
        self.places = StripLayout(LEAST_HEIGHT)
        self.levels = TrackLevels()
        self.keyed = KeyedRest(board.opened, board.commit, self.redraw, self)
        self.hand = StripHand(self)
        self._painter = StripPainter(board.kit.theme)
        self.setObjectName("strips")
        self.setAccessibleName(tr("Strips of the tracks"))
        name_scroll_bars(self)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(STRIP_WIDTH, LEAST_HEIGHT)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setAccessibleName(tr("Tracks of the mixer"))
        self._spoken = Spoken(self.viewport(), lambda: parts_of(self))
        self.metering = Metering(self)
        self._follow = Coalesced(0, self.refresh, self, board.kit.turns)
        self._subscriptions = Subscriptions()
        self._listen()
        self.refresh()

    def refresh(self) -> None:
        """Show the tracks as they are now."""
        board, before = self.board, self.strips
        self.strips = strips_of(
            board.song, board.palette, board.opened.playback.solo.value, board.opened.locks.value
        )
        if [one.track for one in before] != [one.track for one in self.strips]:
            self.levels.forget({one.track for one in self.strips})
            self._sync_range()
            self.counted.emit()
        self.redraw()

    def redraw(self) -> None:
        """Paint all, and say where the keyboard is."""
        self.viewport().update()
        self._spoken.outdated()
        self._describe()

    def close_view(self) -> None:
        """Keep what keys have set, end timers and listening."""
        self.keyed.close()
        self.metering.stop()
        self._follow.drop()
        self._subscriptions.close()
        self.board.kit.theme.changed.disconnect(self._themed)

    @property
    def current(self) -> Strip | None:
        """The strip of the window's current track."""
        at = self.index_of(self.board.opened.focus.track.value)
        return None if at is None else self.strips[at]

    def index_of(self, track: TrackId | None) -> int | None:
        """The place of a track's strip, counted from the left."""
        return next((at for at, strip in enumerate(self.strips) if strip.track == track), None)

    def rect_of(self, at: int) -> QRect:
        """Where a strip lies in the viewport."""
        left = at * STRIP_WIDTH - self.horizontalScrollBar().value()
        return QRect(left, 0, STRIP_WIDTH, max(self.places.height, self.viewport().height()))

    def strip_at(self, x: float) -> int | None:
        """The strip at a pixel of the viewport."""
        at = int((x + self.horizontalScrollBar().value()) // STRIP_WIDTH)
        return at if 0 <= at < len(self.strips) else None

    def choose(self, at: int) -> None:
        """Make a strip's track the current one, and show it."""
        if self.strips:
            strip = self.strips[max(0, min(len(self.strips) - 1, at))]
            self.board.choose(strip.track)
            self.reveal(strip.track)

    def reveal(self, track: TrackId | None) -> None:
        """Scroll so that a track's strip can be seen."""
        at = self.index_of(track)
        if at is not None:
            bar, width = self.horizontalScrollBar(), self.viewport().width()
            left = at * STRIP_WIDTH
            if left < bar.value():
                bar.setValue(left)
            elif left + STRIP_WIDTH > bar.value() + width:
                bar.setValue(left + STRIP_WIDTH - width)

    def repaint_levels(self, moved: Collection[TrackId]) -> None:
        """Paint the meters of these tracks."""
        for track in moved:
            at = self.index_of(track)
            if at is not None:
                self.viewport().update(self._bars(at))
        if moved:
            self._spoken.outdated()

    def shown(self, strip: Strip) -> tuple[float, float]:
        """Volume and pan as they stand on the strip: dragged, moved by keys, or the song's."""
        drag = self.hand.shown
        if drag is not None and drag.track == strip.track:
            return drag.volume, drag.pan
        return self.keyed.of(strip.track, strip.volume_db, strip.pan)

    def words(self) -> str:
        """What assistive programs are told."""
        strip = self.current
        if strip is None:
            return trn("{count} track", "{count} tracks", len(self.strips))
        return strip_in_words(strip, *self.shown(strip))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Only the strips, or the meters, that have to be painted again."""
        painter = QPainter(self.viewport())
        region, left = event.region(), self.horizontalScrollBar().value()
        first = max(0, (event.rect().left() + left) // STRIP_WIDTH)
        last = min(len(self.strips), (event.rect().right() + left) // STRIP_WIDTH + 1)
        now = self.board.opened.focus.track.value
        for at in range(first, last):
            strip, place = self.strips[at], self.rect_of(at)
            wanted = region.intersected(QRegion(place))
            if wanted.isEmpty():
                continue
            levels, chosen = self.levels.of(strip.track), strip.track == now
            if self._bars(at).contains(wanted.boundingRect()):
                self._painter.draw_bars(painter, place, self.places, levels)
            else:
                self._painter.draw(
                    painter, strip, place, self.places, *self.shown(strip), levels, chosen=chosen,
                    focused=chosen and self.hasFocus(),
                )
        end = len(self.strips) * STRIP_WIDTH - left
        painter.fillRect(end, 0, self.viewport().width() - end, self.height(), self.board.kit.theme.color("panel"))
        painter.end()

    def resizeEvent(self, _event: QResizeEvent) -> None:  # noqa: N802
        """The faders take the room that there is."""
        self.places = StripLayout(self.viewport().height())
        self._spoken.outdated()
        self._sync_range()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(max(4, len(self.strips)) * STRIP_WIDTH, LEAST_HEIGHT + 60)

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:  # noqa: N802
        """Follow the scroll bar."""
        self.viewport().update()
        self._spoken.outdated()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Scroll sideways, whichever way the wheel turns."""
        delta = event.angleDelta()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - round((delta.x() or delta.y()) / 120 * STRIP_WIDTH))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self.hand.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self.hand.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self.hand.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self.hand.double_click(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        self.hand.menu(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """See the class; what is no key of a strip goes on."""
        if not handle_key(self, event):
            event.ignore()

    def event(self, event: QEvent) -> bool:
        """Keys of a strip come before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            given_up = event.key() == Qt.Key.Key_Escape and (self.hand.holding or self.keyed.waiting)
            if given_up or takes(event):
                event.accept()
                return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        """Tooltips tell of the part under the pointer, as plain text."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.hand.tip(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """The keyboard always is at a strip."""
        super().focusInEvent(event)
        if self.current is None and self.strips:
            self.choose(0)
        self.redraw()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        self.keyed.keep()
        self.redraw()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.metering.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.hand.cancel()
        self.keyed.keep()
        self.metering.stop()

    def _bars(self, at: int) -> QRect:
        left, right = self.places.bars
        return left.united(right).translated(self.rect_of(at).topLeft())

    def _sync_range(self) -> None:
        bar = self.horizontalScrollBar()
        bar.setRange(0, max(0, len(self.strips) * STRIP_WIDTH - self.viewport().width()))
        bar.setPageStep(max(1, self.viewport().width()))
        bar.setSingleStep(STRIP_WIDTH)

    def _listen(self) -> None:
        opened = self.board.opened
        for told in (
            opened.workspace.changed, opened.locks.changed, opened.playback.solo.changed,
        ):
            self._subscriptions.add(told.listen(lambda _: self._follow.ask()))
        self._subscriptions.add(opened.focus.track.changed.listen(self._focused))
        self.board.kit.theme.changed.connect(self._themed)

    def _focused(self, track: TrackId | None) -> None:
        self.keyed.keep()
        self.reveal(track)
        self.redraw()

    def _themed(self) -> None:
        self._painter.themed()
        self.viewport().update()

    def _describe(self) -> None:
        describe(self, self.words())
