"""Songs made by people: the listed scores of music21's corpus and MIDI files of Debian packages, and no others."""

from __future__ import annotations

import gzip
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.song.palette import Palette
from agent.song.song import Song
from app.exchange.errors import ExchangeError
from app.exchange.midi_in import import_midi, song_from_midi

LISTED = Path(__file__).with_name("human_pieces.toml")
PACKAGES = {
    "planetblupi-music-midi": "planetblupi/music", "pianobooster": "doc/pianobooster/courses", "solfege": "solfege",
}
"""Debian packages, and where each has its songs below `SHARE`."""
SHARE = Path("/usr/share")
_BARS = 8
"""A shorter file is an exercise, no song."""
_MIDI = (".mid", ".midi", ".gz")


@dataclass(frozen=True)
class Library:
    """Where people's songs lie: `share` with the packages' files, `scores` with what `scores_as_midi.py` wrote, and
    folders with any `more`.
    """

    share: Path = SHARE
    scores: Path | None = None
    more: tuple[Path, ...] = ()

    def paths(self) -> dict[str, list[Path]]:
        """The listed files of each corpus, whether they are there or not."""
        listed = tomllib.loads(LISTED.read_text(encoding="utf-8"))
        found = {name: [self.share / one for one in files] for name, files in listed["packages"].items()}
        if self.scores is not None:
            for name, pieces in listed["music21"].items():
                stems = [piece.rpartition(".")[0].replace("/", "--") for piece in pieces]
                found[name] = [self.scores / name / f"{stem}.mid" for stem in stems]
        return found

    def corpora(self, palette: Palette) -> dict[str, list[Song]]:
        """What can be read of each corpus; those of which nothing is there are left out."""
        read = {name: list(_songs(paths, palette)) for name, paths in self.paths().items()}
        return {name: songs for name, songs in read.items() if songs}

    def songs(self, palette: Palette) -> Iterator[Song]:
        """All of them, and those of the folders `more`."""
        for songs in self.corpora(palette).values():
            yield from songs
        for folder in self.more:
            yield from _songs([path for path in sorted(folder.rglob("*")) if path.suffix in _MIDI], palette)

    def missing(self) -> tuple[str, ...]:
        """The packages that are not here."""
        return tuple(name for name, folder in PACKAGES.items() if not (self.share / folder).is_dir())


def _songs(paths: Sequence[Path], palette: Palette) -> Iterator[Song]:
    """Every file that can be read and has eight bars."""
    for path in paths:
        try:
            song = _read(path, palette)
        except (ExchangeError, OSError):
            continue
        if song.bars >= _BARS:
            yield song


def _read(path: Path, palette: Palette) -> Song:
    if path.suffix == ".gz":
        return song_from_midi(gzip.decompress(path.read_bytes()), path.stem, palette).song
    return import_midi(path, palette).song
