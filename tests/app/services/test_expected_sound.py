"""Instruments are made ready before there is a song, for one that comes soon."""

from __future__ import annotations

import asyncio
from multiprocessing import active_children
from pathlib import Path

import pytest
from studio_parts import a_song, the_palette

from app.services.rendering import SongRenderer
from app.sound.errors import SoundError
from app.sound.soundfont import SoundFont


@pytest.fixture
def renderer(tmp_path: Path) -> SongRenderer:
    return SongRenderer(tmp_path / "cache", the_palette())


def test_a_renderer_that_expects_a_song_has_its_processes_and_ends_them(renderer: SongRenderer) -> None:
    async def story() -> int:
        renderer.expect()
        renderer.expect()
        await renderer.render(a_song())
        count = len(active_children())
        await renderer.close()
        return count

    before = len(active_children())
    assert asyncio.run(story()) > before
    assert len(active_children()) == before


def test_one_that_is_closed_before_any_song_comes_ends_its_processes(renderer: SongRenderer) -> None:
    async def story() -> None:
        renderer.expect()
        await renderer.close()

    before = len(active_children())
    asyncio.run(story())
    assert len(active_children()) == before


def test_what_prevents_it_is_told_by_the_song(renderer: SongRenderer, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost() -> SoundFont:
        raise SoundError("no sounds")

    monkeypatch.setattr("app.services.rendering.find_soundfont", lost)

    async def story() -> None:
        renderer.expect()
        await asyncio.sleep(0)
        with pytest.raises(SoundError, match="no sounds"):
            await renderer.render(a_song())
        await renderer.close()

    asyncio.run(story())
