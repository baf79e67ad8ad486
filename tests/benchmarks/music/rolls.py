"""A song as a page of text that can be read: bars across, pitches down, one block for each part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.sounding import Sounding, kit_tracks, sounding

_SYSTEM = 4
"""Bars that stand beside each other."""
_NAMES = ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
_LOUDER = 8
"""How much above the mean of its part a velocity is an accent."""
_DRUMS: Mapping[str, Collection[int]] = {
    "kick": (35, 36), "snare": (38, 40), "rim": (37,), "clap": (39,), "hat": (42, 44), "open": (46,),
    "tom": (41, 43, 45, 47, 48, 50), "ride": (51, 53, 59), "crash": (49, 52, 55, 57),
}
KEY = "A note begins at o (at O with an accent) and lasts for the dashes behind it; | is a bar line."


def roll(
    song: Song, names: Sequence[tuple[str, Collection[TrackId]]], bars: tuple[int, int], *, accents: bool = True,
    kits: Collection[TrackId] = (),
) -> str:
    """The bars, first and last inclusive, of the parts called `names`, each made of some tracks, in that order.

    The columns are sixteenths, or thirds of a beat where those fit the notes better. Drums, the tracks among `kits`,
    have a row for each of their kinds, and show no lengths.
    """
    everything = sounding(song, [track for _, tracks in names for track in tracks])
    cells = 3 if _error(everything, 3) < _error(everything, 4) else 4
    blocks = []
    for first in range(bars[0], bars[1] + 1, _SYSTEM):
        span = (first, min(bars[1], first + _SYSTEM - 1))
        rows = [f"Bars {span[0] - bars[0] + 1}-{span[1] - bars[0] + 1}"]
        for name, tracks in names:
            notes = [note for note in everything if note.track in tracks]
            part = list(_part(song, notes, span, cells, accents=accents, drums=bool(set(tracks) & set(kits))))
            rows += [name, *part] if part else []
        blocks.append("\n".join(rows))
    return f"{cells} columns to the beat.\n\n" + "\n\n".join(blocks) + "\n"


def by_instrument(song: Song, palette: Palette) -> list[tuple[str, list[TrackId]]]:
    """The tracks with notes, called after what plays them, the highest first; all kits are one part at the end."""
    kits = kit_tracks(song, palette)
    families = {instrument.name: instrument.family for instrument in palette.instruments}
    found = [track for track in song.tracks if track.note_count and not track.mute and track.id not in kits]
    found.sort(key=lambda track: -_height(song, track.id))
    drums = [track.id for track in song.tracks if track.id in kits and track.note_count]
    parts = [(families.get(track.instrument, "part"), [track.id]) for track in found]
    return [*parts, ("drums", drums)] if drums else parts


def by_voice(song: Song, palette: Palette, tune: TrackId, bass: TrackId) -> list[tuple[str, list[TrackId]]]:
    """Tune first, bass last, the others between them without a name; drums are left out."""
    kits = kit_tracks(song, palette)
    others = [track.id for track in song.tracks if track.note_count and not track.mute and track.id not in kits]
    others = [track for track in others if track not in (tune, bass)]
    others.sort(key=lambda track: -_height(song, track))
    return [("tune", [tune]), *((f"part {n}", [track]) for n, track in enumerate(others, 2)), ("bass", [bass])]


def _part(
    song: Song, notes: Sequence[Sounding], span: tuple[int, int], cells: int, *, accents: bool, drums: bool
) -> Iterator[str]:
    """The rows of one part, the highest first."""
    size = PPQ / cells
    start, end = song.bar_map.span(*span)
    width = round((end - start) / size)
    lines = [round((song.bar_map.start_of(bar) - start) / size) for bar in range(span[0] + 1, span[1] + 1)]
    loud = fmean(note.velocity for note in notes) + _LOUDER if notes else 0
    rows: dict[tuple[int, str], list[str]] = defaultdict(lambda: [" "] * width)
    for note in notes:
        at = round((note.start - start) / size)
        if not 0 <= at < width:
            continue
        row = rows[_row(note.pitch, drums=drums)]
        row[at] = "O" if accents and note.velocity >= loud else "o"
        until = at + 1 if drums else min(width, round((note.end - start) / size))
        for held in range(at + 1, until):
            row[held] = "-"
    for (_, name), row in sorted(rows.items(), reverse=True):
        edges = [0, *lines, width]
        bars = ("".join(row[a:b]) for a, b in pairwise(edges))
        yield f"{name:>6} |" + "|".join(bars) + "|"


def _row(pitch: int, *, drums: bool) -> tuple[int, str]:
    if not drums:
        return pitch, f"{_NAMES[pitch % 12]}{pitch // 12 - 1}"
    names = [name for name, keys in _DRUMS.items() if pitch in keys]
    return (-list(_DRUMS).index(names[0]), names[0]) if names else (-len(_DRUMS), "perc")


def _error(notes: Sequence[Sounding], cells: int) -> float:
    size = PPQ / cells
    return sum(abs(note.start / size - round(note.start / size)) * size for note in notes)


def _height(song: Song, track: TrackId) -> float:
    return fmean(note.pitch for note in sounding(song, {track}))
