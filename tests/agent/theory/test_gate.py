"""The gate's checks one by one, on a small band: each fault has its own name and place."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, SectionId, TrackId
from agent.song.key import Key
from agent.song.palette import Instrument, Palette
from agent.song.song import Section, Song
from agent.song.time import Ticks
from agent.song.track import Track
from agent.theory.chords import progression
from agent.theory.gate import findings, remarks
from agent.theory.voicing import voice

BEAT, BAR = 960, 3840
LOOSE = (0.0, 0.011, -0.007, 0.004)
PALETTE = Palette(
    instruments=(
        Instrument("kit", "drums", "Kit", 0, 128),
        Instrument("lead", "lead", "Lead", 80, 0, 48, 96),
        Instrument("pad", "pad", "Pad", 89, 0, 36, 96),
        Instrument("bass", "bass", "Bass", 33, 0, 28, 67),
    )
)
SECTIONS = (
    Section(SectionId("s1"), "A", Ticks(0), Ticks(2 * BAR)),
    Section(SectionId("s2"), "B", Ticks(2 * BAR), Ticks(2 * BAR)),
)


def track(name: str, notes: Sequence[tuple[int, float, float, int]], bars: int = 4) -> Track:
    """A track with one clip; notes as (pitch, beat, beats, velocity)."""
    made = tuple(
        Note(NoteId(f"{name}{i}"), pitch, Ticks(round(start * BEAT)), Ticks(round(length * BEAT)), velocity)
        for i, (pitch, start, length, velocity) in enumerate(notes)
    )
    clip = Clip(ClipId(f"c-{name}"), name, Ticks(0), Ticks(bars * BAR), made)
    return Track(TrackId(f"t-{name}"), name, name, clips=(clip,))


def band(numerals: str = "I V vi IV", *, kit: bool = True) -> Song:
    key = Key("C")
    pad, previous = [], None
    for bar, chord in enumerate(progression(numerals, key)):
        previous = voice(chord, 60, previous, 48, 76)
        pad += [(pitch, bar * 4, 4, 60 + bar) for pitch in previous]
    bass = [
        (36 + chord.root, bar * 4 + half, 2, 90 + half)
        for bar, chord in enumerate(progression(numerals, key)) for half in (0, 2)
    ]
    lead = [(72 + step, i, 0.5, 70 + i) for i, step in enumerate([0, 2, 4, 7, 11, 7, 4, 2, 9, 7, 4, 0, 5, 4, 2, 0])]
    drums = [(36, beat, 0.25, 80 + beat) for beat in range(16)]
    rows = [("pad", pad), ("bass", bass), ("lead", lead), *([("kit", drums)] if kit else [])]
    return Song(key=key, tracks=tuple(track(*row) for row in rows))


def rules(song: Song) -> list[str]:
    return [flaw.rule for flaw in findings(song, PALETTE)]


def plus(song: Song, *more: Track) -> Song:
    return msgspec.structs.replace(song, tracks=(*song.tracks, *more))


def test_a_sound_song_passes() -> None:
    assert findings(band(), PALETTE) == ()
    assert remarks(band(), PALETTE) == ()


@pytest.mark.parametrize(
    ("rule", "where", "bar", "bad"),
    [
        ("empty track", "x", None, Track(TrackId("t-x"), "x", "lead")),
        ("empty clip", "lead / lead", 1, track("lead", [])),
        ("silent track", "lead", None, msgspec.structs.replace(track("lead", [(60, 0, 1, 80)]), volume_db=-80.0)),
        ("overlap", "lead / lead", 3, track("lead", [(60, 8, 2, 80), (60, 9, 1, 80)])),
        ("drum pitch", "kit / kit", 2, track("kit", [(36, 0, 1, 80), (20, 4, 1, 80)])),
        ("range", "bass / bass", 4, track("bass", [(40, 0, 1, 80), (90, 12, 1, 80)])),
        ("short note", "lead / lead", 1, track("lead", [(60, 0, 0.05, 80)])),
        ("velocity", "lead", None, track("lead", [(60, i / 2, 0.5, 100) for i in range(30)])),
        ("key", "lead", 1, track("lead", [(60 + 6 * (i % 2), i / 2, 0.5, 60 + i) for i in range(30)])),
        ("drum channel", "pad", None, track("pad", [(36 + 2 * (i % 4), i / 2 // 1, 0.2, 60 + i) for i in range(32)])),
    ],
)
def test_a_fault_has_its_own_name_and_place(rule: str, where: str, bar: int | None, bad: Track) -> None:
    found = findings(plus(band(), bad), PALETTE)
    assert [(flaw.rule, flaw.where, flaw.bar) for flaw in found] == [(rule, where, bar)]


def test_borrowed_chords_and_passing_notes_are_music() -> None:
    borrowed = band("I bVI IV iv")
    assert "key" in rules(borrowed)
    assert findings(borrowed, PALETTE, borrowed=(8, 3)) == ()
    run = [(60 + step, step / 4, 0.25, 60 + step) for step in range(24)]
    assert rules(plus(band(), track("lead", run))) == []


def test_a_song_may_move_to_another_key() -> None:
    home = [(60 + step, i, 1, 60 + i) for i, step in enumerate([0, 4, 7, 4] * 8)]
    away = [(66 + step, 32 + i, 1, 60 + i) for i, step in enumerate([0, 4, 7, 4] * 8)]
    low = [(pitch - 24, start, 1, velocity) for pitch, start, _, velocity in (*home, *away)][::2]
    song = Song(key=Key("C"), tracks=(track("lead", home + away, 16), track("bass", low, 16)))
    assert rules(song) == []


def test_notes_at_random_are_in_no_key() -> None:
    chance = Random(1)
    notes = [(60 + chance.randrange(24), i / 2, 0.5, 60 + i % 20) for i in range(64)]
    assert rules(Song(tracks=(track("lead", notes, 8),))) == ["key"]


def test_a_key_that_the_notes_deny_is_told() -> None:
    song = msgspec.structs.replace(band(), key=Key("F#"))
    assert rules(song) == ["stated key"]
    assert "C major" in findings(song, PALETTE)[0].message


def test_a_score_need_not_say_how_loud_it_is() -> None:
    written = [(60 + 2 * (i % 3), i / 3, 1 / 3, 90) for i in range(48)]
    song = Song(tracks=(track("lead", written),))
    assert rules(song) == []
    assert [remark.rule for remark in remarks(song, PALETTE)] == ["velocity"]
    played = [(pitch, max(0.0, start + LOOSE[i % 4]), length, v) for i, (pitch, start, length, v) in enumerate(written)]
    assert rules(Song(tracks=(track("lead", played),))) == ["velocity"]
    assert rules(plus(song, track("kit", [(36, i, 0.5, 80 + i) for i in range(16)]))) == ["velocity"]


def test_a_grace_note_and_a_low_string_are_no_faults() -> None:
    quick = [(60 + 2 * (i % 3), i, 0.04 if i == 7 else 0.5, 60 + i) for i in range(16)]
    assert rules(plus(band(), track("lead", quick))) == []
    low = [(24, 0, 1, 80), *[(36, i, 1, 60 + i) for i in range(1, 16)]]
    song = plus(band(), track("bass", low))
    assert rules(song) == []
    assert [(remark.rule, remark.bar) for remark in remarks(song, PALETTE)] == [("range", 1)]


def test_a_bass_line_is_no_drum_part() -> None:
    line = [([36, 38, 40, 43][i % 4], i / 2, 0.5, 60 + i) for i in range(32)]
    assert rules(plus(band(), track("bass", line))) == []


def test_a_track_ends_with_the_song_or_a_section() -> None:
    early = msgspec.structs.replace(
        plus(band(), track("lead", [(60, 0, 1, 80)], bars=1)), sections=SECTIONS
    )
    assert rules(early) == ["ending"]
    with_section = plus(band(), track("lead", [(60, 0, 1, 80)], bars=2))
    assert rules(msgspec.structs.replace(with_section, sections=SECTIONS)) == []
    without = findings(with_section, PALETTE), remarks(with_section, PALETTE)
    assert without[0] == ()
    assert [remark.rule for remark in without[1]] == ["ending"]


def test_a_muted_track_is_told_but_no_fault() -> None:
    song = band()
    quiet = msgspec.structs.replace(
        song, tracks=tuple(msgspec.structs.replace(one, mute=one.name == "lead") for one in song.tracks)
    )
    assert rules(quiet) == []
    assert [(remark.rule, remark.where) for remark in remarks(quiet, PALETTE)] == [("muted", "lead")]
