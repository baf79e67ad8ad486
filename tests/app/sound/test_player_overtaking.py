"""What is urgent overtakes long renders, and the playhead is shown where it is heard."""

from __future__ import annotations

import os
import signal
import threading
import time
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from pulling import BLOCK, PulledDesk, eventually, pulled

from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks
from app.sound.audition import AuditionNote
from app.sound.errors import RenderCancelledError, SoundError
from app.sound.player import FADE
from app.sound.render_cache import RenderCache
from app.sound.renderer import Renderer, never
from app.sound.soundfont import find_soundfont
from tests.app.sound.songs import clip, effect, song, track

LATE = 0.1
"""Seconds; nearly five blocks."""
LONG = tuple((40 + step % 40, step / 4, 2.0, 80) for step in range(400))


def test_a_part_that_is_left_costs_no_worker_and_is_whole_later(tmp_path: Path, palette: Palette) -> None:
    short, long = song(track("piano_grand", clip((60, 0, 1, 90)))), song(track("piano_grand", clip(*LONG, length=104)))
    others = {process.pid for process in active_children()}
    with Renderer(tmp_path, find_soundfont(), palette, workers=1) as renderer:
        first, = renderer.place_track(short, short.tracks[0])
        renderer.dry(first, never)
        workers = {process.pid for process in active_children()} - others
        part, = renderer.place_track(long, long.tracks[0])
        looks = iter((False, False))
        with pytest.raises(RenderCancelledError):
            renderer.dry(part, lambda: next(looks, True))
        assert renderer.known(part) is None
        sound = renderer.dry(part, never)
        assert {process.pid for process in active_children()} - others == workers
    with Renderer(tmp_path / "other", find_soundfont(), palette, workers=1) as other:
        assert np.array_equal(other.dry(part, never).levels, sound.levels)


def test_an_edit_leaves_a_long_clip_that_is_not_heard_yet(tmp_path: Path, palette: Palette) -> None:
    before = song(
        track("organ_drawbar", clip((60, 0, 2, 90))),
        track("piano_grand", clip(*LONG, start=64, length=104, name="c2"), name="t2"),
    )
    left: list[RenderCancelledError] = []

    class Told(RenderCache):
        def render_together(self, parts, cancelled, overtaken=never):  # type: ignore[no-untyped-def]
            try:
                return super().render_together(parts, cancelled, overtaken)
            except RenderCancelledError as error:
                left.append(error)
                raise

    render_cache = Told(tmp_path, palette)
    desk = PulledDesk(render_cache)
    try:
        desk.desk.show("song", before)
        # Until the synthesizer runs there is nothing to leave.
        for step in range(1000):
            time.sleep(0.02)
            after = _edited(before, 61 + step % 30)
            desk.desk.show("song", after)
            if left and step > 20:
                break
        desk.settle()
        heard = desk.heard(seconds=1.0)
    finally:
        desk.desk.close()
        render_cache.close()
    with Renderer(tmp_path, find_soundfont(), palette, workers=1) as renderer:
        exported = renderer.render(after).mix
    assert left
    assert desk.errors == []
    assert np.abs(heard[FADE:] - exported[FADE : len(heard)]).max() < 2e-4


def _edited(whole: Song, pitch: int) -> Song:
    first, second = whole.tracks
    return replace(whole, tracks=(replace(first, clips=(clip((pitch, 0, 2, 90)),)), second))


def test_the_playhead_is_where_it_is_heard(tmp_path: Path, palette: Palette) -> None:
    whole = song(track("organ_drawbar", clip((60, 0, 16, 90), length=16)))
    with pulled(tmp_path, palette) as desk:
        desk.output.latency = LATE
        desk.ready(whole)
        desk.desk.play(Ticks(1920))
        desk.output.pull(2 * BLOCK)
        assert desk.desk.position == 1920
        desk.output.pull(18 * BLOCK)
        heard = 1920 + (20 * BLOCK / 48_000 - LATE) * 1920
        assert desk.desk.position == pytest.approx(heard, abs=1)
        desk.desk.seek(Ticks(960))
        assert desk.desk.position == 960
        desk.output.pull(BLOCK)
        assert desk.desk.position == 960


