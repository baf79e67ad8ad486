"""The figures of a song, on small songs whose figures are known."""

from __future__ import annotations

import msgspec
import pytest

from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import chord as named
from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, SectionId, TrackId
from agent.song.key import Key
from agent.song.palette import Instrument, Palette
from agent.song.song import Section, Song
from agent.song.time import Ticks
from agent.song.track import Track
from agent.theory.chords import progression
from agent.theory.description import describe
from agent.theory.harmony import bar_chords, root_agreement
from agent.theory.key_finding import find_key
from agent.theory.measures import (
    attacks_per_bar,
    key_of,
    mean_note_beats,
    onsets_per_bar,
    percussion_hits,
    sustained_share,
)
from agent.theory.melody import melody_line, melody_track, similarity
from agent.theory.sounding import kit_tracks, percussive_tracks, sounding
from agent.theory.voicing import voice

BEAT, BAR = 960, 3840
PALETTE = Palette(
    instruments=(
        Instrument("kit", "drums", "Kit", 0, 128),
        Instrument("lead", "lead", "Lead", 80, 0, 48, 96),
        Instrument("pad", "pad", "Pad", 89, 0, 36, 96),
        Instrument("bass", "bass", "Bass", 33, 0, 28, 67),
    )
)


def track(name: str, notes: list[tuple[int, float, float, int]], bars: int = 4) -> Track:
    """A track with one clip; notes as (pitch, beat, beats, velocity)."""
    made = tuple(
        Note(NoteId(f"{name}{i}"), pitch, Ticks(round(start * BEAT)), Ticks(round(length * BEAT)), velocity)
        for i, (pitch, start, length, velocity) in enumerate(notes)
    )
    clip = Clip(ClipId(f"c-{name}"), name, Ticks(0), Ticks(bars * BAR), made)
    return Track(TrackId(f"t-{name}"), name, name, clips=(clip,))


def band(numerals: str = "I V vi IV") -> Song:
    key = Key("C")
    pad, previous = [], None
    for bar, chord in enumerate(progression(numerals, key)):
        previous = voice(chord, 60, previous, 48, 76)
        pad += [(pitch, bar * 4, 4, 60 + bar) for pitch in previous]
    bass = [(36 + chord.root, bar * 4, 4, 90) for bar, chord in enumerate(progression(numerals, key))]
    lead = [(72 + step, i, 0.5, 70 + i) for i, step in enumerate([0, 2, 4, 7, 11, 7, 4, 2, 9, 7, 4, 0, 5, 4, 2, 0])]
    kit = [(36, beat, 0.25, 80 + beat) for beat in range(16)]
    return Song(
        key=key,
        tracks=tuple(track(*row) for row in (("pad", pad), ("bass", bass), ("lead", lead), ("kit", kit))),
    )


def without(song: Song, muted: str) -> Song:
    tracks = tuple(msgspec.structs.replace(one, mute=one.name == muted) for one in song.tracks)
    return msgspec.structs.replace(song, tracks=tracks)


def test_density_length_and_percussion() -> None:
    song = band()
    kits = kit_tracks(song, PALETTE)
    assert kits == {"t-kit"}
    assert onsets_per_bar(song) == (12 + 4 + 16 + 16) / 4
    assert attacks_per_bar(song) == 4
    assert mean_note_beats(song, kits) == pytest.approx((16 * 4 + 16 * 0.5) / 32)
    assert percussion_hits(song, percussive_tracks(song, PALETTE)) == 16


def test_muted_tracks_do_not_count() -> None:
    song = band()
    quiet = without(song, "kit")
    assert percussion_hits(quiet, percussive_tracks(quiet, PALETTE)) == 0
    assert len(sounding(song)) - len(sounding(quiet)) == 16


def test_sustained_cover_counts_bars_and_not_notes() -> None:
    song = Song(tracks=(track("pad", [(60, 0, 4, 80), (64, 0, 4, 80), (60, 4, 1.9, 80), (60, 8, 2, 80)]),))
    assert sustained_share(song, {TrackId("t-pad")}) == 0.5
    assert sustained_share(song, ()) == 0


@pytest.mark.parametrize(
    ("numerals", "key"),
    [
        ("I IV V I", Key("Eb")),
        ("i iv V i", Key("F#", "minor")),
        ("i IV i IV", Key("D", "dorian")),
        ("I bVII IV I", Key("G", "mixolydian")),
        ("I V vi IV", Key("A")),
    ],
)
def test_the_key_is_found_from_the_chords(numerals: str, key: Key) -> None:
    notes = [(48 + pc, bar * 4, 4, 80) for bar, c in enumerate(progression(numerals, key)) for pc in c.pitch_classes]
    found = key_of(Song(tracks=(track("pad", notes),)))
    assert found.key.pitch_class == key.pitch_class
    assert (found.key.mode == key.mode) or {found.key.mode, key.mode} == {"minor", "harmonic_minor"}
    assert 0 < found.confidence <= 1


