"""How fast the harmony moves, and which tones of the chords are the lowest."""

from __future__ import annotations

import pytest
from fact_songs import answer, facts, line, song_of

from agent.chat.answer import BarsLink
from agent.song.chart import ChordSymbol
from agent.song.song import Song
from agent.song.time import Ticks, to_ticks

Four = tuple[int, int, int, int]
HOME, SIX_FOUR, DOMINANT = (48, 64, 67, 72), (43, 60, 64, 72), (43, 59, 62, 74)
SUBDOMINANT, FIRST_INVERSION = (53, 60, 65, 69), (52, 60, 67, 72)


def hymn(*chords: Four, each: float = 1) -> Song:
    """Four voices with a chord each beat, or each `each` beats."""
    names = ("Bass", "Tenor", "Alto", "Soprano")
    return song_of(*(
        line(name, "choir_aahs", [(at * each, chord[voice], each) for at, chord in enumerate(chords)])
        for voice, name in enumerate(names)
    ))


def test_a_cadential_six_four_is_found_with_its_beat() -> None:
    found = answer(hymn(HOME, SUBDOMINANT, SIX_FOUR, DOMINANT, HOME), "inversions")
    assert found.text.startswith("1 six-four chord: bar 1, beat 3 (C/G, cadential).")
    assert "Of 5 chords on the beats 4 are in root position and 1 is in second inversion." in found.text
    assert facts(found)["six-four chords"] == 1
    assert BarsLink(1, 1) in found.links


@pytest.mark.parametrize(("chords", "use"), [
    ([(41, 57, 60, 65), (43, 60, 64, 72), (45, 57, 60, 64)], "passing"),
    ([HOME, (48, 60, 65, 69), HOME], "over a pedal"),
    ([HOME, SIX_FOUR, SUBDOMINANT], "arpeggiated"),
    ([DOMINANT, (48, 60, 65, 69), DOMINANT], "neither cadential nor passing"),
])
def test_how_a_six_four_is_used_follows_from_its_neighbours(chords: list[Four], use: str) -> None:
    assert f", {use})." in answer(hymn(*chords), "inversions").text


def test_without_a_fifth_in_the_bass_there_is_no_six_four() -> None:
    found = answer(hymn(HOME, FIRST_INVERSION, DOMINANT, HOME), "inversions")
    assert found.text.startswith("No six-four chord: no triad has its fifth in the bass on a beat.")
    assert facts(found)["first inversion"] == 1


def test_broken_chords_are_told_by_their_lowest_note() -> None:
    broken = [(at / 2, pitch, 0.5) for at, pitch in enumerate([52, 60, 67, 60] * 2 + [53, 60, 65, 57] * 2)]
    found = answer(song_of(line("Piano", "piano_grand", broken)), "inversions")
    assert "Of 2 chords 1 is in root position and 1 is in first inversion." in found.text
    assert "C/E in bar 1, beat 1" in found.text


def test_what_has_no_chord_is_told() -> None:
    assert "ends after bar 1" in answer(hymn(HOME, HOME), "inversions", bars=(5, 6)).text
    drums = song_of(line("Drums", "kit_standard", [(0, 36, 1)]))
    assert "No note with a pitch" in answer(drums, "inversions").text
    assert "No note with a pitch" in answer(drums, "harmonic_rhythm").text
    assert "empty" in answer(Song(), "harmonic_rhythm").text


def test_chords_to_a_bar_are_counted_beat_by_beat_in_a_hymn() -> None:
    song = hymn(HOME, HOME, SUBDOMINANT, DOMINANT, HOME, FIRST_INVERSION, HOME, HOME)
    found = answer(song, "harmonic_rhythm")
    assert "three chords to a bar in 1 of 2 bars and one chord in bar 2;" in found.text
    assert "the chord changes 3 times, so one lasts 2 beats on average" in found.text
    assert facts(found) == {"chord changes, the song": 3, "beats a chord, the song": 2.0}
    only = answer(song, "harmonic_rhythm", bars=(2, 2))
    assert "Bar 2: one chord to a bar throughout; the chord never changes" in only.text


def test_stated_chords_count_where_they_are() -> None:
    song = hymn(HOME, HOME, HOME, HOME, HOME, HOME, HOME, HOME)
    stated = Song(key=song.key, tracks=song.tracks, chords=(
        ChordSymbol(Ticks(0), to_ticks(4), "C"), ChordSymbol(to_ticks(4), to_ticks(2), "F"),
        ChordSymbol(to_ticks(6), to_ticks(2), "G7"),
    ))
    found = answer(stated, "harmonic_rhythm")
    assert "the chord changes 2 times" in found.text
    assert "These are the chords that the song states." in found.text
    assert "ends before, after bar 2" in answer(stated, "harmonic_rhythm", bars=(7, 8)).text
