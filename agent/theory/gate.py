"""The musical gate: hard checks on the notes of a song, each with where it failed; and softer remarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from msgspec import Struct

from agent.song.clip import Clip, Note
from agent.song.ids import TrackId
from agent.song.palette import Family, Instrument, Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.measures import key_of
from agent.theory.pitch import class_name, pitch_name
from agent.theory.playing import plays_drums, was_played
from agent.theory.sounding import Sounding, kit_tracks, percussive_tracks, pitched
from agent.theory.tonality import scale_classes, strays, strays_of_tracks

DRUM_LOW, DRUM_HIGH = 27, 87
SONG_FIT, TRACK_FIT, STATED_FIT = 0.92, 0.9, 0.6
"""Least share of notes that do not stray, in the song and in a track; and of a quarter of them in the stated key."""
TRACK_NOTES, STATED_NOTES = 8, 4
"""Notes that a track needs to be judged for its key, and a song for the key that it states."""
SHORTEST = 60
"""Ticks of a 1/64 note."""
FEW = 0.1
"""Share of a clip's notes that may be very short (grace notes), or well outside an instrument's range."""
WELL, FAR = 7, 12
"""Semitones outside the usual range: few notes may lie further than the first, none further than the other."""
VELOCITIES = 6
MANY_NOTES = 24
SILENT_DB = -60.0
_UNPLAYED: frozenset[Family] = frozenset({"arp", "fx", "pad", "organ"})
"""Families that no hand strikes: even velocities are natural there."""


class Flaw(Struct, frozen=True):
    """A broken check: its rule's name, `where` it is (the track and clip, or `song`), a sentence, and the first bar,
    None for the whole."""

    rule: str
    where: str
    message: str
    bar: int | None = None


Check = Callable[[Song, Track, Instrument | None], Iterator[Flaw]]


def findings(song: Song, palette: Palette, borrowed: Collection[int] = ()) -> tuple[Flaw, ...]:
    """All broken checks in the order of the song; empty means that the song passes.

    `borrowed` are pitch classes outside the key that declared chords bring in. Muted tracks are checked like
    the others, except for the key.
    """
    checks = [_empty, _silent, _overlap, _range, _short, _drums]
    if _has_form(song):
        checks.append(partial(_ending, _ends(song)))
    if was_played(song, palette):
        checks.append(_velocity)
    return (*_over_tracks(song, palette, checks), *_key(song, palette, borrowed))


def remarks(song: Song, palette: Palette) -> tuple[Flaw, ...]:
    """Facts about a song that a musician may want to know, and that are no faults: real music has them too."""
    checks = [_muted, _stray_range]
    if not _has_form(song):
        checks.append(partial(_ending, _ends(song)))
    if not was_played(song, palette):
        checks.append(_velocity)
    return tuple(_over_tracks(song, palette, checks))


def _over_tracks(song: Song, palette: Palette, checks: Sequence[Check]) -> Iterator[Flaw]:
    instruments = {instrument.name: instrument for instrument in palette.instruments}
    for track in song.tracks:
        for check in checks:
            yield from check(song, track, instruments.get(track.instrument))


def _empty(song: Song, track: Track, _: Instrument | None) -> Iterator[Flaw]:
    if not track.clips:
        yield Flaw("empty track", track.name, f"track {track.name!r} has no clips")
    for clip in track.clips:
        if not clip.notes:
            message = f"clip {clip.name!r} has no notes"
            yield Flaw("empty clip", _place(track, clip), message, song.bar_map.bar_at(clip.start))


def _silent(_: Song, track: Track, __: Instrument | None) -> Iterator[Flaw]:
    moved = any(lane.target == "volume_db" for lane in track.automation)
    if track.clips and track.volume_db <= SILENT_DB and not moved:
        message = f"track {track.name!r} plays at {track.volume_db:g} dB, which nobody hears"
        yield Flaw("silent track", track.name, message)


def _muted(_: Song, track: Track, __: Instrument | None) -> Iterator[Flaw]:
    if track.mute:
        yield Flaw("muted", track.name, f"track {track.name!r} is muted")


def _overlap(song: Song, track: Track, _: Instrument | None) -> Iterator[Flaw]:
    for clip in track.clips:
        if clashes := clashing(clip):
            message = f"{_notes(len(clashes))} {_verb(len(clashes), 'begin')} while the same pitch still sounds"
            yield Flaw("overlap", _place(track, clip), message, _bar(song, clip, clashes))


def _range(song: Song, track: Track, instrument: Instrument | None) -> Iterator[Flaw]:
    if instrument is None:
        return
    rule = "drum pitch" if instrument.is_kit else "range"
    for clip in track.clips:
        outside = outside_range(clip, instrument)
        low, high = span(instrument)
        well, far = (
            [note for note in outside if not low - reach <= note.pitch <= high + reach] for reach in (WELL, FAR)
        )
        if far or len(well) > FEW * len(clip.notes) or (instrument.is_kit and outside):
            yield _range_flaw(rule, song, track, clip, instrument, outside)


def _stray_range(song: Song, track: Track, instrument: Instrument | None) -> Iterator[Flaw]:
    """Few notes a little outside the range, which `_range` lets pass."""
    if instrument is None or any(_range(song, track, instrument)):
        return
    for clip in track.clips:
        if outside := outside_range(clip, instrument):
            yield _range_flaw("range", song, track, clip, instrument, outside)


def clashing(clip: Clip) -> list[Note]:
    """Notes of a clip that begin while a note of the same pitch still sounds."""
    ends: dict[int, int] = {}
    clashes = []
    for note in clip.notes:
        if note.start < ends.get(note.pitch, 0):
            clashes.append(note)
        ends[note.pitch] = max(note.end, ends.get(note.pitch, 0))
    return clashes


def outside_range(clip: Clip, instrument: Instrument) -> list[Note]:
    """Notes that the instrument cannot play: outside its range, or for a kit on keys without a drum."""
    low, high = span(instrument)
    return [note for note in clip.notes if not low <= note.pitch <= high]


def span(instrument: Instrument) -> tuple[int, int]:
    """(lowest, highest) MIDI pitch of an instrument, both included."""
    return (DRUM_LOW, DRUM_HIGH) if instrument.is_kit else (instrument.low, instrument.high)


def _range_flaw(
    rule: str, song: Song, track: Track, clip: Clip, instrument: Instrument, outside: Sequence[Note]
) -> Flaw:
    names = ", ".join(pitch_name(pitch) for pitch in sorted({note.pitch for note in outside})[:4])
    low, high = (pitch_name(pitch) for pitch in span(instrument))
    many = len(outside)
    message = f"{_notes(many)} ({names}) {_verb(many, 'lie')} outside {instrument.label}'s {low} to {high}"
    return Flaw(rule, _place(track, clip), message, _bar(song, clip, outside))


def _short(song: Song, track: Track, instrument: Instrument | None) -> Iterator[Flaw]:
    """A drum sounds as long as it sounds; grace notes are few."""
    if instrument is not None and instrument.is_kit:
        return
    for clip in track.clips:
        tiny = [note for note in clip.notes if note.duration < SHORTEST]
        if len(tiny) > FEW * len(clip.notes):
            message = f"{_notes(len(tiny))} {'is' if len(tiny) == 1 else 'are'} shorter than 1/64"
            yield Flaw("short note", _place(track, clip), message, _bar(song, clip, tiny))


def _has_form(song: Song) -> bool:
    """Whether sections say where a track may end; a file's remarks, all at its start, do not."""
    return len({section.start for section in song.sections}) > 1


