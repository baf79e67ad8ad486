"""The lane below the notes: a bar for the velocity of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from agent.song.clip import Note
from agent.song.ids import NoteId
from app.ui.kit.canvas.painting import fill_all
from app.ui.kit.canvas.pointing import Spot, spot_of
from app.ui.kit.holding import Holding
from app.ui.pianoroll.beside import Beside
from app.ui.pianoroll.gestures.places import paint_words
from app.ui.pianoroll.gestures.velocity import DragVelocity, DrawRamp, VelocityGesture, y_of
from app.ui.pianoroll.look import Look
from app.ui.pianoroll.measures import BAR_GRIP, BAR_WIDTH
from app.ui.pianoroll.stage import Stage
from app.words import tr


class VelocityLane(Beside):
    """A drag of a bar makes its note, and those selected with it, louder or softer; beside bars it draws a ramp."""

    def __init__(
        self, stage: Stage, look: Callable[[], Look], again: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(stage, look, parent)
        self._again = again
        self._holding = Holding[VelocityGesture]()
        self.say("roll-velocities", tr("Velocities"), tr("Drag a bar up or down; drag beside bars to draw a ramp"))
        self.setToolTip(tr("Velocity: drag a bar, or drag across (with Shift anywhere) to draw a ramp"))

    @property
    def gesture(self) -> VelocityGesture | None:
        """The drag to paint."""
        return self._holding.shown

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way."""
        return self._holding.held is not None

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Only what has to be painted again."""
        look, window, stage = self._look(), event.rect(), self._stage
        painter = QPainter(self)
        painter.fillRect(window, look.canvas)
        if stage.shown is not None and stage.clip is not None:
            clip, axis = stage.clip, stage.axis
            for weight, color in (("beat", look.grid), ("bar", look.grid3)):
                fill_all(painter, [
                    QRect(round(axis.x(line.at - clip.start)), 0, 1, self.height())
                    for line in stage.lines(window.left(), window.right())
                    if line.weight == weight
                ], color)
            self._bars(painter, window, look)
            left, right = round(axis.x(0)), round(axis.x(clip.duration))
            if left > window.left():
                painter.fillRect(QRect(window.left(), 0, left - window.left(), self.height()), look.outside)
            if right <= window.right():
                painter.fillRect(QRect(right, 0, window.right() - right + 1, self.height()), look.outside)
            self._ramp(painter, look)
        painter.fillRect(window.left(), 0, window.width(), 1, look.line2)
        painter.end()
        if stage.rects.unfinished:
            self._again()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Take a bar, or begin a ramp."""
        stage = self._stage
        if event.button() != Qt.MouseButton.LeftButton or not stage.editable:
            return
        spot = spot_of(event)
        note = None if spot.shift else self._bar_at(spot)
        if note is None:
            self._holding.take(DrawRamp(stage, spot, self.height()))
            return
        if note.id not in stage.selected.value:
            stage.choose(note)
        self._holding.take(DragVelocity(stage, note, spot, self.height()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Go on with the drag."""
        if self._holding.held is not None:
            self._holding.held.move(spot_of(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End the drag."""
        held = self._holding.let_go()
        if held is not None:
            held.release(spot_of(event))
            self.update()

    def cancel(self) -> bool:
        """End a drag without its effect; whether there was one."""
        return self._holding.cancel()

    def _bar_at(self, spot: Spot) -> Note | None:
        """The note whose bar is nearest; of those that begin together the selected, then the loudest."""
        stage = self._stage
        at, reach = stage.axis.at(spot.x), stage.axis.ticks(BAR_GRIP)
        near = stage.index.starting(at - reach, at + reach)
        selected = stage.selected.value
        return min(
            near, key=lambda note: (abs(note.start - at), note.id not in selected, -note.velocity), default=None
        )

    def _bars(self, painter: QPainter, window: QRect, look: Look) -> None:
        """All from what was built before; over them those that are dragged."""
        stage, axis, shown = self._stage, self._stage.axis, self._stage.shown
        assert shown is not None
        wanted = self.gesture.velocities if self.gesture is not None else {}
        start, end = axis.at(window.left() - BAR_WIDTH), axis.at(window.right() + BAR_WIDTH)
        tones = look.notes(shown.track.color)
        if not wanted or len(wanted) < len(shown.clip.notes):
            chunks = stage.rects.of(shown.clip.notes)
            bars, chosen = chunks.bars_between(start, end, axis.per_beat, stage.selected.value)
            painter.save()
            painter.translate(axis.x(0), y_of(127, self.height()))
            painter.scale(axis.per_beat, (y_of(1, self.height()) - y_of(127, self.height())) / 126)
            # Height tells how loud; the softer fills would hardly be seen on a light ground.
            fill_all(painter, bars, tones.outline if shown.ghost is not None else tones.edge)
            fill_all(painter, chosen, look.t1)
            painter.restore()
        if wanted:
            self._over(painter, stage.index.starting(start, end), wanted, look)

    def _over(
        self, painter: QPainter, notes: tuple[Note, ...], wanted: Mapping[NoteId, float], look: Look
    ) -> None:
        axis, height = self._stage.axis, self.height()
        gone: list[QRect] = []
        bars: list[QRect] = []
        for note in notes:
            if note.id in wanted:
                x, y = round(axis.x(note.start)), round(y_of(wanted[note.id], height))
                gone.append(QRect(x - 1, 1, BAR_WIDTH + 2, height))
                bars += [QRect(x, y, 2, height - y), QRect(x, y, BAR_WIDTH, 3)]
        fill_all(painter, gone, look.canvas)
        fill_all(painter, bars, look.t1)

    def _ramp(self, painter: QPainter, look: Look) -> None:
        held, axis = self._holding.held, self._stage.axis
        if held is None:
            return
        if isinstance(held, DrawRamp) and held.words:
            at, loud, to, then = held.line
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(look.you, 2))
            painter.drawLine(
                QPointF(axis.x(at), y_of(loud, self.height())), QPointF(axis.x(to), y_of(then, self.height()))
            )
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        paint_words(painter, held.words, 4, 17, look)
