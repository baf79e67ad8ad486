"""What is urgent overtakes long renders, and the playhead is shown where it is heard."""

from __future__ import annotations

import time
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from pulling import BLOCK, PulledDesk, pulled

from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks
from app.sound.errors import RenderCancelledError
from app.sound.player import FADE
from app.sound.renderer import Renderer, never
from app.sound.soundfont import find_soundfont
from app.sound.workshop import Workshop
from tests.app.sound.songs import clip, song, track

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

    class Told(Workshop):
        def rendered(self, placed, cancelled=never):  # type: ignore[no-untyped-def]
            try:
                return super().rendered(placed, cancelled)
            except RenderCancelledError as error:
                left.append(error)
                raise

    workshop = Told(tmp_path, palette)
    desk = PulledDesk(workshop)
    try:
        desk.desk.show("song", before)
        for pitch in range(61, 90):
            time.sleep(0.02)
            after = _edited(before, pitch)
            desk.desk.show("song", after)
        desk.settle()
        heard = desk.heard(seconds=1.0)
    finally:
        desk.desk.close()
        workshop.close()
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
