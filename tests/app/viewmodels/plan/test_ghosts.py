"""Ghosts: what a plan adds, changes and removes, by which row; and where things stand on the timeline."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from songs import edits, songs

from agent.plan.decision import Reject
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.review.preview import Preview, RowPreview
from agent.review.review import Review
from agent.song.apply import apply, apply_all
from agent.song.changes import compare
from agent.song.errors import SongError
from agent.song.song import Song
from agent.song.time import BarMap, MeterChange, Ticks
from app.studio.studio import Studio
from app.viewmodels.edits.clip_edits import chosen, duplicated, moved, reach
from app.viewmodels.plan.ghosts import Ghosts, ghosts_of, made_by
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.texts.figures import decibels
from app.viewmodels.texts.places import length_in_words, place_in_words
from app.viewmodels.timeline.layout import grid_at, lanes_of, lines_between, snapped

NOTE = {"n": 60, "s": 0, "d": 1, "v": 90}


def proposed(studio: Studio, song: Song, *rows: Step) -> Proposal:
    plan = Plan(tuple(rows), request="more", song_revision="r", project="p")
    review = asyncio.run(studio.planning.judge(plan, song))
    assert review.preview is not None
    return Proposal(review.plan, review, review, song)


def base(studio: Studio) -> Song:
    made = proposed(
        studio, Song(),
        Step("a", "create_track", {"name": "Pad", "instrument": "pad_warm"}),
        Step("b", "create_midi_clip", {"track_id": "{{a.track_id}}", "start_time": 0, "duration": 8, "notes": [NOTE]}),
        Step("c", "create_midi_clip", {"track_id": "{{a.track_id}}", "start_time": 8, "duration": 8, "notes": [NOTE]}),
    )
    assert made.ghost is not None
    return made.ghost


def test_clips_are_added_changed_and_removed_by_their_rows(studio: Studio) -> None:
    song = base(studio)
    first, second = song.tracks[0].clips
    proposal = proposed(
        studio, song,
        Step("s1", "set_tempo", {"bpm": 84}),
        Step("s2", "modify_clip", {"clip_id": first.id, "name": "Calm"}),
        Step("s3", "delete_clip", {"clip_id": second.id}),
        Step("s4", "create_midi_clip",
             {"track_id": song.tracks[0].id, "start_time": 6, "duration": 8, "notes": [NOTE], "name": "New"}),
        Step("s5", "transform_clip", {"clip_id": first.id, "operation": "transpose", "semitones": 12}),
        Step("s6", "update_track", {"track_id": song.tracks[0].id, "volume_db": -9}),
    )
    ghosts = ghosts_of(song, proposal)
    found = {(one.kind, one.clip.name): one for one in ghosts.clips}
    changed, removed, added = found["changed", "Calm"], found["removed", second.name], found["added", "New"]
    assert (changed.cause.number, changed.cause.steps, changed.replaced) == (2, {"s2", "s5"}, first)
    assert changed.clip.notes[0].pitch == 72
    assert (removed.cause.step, removed.clip, removed.replaced) == ("s3", second, None)
    assert (added.cause.number, added.replaced) == (4, second)
    assert [(one.cause.number, one.change.bpm) for one in ghosts.tempos] == [(1, 84)]
    assert [mark.number for mark in ghosts.marks[song.tracks[0].id]] == [6]
    assert ghosts.steps == {"s1", "s2", "s3", "s4", "s5", "s6"}


def test_new_tracks_stand_where_the_plan_puts_them_and_removed_ones_stay(studio: Studio) -> None:
    song = base(studio)
    proposal = proposed(
        studio, song,
        Step("s1", "create_track", {"name": "Bass", "instrument": "bass_finger", "position": 0}),
        Step("s2", "create_track", {"name": "Choir", "instrument": "pad_warm"}),
        Step("s3", "create_midi_clip",
             {"track_id": "{{s2.track_id}}", "start_time": 0, "duration": 8, "notes": [NOTE], "name": "Swells"}),
        Step("s4", "delete_track", {"track_id": song.tracks[0].id}),
    )
    lanes = lanes_of(song, ghosts_of(song, proposal))
    assert [(lane.track.name, lane.in_song) for lane in lanes] == [("Bass", False), ("Pad", True), ("Choir", False)]
    assert [ghost.kind for ghost in lanes[1].ghosts] == ["removed", "removed"]
    assert lanes[1].proposed is not None
    assert lanes[1].proposed.cause.step == "s4"
    assert [(ghost.clip.name, ghost.cause.number) for ghost in lanes[2].ghosts] == [("Swells", 3)]
    assert lanes[2].clips == ()


def test_a_track_that_is_put_below_others_stands_below_them(studio: Studio) -> None:
    song = base(studio)
    proposal = proposed(
        studio, song,
        *(Step(f"s{n}", "create_track", {"name": f"Pad {n}", "instrument": "pad_warm"}) for n in range(2, 5)),
        Step("s5", "create_track", {"name": "Bass", "instrument": "bass_finger", "position": 2}),
    )
    names = [lane.track.name for lane in lanes_of(song, ghosts_of(song, proposal))]
    assert proposal.ghost is not None
    assert names == [track.name for track in proposal.ghost.tracks]
    assert names.index("Bass") == 2


def test_rejected_rows_and_what_needs_them_have_no_ghosts_before_the_rest_is_judged(studio: Studio) -> None:
    song = base(studio)
    proposal = proposed(
        studio, song,
        Step("s1", "create_track", {"name": "Choir", "instrument": "pad_warm"}),
        Step("s2", "create_midi_clip",
             {"track_id": "{{s1.track_id}}", "start_time": 0, "duration": 8, "notes": [NOTE]}),
        Step("s3", "set_tempo", {"bpm": 84}),
    )
    rejected = replace(proposal, rejections={"s1": Reject("s1")})
    ghosts = ghosts_of(song, rejected)
    assert (ghosts.clips, ghosts.tracks) == ((), ())
    assert ghosts.steps == {"s3"}


def test_rows_that_a_run_has_done_are_no_ghosts_any_more(studio: Studio) -> None:
    song = base(studio)
    first = song.tracks[0].clips[0]
    proposal = proposed(
        studio, song,
        Step("s1", "modify_clip", {"clip_id": first.id, "name": "Calm"}),
        Step("s2", "delete_clip", {"clip_id": song.tracks[0].clips[1].id}),
    )
    assert proposal.judged.preview is not None
    half = proposal.judged.preview.row("s1").after
    ghosts = ghosts_of(half, proposal, {"s1"})
    assert [one.cause.step for one in ghosts.clips] == ["s2"]
    assert made_by(proposal, {"s1"}) == {first.id}
    assert ghosts_of(proposal.judged.preview.song, proposal, {"s1", "s2"}) == Ghosts()


def test_a_change_by_hand_that_no_row_made_is_no_ghost(studio: Studio) -> None:
    song = base(studio)
    proposal = proposed(studio, song, Step("s1", "set_tempo", {"bpm": 84}))
    other = apply_all(song, duplicated(song, [song.tracks[0].clips[0].id]).edits)
    assert ghosts_of(other, proposal).clips == ()
    assert ghosts_of(song, None) == Ghosts()


@given(st.data())
def test_ghosts_are_exactly_the_clips_that_differ(data: st.DataObject) -> None:
    song = data.draw(songs())
    ghost, rows = song, []
    for number in range(data.draw(st.integers(0, 5))):
        edit = data.draw(edits(ghost))
        try:
            after = apply(ghost, edit)
        except SongError:
            continue
        rows.append(RowPreview(f"s{number}", ghost, after, (edit,)))
        ghost = after
    plan = Plan(tuple(Step(row.step, "set_tempo", {"bpm": 90}) for row in rows))
    review = Review(plan, Preview(ghost, compare(song, ghost), tuple(rows)))
    ghosts = ghosts_of(song, Proposal(plan, review, review, song))
    old = {clip.id: (track.id, clip) for track, clip in song.clips()}
    new = {clip.id: (track.id, clip) for track, clip in ghost.clips()}
    differing = {clip for clip in old.keys() | new.keys() if old.get(clip) != new.get(clip)}
    assert {one.clip.id for one in ghosts.clips} == differing
    assert len(ghosts.clips) == len(differing)
    for one in ghosts.clips:
        assert one.kind == {(True, True): "changed", (False, True): "added", (True, False): "removed"}[
            one.clip.id in old, one.clip.id in new
        ]
        assert one.cause.step in one.cause.steps
        assert 1 <= one.cause.number <= len(rows)
    lanes = lanes_of(song, ghosts)
    assert [lane.track.id for lane in lanes if lane.in_song] == [track.id for track in song.tracks]
    assert sum(len(lane.ghosts) for lane in lanes) == len(ghosts.clips)


METERS = st.lists(
    st.builds(MeterChange, st.integers(1, 40_000).map(Ticks), st.integers(1, 12), st.sampled_from([2, 4, 8])),
    max_size=3, unique_by=lambda meter: meter.at,
).map(lambda changes: BarMap((MeterChange(Ticks(0)), *sorted(changes, key=lambda meter: meter.at))))


@given(METERS, st.integers(0, 60_000), st.floats(0.05, 300))
def test_the_grid_keeps_what_is_on_it_and_moves_nothing_far(bars: BarMap, at: int, per_beat: float) -> None:
    there = snapped(bars, at, per_beat)
    assert there >= 0
    assert abs(there - at) <= max(grid_at(bars, at, per_beat), bars.meter_at(at).bar_length)


@given(METERS, st.integers(0, 40_000), st.integers(1, 40_000), st.floats(0.05, 300))
def test_grid_lines_rise_lie_within_and_can_be_told_apart(
    bars: BarMap, start: int, length: int, per_beat: float
) -> None:
    lines = list(lines_between(bars, start, start + length, per_beat))
    places = [line.at for line in lines]
    assert places == sorted(set(places))
    assert all(line.at <= start + length for line in lines)
    assert all(line.bar == bars.bar_at(line.at) for line in lines if line.bar is not None)


@given(songs(), st.integers(-20_000, 20_000), st.integers(-4, 4))
def test_clips_move_together_and_never_out_of_the_song(song: Song, by: int, lanes: int) -> None:
    ids = frozenset(clip.id for _, clip in song.clips())
    allowed = reach(song, ids, by, lanes)
    after = apply_all(song, moved(song, ids, by, lanes).edits)
    order = [track.id for track in song.tracks]
    for track, clip in chosen(song, ids):
        where, now = after.clip(clip.id)
        assert now.start == clip.start + allowed[0] >= 0
        assert order.index(where.id) == order.index(track.id) + allowed[1]
        assert now.notes == clip.notes


@pytest.mark.parametrize(("at", "words"), [(0, "1.1.1"), (3840 * 24, "25.1.1"), (3840 + 960 + 240, "2.2.2")])
def test_places_are_said_as_bar_beat_and_sixteenth(at: int, words: str) -> None:
    assert place_in_words(BarMap((MeterChange(Ticks(0)),)), at) == words


def test_lengths_are_bars_where_they_are_and_beats_otherwise() -> None:
    bars = BarMap((MeterChange(Ticks(0)),))
    assert length_in_words(bars, 3840, 3840 * 8) == "8 bars"
    assert length_in_words(bars, 0, 3840) == "1 bar"
    assert length_in_words(bars, 0, 2400) == "2.5 beats"
    assert decibels(-2.5) == "−2.5"
    assert decibels(-0.01) == "0.0"


def test_curves_tempos_and_meters_tell_whether_they_are_new_other_or_gone(studio: Studio) -> None:
    song = base(studio)
    track = song.tracks[0].id
    points = [{"at": 0, "value": -12.0}, {"at": 8, "value": 0.0}]
    automated = proposed(
        studio, song, Step("a", "set_automation", {"track_id": track, "target": "volume_db", "points": points}),
        Step("b", "set_automation", {"track_id": track, "target": "pan", "points": [{"at": 0, "value": 0.5}]}),
    ).ghost
    assert automated is not None
    proposal = proposed(
        studio, automated,
        Step("s1", "set_tempo", {"bpm": 84}), Step("s2", "set_tempo", {"bpm": 99, "at_beat": 16}),
        Step("s3", "set_automation", {"track_id": track, "target": "volume_db", "points": points[1:]}),
        Step("s4", "set_automation", {"track_id": track, "target": "pan", "points": []}),
        Step("s5", "set_automation", {"track_id": track, "target": "bend", "points": [{"at": 4, "value": 2.0}]}),
    )
    ghosts = ghosts_of(automated, proposal)
    assert [(one.kind, one.change.bpm, one.was and one.was.bpm) for one in ghosts.tempos] == [
        ("changed", 84, 120), ("added", 99, None),
    ]
    assert {(one.kind, one.curve.target, one.cause.number) for one in ghosts.automation} == {
        ("changed", "volume_db", 3), ("removed", "pan", 4), ("added", "bend", 5),
    }
    assert ghosts.steps == {"s1", "s2", "s3", "s4", "s5"}
    without = replace(proposal, rejections={"s4": Reject("s4")})
    assert {one.curve.target for one in ghosts_of(automated, without).automation} == {"volume_db", "bend"}
