"""Tracks of a song that is new are made ready by several processes at the same time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pulling import PulledDesk

from agent.message import msg
from agent.song.ids import TrackId
from agent.song.palette import Palette
from app.sound.errors import SoundError
from app.sound.player import FADE
from app.sound.render_cache import RenderCache
from app.sound.renderer import PlacedPart, Renderer, never
from app.sound.soundfont import find_soundfont
from tests.app.sound.songs import clip, song, track

INSTRUMENTS = ("organ_drawbar", "woodwind_flute", "bass_finger")


class Recording(RenderCache):
    """Renders two parts at the same time, whatever the machine, and knows which."""

    def __init__(self, cache: Path, palette: Palette) -> None:
        super().__init__(cache, palette)
        self.together = 2
        self.batches: list[list[int]] = []
        self.broken = -1

    def render_together(self, parts, cancelled, overtaken=never):  # type: ignore[no-untyped-def]
        self.batches.append([placed.part.program for placed in parts])
        self._refuse(parts)
        super().render_together(parts, cancelled, overtaken)

    def rendered(self, placed, cancelled=never):  # type: ignore[no-untyped-def]
        self._refuse([placed])
        return super().rendered(placed, cancelled)

    def _refuse(self, parts: list[PlacedPart]) -> None:
        if any(placed.part.program == self.broken for placed in parts):
            raise SoundError(msg("broken samples"))


@pytest.fixture
def render_cache(tmp_path: Path, palette: Palette) -> Recording:
    return Recording(tmp_path, palette)


def band():  # type: ignore[no-untyped-def]
    """Three tracks with two clips each."""
    return song(*(
        track(instrument, *(
            clip((48 + 2 * number, 0, 3, 90), start=start, name=f"c{number}{start}") for start in (0, 32)
        ), name=f"t{number}")
        for number, instrument in enumerate(INSTRUMENTS)
    ))


def test_first_come_the_beginnings_of_all_tracks(render_cache: Recording, palette: Palette, tmp_path: Path) -> None:
    desk = PulledDesk(render_cache)
    programs = [palette.instrument(name).program for name in INSTRUMENTS]
    try:
        desk.ready(band())
        heard = desk.heard(seconds=2)
    finally:
        desk.desk.close()
        render_cache.close()
    assert render_cache.batches[0] == programs[:2]
    assert render_cache.batches[1] == programs[2:]
    assert all(len(set(batch)) == len(batch) for batch in render_cache.batches), "none loads what another one plays"
    with Renderer(tmp_path / "other", find_soundfont(), palette, workers=1) as renderer:
        exported = renderer.render(band()).mix
    assert np.abs(heard[FADE:] - exported[FADE : len(heard)]).max() < 2e-4


def test_a_broken_track_takes_none_of_those_with_it_that_are_rendered_beside_it(
    render_cache: Recording, palette: Palette
) -> None:
    render_cache.broken = palette.instrument(INSTRUMENTS[1]).program
    desk = PulledDesk(render_cache)
    try:
        desk.ready(band())
        assert desk.desk._stage.sides["song"].failed == {TrackId("t1")}
        assert [error.what for error in desk.errors if isinstance(error, SoundError)] == ["broken samples"]
        assert desk.heard(seconds=1).any()
    finally:
        desk.desk.close()
        render_cache.close()
