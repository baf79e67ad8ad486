"""The pointer over the strips: what a press takes, and what lies under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QMenu

from app.desktop.edits.clip_edits import muted
from app.desktop.edits.mixing import pan_in_words, with_mix
from app.desktop.edits.strip_facts import Strip
from app.desktop.texts.figures import decibels
from app.ui.canvas.tool import Holding
from app.ui.kit.widgets.labels import plain_tip
from app.ui.mixer.gestures import DragFader, DragPan, StripDrag
from app.ui.mixer.strip_layout import StripPart
from app.ui.mixer.strip_typing import type_value
from app.words import tr

if TYPE_CHECKING:
    from app.ui.mixer.strips import Strips

_LONGEST = 300


class StripHand:
    """Holds the drag under way, and afterwards the one whose edit is not in the song yet."""

    def __init__(self, strips: Strips) -> None:
        self._strips = strips
        self._holding = Holding[StripDrag]()
        self._from = QPointF()

    @property
    def shown(self) -> StripDrag | None:
        """The drag whose values are shown."""
        return self._holding.shown

    @property
    def holding(self) -> bool:
        """Whether something is being dragged."""
        return self._holding.held is not None

    def press(self, event: QMouseEvent) -> None:
        """Choose the strip, and take or press what lies there."""
        found = self._found(event.position())
        if found is None or event.button() != Qt.MouseButton.LeftButton:
            return
        strip, part = found
        strips, board = self._strips, self._strips.board
        strips.keyed.keep()
        board.choose(strip.track)
        if part in ("fader", "pan"):
            self._from = event.position()
            places = strips.places
            self._holding.take(
                DragFader(board, strip, places.way) if part == "fader" else DragPan(board, strip, places.pan_way)
            )
        elif part == "mute":
            board.commit(muted(board.song, strip.track))
        elif part == "solo":
            board.toggle_solo(strip.track)
        elif part == "meter":
            strips.levels.clear(strip.track)
        elif part == "instrument":
            self.want_instrument(strip)
        strips.redraw()

    def move(self, event: QMouseEvent) -> None:
        """Go on with the drag."""
        held = self._holding.held
        if held is not None:
            way = event.position() - self._from
            fine = bool(event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier))
            held.move(way.x(), way.y(), fine=fine)
            self._strips.redraw()

    def release(self, event: QMouseEvent) -> None:
        """Keep what was dragged; a click on a value types it."""
        held = self._holding.let_go()
        if held is not None:
            def settled() -> None:
                if self._holding.settling is held:
                    self._holding.settling = None
                self._strips.refresh()

            held.release(settled)
            return
        found = self._found(event.position())
        if found is not None and found[1] == "value" and event.button() == Qt.MouseButton.LeftButton:
            type_value(self._strips, found[0])

    def double_click(self, event: QMouseEvent) -> None:
        """A fader goes to 0 dB, a pan to the middle; elsewhere it is two clicks."""
        found = self._found(event.position())
        if found is None or found[1] not in ("fader", "pan"):
            self.press(event)
            return
        board, (strip, part) = self._strips.board, found
        board.commit(with_mix(
            board.song, strip.track, 0.0 if part == "fader" else None, 0.0 if part == "pan" else None
        ))

    def cancel(self) -> bool:
        """End the drag without its effect; whether there was one."""
        return self._holding.cancel()

    def want_instrument(self, strip: Strip) -> None:
        """Ask which instrument the track shall play."""
        at = self._strips.index_of(strip.track) or 0
        place = self._strips.places.instrument.translated(self._strips.rect_of(at).topLeft())
        self._strips.instrument_wanted.emit(strip.track, self._strips.viewport().mapToGlobal(place.bottomLeft()))

    def menu(self, event: QContextMenuEvent) -> None:
        """What can be done with a track."""
        strips = self._strips
        strip = strips.current
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            found = self._found(QPointF(event.pos()))
            strip = None if found is None else found[0]
        if strip is not None:
            strips.board.choose(strip.track)
            self.made_menu(strip).popup(event.globalPos())

    def made_menu(self, strip: Strip) -> QMenu:
        """A strip's menu; it deletes itself once it is closed."""
        strips, board = self._strips, self._strips.board
        menu = QMenu(strips)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        lock = menu.addAction(tr("Unlock track") if strip.locked else tr("Lock track"))
        lock.triggered.connect(lambda: board.toggle_lock(strip.track))
        mute = menu.addAction(tr("Unmute track") if strip.mute else tr("Mute track"))
        mute.triggered.connect(lambda: board.commit(muted(board.song, strip.track)))
        solo = menu.addAction(tr("Hear all tracks") if strip.solo else tr("Solo track"))
        solo.triggered.connect(lambda: board.toggle_solo(strip.track))
        menu.addSeparator()
        menu.addAction(tr("Instrument…")).triggered.connect(lambda: self.want_instrument(strip))
        menu.addAction(tr("Volume…")).triggered.connect(lambda: type_value(strips, strip))
        menu.addAction(tr("Pan…")).triggered.connect(lambda: type_value(strips, strip, "pan"))
        menu.addAction(tr("Volume to 0 dB")).triggered.connect(
            lambda: board.commit(with_mix(board.song, strip.track, 0.0, None))
        )
        menu.addAction(tr("Pan to the centre")).triggered.connect(
            lambda: board.commit(with_mix(board.song, strip.track, None, 0.0))
        )
        return menu

    def tip(self, place: QPoint) -> str:
        """What lies at a place, as plain text."""
        found = self._found(QPointF(place))
        return "" if found is None else plain_tip(self._words(*found)[:_LONGEST])

    def _words(self, strip: Strip, part: StripPart) -> str:
        volume, pan = self._strips.shown(strip)
        name = strip.name[:_LONGEST // 2]
        match part:
            case "instrument" if not strip.family:
                return tr("{instrument}: this instrument is not known", instrument=strip.instrument)
            case "instrument":
                return tr("{instrument}. Click for another instrument", instrument=strip.instrument)
            case "pan":
                moving = tr("Automation moves the pan while the song plays") if strip.moves_pan else ""
                return moving or tr("Pan of {name}: {value}. Double click for the centre", name=name,
                                    value=pan_in_words(pan))
            case "fader" | "value" if strip.moves_volume:
                return tr("Automation moves the volume of {name} while the song plays", name=name)
            case "fader":
                return tr("Volume of {name}: {value} dB. Double click for 0 dB", name=name,
                          value=decibels(volume))
            case "value":
                return tr("Click to type the volume of {name}", name=name)
            case "mute":
                return tr("Unmute {name}", name=name) if strip.mute else tr("Mute {name}", name=name)
            case "solo":
                return tr("Hear all tracks") if strip.solo else tr("Solo {name}", name=name)
            case "lock" if strip.locked:
                return tr("Locked: no step changes this track. You can still edit it by hand")
            case "meter" if self._strips.levels.clipped(strip.track):
                return tr("{name} was too loud. Click to clear the mark", name=name)
        return strip.name

    def _found(self, place: QPointF) -> tuple[Strip, StripPart] | None:
        at = self._strips.strip_at(place.x())
        if at is None:
            return None
        return self._strips.strips[at], self._strips.places.part_at(
            place - QPointF(self._strips.rect_of(at).topLeft())
        )
