"""Edits of a hand on the timeline: what the song is afterwards, and that nothing becomes of what is impossible."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.song import rules
from agent.song.apply import apply
from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, EffectId, NoteId, SectionId, TrackId
from agent.song.locks import BarsLock, ClipLock, Lock, TrackLock
from agent.song.palette import EffectKind, Palette, Parameter
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks
from agent.song.track import Automation, Effect, Point, Track
from app.viewmodels.edits.clip_edits import HandEdit, resized_left, split
from app.viewmodels.edits.curve_edits import (
    CurveTarget,
    curve_of,
    target_of,
    targets_of,
    value_at,
    value_words,
    with_point,
    with_points,
)
from app.viewmodels.edits.frame_edits import (
    deleted_section,
    moved_section,
    new_section,
    with_meter,
    with_tempo,
    without_meter,
    without_tempo,
)
from app.viewmodels.edits.locking import clip_is_locked, locked_clips
from app.viewmodels.edits.track_edits import brought_in, colored, deleted_track, placed_track

BAR = 3840
NOTES = tuple(Note(NoteId(f"n{n}"), 60 + n, Ticks(n * 480), Ticks(480)) for n in range(8))
SONG = Song("One", tracks=(
    Track(TrackId("ta"), "Pad", "pad_warm", clips=(Clip(ClipId("ca"), "a", Ticks(BAR), Ticks(BAR), NOTES),),
          effects=(Effect(EffectId("ea"), "reverb", (("wet", 0.3),)),),
          automation=(Automation("ea.wet", (Point(Ticks(0), 0.1), Point(Ticks(BAR), 0.9))),)),
    Track(TrackId("tb"), "Keys", "piano_grand"),
    Track(TrackId("tc"), "Bass", "bass_finger"),
), sections=(Section(SectionId("sa"), "Verse", Ticks(0), Ticks(BAR)),))
PALETTE = Palette(effects=(EffectKind("reverb", "Reverb", "", (Parameter("wet", "mix", 0, 1, 0.2),)),))


def done(song: Song, hand: HandEdit) -> Song:
    for edit in hand.edits:
        song = apply(song, edit)
    rules.check(song)
    return song


@given(st.integers(-2 * BAR, 2 * BAR))
def test_a_left_edge_moves_and_notes_sound_where_they_did(by: int) -> None:
    (clip,) = done(SONG, resized_left(SONG, [ClipId("ca")], by)).tracks[0].clips
    before = {BAR + note.start: note for note in NOTES}
    assert clip.end == 2 * BAR
    assert clip.start == max(0, min(2 * BAR - 1, BAR + by))
    assert [clip.start + note.start for note in clip.notes] == [at for at in sorted(before) if at >= clip.start]


@given(st.integers(0, 3 * BAR))
def test_a_split_keeps_every_note_start_and_the_whole_length(at: int) -> None:
    hand = split(SONG, [ClipId("ca")], at)
    after = done(SONG, hand).tracks[0].clips
    assert bool(hand.edits) == (BAR < at < 2 * BAR)
    assert (after[0].start, after[-1].end) == (BAR, 2 * BAR)
    assert sorted(clip.start + note.start for clip in after for note in clip.notes) == [
        BAR + note.start for note in NOTES
    ]


@given(st.sampled_from(["ta", "tb", "tc"]), st.integers(-5, 9))
def test_a_track_comes_to_the_nearest_place_and_the_others_keep_their_order(track: str, place: int) -> None:
    after = [one.id for one in done(SONG, placed_track(SONG, TrackId(track), place)).tracks]
    assert after.index(TrackId(track)) == max(0, min(2, place))
    assert [one for one in after if one != track] == [one for one in ("ta", "tb", "tc") if one != track]


def test_nothing_becomes_of_what_is_so_already_or_gone() -> None:
    assert placed_track(SONG, TrackId("ta"), 0) == HandEdit()
    assert colored(SONG, TrackId("ta"), SONG.tracks[0].color) == HandEdit()
    assert deleted_track(SONG, TrackId("t?")) == HandEdit()
    assert deleted_section(SONG, SectionId("s?")) == HandEdit()
    assert with_tempo(SONG, Ticks(BAR), 120) == HandEdit()
    assert without_tempo(SONG, Ticks(0)) == HandEdit()
    assert without_meter(SONG, Ticks(0)) == HandEdit()
    assert with_points(SONG, TrackId("t?"), "pan", (), None) == HandEdit()


def test_tempos_and_meters_come_and_go() -> None:
    faster = done(SONG, with_tempo(SONG, Ticks(BAR), 1_000_000))
    assert faster.tempos == (TempoChange(Ticks(0), 120.0), TempoChange(Ticks(BAR), 999))
    assert done(faster, without_tempo(faster, Ticks(BAR))) == SONG
    waltz = done(SONG, with_meter(SONG, Ticks(BAR), 3, 4))
    assert waltz.meters[1] == MeterChange(Ticks(BAR), 3, 4)
    assert done(waltz, without_meter(waltz, Ticks(BAR))) == SONG


@given(st.integers(-BAR, 4 * BAR), st.integers(-BAR, 4 * BAR))
def test_a_section_keeps_a_length_wherever_its_edges_are_dragged(start: int, end: int) -> None:
    (section,) = done(SONG, moved_section(SONG, SectionId("sa"), start, end)).sections
    assert section.start == max(0, start)
    assert section.duration >= 1


def test_a_section_covers_its_bars_inclusively() -> None:
    hand, made = new_section(SONG, (3, 4), "Bridge")
    section = done(SONG, hand).section(made)
    assert (section.name, section.start, section.end) == ("Bridge", 2 * BAR, 4 * BAR)


def test_tracks_of_another_song_come_with_all_that_is_theirs_and_leave_the_frame_alone() -> None:
    other = Song("Other", tempos=(TempoChange(Ticks(0), 77.0),), tracks=SONG.tracks[:1])
    after = done(SONG, brought_in(other, Ticks(2 * BAR), "other.mid"))
    made = after.tracks[3]
    assert after.tempos == SONG.tempos
    assert [clip.start for clip in made.clips] == [3 * BAR]
    assert len(made.clips[0].notes) == len(NOTES)
    assert made.effects[0].params == (("wet", 0.3),)
    assert made.automation[0].target == f"{made.effects[0].id}.wet"
    assert [point.at for point in made.automation[0].points] == [2 * BAR, 3 * BAR]
    assert made.id not in {"ta", "tb", "tc"}
    again = done(after, brought_in(other, Ticks(0), "other.mid"))
    assert len(again.tracks) == 5


LOCKS = st.lists(st.one_of(
    st.sampled_from(["ta", "tb"]).map(lambda one: TrackLock(TrackId(one))), st.just(ClipLock(ClipId("ca"))),
    st.tuples(st.integers(1, 4), st.integers(0, 3)).map(lambda pair: BarsLock(pair[0], pair[0] + pair[1])),
), max_size=3)


@given(LOCKS)
def test_locked_clips_are_those_that_are_locked_one_by_one(locks: list[Lock]) -> None:
    one_by_one = {clip.id for track, clip in SONG.clips() if clip_is_locked(locks, SONG, track.id, clip)}
    assert locked_clips(locks, SONG) == one_by_one


PLACES = st.lists(st.tuples(st.integers(0, 9), st.floats(0, 1)), max_size=8)


@given(PLACES, st.integers(0, 9), st.integers(0, 9), st.floats(0, 1))
def test_a_moved_point_replaces_what_lies_at_its_new_place(
    places: list[tuple[int, float]], old: int, at: int, value: float
) -> None:
    points = tuple(Point(Ticks(at), value) for at, value in sorted(dict(places).items()))
    after = with_point(points, Ticks(old), Ticks(at), value)
    assert [point.at for point in after] == sorted({*(point.at for point in points)} - {Ticks(old)} | {Ticks(at)})
    assert next(point.value for point in after if point.at == at) == value
    done(SONG, with_points(SONG, TrackId("tb"), "pan", after, "hold"))


@given(st.floats(-100, 100, allow_nan=False))
def test_a_share_of_a_lane_is_within_it_and_its_value_within_the_range(value: float) -> None:
    one = CurveTarget("pan", "pan", -1, 1, 0)
    assert 0 <= one.share(value) <= 1
    assert -1 <= one.value(one.share(value)) <= 1


def test_targets_are_those_of_the_mix_of_playing_and_of_the_effects() -> None:
    track = SONG.tracks[0]
    assert [one.target for one in targets_of(track, PALETTE)] == [
        "volume_db", "pan", "ea.wet", "expression", "modulation", "pedal", "bend",
    ]
    wet = target_of(track, "ea.wet", PALETTE)
    assert wet is not None
    assert (wet.low, wet.high, wet.rest) == (0, 1, 0.3)
    assert value_words(track, wet, 0.32, PALETTE) == "32%"
    assert target_of(track, "egone.wet", PALETTE) is None
    assert curve_of(track, "pan").points == ()


def test_a_curve_is_held_or_goes_straight_between_its_points() -> None:
    points = (Point(Ticks(100), 1.0), Point(Ticks(200), 3.0))
    straight, held = Automation("pan", points), Automation("pan", points, "hold")
    assert [value_at(straight, at, 9.0) for at in (0, 100, 150, 300)] == [1.0, 1.0, 2.0, 3.0]
    assert value_at(held, 199, 9.0) == 1.0
    assert value_at(Automation("pan", ()), 5, 9.0) == 9.0
