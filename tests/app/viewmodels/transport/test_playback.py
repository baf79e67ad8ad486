"""The transport as views use it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from patience import PATIENCE
from pulling import BLOCK, PulledOutput, own_threads

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, EffectId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Effect, Track
from app.paths import Paths, find_paths
from app.services.library_files import read_palette
from app.services.playing import PlaybackEngine
from app.viewmodels.texts.troubles import ErrorReporter, Trouble
from app.viewmodels.transport.playback import Playback, TransportState

BAR = 3840


def tune(pitch: int = 60, bars: int = 4, **fields: object) -> Song:
    note = Note(NoteId("n1"), pitch, Ticks(0), Ticks(bars * BAR), 90)
    clip = Clip(ClipId("c1"), "", Ticks(0), Ticks(bars * BAR), (note,))
    return Song(tracks=(Track(TrackId("t1"), "Organ", "organ_drawbar", clips=(clip,), **fields),))  # type: ignore[arg-type]


class Stand:
    """A playback on an output that the test pulls."""

    def __init__(self, home: Path, *, ahead: bool = True, silent: bool = False) -> None:
        paths = Paths(home, home / "cache", home / "logs", find_paths().resources)
        self.output = PulledOutput()
        self.engine = PlaybackEngine(
            paths.cache, read_palette(paths.resources), ahead=ahead, open_output=None if silent else self.output.open
        )
        troubles = ErrorReporter(paths)
        self.told: list[Trouble] = []
        troubles.told.listen(self.told.append)
        self.playback = Playback(self.engine, troubles)
        self.states: list[TransportState] = []
        self.playback.state.watch(self.states.append)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.01)

    async def ready(self) -> None:
        await self.until(lambda: self.playback.loudness() is not None and self.playback.state.value.preparing is None)


Story = Callable[[Stand], Awaitable[None]]


@pytest.fixture
def played(tmp_path: Path) -> Callable[..., None]:
    def play(story: Story, **options: bool) -> None:
        async def work() -> None:
            others = own_threads()
            stand = Stand(tmp_path, **options)
            try:
                await story(stand)
            finally:
                await stand.playback.close()
                stand.engine.close()
            assert own_threads() <= others
            assert len(asyncio.all_tasks()) == 1

        asyncio.run(work())

    return play


def test_play_stop_and_where_the_playhead_rests(played: Callable[[Story], None]) -> None:
    async def story(stand: Stand) -> None:
        playback = stand.playback
        playback.show(tune())
        playback.seek(Ticks(BAR))
        assert playback.position() == BAR
        assert playback.seconds() == 2.0
        await playback.play()
        assert playback.state.value.playing
        stand.output.pull(48_000)
        assert playback.position() == BAR + 1920
        await playback.stop()
        assert not playback.state.value.playing
        assert playback.position() == BAR
        await playback.stop()
        assert playback.position() == 0

    played(story)


def test_it_tells_when_all_is_ready_and_how_loud_it_is(played: Callable[[Story], None]) -> None:
    async def story(stand: Stand) -> None:
        stand.playback.show(tune())
        await stand.ready()
        shares = [state.preparing for state in stand.states if state.preparing is not None]
        assert shares == sorted(shares)
        assert stand.playback.loudness() == pytest.approx(-14, abs=1)
        await stand.playback.play()
        stand.output.pull(10 * BLOCK)
        assert stand.playback.levels()[0] > -40
        assert stand.playback.track_levels()[TrackId("t1")][0] > -40
        assert not stand.told

    played(story)


def test_the_end_stops_the_transport(played: Callable[[Story], None]) -> None:
    async def story(stand: Stand) -> None:
        stand.playback.show(tune(bars=1))
        await stand.ready()
        stand.playback.seek(Ticks(1920))
        await stand.playback.play()
        stand.output.pull(20 * 48_000)
        await stand.until(lambda: not stand.playback.state.value.playing)
        assert stand.playback.position() == 1920

    played(story)


def test_a_loop_holds_the_playhead(played: Callable[[Story], None]) -> None:
    async def story(stand: Stand) -> None:
        stand.playback.show(tune())
        stand.playback.set_loop((Ticks(BAR), Ticks(2 * BAR)), True)
        assert stand.playback.state.value.looping
        stand.playback.seek(Ticks(BAR))
        await stand.playback.play()
        stand.output.pull(3 * 48_000)
        assert stand.playback.position() == BAR + 1920
        stand.playback.set_loop((Ticks(BAR), Ticks(2 * BAR)), False)
        assert stand.playback.state.value.loop == (BAR, 2 * BAR)
        stand.output.pull(2 * 48_000)
        assert stand.playback.position() == 2 * BAR + 1920
        stand.playback.set_loop((Ticks(BAR), Ticks(BAR)), True)
        assert not stand.playback.state.value.looping

    played(story)


def test_solo_and_dragged_faders_are_heard(played: Callable[[Story], None]) -> None:
    async def story(stand: Stand) -> None:
        stand.playback.show(tune())
        await stand.ready()
        await stand.playback.play()
        stand.output.pull(10 * BLOCK)
        loud = stand.playback.levels()[0]
        stand.playback.preview_mix(TrackId("t1"), -40.0, None)
        stand.output.pull(2 * BLOCK)
        assert stand.playback.levels()[0] < loud - 30
        stand.playback.preview_mix(TrackId("t1"), None, None)
        stand.playback.solo.set(frozenset({TrackId("other")}))
        stand.output.pull(2 * BLOCK)
        assert stand.playback.levels() == (float("-inf"), float("-inf"))
        stand.playback.solo.set(frozenset())
        stand.output.pull(2 * BLOCK)
        assert stand.playback.levels()[0] == pytest.approx(loud, abs=2)

    played(story)


def test_the_plan_is_heard_and_goes_away(played: Callable[[Story], None]) -> None:
    async def story(stand: Stand) -> None:
        playback = stand.playback
        playback.show(tune())
        playback.show_plan(replace(tune(72), loudness_target=-23.0))
        await stand.ready()
        playback.listen_to("plan")
        await stand.until(lambda: playback.loudness() == pytest.approx(-23, abs=1))
        playback.show_plan(None)
        assert playback.loudness() == pytest.approx(-14, abs=1)
        await playback.play()
        stand.output.pull(4 * BLOCK)
        assert playback.levels()[0] > -60

    played(story)


def test_without_a_device_time_goes_on_in_silence(
    played: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)

    async def story(stand: Stand) -> None:
        stand.playback.show(tune())
        assert stand.playback.state.value.device == ""
        await stand.playback.play()
        assert stand.playback.state.value.silent
        assert "playing silently" in stand.playback.state.value.device_note
        await stand.until(lambda: stand.playback.position() > 200)

    played(story, silent=True)


def test_without_a_soundfont_it_is_told_and_plays_on(
    played: Callable[[Story], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANDLEADER_SOUNDFONT", "/nonexistent.sf2")

    async def story(stand: Stand) -> None:
        stand.playback.show(tune())
        await stand.until(lambda: bool(stand.told))
        await stand.until(lambda: stand.playback.state.value.preparing is None)
        stand.playback.show(tune(61))
        await stand.playback.play()
        stand.output.pull(BLOCK)
        assert stand.playback.state.value.playing
        assert {trouble.place for trouble in stand.told} == {"transport"}
        assert "nonexistent" in stand.told[0].what + stand.told[0].why

    played(story)


def test_nothing_is_prepared_before_the_first_play_if_so_wished(played: Callable[..., None]) -> None:
    async def story(stand: Stand) -> None:
        stand.playback.show(tune())
        stand.playback.set_loop(None, False)
        stand.playback.listen_to("song")
        assert stand.playback.levels() == (float("-inf"), float("-inf"))
        assert stand.playback._player is None
        stand.playback.toggle()
        await stand.until(lambda: stand.playback.state.value.playing)
        stand.playback.toggle()
        await stand.until(lambda: not stand.playback.state.value.playing)

    played(story, ahead=False)


def test_what_is_held_back_is_prepared_afterwards(played: Callable[..., None]) -> None:
    async def story(stand: Stand) -> None:
        stand.playback.hold_back(True)
        stand.playback.show(tune())
        await asyncio.sleep(0.05)
        assert not own_threads()
        stand.playback.hold_back(False)
        await stand.ready()

    played(story)


def test_closing_at_once_leaves_nothing(played: Callable[[Story], None]) -> None:
    async def story(stand: Stand) -> None:
        stand.playback.show(tune())
        stand.playback.toggle()
        await stand.playback.close()
        stand.playback.show(tune(61))
        stand.playback.seek(Ticks(5))
        await stand.playback.play()
        assert not stand.playback.state.value.playing

    played(story)


def test_a_note_is_heard_without_the_transport(played: Callable[[Story], None]) -> None:
    async def story(stand: Stand) -> None:
        stand.playback.show(tune())
        await stand.ready()
        stand.playback.audition(TrackId("t1"), 72, 90, seconds=0.2)
        for _ in range(200):
            await asyncio.sleep(0.01)
            if np.abs(stand.output.pull(BLOCK)).max() > 0.01:
                break
        else:
            raise AssertionError("nothing was heard")
        assert not stand.playback.state.value.playing
        assert stand.playback.position() == 0
        await stand.until(lambda: stand.playback.state.value.device == "test output")
        assert not stand.told

    played(story)


def test_notes_that_are_struck_as_it_closes_leave_nothing_behind(played: Callable[[Story], None]) -> None:
    async def story(stand: Stand) -> None:
        stand.playback.show(tune())
        for pitch in range(40, 100):
            stand.playback.audition(TrackId("t1"), pitch, 90)
        await asyncio.sleep(0.05)

    played(story)


def test_a_turned_effect_is_heard_and_goes_back(played: Callable[[Story], None]) -> None:
    async def story(stand: Stand) -> None:
        quiet = Effect(EffectId("e1"), "gain", (("gain", 0.0),))
        stand.playback.show(tune(bars=8, effects=(quiet,)))
        await stand.ready()
        await stand.playback.play()
        stand.output.pull(10 * BLOCK)
        loud = stand.playback.track_levels()[TrackId("t1")][0]

        def heard() -> float:
            stand.output.pull(BLOCK)
            return stand.playback.track_levels()[TrackId("t1")][0] - loud

        stand.playback.preview_effect(EffectId("e1"), {"gain": -30.0})
        await stand.until(lambda: heard() < -25)
        stand.playback.preview_effect(EffectId("e1"), None)
        await stand.until(lambda: heard() > -5)
        stand.playback.preview_effect(EffectId("gone"), {"gain": -30.0})
        stand.playback.preview_effect(EffectId("gone"), None)
        assert not stand.told

    played(story)
