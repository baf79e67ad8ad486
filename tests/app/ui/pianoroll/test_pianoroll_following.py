"""The view goes with the playhead and with notes that leave it; what is selected looks the same however many it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.song.ids import NoteId
from app.ui.pianoroll.layers import clip_layer
from app.ui.pianoroll.note_shapes import place_of
from app.viewmodels.transport.playback import TransportState
from tests.app.ui.pianoroll.conftest import BAR

Run = Callable[..., None]


def test_the_view_turns_its_page_with_the_playhead_unless_it_must_not(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.view.navigator.zoom(400, 0)
        await one.settle()
        bar, view = one.view.horizontalScrollBar(), one.view
        assert bar.value() == 0
        place = [2 * BAR]
        one.opened.playback.position = lambda: place[0]
        view.follow(TransportState(playing=True))
        view.frame()
        assert bar.value() == 0, "the playhead can be seen"
        place[0] = 3 * BAR
        one.panel.bar.follow.click()
        assert not one.opened.focus.follow.value
        view.frame()
        assert bar.value() == 0
        one.opened.focus.follow.set(True)
        assert one.panel.bar.follow.isChecked()
        view.frame()
        assert bar.value() > 0
        assert 0 <= one.scene.axis.x(place[0] - 2 * BAR) < one.view.viewport().width() / 2
        scrolled = bar.value()
        place[0] = 9 * BAR
        view.frame()
        assert bar.value() == scrolled, "it plays behind the clip"
        view.follow(TransportState())

    rolled(story)


def test_notes_that_jump_out_of_sight_are_followed(rolled: Run) -> None:
    async def story(one) -> None:
        await one.show()
        one.scene.axis.row_height = 28
        one.panel.resize(1100, 260)
        await one.settle()
        one.view.navigator.reveal(0, 0, one.scene.axis.row(60))
        one.view.roll_actions.select_all()
        for semitones in (12, 12, 12, -12, -12, -12, -12):
            one.view.roll_actions.transpose(semitones)
            await one.settle()
            axis, tall = one.scene.axis, one.view.viewport().height()
            seen = [note for note in one.scene.index.notes if 0 <= axis.y(note.pitch) <= tall - axis.row_height]
            assert seen, semitones

    rolled(story)


def test_many_selected_notes_are_framed_as_few_are(rolled: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(one) -> None:
        await one.show()
        one.scene.selected.set(frozenset([NoteId("na"), NoteId("nb")]))
        await one.settle()
        few = one.view.viewport().grab().toImage()
        monkeypatch.setattr(clip_layer, "_FEW", 1)
        one.view.viewport().update()
        many = one.view.viewport().grab().toImage()
        place = place_of(one.scene, one.scene.index.by_id[NoteId("na")]).toRect()
        y = place.center().y()
        inside = [image.pixelColor(place.center().x(), y) for image in (few, many)]
        frame = [image.pixelColor(place.left(), y) for image in (few, many)]
        other = place_of(one.scene, one.scene.index.by_id[NoteId("nd")]).toRect()
        plain = [image.pixelColor(other.left() + 3, other.top()) for image in (few, many)]
        assert frame[0] == frame[1] == one.view.look().t1
        assert inside[0] == inside[1] != frame[0]
        assert plain[0] == plain[1]

    rolled(story)
