"""Rehearsal: the tools by which the composer plays its own rows on a song before anyone sees them."""

from __future__ import annotations

from functools import lru_cache

from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song.palette import Palette


@lru_cache(maxsize=2)
def rehearsal_tools(palette: Palette) -> Registry:
    """The edits of a song, with the sounds of the palette, and nothing that has an effect."""
    # their schemas take as long to make as a short piece to write
    return Registry([SongService(palette)])
