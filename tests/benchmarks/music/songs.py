"""The sample songs that are to be changed: written by hand, composed with fixed seeds, and read from MIDI files."""

from __future__ import annotations

import importlib.util
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import mido

from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import ClipId, Kind, NoteId, SectionId, TrackId, derive
from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import PPQ, Ticks, to_ticks
from app.exchange.errors import ExchangeError
from app.exchange.midi_in import import_midi, song_from_midi

Row = tuple[int, float, float, int]
"""Pitch, start and length in beats, velocity."""
COMPOSED: Mapping[str, tuple[str, int]] = {
    "house": ("a house track in A minor at 124 bpm, 32 bars", 3),
    "pop": ("a pop song in G major at 100 bpm, 32 bars, with piano", 1),
    "jazz": ("a jazz trio in F major at 120 bpm, 32 bars", 1),
    "rock": ("a rock song in E minor at 128 bpm, 32 bars", 5),
}
_CORPUS_SCRIPT = """
import sys
from music21 import corpus
corpus.parse("bach/bwv269").write("midi", fp=sys.argv[1])
"""


def sample_songs(palette: Palette, compose: Callable[[str, int], Song]) -> dict[str, Song]:
    """All of them, by the name that the changes use."""
    songs = {name: compose(request, seed) for name, (request, seed) in COMPOSED.items()}
    return {"loop": loop(), "band": band(), **songs, "folk": folk(palette), "chorale": chorale(palette)}


def loop() -> Song:
    """Eight bars of A minor at 112 BPM: drums, bass, chords and a lead, without sections."""
    tune = (
        (76, 0, 0.5), (74, 0.5, 0.5), (72, 1, 1), (69, 2, 1), (72, 3, 0.5), (74, 3.5, 0.5), (72, 4, 1),
        (69, 5, 0.5), (65, 5.5, 0.5), (69, 6, 2), (67, 8, 0.5), (72, 8.5, 0.5), (76, 9, 1), (79, 10, 1.5),
        (76, 11.5, 0.5), (74, 12, 1), (71, 13, 1), (67, 14, 1.5),
    )
    chords = ((57, 60, 64), (57, 60, 65), (55, 60, 64), (55, 59, 62))
    parts: dict[tuple[str, str], list[Row]] = {
        ("Drums", "kit_standard"): beat(range(8)),
        ("Bass", "bass_finger"): eighths((33, 41, 36, 43), range(8)),
        ("Chords", "piano_grand"): struck(chords, range(8)),
        ("Lead", "lead_saw"): [(p, s + at, d, 90 + n % 9) for at in (0, 16) for n, (p, s, d) in enumerate(tune)],
    }
    return built("Loop", parts, 8, bpm=112, key=Key("A", "minor"), clip_bars=4)


def band() -> Song:
    """Forty bars of G major at 104 BPM with named sections: drums, bass, piano, strings and a lead."""
    verse = ((55, 59, 62), (52, 55, 59), (60, 64, 67), (57, 62, 66))
    chorus = ((60, 64, 67), (57, 62, 66), (55, 59, 62), (52, 55, 59))
    low = {verse: (43, 40, 36, 38), chorus: (36, 38, 43, 40)}
    sung = (
        (71, 0, 1), (74, 1, 0.5), (72, 1.5, 0.5), (71, 2, 2), (67, 4, 1), (69, 5, 0.5), (71, 5.5, 0.5), (67, 6, 1.5),
        (64, 8, 1), (67, 9, 1), (72, 10, 1), (71, 11, 1), (69, 12, 1.5), (66, 13.5, 0.5), (69, 14, 2),
    )
    high = (
        (79, 0, 1.5), (76, 1.5, 0.5), (72, 2, 1), (76, 3, 1), (78, 4, 1), (74, 5, 1), (69, 6, 2), (74, 8, 0.5),
        (76, 8.5, 0.5), (79, 9, 1), (83, 10, 2), (79, 12, 1), (76, 13, 1), (71, 14, 2),
    )
    verses, choruses = (range(4, 12), range(20, 28)), (range(12, 20), range(28, 36))
    drums = [row for bars in (*verses, *choruses) for row in beat(bars, lively=bars in choruses)]
    lead = [
        (p, bars.start * 4 + at + s, d, 84 + (n * 5) % 13 + 6 * (bars in choruses))
        for bars in (*verses, *choruses) for at in (0, 16)
        for n, (p, s, d) in enumerate(high if bars in choruses else sung)
    ]
    all_ = (range(4), *verses, *choruses, range(36, 40))
    parts: dict[tuple[str, str], list[Row]] = {
        ("Drums", "kit_standard"): drums,
        ("Bass", "bass_finger"): [
            row for bars in all_[1:] for row in eighths(low[chorus if bars in choruses else verse], bars, 1)
        ],
        ("Piano", "piano_grand"): [
            row for bars in all_ for row in struck(chorus if bars in choruses else verse, bars, 1)
        ],
        ("Strings", "strings_ensemble"): [
            (pitch + 12, bar * 4, 4, 58 + (bar * 5 + pitch) % 11)
            for bars in choruses for bar in bars for pitch in chorus[bar % 4][:2]
        ],
        ("Lead", "lead_square"): lead,
    }
    form = (("Intro", 4), ("Verse", 8), ("Chorus", 8), ("Verse 2", 8), ("Chorus 2", 8), ("Outro", 4))
    return built("Band", parts, 40, bpm=104, key=Key("G"), clip_bars=4, form=form)


