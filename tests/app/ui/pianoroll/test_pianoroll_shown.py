"""What is proposed is read only and stands before what is there; the bar, its menus and its dialogs."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QComboBox, QMenu, QSpinBox

from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.song.ids import ClipId, TrackId
from agent.song.key import Key
from agent.song.locks import TrackLock
from app.ui.pianoroll.chords import Chords
from app.ui.pianoroll.menus import ask_humanize, ask_quantize, ask_velocity

Run = Callable[..., None]


async def propose(one, *steps: Step) -> None:
    opened = one.opened
    stage = await opened.studio.planning.stage(opened.workspace.record)
    plan = opened.studio.planning.adopt(Plan(steps, request="Change it"), stage)
    await opened.reviewing.put_up(await opened.studio.planning.judge(plan, stage.song))
    await one.settle()


OCTAVE = Step("s1", "transform_clip", {"clip_id": "ca", "operation": "transpose", "semitones": 12})
NEW = Step("s1", "create_midi_clip", {
    "track_id": "ta", "start_time": 64, "duration": 4, "notes": [{"n": 65, "s": 0, "d": 1}], "name": "New one",
})


def test_a_clip_that_the_plan_changes_is_read_only_until_the_song_s_own_is_asked_for(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        await propose(one, OCTAVE)
        shown = one.scene.shown
        assert [note.pitch for note in shown.clip.notes] == [72, 76, 79, 84]
        assert [note.pitch for note in shown.before.notes] == [60, 64, 67, 72]
        assert "proposed" in one.panel.header.proposed.text()
        assert one.panel.header.badge.accessibleName() == "Step 1"
        one.view.roll_actions.select_all()
        one.view.roll_actions.transpose(1)
        one.view.roll_actions.delete()
        one.drag(one.at(72, 480), one.at(75, 480))
        await one.settle()
        assert [pitch for pitch, *_ in one.notes()] == [60, 64, 67, 72]
        one.panel.header.switch.click()
        await one.settle()
        assert one.scene.editable
        assert one.panel.header.proposed.isHidden()
        one.view.roll_actions.transpose(1)
        await one.settle()
        assert [pitch for pitch, *_ in one.notes()] == [61, 65, 68, 73]

    rolled(story)


def test_a_clip_that_only_the_plan_makes_is_shown_and_goes_with_it(rolled: Run) -> None:
    async def story(one) -> None:
        await propose(one, NEW)
        preview = one.opened.reviewing.proposal.value.ghost
        made = next(clip.id for _, clip in preview.clips() if clip.name == "New one")
        await one.show(made)
        assert not one.scene.editable
        assert one.scene.shown.ghost.kind == "added"
        assert one.panel.header.switch.isHidden()
        assert not one.panel.bar.tools["draw"].isEnabled()
        one.opened.reviewing.discard()
        await one.settle()
        assert one.scene.shown is None
        assert not one.panel.empty.isHidden()

    rolled(story)


def test_a_locked_track_says_so_and_can_still_be_edited_by_hand(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        assert one.panel.header.lock.isHidden()
        await one.opened.lock([TrackLock(TrackId("ta"))])
        await one.settle()
        assert "Track locked" in one.panel.header.lock.accessibleName()
        one.view.roll_actions.transpose(2)
        await one.settle()
        assert one.notes()[0][0] == 62

    rolled(story)


def test_hostile_names_are_plain_text(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show("cd")
        assert one.panel.header.name.text() == "Beat, <b>Drums</b>, bar 3, 2 notes"
        assert one.panel.header.name.textFormat() == Qt.TextFormat.PlainText
        one.mouse(QEvent.Type.MouseMove, one.at(36, 0))
        assert one.view.viewport().toolTip() == "Kick, bar 3 beat 1, velocity 100"

    rolled(story)


def test_the_bar_shows_and_changes_how_the_roll_works(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show("cd")
        bar, scene = one.panel.bar, one.scene
        assert not bar.grid.isHidden()
        bar.tools["draw"].click()
        assert scene.settings.value.tool == "draw"
        assert not bar.tools["select"].isChecked()
        bar.snap.setCurrentIndex(4)
        bar.snap.activated.emit(4)
        assert scene.step == 640
        bar.grid.click()
        assert not scene.drums
        await one.show()
        assert bar.grid.isHidden()
        names = [button.accessibleName() for button in (*bar.tools.values(), bar.stepping, bar.scale, bar.notes)]
        assert len(set(names)) == len(names)
        assert all(names)

    rolled(story)


def choose(menu: QMenu, text: str) -> None:
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text().split("\t")[0] == text).trigger()


def test_the_scale_follows_the_song_until_another_is_chosen(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        menu = one.panel.bar.scale.menu()
        assert one.scene.key == Key("C")
        choose(menu, "Highlight the scale")
        assert one.scene.settings.value.light_scale
        tonics, modes = (action.menu() for action in menu.actions() if action.menu() is not None)
        choose(tonics, "A")
        choose(modes, "minor")
        assert one.scene.key == Key("A", "minor")
        choose(menu, "Key of the song: C major")
        assert one.scene.key == Key("C")
        others = one.panel.bar.others.menu()
        choose(others, "<b>Drums</b>")
        assert one.scene.settings.value.beside == {"td"}
        assert one.scene.settings.value.others

    rolled(story)


def test_the_menu_changes_all_notes_where_none_is_selected(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        choose(one.view.menu, "Octave up")
        choose(one.view.menu, "Semitone down")
        await one.settle()
        assert [pitch for pitch, *_ in one.notes()] == [71, 75, 78, 83]

    rolled(story)


def test_dialogs_ask_how_far_and_esc_changes_nothing(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        scene, actions = one.scene, one.view.roll_actions
        one.drag(one.at(60, 480), one.at(60, 480) + QPoint(9, 0), Qt.KeyboardModifier.ControlModifier)
        await one.settle()
        one.scene.choose(None)
        off = one.notes()[0][1]
        assert off % 240
        dialog = ask_quantize(scene, actions, one.panel)
        dialog.reject()
        await one.settle()
        assert one.notes()[0][1] == off
        dialog = ask_quantize(scene, actions, one.panel)
        dialog.findChild(QComboBox).setCurrentIndex(0)
        dialog.findChild(QSpinBox).setValue(50)
        dialog.main.click()
        await one.settle()
        assert one.notes()[0][1] == round(off / 2)
        dialog = ask_velocity(actions, one.panel)
        dialog.findChild(QSpinBox).setValue(50)
        dialog.main.click()
        await one.settle()
        assert [shape[3] for shape in one.notes()] == [50] * 4
        dialog = ask_humanize(scene, actions, one.panel)
        timing, louder, seed = dialog.findChildren(QSpinBox)
        timing.setValue(0)
        louder.setValue(20)
        seed.setValue(7)
        dialog.main.click()
        await one.settle()
        assert len({shape[3] for shape in one.notes()}) > 1
        assert one.label.startswith("Humanize")

    rolled(story)


def test_a_double_click_draws_and_deletes_with_the_tool_for_selecting(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show("ce")
        for _ in range(2):
            one.click(one.at(60, 100))
            one.mouse(QEvent.Type.MouseButtonDblClick, one.at(60, 100))
            one.mouse(QEvent.Type.MouseButtonRelease, one.at(60, 100))
            await one.settle()
            if one.notes("ce"):
                assert one.notes("ce") == [(60, 0, 240, 100)]
        assert one.notes("ce") == []

    rolled(story)


def test_chords_above_the_bars_follow_the_song(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        await one.room.until(lambda: one.view.chords.found)
        before = one.view.chords.found
        song = one.song
        clip = song.tracks[0].clips[0]
        lower = replace(clip, notes=tuple(replace(note, pitch=note.pitch - 1) for note in clip.notes))
        track = replace(song.tracks[0], clips=(lower, *song.tracks[0].clips[1:]))
        await one.opened.workspace.replace(replace(song, tracks=(track, song.tracks[1])), "edit", "lower")
        await one.room.until(lambda: one.view.chords.found != before)
        assert ClipId("ca") == one.scene.clip.id

    rolled(story)


def test_chords_that_are_found_after_the_view_was_closed_are_told_to_nobody(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        said: list[bool] = []
        tasks = one.room.kit.tasks
        closed, open_ = (Chords(one.scene, tasks, lambda own=own: said.append(own)) for own in (False, True))
        for chords in (closed, open_):
            chords.soon.ask()
            chords.soon.now()
        closed.close()
        await one.settle()
        assert said == [True]

    rolled(story)
