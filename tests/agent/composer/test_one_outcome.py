"""One outcome: each clause is done or told, never both, and nothing is done of which the words say the opposite."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec import structs

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Mix, Reshape
from agent.composer.understanding.tasks import Named
from agent.plan.plan import Clause
from agent.plan.planning import DraftReady
from agent.song.ids import SectionId
from agent.song.song import Section, Song
from agent.song.time import Ticks
from tests.agent.composer.doing import read


@pytest.fixture(scope="module")
def song(sample: Song) -> Song:
    """Eight bars with a verse and a chorus."""
    verse = Section(SectionId("s1"), "Verse", Ticks(0), Ticks(4 * 3840))
    chorus = Section(SectionId("s2"), "Chorus", Ticks(4 * 3840), Ticks(4 * 3840))
    return structs.replace(sample, sections=(verse, chorus))


@pytest.fixture(scope="module")
def lexicon(bench, song: Song) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, song)


@pytest.fixture(scope="module")
def nothing(bench) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, Song())


def told(clauses: tuple[Clause, ...]) -> list[Clause]:
    return [one for one in clauses if one.outcome == "told"]


@pytest.mark.parametrize("text", [
    "make the lead softer in a wibbly way, then the drums louder", "add a flute for the frobnication, and 90 bpm",
    "the bass louder and frobnicated",
])
def test_no_two_clauses_of_a_change_share_a_word(bench, song, text):
    clauses = bench.draft(text, song).clauses
    assert all(one.end <= other.start for one, other in pairwise(clauses))


@pytest.mark.parametrize("text", [
    "a lofi beat that sounds like wet cardboard, with piano", "a techno track that doesn't build, 32 bars",
    "a frobnicated waltz in G, starts small",
])
def test_no_two_clauses_of_a_new_piece_share_a_word(bench, text):
    clauses = bench.draft(text).clauses
    assert all(one.end <= other.start for one, other in pairwise(clauses))


def test_a_clause_of_which_something_is_left_over_is_told_with_it_and_has_the_rows_of_the_rest(bench, song):
    draft = bench.draft("make the drums louder wibbly", song)
    (clause,) = draft.clauses
    assert clause.outcome == "told"
    assert "wibbly" in clause.reason
    assert clause.reason.endswith("the rest is done")
    assert clause.steps == tuple(step.id for step in draft.steps)


def test_a_clause_that_is_done_but_for_a_part_that_is_missing_says_which(bench, song):
    draft = bench.draft("make the bass and the tuba louder", song)
    missing = told(draft.clauses)
    assert missing
    assert all("tuba" in one.text or "tuba" in one.reason for one in missing)


@pytest.mark.parametrize("text", [
    "a techno track that doesn't build", "three minutes of soft piano in G, doesn't build, no drums",
    "an ambient piece, it never builds",
])
def test_what_is_denied_is_not_done(nothing, text):
    intent = read(text, nothing, has_music=False)
    assert not any(stage.motion == "builds" for stage in intent.course)


@pytest.mark.parametrize(("text", "mood"), [
    ("a waltz where nobody is happy", "a little sadder"), ("pop, not sad", "a little happier"),
    ("a track not for dancing, happy", "happier"),
])
def test_a_mood_is_turned_round_by_what_denies_it_and_by_nothing_further_off(nothing, text, mood):
    assert [one.name for one in read(text, nothing, has_music=False).moods] == [mood]


def test_a_key_is_turned_round_too(nothing):
    assert read("a song not in a minor key", nothing, has_music=False).mode == "major"


@pytest.mark.parametrize("text", [
    "vary the velocities", "fast attack", "make the decay longer", "fast attack on the bass", "drop the bass energy",
    "remove the drum noise", "hard button",
])
def test_nothing_is_done_of_what_an_order_is_about_and_nobody_knows(lexicon, text):
    intent = read(text, lexicon, has_music=True)
    assert not intent.tasks
    assert [one.outcome for one in intent.clauses] == ["told"]


@pytest.mark.parametrize("text", [
    "make the whole thing longer", "make the vibe darker", "vary the lead", "bring the energy down", "faster overall",
    "remove the drums completely",
])
def test_what_is_known_is_done_to_the_last_word(lexicon, text):
    intent = read(text, lexicon, has_music=True)
    assert intent.tasks
    assert [one.outcome for one in intent.clauses] == ["understood"]


@pytest.mark.parametrize("text", ["drop the energy", "lower the intensity", "bring the energy down in the chorus"])
def test_less_energy_is_calmer(bench, song, text):
    assert any("calmer" in line for line in bench.draft(text, song).understood)


@pytest.mark.parametrize("text", [
    "add a flute and make it quiet", "add a flute doubling the lead and make it quiet",
    "add a flute. it should be soft",
])
def test_it_is_who_has_just_come_in(lexicon, text):
    last = read(text, lexicon, has_music=True).tasks[-1].operation
    assert last.wish.label == "flute"


def test_who_comes_in_rests_before_a_bar_and_nobody_else(bench, song):
    draft = bench.draft("add a flute that doubles the lead an octave up. Before bar 5 it rests.", song)
    after = bench.song(draft, song)
    tracks = {track.name: track for track in after.tracks}
    assert {track.id: track for track in song.tracks} == {track.id: track for track in after.tracks if track.id in
                                                         {one.id for one in song.tracks}}
    (new,) = (track for track in after.tracks if track.id not in {one.id for one in song.tracks})
    assert new.name in tracks
    assert min(clip.start + note.start for clip in new.clips for note in clip.notes) >= 4 * 3840


def test_parts_go_only_where_the_sentence_was(lexicon):
    (task,) = read("the chorus must be emptier, without the drums", lexicon, has_music=True).tasks
    assert task.scope.places == (Named("chorus", 0),) or task.scope.places == (Named("Chorus", 0),)


def test_only_behind_bars_keeps_nothing_but_them(bench, song):
    after = bench.song(bench.draft("keep bars 1 to 4 only", song), song)
    assert after.bars == 4 or not any(
        clip.start + note.start >= 4 * 3840 for track in after.tracks for clip in track.clips for note in clip.notes
    )


@pytest.mark.parametrize(("text", "effect", "params"), [
    ("cut 3 dB at 200 Hz on the lead", "eq", {"mid_freq": 200.0, "mid_gain": -3.0}),
    ("pull 3 dB out of the lead around 200, Q 1.4 or so", "eq", {"mid_freq": 200.0, "mid_gain": -3.0, "mid_q": 1.4}),
    ("boost the lead 2 dB at 3k", "eq", {"mid_freq": 3000.0, "mid_gain": 2.0}),
    ("cut 4 dB at 60 Hz on the lead", "eq", {"low_freq": 60.0, "low_gain": -4.0}),
])
def test_decibels_at_a_frequency(bench, song, text, effect, params):
    after = bench.song(bench.draft(text, song), song)
    lead = next(track for track in after.tracks if track.name == "Lead")
    assert params.items() <= dict(lead.effects[-1].params).items()
    assert lead.effects[-1].name == effect


def test_a_duck_is_as_deep_as_was_said(bench, song):
    after = bench.song(bench.draft("sidechain the bass off the kick, 4 dB of gain reduction", song), song)
    bass = next(track for track in after.tracks if track.name == "Bass")
    lane = next(one for one in bass.automation if one.target == "volume_db")
    assert min(point.value for point in lane.points) == pytest.approx(bass.volume_db - 4)


def test_a_complaint_and_its_remedy_are_one(lexicon):
    (task,) = read("the lead is way hot, knock 5 off it", lexicon, has_music=True).tasks
    assert isinstance(task.operation, Mix)
    assert task.operation.decibels == -5


def test_no_reverb_takes_it_from_the_parts(bench, song):
    wet = bench.song(bench.draft("add reverb to the lead", song), song)
    dry = bench.song(bench.draft("make it bone dry", wet), wet)
    assert not any(effect.name == "reverb" for track in dry.tracks for effect in track.effects)


def test_no_reverb_where_there_is_none_is_so_already(bench):
    draft = bench.draft("a jazz trio, no delay")
    assert not told(draft.clauses)


@pytest.mark.parametrize(("text", "tonic"), [
    ("F blues to practise over", "F"), ("Bb blues", "Bb"), ("a slow Eb ballad", "Eb"), ("a G funk track", None),
    ("A blues in the morning", None),
])
def test_a_note_before_a_kind_of_music_is_its_key(nothing, text, tonic):
    assert read(text, nothing, has_music=False).tonic == tonic


@pytest.mark.parametrize(("text", "seconds"), [("swing, minute and a half roughly", 90), ("swing, a minute", 60)])
def test_a_minute_and_a_half(nothing, text, seconds):
    assert read(text, nothing, has_music=False).seconds == seconds


@pytest.mark.parametrize(("text", "plays"), [
    ("summer vibes", False), ("a beat with dark vibes", False), ("piano and vibes", True), ("bass, drums, vibes", True),
    ("a jazz trio with vibes", True),
])
def test_vibes_are_played_unless_something_describes_them(nothing, text, plays):
    assert ("vibraphone" in [wish.label for wish in read(text, nothing, has_music=False).wanted]) is plays


def test_no_singing_leaves_the_tune_and_lets_voices_go(nothing):
    assert [wish.label for wish in read("a house track, no singing", nothing, has_music=False).refused] == ["choir"]


@pytest.mark.parametrize(("text", "parts"), [
    ("drums + bass louder", ["bass", "drums"]), ("remove the lead + bass", ["bass", "melody"]),
    ("add a flute + a cello", ["cello", "flute"]),
])
def test_a_plus_joins_parts(lexicon, text, parts):
    intent = read(text, lexicon, has_music=True)
    assert sorted(task.operation.wish.label for task in intent.tasks) == parts
    assert all(one.outcome == "understood" for one in intent.clauses)


def test_another_instrument_every_so_many_counts(bench):
    song = bench.song(bench.draft("big band, 32 bars, every 16 counts another instrument comes in"))
    starts = sorted({
        song.bar_map.bar_at(min(clip.start + note.start for clip in track.clips for note in clip.notes))
        for track in song.tracks if track.note_count
    })
    assert starts[:4] == [1, 5, 9, 13]


def test_the_name_of_a_track_that_is_an_instrument_is_no_style(bench, sample):
    bass = next(track for track in sample.tracks if track.name == "Bass")
    tracks = tuple(structs.replace(one, name="808") if one.id == bass.id else one for one in sample.tracks)
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, structs.replace(sample, tracks=tracks))
    (task,) = read("simplify the 808", lexicon, has_music=True).tasks
    assert isinstance(task.operation, Reshape)
    assert task.operation.wish.label == "808"
    assert not read("make everything 808", lexicon, has_music=True).tasks


@pytest.mark.parametrize("text", [
    "the lead bone dry, if there's any verb on it kill it",
    "the drums are far too fiddly. Make it woodblock on beats 1 and 3",
    "the background sound can be a bit more",
])
def test_nothing_goes_that_it_need_not_mean(lexicon, text):
    kinds = {type(task.operation).__name__ for task in read(text, lexicon, has_music=True).tasks}
    assert not kinds & {"Remove", "Replace", "Restyle"}


@pytest.mark.parametrize("text", ["this bass is heavy!", "the lead is bright"])
def test_what_a_part_is_like_is_no_order(lexicon, text):
    assert not read(text, lexicon, has_music=True).tasks


@pytest.mark.parametrize("text", [
    "the bass should be heavy", "make sure the lead is bright", "the lead is dark, make it brighter",
])
def test_what_a_part_shall_be_like_is_one(lexicon, text):
    assert read(text, lexicon, has_music=True).tasks


def test_strip_is_simpler_and_two_up_is_louder(lexicon):
    simpler, louder = (
        read(text, lexicon, has_music=True).tasks[0].operation for text in ("strip it back", "turn the lead 2 up")
    )
    assert isinstance(simpler, Reshape)
    assert isinstance(louder, Mix)
    assert louder.decibels == 2


def test_bars_each_of_another_sentence_are_not_those_of_chords(bench):
    song = bench.song(bench.draft("a waltz over C, F, Am and G7. First part twice, second twice, eight bars each."))
    assert song.bars < 120


@pytest.mark.parametrize(("text", "seconds"), [("soul, 2 and half minutes", 150), ("soul, 2 and a half minutes", 150)])
def test_minutes_and_a_half(nothing, text, seconds):
    assert read(text, nothing, has_music=False).seconds == seconds


def test_what_is_told_of_a_clause_is_no_longer_in_what_was_understood(bench, song):
    events = bench.events("make the lead louder, vary the velocities", song)
    assert isinstance(events[-1], DraftReady)
    outcomes = {one.text: one.outcome for one in events[-1].draft.clauses}
    assert outcomes == {"make the lead louder": "done", "vary the velocities": "told"}
