"""The place of the piano roll: notes in a scroll area, with keys, ruler and velocities around them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QMenu

from agent.song.ids import ClipId
from app.desktop.open_project import OpenProject
from app.ui.kit.context import Kit
from app.ui.kit.style import draw_focus
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.scrolling import name_scroll_bars
from app.ui.pianoroll.acts import Acts
from app.ui.pianoroll.chords import Chords
from app.ui.pianoroll.edge_scroll import EdgeScroll
from app.ui.pianoroll.following import Following
from app.ui.pianoroll.hand import Hand
from app.ui.pianoroll.keyboard import act_of
from app.ui.pianoroll.look import Look
from app.ui.pianoroll.measures import FINE_ZOOM_STEP
from app.ui.pianoroll.notes_painter import NotesPainter
from app.ui.pianoroll.parts import Parts
from app.ui.pianoroll.sight import Sight
from app.ui.pianoroll.stage import Stage
from app.ui.pianoroll.voice import Voice
from app.ui.pianoroll.watching import Watching
from app.words import tr


class RollArea(QAbstractScrollArea):
    """Places and paints the parts, and hands pointer and keys on; `renewed` is called when something else is shown.

    While it cannot be `seen` it does not follow; `watching` makes that good. `menu` comes at a press of the right
    button. `close_view` ends its timers.
    """

    def __init__(
        self, opened: OpenProject, kit: Kit, renewed: Callable[[], None], seen: Callable[[], bool] = lambda: True
    ) -> None:
        super().__init__()
        self.menu: QMenu | None = None
        self.setObjectName("roll")
        self.stage = Stage(opened, kit, self.repaint_all, self._renewed)
        self.acts = Acts(self.stage)
        self.sight = Sight(self)
        self._told = renewed
        self._look_now: Look | None = None
        self._clip: ClipId | None = None
        self._fitted = False
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Notes"))
        name_scroll_bars(self)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.refine = Coalesced(0, self._paint_notes, self)
        self.parts = Parts(self)
        self.keys, self.ruler, self.velocities = self.parts.keys, self.parts.ruler, self.parts.velocities
        self._painter = NotesPainter(self.stage)
        self._hand = Hand(self.stage, self.acts.put_there)
        self._voice = Voice(self.stage, self)
        self.following = Following(self)
        self._edges = EdgeScroll(self)
        self._chords = Chords(self.stage, self._chords_known)
        self._settle = Coalesced(0, self._settled, self, kit.turns)
        self.stage.edited = self.sight.reveal_chosen
        kit.theme.changed.connect(self._themed)
        self.watching = Watching(self, seen)
        self.stage.renew()

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way."""
        return self._hand.dragging or self.parts.dragging

    def close_view(self) -> None:
        """End timers and stop listening; the view shows nothing new afterwards."""
        self.watching.close()
        self.stage.kit.theme.changed.disconnect(self._themed)
        self.following.stop()
        self._edges.stop()
        self._chords.close()
        self._settle.drop()
        self.refine.drop()

    def look(self) -> Look:
        """Colours and fonts for this theme and this screen."""
        ratio = self.viewport().devicePixelRatioF()
        if self._look_now is None or self._look_now.ratio != ratio:
            self._look_now = Look(self.stage.kit.theme.tokens, ratio)
        return self._look_now

    # --- painting and places

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Only what has to be painted again."""
        painter = QPainter(self.viewport())
        self._painter.paint(painter, event.rect(), self._hand.gesture, self.look(), focused=self.hasFocus())
        if self.hasFocus() and self.stage.focused() is None and not self.stage.on_cell:
            draw_focus(painter, QRect(self.viewport().rect()).toRectF(), self.stage.kit.theme.tokens)
        painter.end()
        if self.stage.rects.unfinished:
            self.refine.ask()

    def resizeEvent(self, _event: QResizeEvent) -> None:  # noqa: N802
        """Lay the parts around the notes."""
        self.place()

    def showEvent(self, _event: object) -> None:  # noqa: N802
        """A clip that was chosen meanwhile is shown whole now."""
        self._settle.ask()

    def scrollContentsBy(self, _dx: int, dy: int) -> None:  # noqa: N802
        """Follow the scroll bars."""
        axis = self.stage.axis
        axis.left, axis.top = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        self.viewport().update()
        self.parts.repaint(keys=bool(dy))

    def repaint_all(self) -> None:
        """Paint everything again, and once for all that changes now look at the words."""
        self.repaint_across()
        self.keys.update()

    def repaint_across(self) -> None:
        """The same for what changes with time and with the selection: all but the keys."""
        self.viewport().update()
        self.parts.repaint(keys=False)
        self._settle.ask()

    def update_playhead(self, old: int, new: int) -> None:
        """Paint the strips of the playhead's old and new place."""
        for x in (old, new):
            self.viewport().update(QRect(x - 1, 0, 3, self.viewport().height()))
        self.parts.repaint_playhead(old, new)

    # --- pointer and keys

    def drag_on(self, event: QMouseEvent) -> None:
        """The drag goes on though the pointer rests, because the notes scroll under it."""
        self._hand.hover_or_move(event, self.viewport())

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begin what the tool does."""
        self._hand.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Draw or erase."""
        self._hand.double(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Drag, or tell what lies under the pointer."""
        self._hand.hover_or_move(event, self.viewport())
        self._edges.follow(event, dragging=self._hand.dragging)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End a drag."""
        self._edges.stop()
        self._hand.release(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """What can be done with the notes; with the tool for drawing the right button erases."""
        stage = self.stage
        if self.menu is None or (stage.settings.value.tool == "draw" and stage.editable):
            return
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            note = stage.note_at(event.pos().x(), event.pos().y())
            if note is not None and note.id not in stage.selected.value:
                stage.choose(note)
        self.menu.popup(event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Scroll; with Ctrl zoom around the pointer, with Ctrl and Shift make rows higher, with Shift go in time."""
        delta, keys = event.angleDelta(), event.modifiers()
        amount = delta.y() or delta.x()
        control = bool(keys & Qt.KeyboardModifier.ControlModifier)
        if control and keys & Qt.KeyboardModifier.ShiftModifier:
            self.sight.tall_rows(1 if amount > 0 else -1)
        elif control:
            x = self.viewport().mapFromGlobal(event.globalPosition()).x()
            self.sight.zoom(self.stage.axis.per_beat * FINE_ZOOM_STEP ** (2 * amount / 120), x)
        elif keys & Qt.KeyboardModifier.ShiftModifier and delta.y():
            self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - delta.y())
        else:
            super().wheelEvent(event)
            return
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Keys that mean something here do not reach the window's shortcuts."""
        over = event.type() == QEvent.Type.ShortcutOverride
        if over and isinstance(event, QKeyEvent) and act_of(self, event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Do what a key says."""
        act = act_of(self, event)
        if act is None:
            event.ignore()
        else:
            act()

    def escape(self) -> None:
        """End a drag without its effect, else step input or the selection."""
        self._edges.stop()
        if self._hand.cancel() or self.parts.cancel():
            self.repaint_all()
        else:
            self.acts.escape()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """The focus ring comes."""
        super().focusInEvent(event)
        self.repaint_all()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """The focus ring goes."""
        super().focusOutEvent(event)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Another font means other sizes of texts."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_settle"):
            self._themed()

    # --- within

    def place(self) -> None:
        """Lay the parts around the notes."""
        self.parts.place()
        self.sight.sync()

    def _renewed(self) -> None:
        """Another clip, or another state of it."""
        stage = self.stage
        clip = stage.clip
        if clip is None or clip.id != self._clip:
            self._clip = None if clip is None else clip.id
            self._fitted = False
            self._hand.forget()
        self.place()
        self._chords.outdated()
        self.repaint_all()
        self._told()

    def _settled(self) -> None:
        if not self._fitted and self.isVisible() and self.viewport().width() > 100 and self.stage.clip is not None:
            self._fitted = True
            self.sight.fit()
        self.sight.sync()
        self._voice.describe()

    def _chords_known(self) -> None:
        self.ruler.chords = self._chords.found
        self.ruler.update()

    def _paint_notes(self) -> None:
        """What the last frame had no time for."""
        self.viewport().update()
        self.velocities.update()

    def _themed(self) -> None:
        self._look_now = None
        self.repaint_all()

    def work_otherwise(self) -> None:
        """Settings have changed."""
        drums = bool(self.stage.axis.lanes)
        shown, planned = self.stage.shown, self.stage.settings.value.planned
        if shown is not None and shown.planned and planned == shown.editable:
            self.stage.renew()
        self.stage.show_rows()
        if drums != bool(self.stage.axis.lanes):
            self._fitted = False
        self.place()
        self._chords.outdated()
        self.repaint_all()
        self._told()
