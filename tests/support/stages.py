"""Homes that many journeys begin in, and the services of a studio without its database."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from commandline import ROOT, CommandLine
from sample_plan import sample_steps

from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song.palette import Palette
from agent.song.song import Song
from app.services.library_files import read_palette

SAMPLE = "Sample"
Sounding = tuple[str, int, int, int, int]
"""Track id, pitch, start and end in ticks of the song, velocity."""


def with_sample(home: Path, bpm: float = 112) -> CommandLine:
    """A project with the sample song in it, made by a plan that was written by hand and approved."""
    command_line = CommandLine(home)
    command_line.ask("projects", "new", SAMPLE)
    document = command_line.carry_out(sample_steps(bpm), name="sample")
    assert document["state"] == "COMPLETED"
    return command_line


def copied(command_line: CommandLine, home: Path) -> CommandLine:
    """A second home with the same content."""
    shutil.copytree(command_line.home, home)
    return CommandLine(home)


def palette() -> Palette:
    """The instruments and effects that ship."""
    return read_palette(ROOT / "resources")


def song_tools() -> Registry:
    """The tools that make songs, for looking at plans in this process."""
    return Registry([SongService(palette())])


def families(song: Song) -> dict[str, list[str]]:
    """Ids of tracks by the family of their instrument."""
    by_name = {one.name: str(one.family) for one in palette().instruments}
    found = defaultdict(list)
    for track in song.tracks:
        found[by_name[track.instrument]].append(str(track.id))
    return dict(found)


def notes_of(song: Song, *tracks: str) -> Iterator[Sounding]:
    """Notes in ticks of the song; without tracks, all of them."""
    for track, clip in song.clips():
        if not tracks or track.id in tracks:
            for note in clip.notes:
                yield track.id, note.pitch, clip.start + note.start, clip.start + note.end, note.velocity
