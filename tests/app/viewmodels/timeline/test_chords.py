"""The chord lane without its painting: what is known where, and what typing makes of it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from agent.song.apply import apply_all
from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import chord
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import MeterChange, Ticks
from agent.theory.harmony import HeardChord
from app.viewmodels.timeline.chord_edits import kept, read_typed, removed, stated
from app.viewmodels.timeline.chords import LaneChord, at_tick, ghosts_between, shorter_symbols, spans_of

BAR = 3840
SONG = Song("Chords", key=Key("C"))


def heard(*symbols: str) -> tuple[HeardChord, ...]:
    return tuple(HeardChord(bar * BAR, (bar + 1) * BAR, chord(symbol), 0.5 + bar / 10)
                 for bar, symbol in enumerate(symbols))


def shown(spans: tuple[LaneChord, ...]) -> list[tuple[float, float, str, bool]]:
    return [(span.start / BAR, span.end / BAR, span.symbol, span.heard) for span in spans]


def test_what_is_stated_stands_first_and_what_is_heard_fills_the_rest() -> None:
    song = structs.replace(SONG, chords=(ChordSymbol(Ticks(BAR), Ticks(BAR // 2), "G7/B"),))
    assert shown(spans_of(song, heard("Am", "Am", "F"), 4 * BAR)) == [
        (0, 1, "Am", True), (1, 1.5, "G7/B", False), (1.5, 2, "Am", True), (2, 3, "F", True), (3, 4, "", False),
    ]


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from(("Am", "N.C.", "Bb7"))), max_size=5),
       st.lists(st.sampled_from(("Am", "F", "G")), max_size=6))
def test_the_lane_has_no_gap_and_no_overlap(stretches: list[tuple[int, int, str]], notes: list[str]) -> None:
    at, chords = 0, []
    for gap, length, symbol in stretches:
        chords.append(ChordSymbol(Ticks((at + gap) * 960), Ticks(length * 960), symbol))
        at += gap + length
    song = structs.replace(SONG, chords=tuple(chords), meters=(MeterChange(Ticks(0), 7, 8),))
    spans = spans_of(song, heard(*notes), 8 * BAR)
    assert spans[0].start == 0
    assert all(one.end == other.start for one, other in pairwise(spans))
    assert [span.symbol for span in spans if span.stated] == [one.symbol for one in chords]
    assert all(at_tick(spans, span.start) is span for span in spans)


@pytest.mark.parametrize(("typed", "meter", "made"), [
    ("Am7 D7", (4, 4), [(0, 2, "Am7"), (2, 2, "D7")]),
    ("| C | F G |", (4, 4), [(0, 2, "C"), (2, 1, "F"), (3, 1, "G")]),
    ("Am . . D7", (4, 4), [(0, 3, "Am"), (3, 1, "D7")]),
    ("ii7 V7", (7, 8), [(0, 2, "Dm7"), (2, 1.5, "G7")]),
    ("no chord", (3, 4), [(0, 3, "N.C.")]),
    ("G7(b9,#11), C6/9", (4, 4), [(0, 2, "G7(b9,#11)"), (2, 2, "C6/9")]),
])
def test_what_is_typed_over_a_bar_shares_its_beats(
    typed: str, meter: tuple[int, int], made: list[tuple[float, float, str]]
) -> None:
    song = structs.replace(SONG, meters=(MeterChange(Ticks(0), *meter),))
    start, end = song.bar_map.span(2, 2)
    after = apply_all(song, stated(song, LaneChord(start, end), read_typed(typed, song.key).symbols).edits)
    assert [((one.start - start) / 960, one.duration / 960, one.symbol) for one in after.chords] == made
    assert apply_all(after, removed(after, LaneChord(start, end)).edits).chords == ()


@pytest.mark.parametrize(("typed", "fault"), [
    ("Am7 Gm7x", "“Gm7x” is no chord. Did you mean Gm7?"),
    ("what", "“what” is no chord. Write C, F♯m7, B♭maj7/D or N.C."),
    (". Am", "“.” holds a chord, and none stands before it"),
])
def test_what_is_no_chord_is_told_and_nothing_is_stated(typed: str, fault: str) -> None:
    found = read_typed(typed, SONG.key)
    assert (found.symbols, found.fault) == ((), fault)


def test_stating_what_stands_there_already_is_no_edit() -> None:
    song = structs.replace(SONG, chords=(ChordSymbol(Ticks(0), Ticks(BAR), "C"),))
    assert stated(song, LaneChord(0, BAR, "C"), ("C",)).edits == ()


def test_kept_chords_are_stated_as_they_were_heard() -> None:
    spans = spans_of(SONG, heard("Am", "F", "F"), 4 * BAR)
    after = apply_all(SONG, kept(spans).edits)
    assert [(one.start, one.end, one.symbol) for one in after.chords] == [(0, BAR, "Am"), (BAR, 3 * BAR, "F")]


def test_ghosts_are_where_the_chords_of_a_plan_are_others() -> None:
    now = spans_of(SONG, heard("Am", "F", "G"), 3 * BAR)
    song = structs.replace(SONG, chords=(ChordSymbol(Ticks(0), Ticks(BAR), "Am"),
                                         ChordSymbol(Ticks(BAR), Ticks(2 * BAR), "Dm9")))
    ghosts = ghosts_between(now, spans_of(song, ()), {})
    assert [(one.start, one.end, one.symbol, one.was, one.kind) for one in ghosts] == [
        (BAR, 3 * BAR, "Dm9", "F G", "changed"),
    ]
    back = ghosts_between(spans_of(song, ()), (), {})
    assert [(one.was, one.kind) for one in back] == [("Am", "removed"), ("Dm9", "removed")]


def test_a_symbol_is_shortened_to_what_it_is_at_heart() -> None:
    assert list(shorter_symbols("Bbm7b5/E")) == ["B♭m7♭5/E", "B♭m7♭5", "B♭m", "B♭"]
