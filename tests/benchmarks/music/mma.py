"""MMA, the Musical MIDI Accompaniment: its library's grooves and the composer over the same charts.

`mma` is Debian's package of that name. Its MIDI files and ours are read by the same import.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from agent.composer.changing.hearing.listening import roles_of
from agent.song.palette import Palette
from agent.song.song import Song
from app.exchange.midi_in import import_midi, song_from_midi
from app.exchange.midi_out import midi_bytes
from tests.benchmarks.music.asking import Desk

CHARTS = Path(__file__).with_name("mma_charts.toml")
_PATIENCE = 120
_SINGING = frozenset({"lead", "counter"})
"""Roles of parts that are no accompaniment."""


class Charted(Struct, frozen=True):
    """A chart that both play: chords by bar, `beats` quarters to the bar, MMA's groove for either half."""

    request: str
    bpm: int
    beats: int
    grooves: tuple[str, str]
    bars: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        """The chart as a musician types it."""
        return "| " + " | ".join(" ".join(bar) for bar in self.bars) + " |"

    @property
    def source(self) -> str:
        """The chart as MMA reads it."""
        lines = [f"Tempo {self.bpm}", f"Time {self.beats}"]
        for number, bar in enumerate(self.bars):
            if number in (0, len(self.bars) // 2):
                lines.append(f"Groove {self.grooves[number > 0]}")
            each = self.beats // len(bar)
            lines.append(f"{number + 1} " + " ".join(chord + " /" * (each - 1) for chord in bar))
        return "\n".join(lines) + "\n"


def charts() -> Iterator[Charted]:
    """All charts, those of one style behind one another."""
    for style in tomllib.loads(CHARTS.read_text(encoding="utf-8"))["style"]:
        first, second = style["grooves"]
        for text in style["charts"]:
            bars = tuple(tuple(bar.split()) for bar in text.strip("| ").split("|"))
            yield Charted(style["request"], style["bpm"], style.get("beats", 4), (first, second), bars)


def is_installed() -> bool:
    """Whether `mma` can be run here."""
    return shutil.which("mma") is not None


def played_by_mma(chart: Charted, palette: Palette) -> Song:
    """The chart with MMA's grooves. Raises `RuntimeError` with what it said where it fails, or `ExchangeError`."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "chart.mma"), Path(folder, "chart.mid")
        source.write_text(chart.source, encoding="utf-8")
        command = ["mma", "-f", str(target), str(source)]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE, check=False)
        if not target.exists():
            raise RuntimeError(f"mma: {(run.stdout + run.stderr).strip()[-300:]}")
        return import_midi(target, palette).song


def played_by_us(chart: Charted, desk: Desk, seed: int) -> Song:
    """The accompaniment that `compose --chart` plays in the nearest style, through a MIDI file as MMA's is.

    What sings is left out, for MMA plays no tune. Raises `RuntimeError` with the reason where there is no piece.
    """
    song = desk.compose(f"{chart.request} at {chart.bpm} bpm\n\n{chart.text}", seed)
    roles = roles_of(song, desk.palette)
    band = replace(song, tracks=tuple(track for track in song.tracks if roles[track.id] not in _SINGING))
    return through_midi(band, desk.palette)


def through_midi(song: Song, palette: Palette) -> Song:
    """The song as another program finds it: without sections, chords and names of our own instruments."""
    return song_from_midi(midi_bytes(song, palette).data, "piece.mid", palette).song
