"""Listening to a song that exists: the role of each track, its key, chords and sections."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace

from agent.composer.roles import role_of_family
from agent.composer.styles import Role
from agent.composer.tones import Tone
from agent.composer.writing.frame import ChordSpan, Frame, Scene
from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.key import Key
from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.chords import Chord
from agent.theory.harmony import bar_chords
from agent.theory.key_finding import fit
from agent.theory.measures import key_of, pitch_histogram
from agent.theory.melody import melody_track
from agent.theory.sounding import kit_tracks

_BLOCK = 8
_TRUSTED_FIT = 0.85


@dataclass(frozen=True)
class Heard:
    """A song as the composer hears it."""

    song: Song
    key: Key
    roles: dict[TrackId, Role]
    chords: tuple[ChordSpan, ...]
    scenes: tuple[Scene, ...]
    frame: Frame

    def chords_in(self, start: int, end: int) -> list[ChordSpan]:
        """The chords of a stretch, cut to it."""
        return [
            replace(span, start=max(span.start, start), end=min(span.end, end))
            for span in self.chords
            if span.start < end and span.end > start
        ]


def hear(song: Song, palette: Palette, bpm: float) -> Heard:
    """Listen to a song with notes; `bpm` is the tempo that it will have."""
    kits = kit_tracks(song, palette)
    key = song.key if fit(song.key, pitch_histogram(song, kits)) >= _TRUSTED_FIT else key_of(song, kits).key
    chords = _chords(song, kits, key)
    bar = song.meters[0].bar_length
    frame = Frame(key, bpm, bar, 0.0, 240)
    return Heard(song, key, roles_of(song, palette), chords, _scenes(song, chords), frame)


def roles_of(song: Song, palette: Palette) -> dict[TrackId, Role]:
    """What each track does, by its instrument's family, its register and how many notes it plays at once."""
    singer = melody_track(song, palette)
    known = {instrument.name: instrument for instrument in palette.instruments}
    return {track.id: _role(track, known.get(track.instrument), track.id == singer) for track in song.tracks}


def tones_of(clip: Clip) -> tuple[Tone, ...]:
    """A clip's notes in song time."""
    return tuple(sorted(Tone(clip.start + n.start, n.pitch, n.duration, n.velocity) for n in clip.notes))


def top_line(tones: Iterable[Tone]) -> list[Tone]:
    """The highest note of each onset, where no longer and higher one covers it."""
    line: list[Tone] = []
    for tone in sorted(tones):
        if line and line[-1].start == tone.start:
            line[-1] = max(line[-1], tone, key=lambda one: one.pitch)
        elif not (line and line[-1].pitch > tone.pitch and 2 * (line[-1].end - tone.start) > tone.length):
            line.append(tone)
    return line


def _role(track: Track, instrument: Instrument | None, sings: bool) -> Role:
    notes = [note for clip in track.clips for note in clip.notes]
    family = instrument.family if instrument is not None else "keys"
    if family in ("drums", "percussion"):
        return "percussion" if family == "percussion" else "drums"
    if not notes:
        return role_of_family(family)
    mean = sum(note.pitch for note in notes) / len(notes)
    starts = len({(clip.id, note.start) for clip in track.clips for note in clip.notes})
    together = len(notes) / starts
    if family == "bass" or (mean < 46 and together < 1.5):
        return "bass"
    if sings:
        return "lead"
    if together >= 1.8:
        return "pad" if family in ("pad", "strings", "choir") else "chords"
    usual = role_of_family(family)
    return "arp" if usual in ("chords", "arp") else usual


def _chords(song: Song, kits: frozenset[TrackId], key: Key) -> tuple[ChordSpan, ...]:
    spans: list[ChordSpan] = []
    last = Chord(key.pitch_class, "min" if key.mode in ("minor", "dorian", "phrygian") else "maj")
    for number, found in enumerate(bar_chords(song, kits), 1):
        last = found or last
        start, end = song.bar_map.span(number, number)
        if spans and spans[-1].chord == last:
            spans[-1] = replace(spans[-1], end=int(end))
        else:
            spans.append(ChordSpan(int(start), int(end), last))
    return tuple(spans)


def _scenes(song: Song, chords: tuple[ChordSpan, ...]) -> tuple[Scene, ...]:
    """Stretches of at most eight bars, cut at sections and meter changes."""
    bars = song.bar_map
    cuts = {1, song.bars + 1, *(bars.bar_at(change.at) for change in song.meters)}
    cuts |= {bars.bar_at(section.start) for section in song.sections}
    edges = sorted(cut for cut in cuts if 1 <= cut <= song.bars + 1)
    scenes: list[Scene] = []
    for first, following in itertools.pairwise(edges):
        for begin in range(first, following, _BLOCK):
            last = min(following, begin + _BLOCK) - 1
            start, end = bars.span(begin, last)
            inside = tuple(span for span in chords if span.start < end and span.end > start)
            if end > start and inside:
                bar = bars.meter_at(start).bar_length
                scenes.append(
                    Scene(f"Bars {begin}-{last}", len(scenes), start, last - begin + 1, bar, 0.6, "a", (), inside)
                )
    return tuple(scenes)
