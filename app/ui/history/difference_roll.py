"""The piano roll of a comparison: notes of A and B in one picture, with their velocities below."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QRect, Qt, Signal

from app.i18n import tr
from app.ui.canvas.accessibility import describe
from app.ui.canvas.side import SidePane, panel, surround
from app.ui.canvas.time_canvas import TimeCanvas
from app.ui.canvas.tool import Drag, Hover, NoTool, Pointer, PointerSpot, Tool
from app.ui.history.difference_layers import (
    DifferenceGround,
    DifferenceKeys,
    DifferenceLook,
    DifferenceNotes,
    DifferencePlayhead,
    DifferenceRuler,
    DifferenceVelocities,
    VelocityScale,
    box_of,
)
from app.ui.history.difference_scene import KEYS, RULER, VELOCITY, DifferenceScene
from app.ui.kit.context import Kit
from app.viewmodels.history.comparing import Comparison
from app.viewmodels.history.difference import Kind, NoteChange
from app.viewmodels.history.difference_scene import ComparedTrack, mark_in_words

_LEAST_WIDTH, _LEAST_ROWS = 260, 60
_EDGE = 20


class DifferenceRoll(TimeCanvas[DifferenceLook]):
    """The piano roll of one track in a comparison."""

    chosen = Signal(int)
    """Emitted with the index of a note that was clicked."""
    sought = Signal(int)
    """Emitted with a tick that was clicked in the ruler."""
    moved = Signal()
    """Emitted when the visible range may have changed."""

    def __init__(self, kit: Kit) -> None:
        scene = DifferenceScene()
        super().__init__(
            scene.axis, kit, tr("Notes that differ"), DifferenceLook,
            Pointer(ChooseMark(scene, lambda mark: self.chosen.emit(mark))),
        )
        self.scene, self.words = scene, scene.words
        self.layers = DifferenceGround(scene), DifferenceNotes(scene), DifferencePlayhead(scene)
        self.ruler = SidePane(self, self.look, (DifferenceRuler(scene),), Pointer(PressTime(scene, self.sought.emit)))
        self._keys = SidePane(self, self.look, (DifferenceKeys(scene),), Pointer(NoTool()))
        self._velocities = SidePane(self, self.look, (DifferenceVelocities(scene),), Pointer(NoTool()))
        self._scale = SidePane(self, self.look, (VelocityScale(),), Pointer(NoTool()))
        self._corner = panel(self)
        self.time_sides, self.row_sides = (self.ruler, self._velocities), (self._keys, self._scale)
        self.setMinimumSize(_LEAST_WIDTH, RULER + VELOCITY + _LEAST_ROWS)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    # --- what is shown

    def show_scene(self, comparison: Comparison, notes: ComparedTrack) -> None:
        """Show a track, scrolled to its first difference."""
        self.scene.show(comparison, notes, self.navigator.width, self.navigator.height)
        self.navigator.sync()
        place = next((mark for mark in notes.marks if mark.kind != "same"), next(iter(notes.marks), None))
        if place is not None:
            self._bring(place)
        self.repaint_all()

    def show_kinds(self, kinds: Collection[Kind]) -> None:
        """Show only notes of these kinds."""
        self.scene.kinds = frozenset(kinds)
        self.repaint_time()

    def show_current(self, at: int | None) -> None:
        """Make the note at this index the current one and scroll to it; None: no note."""
        self.scene.current = at
        mark = self.scene.mark
        if mark is not None and not self._in_sight(mark):
            self._bring(mark)
        self.repaint_time()
        describe(self, self.words())

    def show_playhead(self, at: int) -> None:
        """Move the playhead to a tick."""
        self.scene.position = at
        self.move_playhead(at, follow=False)

    def focus_inside(self) -> bool:
        """Whether a note is current and has the focus ring."""
        return self.scene.mark is not None

    # --- what is in sight

    @property
    def span(self) -> tuple[int, int]:
        """The first and last visible tick."""
        axis = self.scene.axis
        return int(axis.at(0)), int(axis.at(self.navigator.width))

    def show_from(self, tick: int) -> None:
        """Scroll so that a tick is at the left edge."""
        self.horizontalScrollBar().setValue(round(self.scene.axis.x(tick)) + self.scene.axis.left)

    def zoom(self, factor: float) -> None:
        """Multiply the zoom by `factor`, around the middle of the view; 0 shows the whole song."""
        self.navigator.zoom(self.scene.axis.per_beat * factor, self.navigator.width / 2)

    def place(self) -> None:
        """Lay keys, ruler and velocities around the notes."""
        place = surround(self, (KEYS, RULER, VELOCITY), self._corner, self._keys, self.ruler, self._velocities)
        self._scale.setGeometry(QRect(0, place.bottom() + 1, KEYS, VELOCITY))
        self.scene.fit(self.navigator.width, self.navigator.height)
        self._settle.ask()

    def settled(self) -> None:
        """Update scroll range and descriptions, and emit `moved`."""
        super().settled()
        self.moved.emit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """Take over the scroll bars' values and emit `moved`."""
        super().scrollContentsBy(dx, dy)
        self.moved.emit()

    def _in_sight(self, mark: NoteChange) -> bool:
        box = box_of(self.scene, mark.shown)
        height = self.navigator.height
        return 0 <= box.left() < self.navigator.width - _EDGE and box.top() >= 0 and box.bottom() <= height

    def _bring(self, mark: NoteChange) -> None:
        self.navigator.scroll_to(mark.shown.start)
        rows = [self.scene.axis.row(one.pitch) for one in (mark.before, mark.after) if one is not None]
        self.navigator.centre_row(sum(rows) / len(rows))


class ChooseMark(Tool[Drag[DifferenceLook]]):
    """A press on a note that differs calls `choose` with its index."""

    def __init__(self, scene: DifferenceScene, choose: Callable[[int], None]) -> None:
        self._scene = scene
        self._choose = choose

    def press(self, spot: PointerSpot, button: Qt.MouseButton) -> None:
        """Choose the note at the press."""
        at = self._scene.mark_at(spot.x, spot.y)
        if button == Qt.MouseButton.LeftButton and at is not None and self._scene.notes.marks[at].kind != "same":
            self._choose(at)

    def hover(self, spot: PointerSpot) -> Hover:
        """The note under the pointer as tooltip."""
        at, found = self._scene.mark_at(spot.x, spot.y), self._scene.comparison
        if at is None or found is None:
            return Hover()
        return Hover(tip="\n".join(mark_in_words(found, self._scene.notes.marks[at])))


class PressTime(Tool[Drag[DifferenceLook]]):
    """A press calls `seek` with the tick there."""

    def __init__(self, scene: DifferenceScene, seek: Callable[[int], None]) -> None:
        self._scene = scene
        self._seek = seek

    def press(self, spot: PointerSpot, button: Qt.MouseButton) -> None:
        """Seek to the press."""
        if button == Qt.MouseButton.LeftButton:
            self._seek(max(0, int(self._scene.axis.at(spot.x))))
