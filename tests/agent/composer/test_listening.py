"""Listening: the form, the feel, the key, the chords and the roles of a song as they are heard."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec import structs

from agent.composer.changing.hearing.feel_heard import feel_of
from agent.composer.changing.hearing.listening import hear, roles_of, sections_heard
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import Ticks, to_ticks
from agent.theory.chords import chord_symbol
from agent.theory.harmony import heard_chords


def song_of(*tracks, key=None):
    """A song of tracks: name, instrument, and notes as pitch, start and length in beats."""
    edits: list[e.Edit] = [e.SetKey(tonic=key.tonic, mode=key.mode)] if key else []
    for number, (name, instrument, notes) in enumerate(tracks):
        track = TrackId(f"t{number}")
        edits.append(e.CreateTrack(track_id=track, name=name, instrument=instrument))
        end = max(start + length for _, start, length in notes)
        specs = tuple(
            e.NoteSpec(p, to_ticks(s), to_ticks(d), 80 + n % 9, NoteId(f"n{number}x{n}"))
            for n, (p, s, d) in enumerate(notes)
        )
        edits.append(
            e.CreateMidiClip(
                clip_id=ClipId(f"c{number}"), track_id=track, start_time=Ticks(0), duration=to_ticks(end), notes=specs
            )
        )
    return apply_all(Song(), edits)


def chords(rows):
    return [(pitch, start, length) for start, length, pitches in rows for pitch in pitches]


@pytest.mark.parametrize("request_text", ["house", "lofi", "rock", "pop"])
def test_sections_are_heard_where_a_song_has_none(bench, request_text):
    song = bench.compose(request_text, 1)
    bare = structs.replace(song, sections=())
    heard = sections_heard(bare, bench.palette)
    assert heard[0].start == 0
    assert all(a.end == b.start for a, b in pairwise(heard))
    assert heard[-1].end == song.bar_map.start_of(song.bars + 1)
    assert {section.name for section in heard} <= {"Intro", "Verse", "Chorus", "Bridge", "Outro"}
    assert "Chorus" in {section.name for section in heard}
    edges = {int(section.start) for section in song.sections}
    found = {int(section.start) for section in heard}
    assert len(found & edges) >= 0.7 * len(found)
    assert sections_heard(bare, bench.palette) == heard


def test_sections_that_are_there_are_those_heard(bench):
    song = bench.compose("pop", 1)
    assert sections_heard(song, bench.palette) == song.sections
    assert sections_heard(Song(), bench.palette) == ()


def test_the_loudest_that_returns_is_the_chorus(bench):
    quiet = [((60, 62, 64, 67)[beat % 4], beat, 0.9) for part in (0, 64) for beat in range(part, part + 32)]
    high = (72, 74, 76, 79, 76, 74, 77, 74)
    loud = [(high[half % 8], half / 2, 0.4) for part in (64, 192) for half in range(part, part + 64)]
    drums = [(38, beat, 0.2) for part in (32, 96) for beat in range(part, part + 32)]
    song = song_of(("Tune", "lead_saw", quiet + loud), ("Drums", "kit_standard", drums))
    heard = sections_heard(song, bench.palette)
    assert [section.name for section in heard] == ["Verse", "Chorus", "Verse", "Chorus"]
    assert [song.bar_map.bar_at(section.start) for section in heard] == [1, 9, 17, 25]


@pytest.mark.parametrize(
    ("request_text", "grid", "swings"), [("jazz", 480, True), ("lofi", 240, True), ("techno", 240, False)]
)
def test_swing_is_heard(bench, request_text, grid, swings):
    feel = feel_of(bench.compose(request_text, 1))
    assert (feel.swing >= 0.15) == swings
    assert feel.grid == grid or not swings


def test_two_chords_in_a_bar_are_heard_and_one_is_not_split(bench):
    c, g, a, f = (48, 52, 55), (43, 47, 50), (45, 48, 52), (41, 45, 48)
    rows = [(0, 2, c), (2, 2, g), (4, 4, a), (8, 2, f), (10, 2, g)]
    song = song_of(("Piano", "piano_grand", chords(rows)))
    found = [(chord.start // 960, chord_symbol(chord.chord)) for chord in heard_chords(song)]
    assert found == [(0, "C"), (2, "G"), (4, "Am"), (8, "F"), (10, "G")]


def test_a_wrong_key_is_not_believed(bench, sample):
    song = bench.compose("a neoclassical piano piece in A minor", 1)
    for stated in (Key("C", "major"), Key("F#", "major")):
        heard = hear(structs.replace(song, key=stated), bench.palette, 100).key
        assert (heard.tonic, heard.mode in ("minor", "harmonic_minor")) == ("A", True)
    # a key that fits its notes is believed, although another would too
    assert hear(sample, bench.palette, 100).key == Key("A", "minor")


def test_roles_of_an_imported_song(bench):
    tune = [(72 + (0, 2, 4, 5, 4, 2)[n % 6], n, 0.9) for n in range(32)]
    second = [(64 + (0, -2, 0, 1)[n % 4], n, 0.9) for n in range(32)]
    low = [((43, 45, 48, 41)[n // 2 % 4], 2 * n, 1.8) for n in range(16)]
    beat = [(36, n, 0.1) for n in range(0, 32, 2)] + [(38, n, 0.1) for n in range(1, 32, 2)]
    beat += [(42, n / 2, 0.1) for n in range(64)]
    song = song_of(
        ("Violin", "strings_violin", tune), ("Viola", "strings_viola", second), ("Cello", "strings_cello", low),
        ("Track 10", "piano_grand", beat),
    )
    roles = {song.track(track).name: role for track, role in roles_of(song, bench.palette).items()}
    assert roles == {"Violin": "lead", "Viola": "counter", "Cello": "bass", "Track 10": "drums"}
