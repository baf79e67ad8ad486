"""Levels, places and bars in front as people say them, and what "that" and "when it comes back" mean."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Mix, Repeat, Retempo
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import SectionId
from agent.song.song import Section
from agent.song.time import Ticks
from tests.agent.composer.doing import notes_outside, read

BAR = 3840


@pytest.fixture
def tasks(bench, sample):
    """The tasks and the told clauses of a request about a song, the sample unless another is given."""

    def read_of(request, song=sample):
        intent = read(request, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
        return list(intent.tasks), [clause.text for clause in intent.clauses if clause.outcome == "told"]

    return read_of


@pytest.fixture(scope="module")
def loops(sample):
    """The sample as Loop A, Break and Loop A again, of two bars each and the last of four."""
    spans = (("Loop A", 0, 2), ("Break", 2, 2), ("Loop A again", 4, 4))
    sections = (
        Section(SectionId(f"s{number:012d}"), name, Ticks(first * BAR), Ticks(bars * BAR))
        for number, (name, first, bars) in enumerate(spans)
    )
    return structs.replace(sample, sections=tuple(sections))


def track_of(song, name):
    """The track of that name."""
    return next(track for track in song.tracks if track.name == name)


def bars_of(song, name):
    """The bars in which a track has notes."""
    starts = {int(clip.start + note.start) for clip in track_of(song, name).clips for note in clip.notes}
    return {start // BAR + 1 for start in starts}


def levels(found):
    """Whose level goes up (1) or down (-1), and how far."""
    return [(task.operation.wish.label, task.operation.by, task.amount) for task in found]


def test_one_is_loud_and_all_others_are_well_down(bench, sample, tasks):
    found, told = tasks("lead nice and loud, everybody else well down but still audible")
    assert (levels(found), told) == ([("melody", 1.0, 1.5), ("everything else", -1.0, 1.5)], [])
    song = bench.song(bench.draft("lead nice and loud, everybody else well down but still audible", sample), sample)
    louder = {track.name for track in song.tracks if track.volume_db > track_of(sample, track.name).volume_db}
    quieter = {track.name for track in song.tracks if track.volume_db < track_of(sample, track.name).volume_db}
    assert (louder, quieter) == ({"Lead"}, {"Drums", "Bass", "Chords"})


@pytest.mark.parametrize(("request_", "by"), [
    ("make the bass far too loud", 1.0), ("bass much too loud, on purpose", 1.0), ("the bass is too loud", -1.0),
    ("the bass is loud", -1.0), ("the bass loud please", 1.0),
])
def test_too_loud_is_a_complaint_unless_it_is_to_be_so(tasks, request_, by):
    assert [task.operation.by for task in tasks(request_)[0]] == [by]


@pytest.mark.parametrize("request_", ["make the lead sound far away", "the lead miles away"])
def test_what_sounds_far_away_does_not_go(bench, sample, request_):
    song = bench.song(bench.draft(request_, sample), sample)
    assert [effect.name for effect in track_of(song, "Lead").effects] == ["reverb"]
    assert bars_of(song, "Lead") == bars_of(sample, "Lead")


def test_a_row_of_parts_goes_from_the_left_to_the_right(tasks):
    found, told = tasks("pan bass, chords, lead from left to right")
    assert [(task.operation.control, task.operation.at) for task in found] == [("pan", at) for at in (-0.8, 0.0, 0.8)]
    assert not told


def test_parts_on_the_same_side_are_on_one(tasks):
    found, _ = tasks("chords and lead hard over to the same side")
    assert {task.operation.at for task in found} == {-1.0}


def test_a_place_that_is_the_subject_is_that_of_its_own_clause_alone(tasks, loops):
    found, _ = tasks("the lead louder and the break quieter", loops)
    assert found[0].scope.places == ()
    assert found[1].operation == Mix("level", -1.0)
    assert found[1].scope.places


def test_that_is_what_was_spoken_of_and_not_what_somebody_plays(bench, sample, tasks):
    guitar = apply_all(sample, [e.UpdateTrack(track_id=track_of(sample, "Chords").id, instrument="guitar_steel")])
    found, _ = tasks("i do the bass part myself on guitar so just get rid of that", guitar)
    assert [task.operation.wish.label for task in found] == ["bass"]


def test_what_begins_when_a_section_comes_back_begins_at_the_last_of_them(bench, loops):
    request = "in the break take out everything except the drums, then when Loop A comes back everyone comes back but "
    draft = bench.draft(f"{request}add a clap on 2 and 4", loops)
    song = bench.song(draft, loops)
    assert bars_of(song, "Bass") == {1, 2, 5, 6, 7, 8}
    assert not draft.ignored
    before, after = (notes_outside(one, 2 * BAR, 8 * BAR) for one in (loops, song))
    assert before == after


def test_a_place_before_an_order_with_put_is_where_it_is_done(tasks, loops):
    found, _ = tasks("in the break put the lead down an octave", loops)
    assert found[0].scope.places


def test_bars_in_front_hold_only_who_is_named(bench, sample):
    draft = bench.draft("give me 2 bars at the front so I know when to come in - just drums and bass", sample)
    song = bench.song(draft, sample)
    assert song.bars == sample.bars + 2
    playing = [name for name in ("Drums", "Bass", "Chords", "Lead") if bars_of(song, name) & {1, 2}]
    assert playing == ["Drums", "Bass"]


def test_a_safety_is_one_bar_again_and_again(bench, sample):
    request = "a two bar safety before bar 1, just the bass repeating whatever it does in bar 1"
    draft = bench.draft(request, sample)
    song = bench.song(draft, sample)
    bass = [
        (int(clip.start + note.start), note.pitch) for clip in track_of(song, "Bass").clips for note in clip.notes
    ]
    first, second = ([(at - start, pitch) for at, pitch in bass if start <= at < start + BAR] for start in (0, BAR))
    assert sorted(first) == sorted(second)
    assert (bars_of(song, "Drums") & {1, 2}, song.bars, draft.ignored) == (set(), 10, ())


def test_all_goes_round_as_often_as_is_said(tasks):
    found, _ = tasks("could it go round three times, but don't make it any faster")
    assert found[0].operation == Repeat(3)
    assert not any(isinstance(task.operation, Retempo) for task in found)


def test_keeping_it_for_a_purpose_locks_no_part(bench, sample):
    draft = bench.draft("brushes rather than those drums, and keep it so people can talk over it", sample)
    song = bench.song(draft, sample)
    assert track_of(song, "Drums").instrument == "kit_brush"


def test_names_for_tracks_are_no_players(tasks):
    found, told = tasks("Call the tracks low, lead bass and lead chords.")
    assert (found, bool(told)) == ([], True)


def test_secondary_dominants_are_put_where_they_are_asked_for(tasks, loops):
    found, told = tasks("reharm the break with at least two secondary dominants, tune stays", loops)
    assert [(task.operation.sentence(1, None), bool(task.scope.places)) for task in found] == [
        ("secondary dominants", True)
    ]
    assert not told


def test_nothing_changes_outside_of_a_place(bench, loops):
    draft = bench.draft("make it darker. Outside the break nothing changes", loops)
    song = bench.song(draft, loops)
    assert notes_outside(loops, 2 * BAR, 4 * BAR) == notes_outside(song, 2 * BAR, 4 * BAR)
    assert song.master_effects == loops.master_effects
    assert not draft.ignored


def test_everything_behind_a_place_goes(bench, loops):
    song = bench.song(bench.draft("everything after bar 4 can go", loops), loops)
    assert (song.bars, [section.name for section in song.sections]) == (4, ["Loop A", "Break"])


def test_what_is_louder_than_a_part_comes_down_to_it(bench, sample):
    quiet = apply_all(sample, [e.UpdateTrack(track_id=track_of(sample, "Lead").id, volume_db=-6.0)])
    quiet = apply_all(quiet, [e.UpdateTrack(track_id=track_of(sample, "Bass").id, volume_db=-9.0)])
    song = bench.song(bench.draft("nothing louder than the lead", quiet), quiet)
    assert [track_of(song, name).volume_db for name in ("Drums", "Bass", "Chords", "Lead")] == [-6.0, -9.0, -6.0, -6.0]


def test_on_the_low_notes_of_a_part_another_doubles_them(tasks):
    found, _ = tasks("put an upright bass on the low notes of the chords")
    assert [task.operation.sentence(1, None) for task in found] == ["the low notes of chords doubled by double bass"]


@pytest.mark.parametrize("request_", ["make it last 2 minutes", "keep bars 1-4, lose the rest"])
def test_what_is_read_without_a_part_is_done_or_told(tasks, request_):
    found, told = tasks(request_)
    assert found or told


def test_the_whole_song_is_no_part_that_was_named_before_it(tasks):
    found, _ = tasks("give the chords to an organ, drop the whole thing a tone")
    assert found[1].operation.wish is None


def test_a_place_sounds_under_water(tasks, loops):
    found, told = tasks("make the break sound underwater", loops)
    assert (found[0].operation.sentence(1, None), told) == ("all through a low-pass filter", [])
    assert found[0].scope.places