def folk(palette: Palette) -> Song:
    """A song of the people in D dorian and 3/4 for piano, as a notation program writes it: even, without a key."""
    tune = (
        (74, 2), (74, 1), (81, 2), (81, 1), (76, 1.5), (77, 0.5), (76, 1), (74, 3),
        (81, 2), (84, 1), (86, 2), (84, 1), (81, 1), (83, 1), (79, 1), (81, 3),
        (86, 2), (86, 1), (86, 2), (84, 1), (81, 2), (81, 1), (79, 1), (77, 1), (76, 1), (72, 3),
        (74, 2), (81, 1), (79, 2), (77, 1), (76, 1), (74, 1), (72, 1), (74, 3),
    )
    bars = ((50, 57, 65), (50, 57, 65), (48, 55, 64), (50, 57, 65), (53, 60, 69), (50, 57, 65), (55, 59, 67),
            (50, 57, 65), (50, 57, 65), (53, 60, 69), (50, 57, 65), (48, 55, 64), (48, 55, 64), (50, 57, 65),
            (48, 55, 64), (50, 57, 65), (50, 57, 65))
    right, at = [], 0.0
    for pitch, length in tune:
        right.append((pitch, at, length))
        at += length
    left = [
        (pitch, 3 * bar + beat_, 1.0) for bar, chord in enumerate(bars[: int(at / 3)]) for beat_ in range(3)
        for pitch in (chord[:1] if beat_ == 0 else chord[1:])
    ]
    return song_from_midi(_smf(right, left), "folk.mid", palette).song


def chorale(palette: Palette) -> Song:
    """A chorale of Bach out of music21's corpus (from PyPI) where a Python has it; else four voices of our own."""
    python = os.environ.get("MUSIC21_PYTHON") or (importlib.util.find_spec("music21") and sys.executable)
    if python:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "chorale.mid"
            run = subprocess.run([str(python), "-c", _CORPUS_SCRIPT, str(path)], capture_output=True)
            try:
                return import_midi(path, palette).song
            except ExchangeError as error:
                print(f"music21's chorale is not read ({error}; {run.returncode}); four voices of our own instead")
    soprano = (67, 67, 69, 71, 72, 71, 69, 67, 71, 72, 74, 74, 72, 71, 69, 71, 74, 72, 71, 69, 67, 69, 66, 67)
    alto = (62, 64, 62, 62, 64, 62, 62, 62, 67, 67, 66, 67, 64, 67, 66, 67, 67, 64, 67, 64, 64, 64, 62, 62)
    tenor = (59, 60, 57, 55, 55, 55, 54, 59, 62, 60, 57, 59, 60, 62, 57, 62, 59, 57, 62, 60, 60, 60, 57, 59)
    bass = (43, 48, 54, 55, 48, 43, 50, 43, 43, 52, 50, 43, 45, 43, 50, 43, 43, 45, 43, 48, 52, 48, 50, 43)
    voices = [[(pitch, float(n), 1.0) for n, pitch in enumerate(voice)] for voice in (soprano, alto, tenor, bass)]
    return song_from_midi(_smf(*voices, beats=4), "chorale.mid", palette).song


