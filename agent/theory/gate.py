"""The musical gate: hard checks on the notes of a song, each with where it failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator

from msgspec import Struct

from agent.song.clip import Clip, Note
from agent.song.palette import Family, Instrument, Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.measures import key_fit
from agent.theory.pitch import pitch_name
from agent.theory.sounding import kit_tracks, percussive_tracks, pitched

DRUM_LOW, DRUM_HIGH = 27, 87
KEY_FIT = 0.95
SHORTEST = 60
"""Ticks of a 1/64 note."""
VELOCITIES = 6
MANY_NOTES = 24
_UNPLAYED: frozenset[Family] = frozenset({"arp", "fx", "pad", "organ"})
"""Families that no hand strikes: even velocities are natural there."""


class Flaw(Struct, frozen=True):
    """A broken check: its rule's name, the track and clip concerned (or `song`), and a sentence."""

    rule: str
    where: str
    message: str


def findings(song: Song, palette: Palette, borrowed: Collection[int] = ()) -> tuple[Flaw, ...]:
    """All broken checks in the order of the song; empty means that the song passes.

    `borrowed` are pitch classes outside the key that declared chords bring in. In minor keys the raised
    seventh always counts as the key's own. Muted tracks are checked like the others, except for the key.
    """
    instruments = {instrument.name: instrument for instrument in palette.instruments}
    found: list[Flaw] = []
    for track in song.tracks:
        for check in _TRACK_CHECKS:
            found += check(song, track, instruments.get(track.instrument))
    found += _key(song, palette, borrowed)
    return tuple(found)


def _empty(_: Song, track: Track, __: Instrument | None) -> Iterator[Flaw]:
    if not track.clips:
        yield Flaw("empty track", track.name, f"track {track.name!r} has no clips")
    for clip in track.clips:
        if not clip.notes:
            yield Flaw("empty clip", _place(track, clip), f"clip {clip.name!r} has no notes")


def _overlap(_: Song, track: Track, __: Instrument | None) -> Iterator[Flaw]:
    for clip in track.clips:
        ends: dict[int, int] = {}
        clashes = 0
        for note in clip.notes:
            clashes += note.start < ends.get(note.pitch, 0)
            ends[note.pitch] = max(note.end, ends.get(note.pitch, 0))
        if clashes:
            message = f"{clashes} notes begin while the same pitch still sounds"
            yield Flaw("overlap", _place(track, clip), message)


def _range(_: Song, track: Track, instrument: Instrument | None) -> Iterator[Flaw]:
    if instrument is None:
        return
    low, high = (DRUM_LOW, DRUM_HIGH) if instrument.is_kit else (instrument.low, instrument.high)
    rule = "drum pitch" if instrument.is_kit else "range"
    for clip in track.clips:
        outside = [note.pitch for note in clip.notes if not low <= note.pitch <= high]
        if outside:
            names = ", ".join(pitch_name(pitch) for pitch in sorted(set(outside))[:4])
            message = f"{len(outside)} notes ({names}) lie outside {instrument.label}'s {low}-{high}"
            yield Flaw(rule, _place(track, clip), message)


def _short(_: Song, track: Track, __: Instrument | None) -> Iterator[Flaw]:
    for clip in track.clips:
        tiny = sum(note.duration < SHORTEST for note in clip.notes)
        if tiny:
            yield Flaw("short note", _place(track, clip), f"{tiny} notes are shorter than 1/64")


def _ending(song: Song, track: Track, _: Instrument | None) -> Iterator[Flaw]:
    """A track ends in the song's last bar, or where a section ends."""
    if not track.clips:
        return
    bar = song.bar_map.count(track.end)
    allowed = {song.bars, *(song.bar_map.count(section.end) for section in song.sections)}
    if bar not in allowed:
        message = f"track {track.name!r} ends in bar {bar}, the song in bar {song.bars}"
        yield Flaw("ending", track.name, message)


def _velocity(_: Song, track: Track, instrument: Instrument | None) -> Iterator[Flaw]:
    if instrument is None or instrument.family in _UNPLAYED:
        return
    notes: list[Note] = [note for clip in track.clips for note in clip.notes]
    different = len({note.velocity for note in notes})
    if len(notes) >= MANY_NOTES and different < VELOCITIES:
        message = f"{len(notes)} notes on {track.name!r} use {different} velocities, fewer than {VELOCITIES}"
        yield Flaw("velocity", track.name, message)


_TRACK_CHECKS: tuple[Callable[[Song, Track, Instrument | None], Iterator[Flaw]], ...] = (
    _empty, _overlap, _range, _short, _ending, _velocity,
)


def _key(song: Song, palette: Palette, borrowed: Collection[int]) -> Iterator[Flaw]:
    own = {(song.key.pitch_class + 11) % 12} if song.key.mode == "minor" else set()
    drums = percussive_tracks(song, palette) | kit_tracks(song, palette)
    notes = pitched(song, drums)
    share = key_fit(notes, song.key, own | set(borrowed))
    if share < KEY_FIT:
        strays: dict[str, int] = defaultdict(int)
        for note in notes:
            if key_fit([note], song.key, own | set(borrowed)) < 1:
                strays[pitch_name(note.pitch, song.key).rstrip("-0123456789")] += 1
        names = ", ".join(sorted(strays, key=lambda name: -strays[name])[:4])
        message = f"{share:.0%} of the notes are in {song.key}; the others are mostly {names}"
        yield Flaw("key", "song", message)


def _place(track: Track, clip: Clip) -> str:
    return f"{track.name} / {clip.name}"