def test_in_a_loop_the_playhead_stays_in_it(tmp_path: Path, palette: Palette) -> None:
    whole = song(track("organ_drawbar", clip((60, 0, 16, 90), length=16)))
    with pulled(tmp_path, palette) as desk:
        desk.output.latency = LATE
        desk.ready(whole)
        desk.desk.set_loop((Ticks(960), Ticks(1440)))
        desk.desk.play(Ticks(960))
        places = set()
        for _ in range(40):
            desk.output.pull(BLOCK)
            places.add(desk.desk.position)
        assert min(places) == 960
        assert 1100 < max(places) < 1440


def test_what_was_made_before_is_heard_while_another_track_is_in_the_making(tmp_path: Path, palette: Palette) -> None:
    go_on = threading.Event()

    class Held(RenderCache):
        def rendered(self, placed, cancelled=never):  # type: ignore[no-untyped-def]
            known = self.known(placed)
            if known is None:
                go_on.wait(30)
            return known or super().rendered(placed, cancelled)

        def seen(self, glimpse):  # type: ignore[no-untyped-def]
            go_on.wait(30)
            return super().seen(glimpse)

    def both(pitch: int, **fields: object) -> Song:
        return song(
            track("organ_drawbar", clip((60, 0, 8, 90), length=8), **fields),
            track("organ_drawbar", clip((pitch, 0, 8, 90), start=64, length=8, name="c2"), name="t2"),
        )

    go_on.set()
    render_cache = Held(tmp_path, palette)
    desk = PulledDesk(render_cache)
    try:
        desk.ready(both(60))
        first = desk.desk.player.wanted.deck
        assert first is not None
        desk.ready(both(60, effects=(effect("lowpass", cutoff=100.0),)))
        go_on.clear()
        desk.desk.show("song", both(61))
        eventually(lambda: (
            (deck := desk.desk.player.wanted.deck) is not None and deck.channels[0].chunks is first.channels[0].chunks
        ), 20)
        assert not desk.desk._stage.sides["song"].ready
    finally:
        go_on.set()
        desk.desk.close()
        render_cache.close()


def test_a_synthesizer_that_dies_under_a_single_note_is_told_and_replaced(tmp_path: Path, palette: Palette) -> None:
    with pulled(tmp_path, palette) as desk:
        others = set(active_children())
        desk.ready(song(track("organ_drawbar", clip((60, 0, 4, 90)))))
        workers = [worker.pid or 0 for worker in set(active_children()) - others]
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)
        threading.Timer(0.2, lambda: [os.kill(worker, signal.SIGKILL) for worker in workers]).start()
        desk.desk.audition(TrackId("t1"), AuditionNote(61, 90, 0.3))
        assert [error.what for error in desk.errors if isinstance(error, SoundError)] == [
            "the synthesizer process ended unexpectedly"
        ]
        eventually(lambda: not set(active_children()) - others)
        assert not desk.output.pull(BLOCK).any()
        desk.desk.audition(TrackId("t1"), AuditionNote(61, 90, 0.3))
        assert desk.output.pull(20 * BLOCK).any()


def test_a_renderer_that_is_left_drops_what_it_plays_and_begins_nothing(tmp_path: Path, palette: Palette) -> None:
    long = song(track("piano_grand", clip(*LONG, length=104)))
    others = {process.pid for process in active_children()}
    with Renderer(tmp_path, find_soundfont(), palette, workers=1) as renderer:
        part, = renderer.place_track(long, long.tracks[0])
        renderer.warm()
        leaving = threading.Timer(0.1, renderer.leave)
        leaving.start()
        with pytest.raises(RenderCancelledError):
            renderer.dry(part, never)
        with pytest.raises(RenderCancelledError):
            renderer.render(long)
        leaving.join()
        eventually(lambda: {process.pid for process in active_children()} <= others)
