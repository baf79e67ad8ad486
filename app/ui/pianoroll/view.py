"""The notes of a clip on a canvas, with keys, ruler and velocities around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QWheelEvent

from agent.song.ids import ClipId
from app.i18n import tr, trn
from app.ui.canvas.note_layer import NoteRects
from app.ui.canvas.playhead import playhead_frames
from app.ui.canvas.side import SidePane, panel, surround
from app.ui.canvas.time_canvas import TimeCanvas
from app.ui.canvas.tool import Pointer
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.pianoroll.actions import RollActions
from app.ui.pianoroll.chords import Chords
from app.ui.pianoroll.fit import Stretch, first_fit, keyboard_place, lost_notes
from app.ui.pianoroll.layers.above import DragPreview, KeyboardPlace, PlayheadLine, Selection
from app.ui.pianoroll.layers.grid import GridLayer
from app.ui.pianoroll.layers.notes import ClipNotesLayer, OtherTracks, ProposedNotes
from app.ui.pianoroll.layers.sides import BarRulerLayer, ChordNames, PianoKeys, PlayheadHead, RulerGround, Velocities
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.measures import (
    KEYS_WIDTH,
    LANES_WIDTH,
    LEAST_ROW,
    LOW_VIEW,
    MOST_ROW,
    TOP_HEIGHT,
    VELOCITY_HEIGHT,
    VELOCITY_LOW,
)
from app.ui.pianoroll.menus import NotesMenu
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.shortcuts import Act, Command, Escape, GrowRows, RollShortcuts, TurnPage, Zoom
from app.ui.pianoroll.tools.hear import KeysTool
from app.ui.pianoroll.tools.pointer import PointerTool, SeekTool
from app.ui.pianoroll.tools.velocity import VelocityTool
from app.viewmodels.open_project import OpenProject
from app.viewmodels.pianoroll.roll_words import clip_in_words, note_in_words, pitch_in_words
from app.viewmodels.texts.places import beat_in_words
from app.viewmodels.transport.playback import TransportState

_LEAST_WIDTH = 100
"""Width of the view in pixels from which a clip is zoomed to fit."""


class RollView(TimeCanvas[RollLook]):
    """The canvas of the piano roll: shows the clip in focus and edits it through the open project.

    While `seen()` is False it is not updated; `catch_up` does that later. `menu` is the context menu. `close_view` ends
    timers and subscriptions."""

    def __init__(self, opened: OpenProject, kit: Kit, seen: Callable[[], bool] = lambda: True) -> None:
        scene = RollScene(opened, kit.tasks.start)
        actions = RollActions(scene)
        pointer = Pointer(PointerTool(scene, actions.put_step))
        super().__init__(scene.axis, kit, tr("Notes"), RollLook, pointer)
        self.scene, self.roll_actions, self.words = scene, actions, partial(_scene_in_words, scene)
        self.setObjectName("roll")
        rects = NoteRects()
        self.layers = (
            GridLayer(scene), OtherTracks(scene, rects), ProposedNotes(scene, rects), ClipNotesLayer(scene, rects),
            Selection(scene), DragPreview(scene, pointer), KeyboardPlace(scene, self.hasFocus), PlayheadLine(scene),
        )
        self.chords = Chords(scene, kit.tasks, lambda: self.ruler.update())
        self.keys, self.ruler, self.velocities = self._make_sides(rects)
        self.time_sides, self.row_sides = (self.ruler, self.velocities), (self.keys,)
        self._corner = panel(self)
        self.setCornerWidget(panel(self))
        self.menu = NotesMenu(scene, actions, self)
        self._shortcuts = RollShortcuts(scene, actions)
        self._seen = seen
        self._missed = False
        self._clip: ClipId | None = None
        self._fitted = False
        self._frames = playhead_frames(self.frame, self)
        self._look_again = Coalesced(0, self._renew, self, kit.turns)
        self._subscriptions = Subscriptions()
        self._listen()
        scene.renew()

    def _make_sides(self, rects: NoteRects) -> tuple[SidePane[RollLook], SidePane[RollLook], SidePane[RollLook]]:
        scene = self.scene
        pressed = Pointer(KeysTool(scene, self.roll_actions.put_step))
        keys = SidePane(self, self.look, (PianoKeys(scene, pressed),), pressed)
        keys.say("roll-keys", tr("Keys"), tr("Press to hear a pitch; Shift selects its notes"))
        above = (RulerGround(), ChordNames(scene, lambda: self.chords.found), BarRulerLayer(scene), PlayheadHead(scene))
        ruler = SidePane(self, self.look, above, Pointer(SeekTool(scene)))
        ruler.say("roll-ruler", tr("Bars of the piano roll"), tr("Drag to move the playhead"))
        dragged = Pointer(VelocityTool(scene, lambda: velocities.height()))
        velocities = SidePane(self, self.look, (Velocities(scene, rects, dragged),), dragged)
        velocities.say(
            "roll-velocities", tr("Velocities"), tr("Drag a bar up or down; drag beside bars to draw a ramp")
        )
        return keys, ruler, velocities

    def _listen(self) -> None:
        scene, opened, again = self.scene, self.scene.opened, self._look_again.ask
        for silence in (
            opened.workspace.changed.listen(lambda _: again()),
            opened.reviewing.proposal.changed.listen(lambda _: again()),
            opened.running.live.changed.listen(lambda _: again()),
            opened.locks.changed.listen(lambda _: again()),
            opened.focus.clip.changed.listen(lambda _: again()),
            opened.focus.overlay.changed.listen(lambda _: again()),
            opened.playback.state.watch(self.follow),
            opened.playback.sought.listen(lambda _: self.repaint_all()),
            scene.changed.listen(lambda _: self.repaint_all()),
            scene.renewed.listen(lambda _: self._renewed()),
            scene.edited.listen(lambda _: self._find_notes()),
            scene.settings.changed.listen(lambda _: self._work_otherwise()),
            scene.selected.changed.listen(lambda _: self.repaint_time()),
        ):
            self._subscriptions.add(silence)

    def close_view(self) -> None:
        """End timers and subscriptions; the view is not updated afterwards."""
        super().close_view()
        self._subscriptions.close()
        self._frames.stop()
        self._look_again.drop()
        self.chords.close()

    # --- what is shown

    def catch_up(self) -> None:
        """Update what has changed while the view was not visible."""
        if self._missed:
            self._missed = False
            self.scene.renew()

    def _renew(self) -> None:
        # A run tells of many changes, and what a plan would make of the song takes long to find.
        self._missed = not self._seen()
        if not self._missed:
            self.scene.renew()

    def _renewed(self) -> None:
        """Another clip, or another state of it."""
        clip = self.scene.clip
        if clip is None or clip.id != self._clip:
            self._clip = None if clip is None else clip.id
            self._fitted = False
            self.pointer.forget()
        self._lay_out()

    def _work_otherwise(self) -> None:
        """Settings have changed."""
        scene, lanes = self.scene, bool(self.scene.axis.lanes)
        if scene.shown is not None and scene.shown.planned and scene.settings.value.planned == scene.shown.editable:
            scene.renew()
        scene.show_rows()
        if lanes != bool(scene.axis.lanes):
            self._fitted = False
        self._lay_out()

    def _lay_out(self) -> None:
        self.place()
        self.navigator.sync()
        self.chords.soon.ask()
        self.repaint_all()

    def place(self) -> None:
        """Lay keys, ruler and velocity lane around the notes."""
        column = LANES_WIDTH if self.scene.drums else KEYS_WIDTH
        lane = VELOCITY_LOW if self.height() < LOW_VIEW else VELOCITY_HEIGHT
        surround(self, (column, TOP_HEIGHT, lane), self._corner, self.keys, self.ruler, self.velocities)

    def settled(self) -> None:
        """After changes: update scroll range and descriptions, and zoom to fit a clip that is shown first."""
        super().settled()
        navigator = self.navigator
        ready = not self._fitted and self.isVisible() and navigator.width > _LEAST_WIDTH
        fit = first_fit(self.scene, navigator.width, navigator.height) if ready else None
        if fit is not None:
            self._fitted = True
            navigator.zoom(fit.per_beat, 0)
            navigator.set_row_height(fit.row_height)
            self.horizontalScrollBar().setValue(0)
            navigator.centre_row(fit.middle)

    def pointers(self) -> Sequence[Pointer[Any]]:
        """The pointers of the canvas and of its side panes."""
        return self.pointer, self.keys.pointer, self.ruler.pointer, self.velocities.pointer

    def focus_inside(self) -> bool:
        """Whether a note or the keyboard's cell has the focus ring."""
        return self.scene.focused() is not None or self.scene.on_cell

    # --- what is in sight

    def follow(self, state: TransportState) -> None:
        """Run the playhead's frames while playback runs."""
        if state.playing and not self._frames.isActive():
            self._frames.start()
        elif not state.playing and self._frames.isActive():
            self._frames.stop()
            self.repaint_all()

    def frame(self) -> None:
        """Move the playhead for one frame; the view turns its page while the playhead is within the clip and nothing is
        dragged."""
        scene, at = self.scene, self.scene.position
        if scene.clip is not None and self.isVisible():
            within = 0 <= at < scene.clip.duration
            self.move_playhead(at, follow=within and not self.dragging and scene.opened.focus.follow.value)

    def _find_notes(self) -> None:
        """Follow notes that have left."""
        lost = None if self.dragging else lost_notes(self.scene, self.navigator.width, self.navigator.height)
        if lost is not None:
            self._reveal(lost)

    def _reveal(self, place: Stretch) -> None:
        self.navigator.reveal(place.start, place.end, place.row)

    # --- pointer and keys

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Open the menu of operations; with the draw tool the right button erases instead."""
        scene = self.scene
        if scene.settings.value.tool == "draw" and scene.editable:
            return
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            note = scene.note_at(event.pos().x(), event.pos().y())
            if note is not None and note.id not in scene.selected.value:
                scene.choose(note)
        self.menu.popup(event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Scroll or zoom; with Ctrl and Shift change the height of rows."""
        keys, amount = event.modifiers(), event.angleDelta().y() or event.angleDelta().x()
        if keys & Qt.KeyboardModifier.ControlModifier and keys & Qt.KeyboardModifier.ShiftModifier:
            self._carry_out(GrowRows(1 if amount > 0 else -1))
            event.accept()
        else:
            super().wheelEvent(event)

    def command(self, event: QKeyEvent) -> Callable[[], object] | None:
        """The command of a key; None if it has none and the window may handle it."""
        found = self._shortcuts.command(event, dragging=self.dragging)
        return None if found is None else partial(self._carry_out, found)

    def _carry_out(self, command: Command) -> None:
        navigator, axis = self.navigator, self.scene.axis
        match command:
            case Act(do, reveal):
                do()
                if reveal:
                    self._reveal(keyboard_place(self.scene))
            case Zoom(0):
                navigator.show(0, axis.length)
            case Zoom(steps):
                place = keyboard_place(self.scene)
                navigator.zoom_by(steps, axis.x(place.start))
            case GrowRows(by):
                navigator.set_row_height(max(LEAST_ROW, min(MOST_ROW, axis.row_height + by)))
            case TurnPage(by):
                navigator.page(by)
            case Escape():
                if self.cancel_drag():
                    self.repaint_all()
                else:
                    self.roll_actions.escape()


def _scene_in_words(scene: RollScene) -> str:
    """The focused note, else the keyboard's cell, else the clip in words."""
    shown = scene.shown
    if shown is None:
        return tr("No clip chosen")
    note, count = scene.focused(), len(scene.selected.value)
    more = ", " + trn("{count} note selected", "{count} notes selected", count) if count > 1 else ""
    at, pitch = scene.cell
    where = beat_in_words(scene.bars, shown.clip.start + at)
    if scene.settings.value.stepping:
        return tr("Step input at {where}", where=where)
    if note is not None:
        return note_in_words(note, shown.clip, scene.bars, scene.key, kit=shown.kit) + more
    if scene.on_cell:
        name = pitch_in_words(pitch, scene.key, kit=shown.kit)
        return tr("Empty place {name}, {where}. Enter draws a note", name=name, where=where) + more
    return clip_in_words(shown.clip, shown.track, scene.bars) + more
