"""Rehearsal: the tools by which the composer plays its own rows on a song before anyone sees them."""

from __future__ import annotations

from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song.palette import Palette


class Rehearsal:
    """The edits of a song, with the sounds of a palette, and nothing that has an effect."""

    def __init__(self) -> None:
        # the schemas of the tools take as long to make as a short piece to write
        self._last: tuple[Palette, Registry] | None = None

    def tools(self, palette: Palette) -> Registry:
        """The tools for a palette, the same ones as long as it is the same palette."""
        last = self._last
        if last is None or last[0] is not palette:
            last = self._last = (palette, Registry([SongService(palette)]))
        return last[1]
