"""The view goes with the playhead and with notes that leave it; what is selected looks the same however many it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.song.ids import NoteId
from app.desktop.listen.playback import Playing
from app.ui.pianoroll import notes_painter
from app.ui.pianoroll.gestures.places import place_of
from tests.app.ui.pianoroll.conftest import BAR

Run = Callable[..., None]


def test_the_view_turns_its_page_with_the_playhead_unless_it_must_not(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.area.sight.zoom(400, 0)
        await one.settle()
        bar, following = one.area.horizontalScrollBar(), one.area.following
        assert bar.value() == 0
        place = [2 * BAR]
        one.opened.playback.position = lambda: place[0]
        following.playing(Playing(playing=True))
        following.tick()
        assert bar.value() == 0, "the playhead can be seen"
        place[0] = 3 * BAR
        one.panel.bar.follow.click()
        assert not one.opened.focus.follow.value
        following.tick()
        assert bar.value() == 0
        one.opened.focus.follow.set(True)
        assert one.panel.bar.follow.isChecked()
        following.tick()
        assert bar.value() > 0
        assert 0 <= one.stage.axis.x(place[0] - 2 * BAR) < one.area.viewport().width() / 2
        scrolled = bar.value()
        place[0] = 9 * BAR
        following.tick()
        assert bar.value() == scrolled, "it plays behind the clip"
        following.playing(Playing())

    rolled(story)


def test_notes_that_jump_out_of_sight_are_followed(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.stage.axis.row_height = 28
        one.panel.resize(1100, 260)
        await one.settle()
        one.area.sight.reveal(0, 0, 60)
        one.area.acts.select_all()
        for semitones in (12, 12, 12, -12, -12, -12, -12):
            one.area.acts.transpose(semitones)
            await one.settle()
            axis, tall = one.stage.axis, one.area.viewport().height()
            seen = [note for note in one.stage.index.notes if 0 <= axis.y(note.pitch) <= tall - axis.row_height]
            assert seen, semitones

    rolled(story)


def test_many_selected_notes_are_framed_as_few_are(rolled: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(one) -> None:
        await one.show()
        one.stage.selected.set(frozenset([NoteId("na"), NoteId("nb")]))
        await one.settle()
        few = one.area.viewport().grab().toImage()
        monkeypatch.setattr(notes_painter, "_FEW", 1)
        one.area.viewport().update()
        many = one.area.viewport().grab().toImage()
        place = place_of(one.stage, one.stage.index.by_id[NoteId("na")]).toRect()
        y = place.center().y()
        inside = [image.pixelColor(place.center().x(), y) for image in (few, many)]
        frame = [image.pixelColor(place.left(), y) for image in (few, many)]
        other = place_of(one.stage, one.stage.index.by_id[NoteId("nd")]).toRect()
        plain = [image.pixelColor(other.left() + 3, other.top()) for image in (few, many)]
        assert frame[0] == frame[1] == one.area.look().t1
        assert inside[0] == inside[1] != frame[0]
        assert plain[0] == plain[1]

    rolled(story)
