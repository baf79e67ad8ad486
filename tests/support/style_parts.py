"""Which track of a composed song plays a part of a style: tracks are called after their players, not after parts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from agent.composer.styles import PartStyle
from agent.song.song import Song
from agent.song.track import Track
from app.services.style_files import read_styles

RESOURCES = Path(__file__).parents[2] / "resources"


@cache
def _parts() -> dict[str, tuple[PartStyle, ...]]:
    every = [part for style in read_styles(RESOURCES).styles for part in style.parts]
    return {name: tuple(part for part in every if part.name == name) for name in {part.name for part in every}}


def track_of(song: Song, name: str) -> Track | None:
    """The track of that name, else the one with the colour and a sound of a style's part of that name; None where
    nobody plays it."""
    called = next((track for track in song.tracks if track.name == name), None)
    if called is not None:
        return called
    alike = {(part.color, sound) for part in _parts().get(name, ()) for sound in part.instruments}
    return next((track for track in song.tracks if (track.color, track.instrument) in alike), None)


def plays(track: Track, word: str) -> bool:
    """Whether a track has the colour and a sound of a style's part whose name holds the word."""
    parts = [part for name, alike in _parts().items() if word.casefold() in name.casefold() for part in alike]
    return any(track.color == part.color and track.instrument in part.instruments for part in parts)
