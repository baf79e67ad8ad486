"""Rehearsal: the tools by which the composer plays its own rows on a song before anyone sees them."""

from __future__ import annotations

from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song.palette import Palette


class Rehearsal:
    """The song-editing tools with which the composer plays its own rows on a copy of the song; they have no effects
    outside of it."""

    def __init__(self) -> None:
        # the schemas of the tools take as long to make as a short piece to write
        self._last: tuple[Palette, Registry] | None = None

    def tools(self, palette: Palette) -> Registry:
        """The registry of tools for a palette, cached for the last palette."""
        last = self._last
        if last is None or last[0] is not palette:
            last = self._last = (palette, Registry([SongService(palette)]))
        return last[1]
