"""The piano roll by keyboard alone, and what it tells assistive programs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from agent.song.time import Ticks

Run = Callable[..., None]
Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
BAR = 3840


def test_arrows_go_from_note_to_note_and_tell_each(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        assert one.view.accessibleDescription() == "Tune, Keys, bars 3–4, 4 notes"
        one.key(Key.Key_Right)
        await one.settle()
        assert one.view.accessibleDescription() == "Note C4, bar 3 beat 1, 1/4, velocity 100"
        one.key(Key.Key_Right)
        one.key(Key.Key_Up)
        await one.settle()
        assert one.scene.selected.value == {"nc"}
        one.key(Key.Key_Left, SHIFT)
        assert one.scene.selected.value == {"nb", "nc"}
        await one.settle()
        assert one.view.accessibleDescription().endswith("2 notes selected")

    rolled(story)


def test_quick_keys_each_move_from_where_the_one_before_left_the_notes(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.key(Key.Key_Right)
        for _ in range(3):
            one.key(Key.Key_Up, CONTROL)
        one.key(Key.Key_Right, CONTROL)
        one.key(Key.Key_Up, ALT)
        await one.settle()
        assert one.notes()[0] == (75, 240, 960, 100)
        assert one.scene.selected.value == {"na"}
        assert one.label == "Transpose 1 note up by 12"

    rolled(story)


def test_the_windows_shortcuts_wait_while_the_notes_have_the_keyboard(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        taken = ((Key.Key_Delete, NONE), (Key.Key_A, CONTROL), (Key.Key_D, CONTROL), (Key.Key_Left, NONE),
                 (Key.Key_V, CONTROL), (Key.Key_Plus, NONE), (Key.Key_Up, ALT))
        assert all(one.takes(*pair) for pair in taken)
        left = ((Key.Key_Space, NONE), (Key.Key_Z, CONTROL), (Key.Key_S, NONE), (Key.Key_Escape, NONE),
                (Key.Key_Home, NONE), (Key.Key_Tab, NONE))
        assert not any(one.takes(*pair) for pair in left)
        one.scene.set(stepping=True)
        assert one.takes(Key.Key_S, NONE)
        assert not one.takes(Key.Key_Space, NONE)

    rolled(story)


def test_delete_copy_paste_and_duplicate(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.key(Key.Key_Right)
        one.key(Key.Key_C, CONTROL)
        one.key(Key.Key_D, CONTROL)
        await one.settle()
        assert sorted(one.notes())[:2] == [(60, 0, 960, 100), (60, 960, 960, 100)]
        one.opened.playback.seek(Ticks(3 * BAR))
        one.key(Key.Key_V, CONTROL)
        await one.settle()
        assert (60, BAR, 960, 100) in one.notes()
        one.key(Key.Key_A, CONTROL)
        one.key(Key.Key_X, CONTROL)
        await one.settle()
        assert one.notes() == []
        assert len(one.scene.clipboard) == 6

    rolled(story)


def test_an_empty_clip_is_written_by_keyboard(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show("ce")
        one.key(Key.Key_Right)
        one.key(Key.Key_Up)
        await one.settle()
        assert one.view.accessibleDescription() == "Empty place C#4, bar 9 beat 1.25. Enter draws a note"
        one.key(Key.Key_Return)
        await one.settle()
        assert one.notes("ce") == [(61, 240, 240, 100)]
        one.key(Key.Key_Right)
        one.key(Key.Key_Return)
        await one.settle()
        assert one.notes("ce") == [(61, 240, 240, 100), (61, 480, 240, 100)]
        one.key(Key.Key_Delete)
        await one.settle()
        assert one.notes("ce") == [(61, 240, 240, 100)]

    rolled(story)


def test_enter_on_a_note_draws_no_second_one_over_it(rolled: Run) -> None:
    async def story(one) -> None:
        for clip, pitch, at in (("ca", 60, 480), ("cd", 36, 0)):
            await one.show(clip)
            before = one.notes(clip)
            one.click(one.at(pitch, at))
            assert len(one.scene.selected.value) == 1
            one.key(Key.Key_Return)
            await one.settle()
            assert one.notes(clip) == before
            assert one.scene.focus in one.ids(clip)

    rolled(story)


def test_step_input_takes_letters_rests_and_chords(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show("ce")
        one.scene.set(stepping=True, snap="1/8")
        QTest.keyClicks(one.view, "a")
        one.key(Key.Key_R)
        QTest.keyClick(one.view, Key.Key_A, SHIFT)
        QTest.keyClicks(one.view, "dxa")
        one.key(Key.Key_Backspace)
        await one.settle()
        assert one.notes("ce") == [(60, 0, 480, 100), (60, 960, 480, 100), (64, 960, 480, 100)]
        assert one.scene.settings.value.octave == 5
        one.click(one.at(67, 3000))
        await one.settle()
        assert one.notes("ce")[-1] == (67, 1440, 480, 100)
        one.key(Key.Key_Escape)
        assert not one.scene.settings.value.stepping

    rolled(story)


def test_undo_takes_a_gesture_back_and_the_view_follows(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.key(Key.Key_A, CONTROL)
        one.key(Key.Key_Up, ALT)
        await one.settle()
        assert [pitch for pitch, *_ in one.notes()] == [72, 76, 79, 84]
        await one.opened.versions.undo()
        await one.settle()
        assert [note.pitch for note in one.scene.index.notes] == [60, 64, 67, 72]
        assert len(one.scene.selected.value) == 4

    rolled(story)
