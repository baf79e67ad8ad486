"""Pieces in several meters: where each holds, that every part obeys it, and what is asked or told where none can."""

from __future__ import annotations

import pytest

from agent.composer.writing.bar_meters import Alike, alike, styled
from agent.composer.writing.meters import groups
from agent.composer.writing.steps import marks
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.charts.writing import chart_text
from agent.theory.gate import findings
from agent.theory.sounding import family_tracks, kit_tracks, sounding

FOUR, THREE, SEVEN = (4, 4), (3, 4), (7, 8)
EARLY = 70
"""Ticks that a player may be beside the beat."""


def meters_in(song: Song, name: str) -> set[tuple[int, int]]:
    """The meters of the bars of all sections whose name begins so."""
    bars = [
        song.bar_map.meter_at(song.bar_map.start_of(bar))
        for section in song.sections if section.name.startswith(name)
        for bar in range(song.bar_map.bar_at(section.start), song.bar_map.bar_at(section.end - 1) + 1)
    ]
    return {(bar.beats, bar.unit) for bar in bars}


def bar_meters(song: Song) -> list[tuple[int, int]]:
    """The meter of each bar of a song."""
    found = [song.bar_map.meter_at(song.bar_map.start_of(bar)) for bar in range(1, song.bars + 1)]
    return [(one.beats, one.unit) for one in found]


@pytest.mark.parametrize("request_", [
    "rock song, verse in 7/8, chorus in 4/4", "a rock song in 4/4 with the verses in 7/8",
    "7/8 verse, 4/4 chorus, rock", "verse 7/8, chorus 4/4, rock", "a rock song, 7/8 in the verse and 4/4 in the chorus",
])
def test_each_section_is_in_the_meter_that_is_said_of_it(bench, request_):
    song = bench.compose(request_)
    assert meters_in(song, "Verse") == {SEVEN}
    assert meters_in(song, "Chorus") == {FOUR}
    assert len(song.sections) > 4
    assert findings(song, bench.palette) == ()


def test_a_meter_that_holds_from_a_bar_on_begins_there(bench):
    song = bench.compose("a pop song in 3/4, then 4/4 from bar 9")
    assert bar_meters(song)[:8] == [THREE] * 8
    assert set(bar_meters(song)[8:]) == {FOUR}


@pytest.mark.parametrize("request_", ["a pop song that starts in 3/4 then 4/4", "a rock song in 3/4 and later in 4/4"])
def test_two_meters_of_one_piece_are_asked_about_where_nothing_says_how_far_each_goes(bench, request_):
    assert "3/4 and 4/4" in bench.question(request_).text


def test_a_section_is_meant_by_its_number(bench):
    song = bench.compose("a pop song with verse 2 in 3/4")
    assert meters_in(song, "Verse 2") == {THREE}
    assert meters_in(song, "Verse 1") == {FOUR}


def test_solos_are_sections_too(bench):
    song = bench.compose("a jazz trio with the solos in 5/4")
    assert meters_in(song, "Solo") == {(5, 4)}
    assert meters_in(song, "Head") == {FOUR}


def test_a_meter_is_said_of_two_sections_at_once(bench):
    song = bench.compose("pop, verse and chorus in 7/8, bridge in 4/4, about 2 minutes long")
    assert meters_in(song, "Verse") == meters_in(song, "Chorus") == {SEVEN}
    assert meters_in(song, "Bridge") == {FOUR}
    assert 102 < song.tempo_map.seconds(song.end) < 138


def test_a_section_of_which_a_meter_is_said_is_there(bench):
    song = bench.compose("a waltz with a bridge in 4/4")
    assert meters_in(song, "Bridge") == {FOUR}
    assert song.sections[0].name != "Bridge"
    assert meters_in(song, "B again") == {THREE}


@pytest.mark.parametrize("request_", [
    "a pop song alternating 3/4 and 4/4, 16 bars", "16 bars of pop, alternating between bars of 3/4 and 4/4",
    "a pop song in 3/4 and 4/4 in turn, 16 bars", "a 16 bar pop song in 3/4 + 4/4",
])
def test_bars_take_turns(bench, request_):
    song = bench.compose(request_)
    assert bar_meters(song) == [THREE, FOUR] * 8
    assert findings(song, bench.palette) == ()


def test_bars_of_one_section_take_turns(bench):
    song = bench.compose("metal, chorus alternating 3/4 and 4/4, verse in 4/4")
    assert meters_in(song, "Chorus") == {THREE, FOUR}
    assert meters_in(song, "Verse") == {FOUR}