def _ends(song: Song) -> frozenset[int]:
    """Bars in which a track may end: one of the song's last two, or where a section ends."""
    return frozenset({song.bars, song.bars - 1, *(song.bar_map.count(section.end) for section in song.sections)})


def _ending(allowed: Collection[int], song: Song, track: Track, _: Instrument | None) -> Iterator[Flaw]:
    """A track ends in one of the song's last two bars, or where a section ends."""
    if not track.clips:
        return
    bar = song.bar_map.count(track.end)
    if bar not in allowed:
        message = f"track {track.name!r} ends in bar {bar}, the song in bar {song.bars}"
        yield Flaw("ending", track.name, message, bar)


def _velocity(_: Song, track: Track, instrument: Instrument | None) -> Iterator[Flaw]:
    if instrument is None or instrument.family in _UNPLAYED:
        return
    notes: list[Note] = [note for clip in track.clips for note in clip.notes]
    different = len({note.velocity for note in notes})
    if len(notes) >= MANY_NOTES and different < VELOCITIES:
        used = "one velocity" if different == 1 else f"{different} velocities"
        message = f"{len(notes)} notes on {track.name!r} use {used}, fewer than {VELOCITIES}"
        yield Flaw("velocity", track.name, message)


def _drums(_: Song, track: Track, instrument: Instrument | None) -> Iterator[Flaw]:
    if instrument is not None and instrument.family not in ("drums", "percussion") and plays_drums(track):
        message = f"{track.name!r} holds a drum part, but {instrument.label} plays it; drums belong on channel 10"
        yield Flaw("drum channel", track.name, message)