def beat(bars: range, *, lively: bool = False) -> list[Row]:
    """Kick, snare and hi-hat; `lively` adds kicks on the last offbeat."""
    rows: list[Row] = []
    for bar in bars:
        rows += [(36, bar * 4 + at, 0.25, 100 - at) for at in (0, 2)]
        rows += [(38, bar * 4 + at, 0.25, 95 + bar % 3) for at in (1, 3)]
        rows += [(42, bar * 4 + half / 2, 0.2, 66 + (bar + half) % 7) for half in range(8)]
        rows += [(36, bar * 4 + 3.5, 0.25, 84)] if lively else []
    return rows


def eighths(roots: Sequence[int], bars: range, each: int = 1) -> list[Row]:
    """A bass of eighths on roots that hold for `each` bars."""
    return [
        (roots[bar // each % len(roots)], bar * 4 + half / 2, 0.4, 84 + (3 * bar + half) % 9)
        for bar in bars for half in range(8)
    ]


def struck(chords: Sequence[Sequence[int]], bars: range, each: int = 1) -> list[Row]:
    """Chords in quarters, each for `each` bars."""
    return [
        (pitch, bar * 4 + at, 0.9, 74 + (bar + 2 * at) % 8)
        for bar in bars for at in range(4) for pitch in chords[bar // each % len(chords)]
    ]


def built(
    name: str, parts: Mapping[tuple[str, str], list[Row]], bars: int, *, bpm: float, key: Key,
    clip_bars: int, form: Sequence[tuple[str, int]] = (),
) -> Song:
    """A song of parts by (name, instrument), cut into clips of so many bars in 4/4."""
    edits: list[e.Edit] = [e.SetTempo(bpm=bpm), e.SetKey(tonic=key.tonic, mode=key.mode)]
    at = 0
    for number, (section, length) in enumerate(form):
        place = Ticks(at * 4 * PPQ)
        made = SectionId(derive(Kind.SECTION, name, number))
        edits.append(e.AddSection(section_id=made, name=section, start_time=place, duration=Ticks(length * 4 * PPQ)))
        at += length
    for (part, instrument), rows in parts.items():
        track = TrackId(derive(Kind.TRACK, name, part))
        edits.append(e.CreateTrack(track_id=track, name=part, instrument=instrument))
        edits += [
            clip for first in range(0, bars, clip_bars)
            if (clip := _clip(name, part, track, rows, first, clip_bars)) is not None
        ]
    return apply_all(Song(name=name), edits)


def _clip(song: str, part: str, track: TrackId, rows: list[Row], first: int, bars: int) -> e.CreateMidiClip | None:
    inside = [row for row in rows if first * 4 <= row[1] < (first + bars) * 4]
    notes = tuple(
        e.NoteSpec(p, to_ticks(s - first * 4), to_ticks(d), v, NoteId(derive(Kind.NOTE, song, part, first, n)))
        for n, (p, s, d, v) in enumerate(inside)
    )
    return None if not notes else e.CreateMidiClip(
        clip_id=ClipId(derive(Kind.CLIP, song, part, first)), track_id=track, start_time=Ticks(first * 4 * PPQ),
        duration=Ticks(bars * 4 * PPQ), notes=notes, name=f"{part} {first // bars + 1}",
    )


def _smf(*voices: Sequence[tuple[int, float, float]], beats: int = 3) -> bytes:
    """A file of piano voices (pitch, start and length in beats), a channel each, all at velocity 80."""
    file = mido.MidiFile(type=1, ticks_per_beat=480)
    head = mido.MidiTrack()
    head += [mido.MetaMessage("time_signature", numerator=beats, denominator=4), mido.MetaMessage("end_of_track")]
    file.tracks.append(head)
    for channel, voice in enumerate(voices):
        events = [(round(s * 480), 1, pitch) for pitch, s, _ in voice]
        events += [(round((s + d) * 480) - 8, 0, pitch) for pitch, s, d in voice]
        track, now = mido.MidiTrack(), 0
        for at, on, pitch in sorted(events):
            kind = "note_on" if on else "note_off"
            track.append(mido.Message(kind, note=pitch, velocity=80, channel=channel, time=at - now))
            now = at
        file.tracks.append(track)
    out = io.BytesIO()
    file.save(file=out)
    return out.getvalue()
