"""A song's stated chords: the composer goes by them, and they follow its changes."""

from __future__ import annotations

from statistics import fmean

import pytest
from msgspec import structs

from agent.composer.changing.hearing.listening import drum_tracks, hear
from agent.song.chart import within_stretch
from agent.song.locks import BarsLock, SongLock, broken
from agent.song.song import Song
from agent.theory.charts.writing import chart_of
from agent.theory.chords import chord_symbol
from agent.theory.harmony import bar_chords, root_agreement
from agent.theory.sounding import pitched


@pytest.fixture(scope="module")
def pop(bench) -> Song:
    """A song that states the chords that are heard in it."""
    song = bench.compose("a catchy pop song in G major at 104 bpm, 40 bars, with piano and strings", 3)
    return structs.replace(song, chords=chart_of(song, tuple(drum_tracks(song, bench.palette))).chords)


def changed(bench, song: Song, request: str) -> Song:
    return bench.song(bench.draft(request, song), song)


def placed(song: Song) -> list[tuple[int, str]]:
    return [(one.start, one.symbol) for one in song.chords]


def test_the_composer_hears_what_is_stated(bench, pop):
    other = structs.replace(pop, chords=tuple(structs.replace(one, symbol="Ebmaj7") for one in pop.chords))
    assert {chord_symbol(span.chord) for span in hear(other, bench.palette, 104).chords} == {"D#maj7"}


@pytest.mark.parametrize("request_", ["make the bass louder", "make the drums busier", "set the tempo to 90"])
def test_chords_stay_where_the_harmony_does(bench, pop, request_):
    assert changed(bench, pop, request_).chords == pop.chords


@pytest.mark.parametrize(("request_", "steps"), [("transpose everything up 2 semitones", 2), ("in E major", -3)])
def test_chords_move_with_the_key(bench, pop, request_, steps):
    song = changed(bench, pop, request_)
    assert [one.chord for one in song.chords] == [one.chord.transposed(steps) for one in pop.chords]
    assert [one.start for one in song.chords] == [one.start for one in pop.chords]


def test_chords_of_borrowed_harmony_are_stated_as_they_are_now(bench, pop):
    song = changed(bench, pop, "make it darker")
    assert any(one.symbol.startswith("Cm") for one in song.chords)
    assert not any(one.symbol.startswith("Cm") for one in pop.chords)


def test_chords_of_bars_that_go_go_along(bench, pop):
    song = changed(bench, pop, "cut bars 1-8")
    bars = pop.bar_map.start_of(9)
    assert placed(song) == [(at - bars, symbol) for at, symbol in placed(pop) if at >= bars]


def test_a_lock_on_the_chords_keeps_them(bench, pop):
    moved = changed(bench, pop, "transpose everything up 2 semitones")
    assert broken((SongLock("chords"),), pop, moved) == SongLock("chords")
    assert broken((SongLock("chords"),), pop, changed(bench, pop, "make the bass louder")) is None


@pytest.mark.parametrize("words", ["a lofi beat, 24 bars", "a jazz piece, 16 bars", "a gentle waltz for piano"])
def test_a_new_piece_states_what_it_is_written_over(bench, words):
    song = bench.compose(words, 4)
    kits = drum_tracks(song, bench.palette)
    assert [one.start for one in song.chords[1:]] == [one.end for one in song.chords[:-1]]
    assert (song.chords[0].start, song.chords[-1].end) == (0, song.bar_map.start_of(song.bars + 1))
    # one theme that comes again and again is much of a piece: the ear judges eight pieces
    pieces = [song, *(bench.compose(words, seed) for seed in (1, 2, 3, 5, 6, 7, 8))]
    assert fmean(root_agreement(one, one, drum_tracks(one, bench.palette)) for one in pieces) >= 0.9
    for one in song.chords:
        inside = [note.pitch in one.chord for note in pitched(song, kits) if one.start <= note.start < one.end]
        assert sum(inside) >= 0.5 * len(inside)


def test_a_piece_of_drums_alone_states_none(bench):
    assert bench.compose("a drum loop, drums only").chords == ()


def test_where_drums_play_alone_no_chord_is_stated(bench):
    song = bench.compose("techno that starts with the drums alone for 8 bars, then the bass and a pad join, 24 bars")
    assert (song.chords[0].symbol, song.chords[0].end) == ("N.C.", song.bar_map.start_of(9))
    assert song.chords[1].chord is not None


def test_a_piece_that_starts_over_states_its_own(bench, pop):
    song = changed(bench, pop, "start over: compose a house track, 16 bars")
    assert song.chords[-1].end == song.bar_map.start_of(17)


def test_chords_in_locked_bars_stay(bench, pop):
    lock = BarsLock(5, 8)
    song = bench.song(bench.draft("start over: compose a house track, 40 bars", pop, locks=(lock,)), pop)
    start, end = pop.bar_map.span(5, 8)
    assert within_stretch(song.chords, start, end) == within_stretch(pop.chords, start, end)
    assert song.chords != pop.chords


def test_a_chord_that_was_written_over_other_notes_is_played_when_it_is_asked_for(bench, pop):
    bar = pop.bar_map.span(3, 3)
    other = "Ebmaj7"
    written = structs.replace(pop, chords=tuple(
        structs.replace(one, symbol=other) if bar[0] <= one.start < bar[1] else one for one in pop.chords
    ))
    after = changed(bench, written, f"play {other} in bar 3")
    assert after.chords == written.chords

    kits = drum_tracks(pop, bench.palette)
    assert bar_chords(written, kits)[2].root != 3 == bar_chords(after, kits)[2].root