def _key(song: Song, palette: Palette, borrowed: Collection[int]) -> Iterator[Flaw]:
    """Tracks that play in another key than the rest, else a song that is in no key, or not in the one it states."""
    drums = percussive_tracks(song, palette) | kit_tracks(song, palette)
    drums |= {track.id for track in song.tracks if plays_drums(track)}
    names = {track.id: track.name for track in song.tracks}
    whole = strays(song, drums, borrowed)
    alone = [
        (names[track], found)
        for track, found in strays_of_tracks(song, drums, borrowed).items()
        if found.notes >= TRACK_NOTES and found.fit < TRACK_FIT
    ]
    for name, found in alone:
        message = f"{1 - found.fit:.0%} of the notes of {name!r} stray from the key around them"
        yield Flaw("key", name, f"{message}, mostly {_strays(found.found, song)}", found.bar)
    if not alone and whole.fit < SONG_FIT:
        message = f"{1 - whole.fit:.0%} of the notes stray from the key around them"
        yield Flaw("key", "song", f"{message}, mostly {_strays(whole.found, song)}", whole.bar)
    if not alone:
        yield from _stated(song, drums, borrowed)


def _stated(song: Song, drums: Collection[TrackId], borrowed: Collection[int]) -> Iterator[Flaw]:
    """A song may leave its key for long, but some quarter of its notes must be in it."""
    notes = pitched(song, drums)
    if len(notes) < STATED_NOTES:
        return
    home = scale_classes(song.key, borrowed)
    quarter = -(-len(notes) // 4)
    parts = [notes[at : at + quarter] for at in range(0, len(notes), quarter)]
    share = max(sum(note.pitch % 12 in home for note in part) / len(part) for part in parts)
    if share < STATED_FIT:
        found = key_of(song, drums).key
        message = f"the song says {song.key}, which holds at most {share:.0%} of the notes; they are in {found}"
        yield Flaw("stated key", "song", message)


def _strays(notes: Sequence[Sounding], song: Song) -> str:
    counted = Counter(class_name(note.pitch, song.key) for note in notes)
    return ", ".join(name for name, _ in counted.most_common(3))


def _bar(song: Song, clip: Clip, notes: Sequence[Note]) -> int:
    return song.bar_map.bar_at(clip.start + min(note.start for note in notes))


def _notes(count: int) -> str:
    return f"{count} note" if count == 1 else f"{count} notes"


def _verb(count: int, verb: str) -> str:
    return f"{verb}s" if count == 1 else verb


def _place(track: Track, clip: Clip) -> str:
    return f"{track.name} / {clip.name}"