@pytest.mark.parametrize("request_", [
    "rock song, verse in 7/8, chorus in 4/4", "a pop song alternating 3/4 and 4/4", "a jazz trio with the solos in 5/4",
    "funk over | Am7 | D7 | [2/4] G7 | [4/4] C7 |",
])
def test_every_part_obeys_the_bar_lines(bench, request_):
    song = bench.compose(request_)
    starts = [song.bar_map.start_of(bar) for bar in range(1, song.bars + 1)]
    begun = {track.id: {note.start for note in sounding(song, {track.id})} for track in song.tracks}
    drums = [track.id for track in song.tracks if track.name == "Drums"]
    assert drums
    for track in (*family_tracks(song, bench.palette, "bass"), *drums):
        playing = [
            bar for bar, end in zip(starts, [*starts[1:], song.end], strict=True)
            if any(bar - EARLY <= at < end - EARLY for at in begun[track])
        ]
        on_one = sum(any(abs(at - bar) <= EARLY for at in begun[track]) for bar in playing)
        assert on_one > 0.85 * len(playing), song.track(track).name


def test_a_drummer_fills_at_ends_of_sections_and_not_where_the_meter_changes(bench):
    song = bench.compose("funk over | Am7 | D7 | [2/4] G7 | [4/4] C7 |")
    changes = {change.at for change in song.meters} - {section.start for section in song.sections}
    changes = {at for at in changes if song.bar_map.bar_at(at) < song.bars}
    crashes = {note.start for note in sounding(song, kit_tracks(song, bench.palette)) if note.pitch == 49}
    assert changes
    assert not any(abs(crash - change) <= EARLY for crash in crashes for change in changes)
    assert len({section.name for section in song.sections}) == len(song.sections)


def test_a_chart_says_its_meters_and_a_song_writes_them_again(bench):
    song = bench.compose("folk song over | [7/8] Am | F | [4/4] G | C |")
    assert bar_meters(song)[:8] == [SEVEN, SEVEN, FOUR, FOUR] * 2
    starts = [one.start / PPQ for one in song.chords[:5]]
    assert starts == [0, 3.5, 7, 11, 15]
    assert "| 7/8" not in chart_text(song, song.chords).splitlines()[0]
    assert "4/4 G | C |" in chart_text(song, song.chords)


def test_a_chart_that_begins_without_a_meter_begins_in_that_of_the_piece(bench):
    song = bench.compose("pop over | C | 3/4 F | G |\n| 4/4 C | F |")
    assert bar_meters(song)[:5] == [FOUR, THREE, THREE, FOUR, FOUR]


def test_sections_of_a_chart_have_meters_of_their_own(bench):
    song = bench.compose("pop\n\nverse: [7/8] Am | F\nchorus: [4/4] C | G")
    assert [(one.name, one.duration / PPQ) for one in song.sections] == [("Verse", 7), ("Chorus", 8)]


def test_chords_of_a_chart_go_into_the_bars_of_another_meter(bench):
    song = bench.compose("rock song in 7/8 over | Am G | F | C | D |")
    assert [one.start / PPQ for one in song.chords[:3]] == [0, 2, 3.5]


@pytest.mark.parametrize("request_", ["a folk song in 7/8 and 4/4", "a folk song in 3/4, in 4/4", "folk in 3/4 or 4/4"])
def test_meters_of_which_nobody_says_where_they_hold_are_asked_about(bench, request_):
    question = bench.question(request_)
    assert "not where each of them holds" in question.text
    answers = [bench.compose(choice.request) for choice in question.choices]
    assert len({tuple(bar_meters(song)[:2]) for song in answers}) == 3


def test_what_is_corrected_is_not_asked_about(bench):
    assert set(bar_meters(bench.compose("jazz in 4/4, no, in 3/4"))) == {THREE}


@pytest.mark.parametrize(("request_", "said"), [
    ("a techno track in 13/3", "13/3"), ("a rock song, verse in 40/4", "40/4"), ("pop in 5/64 time", "5/64"),
])
def test_a_meter_that_cannot_be_written_is_named(bench, request_, said):
    told = [clause for clause in bench.draft(request_).clauses if clause.outcome == "told"]
    assert any(said in clause.text and "no meter" in clause.reason for clause in told)


def test_sixteenths_make_a_meter_and_the_length_of_a_note_none(bench):
    assert set(bar_meters(bench.compose("a techno track in 13/16"))) == {(13, 16)}
    assert set(bar_meters(bench.compose("a techno track with 1/16 hats, 8 bars"))) == {FOUR}


def test_bars_that_take_turns_are_told_from_runs():
    assert alike([THREE, FOUR] * 3 + [THREE]) == [Alike((THREE, FOUR), 3), Alike((THREE,), 1)]
    assert alike([FOUR, FOUR, (2, 4), FOUR]) == [Alike((FOUR,), 2), Alike(((2, 4),), 1), Alike((FOUR,), 1)]


def test_rhythms_are_laid_into_each_bar_of_a_turn(bench):
    style = styled(bench.styles.style("rock"), (SEVEN, FOUR))
    size = sum(groups(*SEVEN)) + 16
    patterns = [text for part in style.parts for text in part.patterns]
    lines = [text for groove in style.grooves for text in groove.lines.values()]
    assert patterns
    assert all(len(marks(text)) % size == 0 for text in (*patterns, *lines))
