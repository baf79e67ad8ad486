"""The transport bar: playing, numbers, what is listened to, and the level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agent.song.edits import SetTempo
from agent.song.time import Ticks
from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon, paint_icon
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.theme import Theme
from app.ui.kit.widgets.buttons import FocusedToolButton
from app.ui.kit.widgets.focus_ring import paint_focus_ring
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.level_meter import LevelMeter
from app.ui.kit.widgets.number_cell import NumberCell
from app.ui.transport import readings
from app.ui.transport.cells import ListenTo, TempoCell
from app.viewmodels.open_project import OpenProject
from app.viewmodels.transport.focus import Side
from app.viewmodels.transport.listening import Other
from app.viewmodels.transport.playback import TransportState

_PLAIN = QSize(26, 26)
_WIDE = QSize(40, 26)
_ICON = 16


class ActionButton(FocusedToolButton):
    """A button of an action, larger and with a border if `wide`: shows its check mark, text and why it is disabled, and
    triggers it. A click does not take the keyboard focus."""

    def __init__(self, action: QAction, name: str, parent: QWidget, *, wide: bool = False) -> None:
        super().__init__(parent)
        self._action = action
        self._lit: tuple[Theme, str] | None = None
        self.setIcon(icon(name))
        self.setIconSize(QSize(_ICON, _ICON))
        self.setFixedSize(_WIDE if wide else _PLAIN)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("role", "box" if wide else "toggle")
        self.setCheckable(action.isCheckable())
        action.changed.connect(self.renew)
        self.clicked.connect(partial(self._trigger))
        self.renew()

    def light(self, theme: Theme, name: str) -> None:
        """Show it lit with this icon, as Play while it plays."""
        self._lit = theme, name
        self.update()

    def dim(self, name: str) -> None:
        """Show it as an ordinary button with this icon again."""
        self._lit = None
        self.setIcon(icon(name, "t1"))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint a lit button with a green border on a soft fill."""
        if self._lit is None:
            super().paintEvent(event)
            return
        theme, name = self._lit
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("ok"))
        painter.setBrush(theme.color("ok_soft"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        left, top = (self.width() - _ICON) / 2, (self.height() - _ICON) / 2
        paint_icon(painter, QRectF(left, top, _ICON, _ICON), name, theme.color("ok"))
        painter.end()
        paint_focus_ring(self)

    def renew(self) -> None:
        """Update it from its action."""
        self.setEnabled(self._action.isEnabled())
        self.setChecked(self._action.isChecked())
        self.setAccessibleName(self._action.text().replace("&&", "&"))
        self.setToolTip(self._action.toolTip())

    def _trigger(self) -> None:
        self._action.trigger()
        self.renew()


BAR_HEIGHT = 47
_FRAME_MS = 33
_SIDE, _GAP, _GROUP = 10, 4, 14
_NARROW, _TIGHT = 1300, 1150
_METER_WIDTH, _METER_TIGHT, _METER_HEIGHT = 150, 90, 26
_LEVEL_WIDTH = 76


@dataclass(frozen=True)
class TransportActions:
    """The window's actions that have buttons in the bar."""

    start: QAction
    play: QAction
    loop: QAction
    follow: QAction
    side: QAction


class TransportBar(QWidget):
    """The transport bar of one project; its timer runs only while something plays or is prepared."""

    def __init__(self, opened: OpenProject, kit: Kit, actions: TransportActions) -> None:
        super().__init__()
        self._opened = opened
        self._kit = kit
        self.setAccessibleName(tr("Transport"))
        self.setProperty("surface", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(BAR_HEIGHT)
        self.display = Display(kit, self._set_tempo)
        self.listen = ListenTo(opened.focus.side, actions.side)
        self.meter = LevelMeter(kit, tr("Master level"), scale=True)
        self.meter.setFixedSize(_METER_WIDTH, _METER_HEIGHT)
        self.level = PlainLabel(readings.decibels(float("-inf")), size="strong")
        self.loudness = PlainLabel(readings.loudness(None), tone="t3", size="small")
        self.preparing = PlainLabel("", tone="t3", size="small")
        self.buttons = {
            "start": ActionButton(actions.start, "skip-back", self),
            "play": ActionButton(actions.play, "play-fill", self, wide=True),
            "loop": ActionButton(actions.loop, "repeat", self),
            "follow": ActionButton(actions.follow, "arrows-left-right", self),
        }
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._frame)
        self._subscriptions = Subscriptions()
        self._listen()

    def close_view(self) -> None:
        """End timer and subscriptions."""
        self._timer.stop()
        self.meter.clear()
        self._subscriptions.close()
        self.listen.close_view()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Hide what is less important if the bar is narrow."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        self.display.time.setVisible(not narrow)
        self.loudness.setVisible(not narrow)
        tight = self.width() < _TIGHT
        self.listen.words.setVisible(not tight)
        self.meter.setFixedWidth(_METER_TIGHT if tight else _METER_WIDTH)
        # The status line says it too.
        self.preparing.setVisible(not tight)
        # Its room is kept, or the buttons beside it would move under the pointer whenever sound is prepared.
        self.preparing.setMinimumWidth(self.preparing.fontMetrics().horizontalAdvance(readings.preparing(1.0)))

    def _lay_out(self) -> None:
        numbers = QVBoxLayout()
        numbers.setSpacing(0)
        numbers.addStretch()
        for label in (self.level, self.loudness):
            label.setMinimumWidth(_LEVEL_WIDTH)
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            numbers.addWidget(label)
        numbers.addStretch()
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(_GAP)
        for button in self.buttons.values():
            row.addWidget(button)
        row.addSpacing(_GROUP)
        row.addStretch(2)
        row.addWidget(self.display)
        row.addStretch(3)
        row.addWidget(self.listen)
        row.addStretch(4)
        row.addWidget(self.preparing)
        row.addSpacing(_GAP)
        row.addWidget(self.meter)
        row.addLayout(numbers)

    def _listen(self) -> None:
        opened, keep = self._opened, self._subscriptions.add
        keep(opened.workspace.changed.listen(lambda _: self._song()))
        keep(opened.listening.other.watch(self._offer))
        keep(opened.focus.side.watch(self._side))
        keep(opened.running.live.changed.listen(lambda _: self._hold()))
        keep(opened.running.unfinished.changed.listen(lambda _: self._hold()))
        keep(opened.playback.state.watch(self._state))
        keep(opened.playback.sought.listen(lambda _: self._frame()))
        self._song()
        self._hold()

    def _offer(self, other: Other | None) -> None:
        # What is compared is chosen where it is compared.
        compared = other is not None and other.kind == "compared"
        self.listen.setVisible(not compared)
        self.listen.offer(None if other is None or other.kind == "compared" else other.kind)
        self._song()

    def _side(self, _: Side) -> None:
        self._frame()

    def _hold(self) -> None:
        self.display.tempo.allow(tr("a run holds the song") if self._opened.running.holds_song else "")
        self._song()

    def _state(self, state: TransportState) -> None:
        play = self.buttons["play"]
        if state.playing:
            play.light(self._kit.theme, "stop-fill")
        else:
            play.dim("play-fill")
        self.preparing.setText(readings.preparing(state.preparing))
        self._song()
        if state.playing:
            self._timer.start()
        else:
            self._timer.stop()
            self._levels()

    def _song(self) -> None:
        """What changes only with the song."""
        song, playback = self._opened.workspace.song, self._opened.playback
        self.display.key.show_value(readings.key(song))
        self.display.loop.show_value(
            readings.loop(song, playback.state.value.loop), token="you" if playback.state.value.looping else "t2"
        )
        self._frame()

    def _frame(self) -> None:
        """What moves while it plays."""
        song, playback = self._opened.workspace.song, self._opened.playback
        other = self._opened.listening.other.value
        ghost = other.song if other is not None and other.kind == "plan" else None
        at = playback.position()
        heard = other.song if other is not None and self._opened.focus.side.value == "plan" else song
        now, then = song.tempo_map.bpm(at), None if ghost is None else ghost.tempo_map.bpm(at)
        self.display.position.show_value(readings.position(heard, at))
        self.display.time.show_value(readings.clock(playback.seconds()))
        proposed = "" if then is None or then == now else readings.short_tempo(then)
        self.display.tempo.show_value(readings.tempo(now), proposed)
        self.display.meter.show_value(readings.meter(heard, at))
        if playback.state.value.playing:
            self.meter.show_levels(playback.levels())
            self._levels()

    def _levels(self) -> None:
        playing = self._opened.playback.state.value.playing
        levels = self._opened.playback.levels() if playing else (float("-inf"),)
        self.level.setText(readings.decibels(max(levels)))
        self.loudness.setText(readings.loudness(self._opened.playback.loudness()))

    def _set_tempo(self, bpm: float) -> None:
        song = self._opened.workspace.song
        at = self._opened.playback.position()
        # The change that is in force at the playhead, so that the number that was typed over is the one that changes.
        start = max((change.at for change in song.tempos if change.at <= at), default=Ticks(0))
        edit = SetTempo(bpm=bpm, at_beat=start)
        if song.tempo_map.bpm(start) != bpm:
            label = tr("Tempo {bpm} BPM", bpm=readings.short_tempo(bpm))
            self._kit.tasks.start(self._opened.edit((edit,), label), "transport")


class Display(QWidget):
    """Six cells of numbers; the transport bar sets their values. `commit_tempo` is called with a tempo that the person
    typed."""

    def __init__(self, kit: Kit, commit_tempo: Callable[[float], None]) -> None:
        super().__init__()
        self.setAccessibleName(tr("Numbers"))
        self.position = NumberCell(kit, tr("Position"), "888.4.888", large=True)
        self.time = NumberCell(kit, tr("Time"), "88:88.88", token="t2")  # noqa: S106 - a colour
        self.tempo = TempoCell(kit, commit_tempo)
        self.meter = NumberCell(kit, tr("Meter"), "4 / 4")
        self.key = NumberCell(kit, tr("Key"), "B♭ major")
        self.loop = NumberCell(kit, tr("Loop"), "88 – 88")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for cell in (self.position, self.time, self.tempo, self.meter, self.key, self.loop):
            row.addWidget(cell)
