"""The strips of all tracks, painted side by side."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from agent.song.ids import TrackId
from app.i18n import tr
from app.ui.canvas.accessibility import describe
from app.ui.canvas.canvas import Canvas
from app.ui.canvas.tool import Pointer
from app.ui.kit.accessibility.accessible_parts import AccessibleParts
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.mixer.board import Board
from app.ui.mixer.commands import AskInstrument, CarryOut, Choose, Command, GiveUp, Nudge, TypeValue
from app.ui.mixer.scene import MixerScene
from app.ui.mixer.shortcuts import command_of, open_entry
from app.ui.mixer.strip_layout import LEAST_HEIGHT, STRIP_WIDTH, StripLayout
from app.ui.mixer.strip_painter import StripPainter
from app.ui.mixer.strip_parts import parts_of
from app.ui.mixer.strip_tool import StripTool
from app.viewmodels.edits.clip_edits import muted
from app.viewmodels.edits.mixing import with_mix
from app.viewmodels.edits.strip_facts import MixerStrip


class StripsView(Canvas[StripPainter]):
    """The painted strips. Left and right choose a strip, up and down move its fader, with Alt its pan; a digit or Enter
    opens a field to type the level.

    Signals: `instrument_wanted` asks for another instrument of a track, with a point on the screen; `framed` is emitted
    after each reading of levels; `counted` when there are other tracks."""

    instrument_wanted = Signal(str, QPoint)
    framed = Signal()
    counted = Signal()

    def __init__(self, board: Board) -> None:
        scene = MixerScene(board)
        tool = StripTool(scene, self.carry_out)
        super().__init__(board.kit, tr("Strips of the tracks"), StripPainter, Pointer(tool))
        self.scene, self.board, self.words = scene, board, scene.words
        self.setObjectName("strips")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumSize(STRIP_WIDTH, LEAST_HEIGHT)
        self.viewport().setAccessibleName(tr("Tracks of the mixer"))
        self._accessibility = AccessibleParts(self.viewport(), lambda: parts_of(scene, self.carry_out))
        self.metering = Metering(scene, self._levels_moved, self)
        self._follow = Coalesced(0, self.refresh, self, board.kit.turns)
        self._subscriptions = Subscriptions()
        opened = board.opened
        for silence in (
            opened.workspace.changed.listen(lambda _: self._follow.ask()),
            opened.locks.changed.listen(lambda _: self._follow.ask()),
            opened.playback.solo.changed.listen(lambda _: self._follow.ask()),
            opened.focus.track.changed.listen(self._focused),
            scene.changed.listen(lambda _: self.repaint_all()),
        ):
            self._subscriptions.add(silence)
        self.refresh()

    def refresh(self) -> None:
        """Update the strips from the song."""
        if self.scene.renew():
            self._sync_range()
            self.counted.emit()
        self.repaint_all()

    def repaint_all(self) -> None:
        """Repaint everything and update the accessible description."""
        self.viewport().update()
        self._accessibility.outdated()
        describe(self, self.scene.words())

    def close_view(self) -> None:
        """Store what keys have set, end timers and subscriptions."""
        super().close_view()
        self.scene.keyed.close()
        self.metering.timer.stop()
        self._follow.drop()
        self._subscriptions.close()

    # --- what is asked for

    def command(self, event: QKeyEvent) -> Callable[[], object] | None:
        """The command of a key; None if it has none and the window may handle it."""
        found = command_of(self.scene, event, dragging=self.dragging)
        return None if found is None else partial(self.carry_out, found)

    def carry_out(self, command: Command) -> None:
        """Carry out a command of keys, pointer, menu or screen reader."""
        scene, keyed = self.scene, self.scene.keyed
        match command:
            case Choose(at):
                self._choose(at)
            case Nudge(strip, volume, pan):
                keyed.nudge(strip.track, (strip.volume_db, strip.pan), volume=volume, pan=pan)
            case TypeValue(strip):
                self._reveal(strip.track)
                keyed.keep()
                open_entry(scene, command, self.viewport())
            case AskInstrument(strip):
                place = scene.place_of(strip, scene.places.instrument).bottomLeft()
                self.instrument_wanted.emit(strip.track, self.viewport().mapToGlobal(place))
            case GiveUp():
                if not self.cancel_drag():
                    keyed.drop()
        self.repaint_all()

    def _choose(self, at: int) -> None:
        strips = self.scene.strips
        if strips:
            strip = strips[max(0, min(len(strips) - 1, at))]
            self.board.choose(strip.track)
            self._reveal(strip.track)

    def _reveal(self, track: TrackId | None) -> None:
        """Scroll so that a track's strip can be seen."""
        at = self.scene.index_of(track)
        if at is not None:
            bar, left = self.horizontalScrollBar(), at * STRIP_WIDTH
            bar.setValue(min(left, max(bar.value(), left + STRIP_WIDTH - self.viewport().width())))

    def _focused(self, track: TrackId | None) -> None:
        self.scene.keyed.keep()
        self._reveal(track)
        self.repaint_all()

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the strips, or only the meters, that need it."""
        scene, region, width = self.scene, event.region(), self.viewport().width()
        painter, drawn = QPainter(self.viewport()), self.look()
        first = max(0, (event.rect().left() + scene.left) // STRIP_WIDTH)
        last = min(len(scene.strips), (event.rect().right() + scene.left) // STRIP_WIDTH + 1)
        now = self.board.opened.focus.track.value
        for at in range(first, last):
            strip, place = scene.strips[at], scene.rect_of(at)
            wanted = region.intersected(QRegion(place))
            levels, chosen = scene.levels.of(strip.track), strip.track == now
            if wanted.isEmpty():
                continue
            if scene.bars_of(at).contains(wanted.boundingRect()):
                drawn.draw_bars(painter, place, scene.places, levels)
            else:
                drawn.draw(
                    painter, strip, place, scene.places, *scene.shown(strip), levels, chosen=chosen,
                    focused=chosen and self.hasFocus(),
                )
        end = len(scene.strips) * STRIP_WIDTH - scene.left
        painter.fillRect(end, 0, width - end, self.height(), self.board.kit.theme.color("panel"))
        painter.end()

    def _levels_moved(self, moved: Collection[TrackId]) -> None:
        for track in moved:
            at = self.scene.index_of(track)
            if at is not None:
                self.viewport().update(self.scene.bars_of(at))
        if moved:
            self._accessibility.outdated()
        self.framed.emit()

    # --- Qt's own

    def resizeEvent(self, _event: QResizeEvent) -> None:  # noqa: N802
        """Fit the strips to the height."""
        self.scene.places = StripLayout(self.viewport().height())
        self._accessibility.outdated()
        self._sync_range()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(max(4, len(self.scene.strips)) * STRIP_WIDTH, LEAST_HEIGHT + 60)

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:  # noqa: N802
        """Take over the scroll bar's value and repaint."""
        self.scene.left = self.horizontalScrollBar().value()
        self.viewport().update()
        self._accessibility.outdated()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Scroll sideways, whichever axis the wheel turns."""
        delta, bar = event.angleDelta(), self.horizontalScrollBar()
        bar.setValue(bar.value() - round((delta.x() or delta.y()) / 120 * STRIP_WIDTH))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Open the context menu of a strip."""
        strip = self.scene.current
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            found = self.scene.found(event.pos().x(), event.pos().y())
            strip = None if found is None else found[0]
        if strip is not None:
            self.board.choose(strip.track)
            made_menu(self.board, strip, self.carry_out, self).popup(event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Select the first strip if none is current."""
        if self.scene.current is None:
            self._choose(0)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        self.scene.keyed.keep()
        self.repaint_all()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.metering.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.cancel_drag()
        self.scene.keyed.keep()
        self.metering.timer.stop()

    def _sync_range(self) -> None:
        bar, width = self.horizontalScrollBar(), self.viewport().width()
        bar.setRange(0, max(0, len(self.scene.strips) * STRIP_WIDTH - width))
        bar.setPageStep(max(1, width))
        bar.setSingleStep(STRIP_WIDTH)


FRAME_MS, IDLE_MS = 33, 200
"""Milliseconds between two readings of levels, while something sounds and while nothing does."""


class Metering(QObject):
    """A timer that reads the playback's levels; `moved` is called with the tracks whose meters have changed."""

    def __init__(self, scene: MixerScene, moved: Callable[[Collection[TrackId]], None], parent: QObject) -> None:
        super().__init__(parent)
        self._scene = scene
        self._moved = moved
        self._last = monotonic()
        self.timer = QTimer(self)
        self.timer.timeout.connect(self._frame)

    def start(self) -> None:
        """Start the timer, when the strips become visible."""
        self._last = monotonic()
        self.timer.start(IDLE_MS)

    def _frame(self) -> None:
        levels, playback, now = self._scene.levels, self._scene.board.opened.playback, monotonic()
        moved = levels.take(playback.track_levels(), now - self._last, now)
        self._last = now
        self._moved(moved)
        wanted = FRAME_MS if levels.moving or playback.state.value.playing else IDLE_MS
        if self.timer.interval() != wanted:
            self.timer.setInterval(wanted)


def made_menu(board: Board, strip: MixerStrip, carry_out: CarryOut, parent: QWidget) -> QMenu:
    """The context menu of a strip; it deletes itself when it is closed. Commands for the view go to `carry_out`."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    lock = menu.addAction(tr("Unlock track") if strip.locked else tr("Lock track"))
    lock.triggered.connect(lambda: board.toggle_lock(strip.track))
    mute = menu.addAction(tr("Unmute track") if strip.mute else tr("Mute track"))
    mute.triggered.connect(lambda: board.commit(muted(board.song, strip.track)))
    solo = menu.addAction(tr("Hear all tracks") if strip.solo else tr("Solo track"))
    solo.triggered.connect(lambda: board.toggle_solo(strip.track))
    menu.addSeparator()
    menu.addAction(tr("Instrument…")).triggered.connect(lambda: carry_out(AskInstrument(strip)))
    menu.addAction(tr("Volume…")).triggered.connect(lambda: carry_out(TypeValue(strip)))
    menu.addAction(tr("Pan…")).triggered.connect(lambda: carry_out(TypeValue(strip, "pan")))
    menu.addAction(tr("Volume to 0 dB")).triggered.connect(
        lambda: board.commit(with_mix(board.song, strip.track, 0.0, None))
    )
    menu.addAction(tr("Pan to the centre")).triggered.connect(
        lambda: board.commit(with_mix(board.song, strip.track, None, 0.0))
    )
    return menu
