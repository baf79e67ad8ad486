"""Marks of the ruler: where they may go, and what moving one leaves of the song."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from agent.song.apply import apply_all
from agent.song.ids import SectionId
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks
from app.viewmodels.edits.clip_edits import HandEdit
from app.viewmodels.timeline.marks import (
    Marker,
    deleted_mark,
    find_mark,
    mark_in_words,
    marks_of,
    moved_mark,
    place_beside,
    place_near,
    refusal,
)

BAR = 3840
SONG = Song(
    "Marks",
    tempos=(TempoChange(Ticks(0), 120.0), TempoChange(Ticks(4 * BAR), 90.0), TempoChange(Ticks(8 * BAR), 120.0)),
    meters=(MeterChange(Ticks(0)), MeterChange(Ticks(12 * BAR), 3, 4)),
    sections=(Section(SectionId("s"), "Verse", Ticks(2 * BAR), Ticks(4 * BAR)),),
)
TEMPO, METER, SECTION = Marker("tempo", Ticks(4 * BAR)), Marker("meter", Ticks(12 * BAR)), Marker(
    "section", Ticks(2 * BAR), SectionId("s")
)


def after(hand: HandEdit, song: Song = SONG) -> Song:
    assert hand.edits
    return apply_all(song, hand.edits)


def tempos(song: Song) -> list[tuple[float, float]]:
    return [(one.at / BAR + 1, one.bpm) for one in song.tempos]


def test_marks_are_told_in_order_of_time_without_the_songs_first() -> None:
    assert [mark.kind for mark in marks_of(SONG)] == ["section", "tempo", "tempo", "meter"]
    assert [mark_in_words(SONG, mark) for mark in marks_of(SONG)] == [
        "Section Verse, bars 3 to 6", "Tempo 90 BPM from bar 5", "Tempo 120 BPM from bar 9",
        "Time signature 3/4 from bar 13",
    ]


def test_a_moved_tempo_leaves_the_ones_around_it() -> None:
    later = after(moved_mark(SONG, TEMPO, Ticks(6 * BAR)))
    assert tempos(later) == [(1, 120.0), (7, 90.0), (9, 120.0)]
    assert tempos(after(moved_mark(SONG, TEMPO, Ticks(BAR)))) == [(1, 120.0), (2, 90.0), (9, 120.0)]


def test_a_moved_meter_and_section_keep_what_they_are() -> None:
    moved = after(moved_mark(SONG, METER, Ticks(10 * BAR)))
    assert [(one.at / BAR, one.beats) for one in moved.meters] == [(0, 4), (10, 3)]
    section = after(moved_mark(SONG, SECTION, Ticks(0))).sections[0]
    assert (section.start, section.duration) == (0, 4 * BAR)
    assert find_mark(after(moved_mark(SONG, SECTION, Ticks(0))), SECTION) == Marker("section", Ticks(0), SectionId("s"))


def test_what_may_not_go_somewhere_says_why() -> None:
    assert refusal(SONG, TEMPO, 0) == "The song's first tempo stays at bar 1"
    assert refusal(SONG, METER, 0) == "The song's first time signature stays at bar 1"
    assert refusal(SONG, TEMPO, 8 * BAR) == "A tempo change is in the way, at bar 9"
    assert refusal(SONG, Marker("tempo", Ticks(8 * BAR)), 4 * BAR - 960) == "A tempo change is in the way, at bar 5"
    assert refusal(SONG, TEMPO, 7 * BAR) == ""
    assert moved_mark(SONG, TEMPO, Ticks(9 * BAR)) == HandEdit()
    assert moved_mark(SONG, Marker("tempo", Ticks(7)), Ticks(BAR)) == HandEdit()


def test_tempos_keep_to_beats_and_the_rest_to_bars() -> None:
    assert place_near(SONG, TEMPO, 4 * BAR + 1000, 400.0, free=False) == 4 * BAR + 960
    assert place_near(SONG, TEMPO, 4 * BAR + 1000, 4.0, free=False) == 4 * BAR
    assert place_near(SONG, TEMPO, 4 * BAR + 1000, 4.0, free=True) == 4 * BAR + 1000
    assert place_near(SONG, METER, 10 * BAR + 100, 400.0, free=True) == 10 * BAR
    assert place_near(SONG, SECTION, 3 * BAR - 5, 400.0, free=False) == 3 * BAR
    assert place_near(SONG, SECTION, -500, 400.0, free=False) == 0


def test_keys_move_a_mark_by_one_beat_or_bar() -> None:
    assert place_beside(SONG, TEMPO, -1, 20.0) == 4 * BAR - 960
    assert place_beside(SONG, TEMPO, 1, 20.0) == 4 * BAR + 960
    assert place_beside(SONG, METER, -1, 20.0) == 11 * BAR
    assert place_beside(SONG, SECTION, 1, 20.0) == 3 * BAR
    assert place_beside(SONG, Marker("section", Ticks(0), SectionId("s")), -1, 20.0) == 0


def test_deleted_marks_are_gone() -> None:
    for mark in (TEMPO, METER, SECTION):
        assert find_mark(after(deleted_mark(SONG, mark)), mark) is None


@example([60.0, 90.0, 60.0, 90.0], 1, 1)
@example([60.0, 90.0, 60.0, 90.0, 60.0], 1, 5)
@given(
    st.lists(st.sampled_from([60.0, 90.0, 120.0]), min_size=2, max_size=6), st.integers(1, 5), st.integers(-2, 26),
)
def test_other_tempos_stand_where_they_stood(values: list[float], number: int, beat: int) -> None:
    kept = [one for one, before in zip(values[1:], values, strict=False) if one != before]
    changes = (TempoChange(Ticks(0), values[0]),
               *(TempoChange(Ticks((n + 1) * BAR), bpm) for n, bpm in enumerate(kept)))
    song = Song("Any", tempos=changes)
    if any(one.bpm == two.bpm for one, two in pairwise(changes)) or len(changes) <= number:
        return
    mark, to = Marker("tempo", changes[number].at), Ticks(beat * 960)
    if to == mark.at or refusal(song, mark, to):
        assert not moved_mark(song, mark, to).edits
        return
    moved = after(moved_mark(song, mark, to), song)
    others = [one for one in changes if one.at != mark.at]
    assert list(moved.tempos) == sorted([*others, TempoChange(to, changes[number].bpm)], key=lambda one: one.at)
