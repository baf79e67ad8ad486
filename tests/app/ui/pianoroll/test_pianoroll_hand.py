"""What a hand does to notes becomes one version of the song; Esc leaves it as it was."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, Qt

from agent.song.edits import DeleteClip
from agent.song.ids import ClipId
from app.ui.pianoroll.tools.velocity import y_of

Run = Callable[..., None]
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
BEGIN = [(60, 0, 960, 100), (64, 960, 960, 100), (67, 1920, 960, 100), (72, 2880, 1920, 100)]


def test_a_note_dragged_keeps_to_the_grid_and_its_id_and_makes_one_version(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        versions = len(one.opened.versions.iterations.value)
        start = one.at(60, 480)
        one.drag(start, one.at(62, 480 + 250))
        await one.settle()
        assert one.notes()[0] == (62, 240, 960, 100)
        assert "na" in one.ids()
        assert [pitch for _, pitch, _ in one.heard] == [60, 61, 62]
        assert len(one.opened.versions.iterations.value) == versions + 1
        assert one.label == "Move 1 note"

    rolled(story)


def test_esc_ends_a_drag_without_its_effect(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.drag(one.at(60, 480), one.at(65, 2000), drop=False)
        assert one.takes(Qt.Key.Key_Escape)
        one.key(Qt.Key.Key_Escape)
        one.mouse(QEvent.Type.MouseButtonRelease, one.at(65, 2000))
        await one.settle()
        assert one.notes() == BEGIN

    rolled(story)


def test_alt_copies_and_control_leaves_the_grid(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        start = one.at(60, 480)
        one.drag(start, start + QPoint(13, 0), ALT | CONTROL)
        await one.settle()
        found = [shape for shape in one.notes() if shape[0] == 60]
        assert len(found) == 2
        assert found[0] == (60, 0, 960, 100)
        assert found[1][1] % 240 != 0
        assert one.scene.selected.value == one.ids() - {"na", "nb", "nc", "nd"}

    rolled(story)


def test_notes_cannot_be_dragged_out_of_their_clip(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.view.roll_actions.select_all()
        one.drag(one.at(60, 480), one.at(60, 480) - QPoint(400, 0))
        await one.settle()
        assert one.notes() == BEGIN
        one.drag(one.at(60, 480), one.at(60, 480) + QPoint(4000, 0))
        await one.settle()
        assert [start for _, start, _, _ in one.notes()] == [2880, 3840, 4800, 5760]

    rolled(story)


def test_both_edges_resize(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        right = one.at(64, 1920) - QPoint(2, 0)
        one.drag(right, one.at(64, 1440))
        await one.settle()
        assert one.notes()[1] == (64, 960, 480, 100)
        left = one.at(67, 1920) + QPoint(2, 0)
        one.drag(left, one.at(67, 2160))
        await one.settle()
        assert one.notes()[2] == (67, 2160, 720, 100)
        assert one.ids() == {"na", "nb", "nc", "nd"}

    rolled(story)


def test_drawing_by_click_and_by_drag_and_erasing(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show("ce")
        one.scene.set(tool="draw")
        one.click(one.at(60, 100))
        await one.settle()
        one.drag(one.at(62, 500), one.at(62, 1400))
        await one.settle()
        assert one.notes("ce") == [(60, 0, 240, 100), (62, 480, 960, 100)]
        assert one.label == "Draw note"
        assert one.heard == [("ta", 60, 100), ("ta", 62, 100)]
        one.scene.set(tool="erase")
        one.drag(one.at(60, 60), one.at(60, 200))
        await one.settle()
        assert one.notes("ce") == [(62, 480, 960, 100)]

    rolled(story)


def test_a_band_that_was_let_go_is_painted_no_more(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.drag(one.at(58, 200), one.at(66, 1500), drop=False)
        assert one.view.pointer.drag is not None
        one.mouse(QEvent.Type.MouseButtonRelease, one.at(66, 1500))
        assert (one.view.pointer.drag, len(one.scene.selected.value)) == (None, 2)

    rolled(story)


def test_a_band_selects_and_a_click_beside_selects_nothing(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.drag(one.at(66, 700), one.at(59, 100))
        assert one.scene.selected.value == {"na"}
        one.click(one.at(64, 1000), SHIFT)
        assert one.scene.selected.value == {"na", "nb"}
        one.click(one.at(58, 5000))
        assert one.scene.selected.value == frozenset()

    rolled(story)


def test_the_velocity_lane_drags_bars_and_draws_ramps(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        lane = one.view.velocities
        x = round(one.scene.axis.x(960))
        one.drag(QPoint(x, 10), QPoint(x, round(y_of(40, lane.height()))), widget=lane)
        await one.settle()
        assert one.notes()[1][3] == 40
        assert [shape[3] for shape in one.notes()] == [100, 40, 100, 100]
        one.scene.choose(None)
        height = lane.height()
        begin = QPoint(round(one.scene.axis.x(0)), round(y_of(20, height)))
        one.mouse(QEvent.Type.MouseButtonPress, begin, SHIFT, lane)
        end = QPoint(round(one.scene.axis.x(2880)), round(y_of(110, height)))
        one.mouse(QEvent.Type.MouseMove, end, SHIFT, lane)
        one.mouse(QEvent.Type.MouseButtonRelease, end, SHIFT, lane)
        await one.settle()
        loud = [shape[3] for shape in one.notes()]
        assert loud == sorted(loud)
        assert abs(loud[0] - 20) <= 3
        assert abs(loud[3] - 110) <= 3

    rolled(story)


def test_a_scale_can_be_kept_to(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show("ce")
        one.scene.set(tool="draw", keep_to_scale=True)
        one.click(one.at(61, 0))
        await one.settle()
        assert one.notes("ce")[0][0] == 60

    rolled(story)


def test_the_drum_grid_toggles_hits_and_takes_velocity_from_a_drag(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show("cd")
        one.scene.set(tool="draw")
        assert one.scene.drums
        assert 42 in one.scene.axis.lanes
        one.click(one.at(42, 500))
        await one.settle()
        assert (42, 480, 240, 100) in one.notes("cd")
        one.click(one.at(36, 0))
        await one.settle()
        assert [pitch for pitch, *_ in one.notes("cd")] == [42, 38]
        snare = one.at(38, 960)
        one.drag(snare, snare + QPoint(0, 30))
        await one.settle()
        assert next(shape for shape in one.notes("cd") if shape[0] == 38)[3] == 70
        one.scene.set(grid_for_kits=False)
        assert not one.scene.drums
        assert one.scene.axis.rows == 128

    rolled(story)


def test_a_clip_that_goes_leaves_the_words_for_none_and_one_that_stays_keeps_its_scroll(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        assert one.panel.empty.isHidden()
        one.key(Qt.Key.Key_Plus)
        one.key(Qt.Key.Key_Plus)
        one.view.horizontalScrollBar().setValue(120)
        one.view.roll_actions.select_all()
        one.view.roll_actions.transpose(1)
        await one.settle()
        assert one.view.horizontalScrollBar().value() == 120
        assert one.scene.selected.value == one.ids()
        await one.opened.edit([DeleteClip(clip_id=ClipId("ca"))], "gone")
        await one.settle()
        assert one.scene.shown is None
        assert not one.panel.empty.isHidden()
        assert "Select a clip to see its notes." in one.panel.empty.accessibleName()

    rolled(story)


def test_a_clip_selected_alone_is_shown(rolled: Run) -> None:
    async def story(one) -> None:
        one.opened.focus.clips.set(frozenset([ClipId("ca")]))
        await one.settle()
        assert one.scene.clip is not None
        one.opened.focus.clips.set(frozenset([ClipId("ca"), ClipId("ce")]))
        await one.settle()
        assert one.scene.clip.id == "ca"

    rolled(story)


def test_a_drag_held_beyond_the_edge_scrolls_and_takes_the_note_along(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.scene.axis.row_height = 20
        one.view.navigator.zoom(300, 0)
        await one.settle()
        assert one.view.horizontalScrollBar().value() == 0
        one.view.navigator.reveal(0, 0, one.scene.axis.row(60))
        start = one.at(60, 480)
        beyond = QPoint(one.view.viewport().width() + 200, start.y())
        one.drag(start, beyond, drop=False)
        await one.room.until(lambda: one.view.horizontalScrollBar().value() > 200)
        one.mouse(QEvent.Type.MouseButtonRelease, beyond)
        scrolled = one.view.horizontalScrollBar().value()
        await one.settle()
        assert one.view.horizontalScrollBar().value() == scrolled
        moved = next(note for note in one.scene.index.notes if note.id == "na")
        assert abs(one.scene.axis.x(moved.start + 480) - beyond.x()) < one.scene.axis.per_beat

    rolled(story)


def test_what_changed_while_nobody_saw_the_roll_is_there_when_it_is_shown(rolled: Run) -> None:
    async def story(one) -> None:
        one.panel.hide()
        one.opened.focus.clip.set(ClipId("ca"))
        await one.settle()
        assert one.scene.shown is None
        one.panel.show()
        assert one.scene.clip.id == "ca"
        one.opened.focus.clip.set(ClipId("cd"))
        one.panel.take_keyboard()
        assert one.view.hasFocus()
        assert one.scene.clip.id == "cd"

    rolled(story)