def test_nothing_to_hear_has_no_sure_key() -> None:
    assert find_key([0.0] * 12).confidence == 0
    assert find_key([1.0] * 12).confidence == 0


def test_a_rooted_voicing_keeps_the_root_and_leaves_the_colour() -> None:
    ninth = named("Dm9")
    assert {pitch % 12 for pitch in voice(ninth, 60, voices=3, rooted=True)} == {2, 5, 0}
    assert 2 not in {pitch % 12 for pitch in voice(ninth, 60, voices=3)}


def test_a_stated_root_agrees_where_its_chord_may_be_heard() -> None:
    song = band("I V vi IV")
    kits = kit_tracks(song, PALETTE)

    def states(*symbols: str) -> Song:
        chords = tuple(ChordSymbol(Ticks(at * 4 * BEAT), Ticks(4 * BEAT), one) for at, one in enumerate(symbols))
        return msgspec.structs.replace(song, chords=chords)

    assert root_agreement(states("C", "G", "Am7", "F"), song, kits) == 1
    assert root_agreement(states("C", "D", "Am7", "Bb"), song, kits) == 0.5
    assert root_agreement(states("N.C.", "D", "Am7", "F"), song, kits) == pytest.approx(2 / 3)


def test_chords_of_bars_and_agreement() -> None:
    song = band("I V vi IV")
    kits = kit_tracks(song, PALETTE)
    assert [chord and chord.root for chord in bar_chords(song, kits)] == [0, 7, 9, 5]
    assert root_agreement(song, song, kits) == 1
    assert root_agreement(song, band("I V vi ii"), kits) == 0.75
    halved = band("I I V V vi vi IV IV")
    assert (
        root_agreement(
            band("I V vi IV"),
            msgspec.structs.replace(
                halved,
                tracks=(
                    track(
                        "bass",
                        [(n.pitch, n.start / BEAT, 4, 90) for n in sounding(halved, {TrackId("t-bass")})],
                        8,
                    ),
                ),
            ),
            kits,
        )
        == 1
    )


def test_melody_survives_transposition_stretching_and_repeats_but_not_replacement() -> None:
    song = band()
    assert melody_track(song, PALETTE) == "t-lead"
    line = melody_line(song, {TrackId("t-lead")})
    assert len(line) == 16
    slow = [(n.pitch + 5, n.start / BEAT * 2, 2, 80) for n in line]
    assert similarity(line, melody_line(Song(tracks=(track("x", slow, 8),)))) == pytest.approx(1)
    other = [(60 + i * i % 11, i, 1, 80) for i in range(16)]
    assert similarity(line, melody_line(Song(tracks=(track("x", other),)))) < 0.3


def test_the_top_voice_is_the_melody() -> None:
    chordal = Song(
        tracks=(track("x", [(60, 0, 1, 80), (64, 0, 1, 80), (72, 0, 1, 80), (55, 0.5, 0.5, 80), (74, 1, 1, 80)]),)
    )
    assert [note.pitch for note in melody_line(chordal)] == [72, 74]


def test_a_description_has_every_section_and_track() -> None:
    song = msgspec.structs.replace(
        band(),
        sections=(
            Section(SectionId("s1"), "A", Ticks(0), Ticks(2 * BAR)),
            Section(SectionId("s2"), "B", Ticks(2 * BAR), Ticks(2 * BAR)),
        ),
    )
    told = describe(song, PALETTE)
    assert [(s.name, s.first_bar, s.last_bar) for s in told.sections] == [("A", 1, 2), ("B", 3, 4)]
    assert sum(s.portrait.notes for s in told.sections) == told.whole.notes == 48
    assert told.whole.percussion_hits == 16
    assert told.whole.key_fit == 1
    assert told.seconds == 8
    assert [t.name for t in told.tracks if t.percussive] == ["kit"]
    assert describe(Song(), PALETTE).whole.notes == 0


def test_notes_that_sound_together_cover_a_bar_only_once() -> None:
    song = Song(tracks=(track("pad", [(60, 0, 1.5, 80), (64, 0.5, 1, 80), (67, 0.5, 0.2, 80)], bars=1),))
    assert sustained_share(song, {TrackId("t-pad")}) == 0


def test_octave_shifts_within_a_melody_keep_it() -> None:
    pitches = [60, 62, 64, 67, 71, 67, 64, 62]
    straight = Song(tracks=(track("x", [(pitch, i, 1, 80) for i, pitch in enumerate(pitches)]),))
    jumping = Song(tracks=(track("x", [(pitch + 12 * (i % 2), i, 1, 80) for i, pitch in enumerate(pitches)]),))
    assert similarity(melody_line(straight), melody_line(jumping)) == pytest.approx(1)


def test_a_pad_above_the_lead_is_not_the_melody() -> None:
    pad = track("pad", [(84, i * 4, 4, 70) for i in range(4)])
    tune = track("piano", [(60 + i, i, 1, 70) for i in range(16)])
    assert melody_track(Song(tracks=(pad, tune)), PALETTE) == "t-piano"
