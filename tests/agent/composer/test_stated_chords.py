"""A song's stated chords: the composer goes by them, and they follow its changes."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.changing.hearing.listening import drum_tracks, hear
from agent.song.locks import SongLock, broken
from agent.song.song import Song
from agent.theory.charts.writing import chart_of
from agent.theory.chords import chord_symbol


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
