"""Filters: at a cutoff, through a wall or a telephone, opening over some bars."""

from __future__ import annotations

from agent.composer.changing.operations.filtering import Filter
from agent.composer.understanding.tasks import Task
from agent.theory.excerpts import lane_value
from tests.agent.composer.doing import do


def track_of(song, name):
    """The track of that name."""
    return next(track for track in song.tracks if track.name == name)


def cutoff_at(song, name, bar, filter_="lowpass"):
    """Where the cutoff of a track's filter stands at the beginning of a bar, in Hz; None without one."""
    track = track_of(song, name)
    effect = next((one for one in track.effects if one.name == filter_), None)
    if effect is None:
        return None
    lane = next((one for one in track.automation if one.target == f"{effect.id}.cutoff"), None)
    resting = float(dict(effect.params)["cutoff"])
    return lane_value(lane, resting, int(song.bar_map.start_of(bar))) if lane is not None else resting


def notes(song):
    """All notes of a song."""
    return [(track.id, clip.start, clip.notes) for track, clip in song.clips()]


def test_a_stated_cutoff_is_where_the_filter_stands(bench, sample):
    draft = bench.draft("300 Hz low-pass on the bass", sample)
    song = bench.song(draft, sample)
    assert (cutoff_at(song, "Bass", 3), cutoff_at(song, "Lead", 3)) == (300, None)
    assert (notes(song), draft.ignored) == (notes(sample), ())


def test_a_sound_from_the_next_room_is_clear_after_its_bars(bench, sample):
    request = "make it sound like its in the next room for the first 4 bars and then it gets clear"
    draft = bench.draft(request, sample)
    song = bench.song(draft, sample)
    assert (notes(song), draft.ignored) == (notes(sample), ())
    for track in sample.tracks:
        assert cutoff_at(song, track.name, 1) < 1000 < 18_000 < cutoff_at(song, track.name, 5)


def test_a_filter_opens_from_the_bar_in_which_it_is_closed(bench, sample):
    request = "low-pass on the chords that's closed at bar 3 and sweeps fully open by bar 7"
    draft = bench.draft(request, sample)
    song = bench.song(draft, sample)
    found = [cutoff_at(song, "Chords", bar) for bar in range(1, 9)]
    assert found[0] == found[1] == found[6] == found[7] == 20_000
    assert (found[2], draft.ignored) == (300, ())
    assert found[2:7] == sorted(found[2:7])


def test_a_telephone_takes_the_lows_and_the_highs(bench, sample):
    song = bench.song(bench.draft("put the lead through like an old telephone / radio filter", sample), sample)
    assert (cutoff_at(song, "Lead", 1, "highpass"), cutoff_at(song, "Lead", 1)) == (350, 3200)


def test_a_filter_that_is_there_is_set_and_returns_after_its_bars(bench, sample):
    first, _ = do(bench, sample, Task(Filter(hertz=2000.0)))
    assert [effect.name for effect in first.master_effects] == ["lowpass"]
    lead = bench.song(bench.draft("2 kHz low-pass on the lead", sample), sample)
    song = bench.song(bench.draft("muffle the lead in bars 3-4", lead), lead)
    assert [cutoff_at(song, "Lead", bar) for bar in (2, 3, 5)] == [2000, 700, 2000]
    assert len(track_of(song, "Lead").effects) == 1


def test_the_low_end_off_a_part_takes_no_part_out(bench, sample):
    song = bench.song(bench.draft("take the low end off the chords", sample), sample)
    assert (notes(song), cutoff_at(song, "Chords", 1, "highpass")) == (notes(sample), 250)


