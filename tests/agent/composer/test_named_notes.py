"""Requests for new pieces that name the only notes, how the last chord is, and what a loose word means."""

from __future__ import annotations

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.song.song import Song
from agent.theory.sounding import Sounding, sounding
from tests.agent.composer.doing import read


def _made(bench, text):
    return bench.compose(text)


def _intent(bench, text):
    return read(text, Lexicon(bench.words, bench.styles, bench.palette, Song()), has_music=False)


def _of(song: Song, name: str) -> list[Sounding]:
    return [note for note in sounding(song) if song.track(note.track).name.casefold().startswith(name)]


@pytest.mark.parametrize(
    ("text", "name", "classes", "span"),
    [
        ("my son knows only the notes D E F# G and A on the violin so far. a slow song with just those, 8 bars",
         "", {2, 4, 6, 7, 9}, 7),
        ("a recorder tune with only the notes B A G, guitar beside it, 8 bars", "recorder", {7, 9, 11}, 4),
        ("oboe tune with only the notes G A B C D over a low cello, 8 bars", "oboe", {7, 9, 11, 0, 2}, 7),
        ("little flute piece, 16 bars, notes: F G A Bb C only, with piano", "flute", {5, 7, 9, 10, 0}, 7),
    ],
)
def test_only_the_notes_that_were_named_sound(bench, text, name, classes, span):
    notes = _of(_made(bench, text), name)
    assert notes
    assert {note.pitch % 12 for note in notes} <= classes
    assert max(note.pitch for note in notes) - min(note.pitch for note in notes) <= span


def test_a_melody_that_mentions_notes_is_not_limited_to_them(bench):
    assert not _intent(bench, "a piece that starts on the notes C E G, flute and harp").rules.named


def test_each_hand_stays_on_its_five_keys(bench):
    song = _made(bench, "easy piano piece in G major, both hands in five-finger position, 8 bars")
    hands = [_of(song, "right hand"), _of(song, "left hand")]
    assert all(hands)
    assert all(max(n.pitch for n in hand) - min(n.pitch for n in hand) <= 7 for hand in hands)


@pytest.mark.parametrize(
    "text",
    ["rock to drum along to: guitar, bass, organ, zero drums, 120 bpm", "funk for the train, zero drums"],
)
def test_zero_of_something_is_none_of_it(bench, text):
    song = _made(bench, text)
    assert not [track for track in song.tracks if "kit" in (track.instrument or "")]


@pytest.mark.parametrize("text", ["a flute and harp tune, not too fast", "indie song, recorder, guitar, not too quick"])
def test_not_too_fast_is_no_hurry(bench, text):
    assert _made(bench, text).tempos[0].bpm <= 112


def test_a_number_behind_a_section_that_no_section_lasts_is_its_tempo(bench):
    song = _made(bench, "metal in E minor, intro 85 bpm, then verse 170, chorus 170. guitar, bass, drums")
    assert song.bars < 100
    assert 170 in {round(tempo.bpm) for tempo in song.tempos}


def test_the_return_of_a_is_no_key(bench):
    song = _made(bench, "piano piece in D minor, an A section, a B section in F major, then the return of A")
    assert [section.name for section in sorted(song.sections, key=lambda one: one.start)] == ["A", "B", "A"]
    assert all(stage.tonic != "A" for stage in _intent(bench,
        "piano piece in D minor, an A section, a B section in F major, then the return of A"
    ).course)


@pytest.mark.parametrize(
    ("text", "mode"),
    [("dorian-ish lounge tune", "dorian"), ("something phrygian-y for strings", "phrygian"),
     ("a dreamy piece with a raised fourth, harp and flute", "lydian")],
)
def test_a_mode_is_known_by_a_loose_word(bench, text, mode):
    assert _intent(bench, text).mode == mode


@pytest.mark.parametrize(
    "text", ["sneaky music for pizzicato strings and oboe, 8 bars, and it ends with a nasty loud chord",
             "brass fanfare in C, 8 bars, at the end a loud ugly chord"],
)
def test_the_last_chord_is_as_loud_as_asked(bench, text):
    song = _made(bench, text)
    notes = sounding(song)
    last = max(note.start for note in notes)
    before = [note.velocity for note in notes if note.start < last]
    final = [note for note in notes if note.start == last]
    assert min(note.velocity for note in final) > max(before)
    assert any((two.pitch - one.pitch) % 12 in (1, 6, 11) for one in final for two in final)


def test_short_chords_in_the_chorus_make_a_chorus(bench):
    song = _made(bench, "funk in A minor, 24 bars, slap bass, drums, clavinet, trumpet stabs in the chorus")
    sections = [section for section in song.sections if section.name.startswith("Chorus")]
    notes = _of(song, "trumpet")
    assert sections
    assert notes
    assert all(any(one.start <= note.start < one.end for one in sections) for note in notes)
    assert max(note.end - note.start for note in notes) < 960


def test_one_who_hardly_plays_has_a_note_now_and_then(bench):
    song = _made(bench, "calm piece for strings, pad and a harp that hardly plays, 32 bars")
    assert 0 < len(_of(song, "harp")) <= 20


def test_two_pads_are_two_sounds(bench):
    song = _made(bench, "calm music for two pads and piano, 16 bars")
    pads = [track for track in song.tracks if not track.name.startswith("Piano")]
    assert len({track.instrument for track in pads}) == len(pads) == 2


def test_when_everything_stops_it_is_silent(bench):
    song = _made(bench, "film cue, 16 bars, strings and drums build, everything stops at bar 13, then the celesta")
    silent = next(section for section in song.sections if section.name == "Silence")
    assert not [note for note in sounding(song) if silent.start <= note.start < silent.end]
    after = {song.track(note.track).name for note in sounding(song) if note.start >= silent.end}
    assert after == {"Celesta"}


@pytest.mark.parametrize("text", ["drone in C, long swells, 2 minutes", "pads that ebb and flow, ambient"])
def test_swells_come_again_and_again(bench, text):
    song = _made(bench, text)
    lanes = [lane for track in song.tracks for lane in track.automation if lane.target == "expression"]
    assert lanes
    for lane in lanes:
        values = [point.value for point in lane.points]
        turns = sum((b - a) * (c - b) < 0 for a, b, c in zip(values, values[1:], values[2:], strict=False))
        assert turns >= 4
