"""The notes of a new piece keep to what was said of them, and it ends as was said."""

from __future__ import annotations

from itertools import pairwise

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.sounding import Sounding, sounding
from tests.agent.composer.doing import read


def heard(song: Song, name: str = "") -> list[Sounding]:
    known = {track.id for track in song.tracks if track.name.startswith(name)}
    return [note for note in sounding(song) if note.track in known]


@pytest.mark.parametrize(
    ("request_", "low", "high"),
    [
        ("a piano tune for my pupil, right hand only, five-finger position, C to G, 8 bars", 60, 67),
        ("little piece for piano, one note at a time, thumb on middle C and the hand stays still", 60, 67),
        ("a tune for recorder alone in G, nothing above d2", 48, 74),
        ("clarinet solo on its own, 12 bars, it should never go higher than the E flat at the top of the stave", 0, 75),
        ("flute alone, only notes between middle C and G5", 60, 79),
    ],
)
def test_the_tune_stays_in_its_range(bench, request_, low, high):
    song = bench.compose(request_)
    notes = heard(song)
    assert notes
    assert all(low <= note.pitch <= high for note in notes)


def test_only_the_named_player_is_limited(bench):
    song = bench.compose("string quartet in D, 16 bars, the viola must not go above C5")
    assert max(note.pitch for note in heard(song, "Viola")) <= 72
    assert max(note.pitch for note in heard(song, "Violin")) > 72


@pytest.mark.parametrize(
    ("request_", "beats"),
    [
        ("slow piano tune in F, right hand alone, nothing but crotchets and minims", {1.0, 2.0}),
        ("flute tune in A minor, one note at a time, only quarter notes and half notes", {1.0, 2.0}),
        ("string quartet, 8 bars, all in whole notes", {4.0}),
    ],
)
def test_note_values(bench, request_, beats):
    assert {note.beats for note in heard(bench.compose(request_))} <= beats


def test_last_note_and_white_keys(bench):
    song = bench.compose("a piano tune on the white keys only, one note at a time, crotchets only, ends on a semibreve")
    notes = sorted(heard(song), key=lambda note: note.start)
    assert notes[-1].beats == 4
    assert all(note.pitch % 12 in (0, 2, 4, 5, 7, 9, 11) for note in notes)
    assert all(one.end <= other.start for one, other in pairwise(notes))


def test_a_loop_has_no_end(bench):
    song = bench.compose("synthwave, 16 bars, it has to loop seamlessly, no ritardando")
    end = max(section.end for section in song.sections)
    assert len(song.tempos) == 1
    assert any(note.start >= end - 2 * PPQ for note in heard(song))


def test_endings(bench):
    fifth = bench.compose("flute and harp in D dorian, 12 bars, finish on an open fifth")
    end = max(section.end for section in fifth.sections)
    assert {note.pitch % 12 for note in heard(fifth) if note.end > end - PPQ} == {2, 9}
    cold = bench.compose("orchestral chase, 16 bars, stops dead at the end")
    end = max(section.end for section in cold.sections)
    assert max(note.end for note in heard(cold)) <= end - 2 * PPQ
    assert len(cold.tempos) == 1


@pytest.mark.parametrize(
    "request_",
    [
        "6/8, dotted crotchet = 50, oboe and harp",
        "a piece with lots of crotchets somewhere",
        "a piano piece in C, G and D",
        "the melody goes above the strings",
    ],
)
def test_what_limits_no_note(bench, request_):
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, Song())
    rules = read(request_, lexicon, has_music=False).rules
    assert not rules.reaches
    assert not rules.values


def test_a_letter_beside_a_pitch_and_a_said_length_of_a_stage(bench):
    tune = bench.compose("recorder tune between middle C and A, one note at a time, 8 bars")
    assert {note.pitch for note in heard(tune)} <= set(range(60, 70))
    song = bench.compose("trance 138, intro 32 bars, breakdown at 65, drop at 97, 128 bars")
    begins = {section.name: song.bar_map.bar_at(section.start) for section in song.sections}
    assert (begins["Breakdown"], begins["Drop"]) == (65, 97)


@pytest.mark.parametrize(
    ("request_", "symbols"),
    [
        ("evening song for SATB in F major, 8 bars. At the end the Amen, B flat and then F", ("Bb", "F")),
        ("bossa in D minor, 16 bars, end on a Dm6", ("Dm6",)),
        ("hymn for SATB, 12 bars, G major, last two chords C and G", ("C", "G")),
    ],
)
def test_a_piece_ends_on_the_chords_that_are_named(bench, request_, symbols):
    song = bench.compose(request_)
    said = [one.symbol for one in song.chords][-len(symbols) :]
    assert tuple(said) == symbols


@pytest.mark.parametrize("request_", ["pop song in D minor", "piano piece ending in A major", "end on C"])
def test_a_key_or_a_note_at_the_end_is_no_chord(bench, request_):
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, Song())
    assert read(request_, lexicon, has_music=False).rules.ending == ()


def test_a_pitch_above_the_one_named_before(bench):
    song = bench.compose("tune for recorder alone, nothing lower than middle C and nothing higher than the A above it")
    pitches = [note.pitch for note in heard(song)]
    assert min(pitches) >= 60
    assert max(pitches) <= 69
