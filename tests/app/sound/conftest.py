"""One renderer for the whole room, so that its worker processes start once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.song.palette import Palette
from agent.song.song import Song
from app.paths import find_paths
from app.services.library_files import read_palette
from app.sound.fluid import Planar
from app.sound.renderer import Frames, Renderer
from app.sound.soundfont import SoundFont, find_soundfont


@pytest.fixture(scope="session")
def palette() -> Palette:
    return read_palette(find_paths().resources)


@pytest.fixture(scope="session")
def soundfont() -> SoundFont:
    return find_soundfont()


@pytest.fixture(scope="session")
def renderer(tmp_path_factory: pytest.TempPathFactory, soundfont: SoundFont, palette: Palette) -> Iterator[Renderer]:
    with Renderer(tmp_path_factory.mktemp("sound"), soundfont, palette, workers=1) as shared:
        yield shared


class Mixer:
    """Mixes a song without the master, so that levels can be compared."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    def __call__(self, song: Song) -> Frames:
        mix: Planar = self._renderer.mix_down(song).mix
        return mix.T


@pytest.fixture
def mixed(renderer: Renderer) -> Mixer:
    return Mixer(renderer)


@pytest.fixture
def fresh(tmp_path: Path, soundfont: SoundFont, palette: Palette) -> Iterator[Renderer]:
    with Renderer(tmp_path / "fresh", soundfont, palette, workers=1) as own:
        yield own
