"""A song's chart: written so that it reads back as the same, and set on the bars of a song."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.song import edits as e
from agent.song.apply import apply, apply_all
from agent.song.chart import ChordSymbol
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import PPQ, MeterChange, Ticks
from agent.theory.charts.chart import ChartError, placed
from agent.theory.charts.keys import key_of_chords
from agent.theory.charts.reading import read_chart
from agent.theory.charts.setting import set_on
from agent.theory.charts.writing import chart_of, chart_text, chord_pro
from agent.theory.harmony import chords_known

symbols = st.sampled_from(["C", "Am7/G", "F#m7b5", "Bbmaj7", "G7(b9)", "N.C.", "Dsus4", "E6/9"])


@dataclass(frozen=True)
class Shape:
    meter: tuple[int, int]
    bars: list[list[str]]


shapes = st.builds(
    Shape, st.sampled_from([(4, 4), (3, 4), (6, 8), (7, 8)]),
    st.lists(st.lists(symbols, min_size=1, max_size=4, unique=True), min_size=1, max_size=9),
)


def a_song(bars: int = 4) -> Song:
    """A chord of C major for some bars of 4/4."""
    length = 4 * PPQ * bars
    notes = tuple(
        e.NoteSpec(pitch, Ticks(0), Ticks(length), 80, NoteId(f"n{pitch}")) for pitch in (48, 60, 64, 67)
    )
    return apply_all(Song(), (
        e.CreateTrack(track_id=TrackId("t1"), name="Piano", instrument="piano"),
        e.CreateMidiClip(
            clip_id=ClipId("c1"), track_id=TrackId("t1"), start_time=Ticks(0), duration=Ticks(length), notes=notes
        ),
    ))


def stated(song: Song) -> list[tuple[str, float, float]]:
    return [(one.symbol, one.start / PPQ, one.duration / PPQ) for one in song.chords]


@given(shapes)
def test_a_chart_that_was_written_reads_back_as_the_same(shape: Shape) -> None:
    text = f"{shape.meter[0]}/{shape.meter[1]} | " + " | ".join(" ".join(bar) for bar in shape.bars) + " |"
    chords = placed(read_chart(text))
    meter = MeterChange(Ticks(0), *shape.meter)
    song = Song(meters=(meter,), chords=chords)
    for written in (chart_text(song, chords), chord_pro(song, chords)):
        again = read_chart(written)
        assert [(one.start, one.symbol) for one in placed(again)] == [(one.start, one.symbol) for one in chords]


def test_a_chart_is_set_on_the_bars_from_where_it_begins() -> None:
    done = set_on(a_song(8), read_chart("Am | Dm G7"), first=3)
    song = apply_all(a_song(8), done.edits)
    assert stated(song) == [("Am", 8, 4), ("Dm", 12, 2), ("G7", 14, 2)]
    assert done.remarks == ("the song has 8 bars: of bars 5-8 it says nothing",)
    assert song.tracks == a_song(8).tracks


def test_a_chart_may_go_on_to_the_end_of_the_song() -> None:
    done = set_on(a_song(5), read_chart("Am | F"), repeat=True)
    assert stated(apply_all(a_song(5), done.edits))[-1] == ("Am", 16, 4)
    assert done.remarks == ()


def test_an_empty_song_takes_meter_key_tempo_and_sections_too() -> None:
    chart = read_chart("Key: Am\nTempo: 92\nTime: 3/4\nVerse:\n| Am | F |\nChorus:\n| C G |")
    song = apply_all(Song(), set_on(Song(), chart).edits)
    assert (str(song.key), song.tempos[0].bpm, song.meters[0].beats) == ("A minor", 92, 3)
    form = [(one.name, one.start / PPQ, one.duration / PPQ) for one in song.sections]
    assert form == [("Verse", 0, 6), ("Chorus", 6, 3)]
    assert stated(song) == [("Am", 0, 3), ("F", 3, 3), ("C", 6, 2), ("G", 8, 1)]
    assert apply_all(song, set_on(song, chart).edits) == song


@pytest.mark.parametrize(("text", "first", "words"), [
    ("3/4 | C | G |", 1, "bar 1 of the chart is in 3/4, the song in 4/4"),
    ("C", 9, "no bar 9"),
])
def test_a_chart_that_does_not_fit_is_refused(text: str, first: int, words: str) -> None:
    with pytest.raises(ChartError) as caught:
        set_on(a_song(), read_chart(text), first)
    assert words in caught.value.what


def test_a_chart_that_says_something_else_of_key_and_tempo_is_told() -> None:
    remarks = set_on(a_song(1), read_chart("Key: D\nTempo: 90\nD")).remarks
    assert remarks == (
        "the chart is in D major, the song in C major: the key stays",
        "the chart says 90 BPM, the song has 120: the tempo stays",
    )


def test_stated_chords_come_before_heard_ones() -> None:
    song = a_song(3)
    assert not chart_of(song).stated
    assert {one.symbol for one in chart_of(song).chords} == {"C"}
    assert min(chart_of(song).certainty) == 1
    edit = e.SetChords(start_time=Ticks(4 * PPQ), duration=Ticks(4 * PPQ), chords=(
        e.ChordSpec("Am7", Ticks(4 * PPQ), Ticks(2 * PPQ)), e.ChordSpec("N.C.", Ticks(6 * PPQ), Ticks(2 * PPQ)),
    ))
    song = apply(song, edit)
    assert chart_of(song).chords == (
        ChordSymbol(Ticks(4 * PPQ), Ticks(2 * PPQ), "Am7"), ChordSymbol(Ticks(6 * PPQ), Ticks(2 * PPQ), "N.C."),
    )
    known = [(one.start // PPQ, one.end // PPQ, one.chord.root) for one in chords_known(song)]
    assert known == [(0, 4, 0), (4, 6, 9), (8, 12, 0)]


@pytest.mark.parametrize(("chart", "key"), [
    ("Am F C G", "A minor"), ("Dm7 G7 Cmaj7", "C major"), ("| F7 | Bb7 | F7 | C7 |", "F major"),
    ("| Bb6 G7 | Cm7 F7 | Dm7 G7 | Cm7 F7 | D7 | G7 | C7 | F7 |", "Bb major"), ("| Dm7b5 | G7 | Cm6 |", "C minor"),
])
def test_the_key_of_chords_is_where_they_come_home(chart: str, key: str) -> None:
    assert str(key_of_chords(placed(read_chart(chart)))) == key
