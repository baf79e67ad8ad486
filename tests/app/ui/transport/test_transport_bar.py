"""The transport bar over a real project."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from rooms import Room, in_room

from agent.song.edits import SetTempo
from agent.song.time import Ticks
from app.ui.kit.theme import Theme
from app.ui.transport.bar import TransportActions, TransportBar

Story = Callable[[Room, TransportBar], Awaitable[None]]


@pytest.fixture
def tell(theme: Theme, tmp_path: Path, qloop) -> Callable[[Story], None]:  # type: ignore[no-untyped-def]
    """Runs a story about a transport bar."""

    def run(story: Story) -> None:
        async def in_bar(room: Room) -> None:
            loop = QAction("Loop")
            loop.setCheckable(True)
            actions = TransportActions(QAction("Start"), QAction("Play"), loop, QAction("Follow"), QAction("Side"))
            bar = TransportBar(room.opened, room.kit, actions)
            bar.resize(1600, 47)
            bar.show()
            room.views.append(bar)
            await story(room, bar)
            await room.still()

        qloop.run(in_room(theme, tmp_path / "home", in_bar))
        gc.collect()

    return run


def test_a_tempo_that_is_typed_becomes_a_version(tell: Callable[[Story], None]) -> None:
    async def story(room: Room, bar: TransportBar) -> None:
        tempo = bar.display.tempo
        assert tempo.value == "120.00"
        tempo.edit()
        tempo.field.setText("9x")
        QTest.keyClick(tempo.field, Qt.Key.Key_Return)
        assert tempo.field.isVisible()
        assert tempo.field.property("wrong")
        tempo.field.setText("84,5")
        QTest.keyClick(tempo.field, Qt.Key.Key_Return)
        assert not tempo.field.isVisible()
        await room.until(lambda: room.opened.workspace.song.tempo_map.bpm(0) == 84.5)
        await room.until(lambda: room.opened.versions.iterations.value)
        assert tempo.value == "84.50"
        assert room.opened.versions.iterations.value[0].label == "Tempo 84.5 BPM"

    tell(story)


def test_escape_takes_a_typed_tempo_back(tell: Callable[[Story], None]) -> None:
    async def story(room: Room, bar: TransportBar) -> None:
        bar.display.tempo.edit()
        bar.display.tempo.field.setText("84")
        QTest.keyClick(bar.display.tempo.field, Qt.Key.Key_Escape)
        await room.still()
        assert room.opened.workspace.draft
        assert bar.display.tempo.value == "120.00"

    tell(story)


def test_the_tempo_at_the_playhead_is_the_one_that_changes(tell: Callable[[Story], None]) -> None:
    async def story(room: Room, bar: TransportBar) -> None:
        await room.opened.edit((SetTempo(bpm=90, at_beat=Ticks(3840)),), "slower")
        room.opened.playback.seek(Ticks(5000))
        assert bar.display.position.value == "2.2.200"
        assert bar.display.tempo.value == "90.00"
        bar.display.tempo.edit()
        bar.display.tempo.field.setText("70")
        QTest.keyClick(bar.display.tempo.field, Qt.Key.Key_Return)
        song = room.opened.workspace
        await room.until(lambda: song.song.tempo_map.bpm(5000) == 70)
        assert song.song.tempo_map.bpm(0) == 120

    tell(story)


def test_b_is_there_with_a_plan_and_its_tempo_stands_beside_the_songs(tell: Callable[[Story], None]) -> None:
    async def story(room: Room, bar: TransportBar) -> None:
        assert not bar.listen.second.isEnabled()
        await room.plan("a calm lofi beat at 82 bpm, 4 bars")
        assert bar.listen.second.isEnabled()
        assert bar.display.tempo.accessibleName() == "Tempo, BPM 120.00, proposed 82"
        bar.listen.second.click()
        assert room.opened.focus.side.value == "plan"
        room.opened.focus.side.set("song")
        assert bar.listen.first.isChecked()
        room.opened.asking.approving.discard()
        assert not bar.listen.second.isEnabled()
        assert "proposed" not in bar.display.tempo.accessibleName()

    tell(story)


def test_the_clock_of_the_bar_runs_only_while_it_plays(tell: Callable[[Story], None]) -> None:
    async def story(room: Room, bar: TransportBar) -> None:
        state = room.opened.playback.state
        assert not bar._timer.isActive()
        state.set(replace(state.value, playing=True, preparing=0.31))
        assert bar._timer.isActive()
        assert bar.preparing.text() == "Preparing sound 31%"
        state.set(replace(state.value, playing=False, preparing=None))
        assert not bar._timer.isActive()
        assert bar.preparing.text() == ""

    tell(story)


def test_while_a_run_holds_the_song_the_tempo_cannot_be_typed(tell: Callable[[Story], None]) -> None:
    async def story(room: Room, bar: TransportBar) -> None:
        await room.plan("a calm lofi beat, 4 bars")
        refused: list[str] = []
        room.opened.running.live.changed.listen(lambda _: refused.append(bar.display.tempo.toolTip()))
        await room.approve()
        assert any("a run holds the song" in tip for tip in refused)
        assert "Click to change it" in bar.display.tempo.toolTip()

    tell(story)


def test_nothing_in_the_bar_moves_when_sound_is_prepared(tell: Callable[[Story], None]) -> None:
    async def story(room: Room, bar: TransportBar) -> None:
        bar.resize(1280, 47)
        state = room.opened.playback.state
        places = []
        for share in (None, 0.0, 0.99, None):
            state.set(replace(state.value, playing=share is not None, preparing=share))
            await room.still()
            places.append((bar.display.geometry(), bar.listen.geometry(), bar.meter.geometry()))
        assert len(bar.preparing.text()) == 0
        assert places == places[:1] * 4

    tell(story)
