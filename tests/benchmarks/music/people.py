"""Songs made by people: MIDI files that packages of a Linux system bring, read where they are installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from agent.song.palette import Palette
from agent.song.song import Song
from app.exchange.errors import ExchangeError
from app.exchange.midi_in import import_midi

FOLDERS: dict[str, str] = {
    "planetblupi-music-midi": "/usr/share/planetblupi/music",
    "openttd-openmsx": "/usr/share/games/openttd/baseset/openmsx",
    "pianobooster": "/usr/share/doc/pianobooster/courses/BoosterMusic",
    "solfege": "/usr/share/solfege/exercises/standard/lesson-files/share",
}
"""Debian packages, and where each has its songs."""
_BARS = 8
"""A shorter file is an exercise, no song."""


def songs_of_people(palette: Palette, more: Sequence[Path] = ()) -> Iterator[Song]:
    """Every song of the packages and of the folders `more` that can be read and has eight bars."""
    for folder in (*map(Path, FOLDERS.values()), *more):
        for path in sorted([*folder.rglob("*.mid"), *folder.rglob("*.midi")]):
            try:
                song = import_midi(path, palette).song
            except ExchangeError:
                continue
            if song.bars >= _BARS:
                yield song


def missing() -> tuple[str, ...]:
    """The packages that are not installed here."""
    return tuple(name for name, folder in FOLDERS.items() if not Path(folder).is_dir())
