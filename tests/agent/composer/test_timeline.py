"""Time put in, taken out and copied: nothing else of a song changes."""

from __future__ import annotations

from itertools import count

from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from songs import songs

from agent.composer.changing.time.moved_lanes import value_at
from agent.composer.changing.time.timeline import EARLY, copy_time, cut_time, insert_time
from agent.song.rules import check
from agent.song.song import Song

quick = settings(max_examples=examples(150), suppress_health_check=list(HealthCheck))
places = st.integers(0, 20).map(lambda beats: beats * 960)
spans = st.integers(1, 12).map(lambda beats: beats * 960)


def maker():
    numbers = count(1)
    return lambda kind: f"{kind}made{next(numbers)}"


def notes(song: Song, at: int = -(10**9)):
    """All notes in song time by track, without those at a seam."""
    return sorted(
        (track.id, clip.start + note.start, note.pitch, note.duration, note.velocity, note.id)
        for track, clip in song.clips()
        for note in clip.notes
        if not clip.start + note.start - EARLY <= at < clip.start + note.end + EARLY
    )


def frame(song: Song):
    return song.tempos, song.meters, song.sections


@quick
@given(songs(), places, spans)
def test_cutting_what_was_put_in_gives_the_song_back(song: Song, at: int, length: int) -> None:
    opened = insert_time(song, at, length, maker())
    check(opened)
    again = cut_time(opened, at, at + length)
    check(again)
    assert frame(again) == frame(song)
    gone = {n[-1] for n in notes(again)}
    assert [n for n in notes(song, at) if n[-1] in gone] == notes(song, at)
    assert set(notes(song, at)) <= set(notes(again))


@quick
@given(songs(), places, spans)
def test_time_put_in_moves_what_is_behind_it_and_nothing_else(song: Song, at: int, length: int) -> None:
    opened = insert_time(song, at, length, maker())
    wanted = [(t, start + (length if start >= at else 0), *rest) for t, start, *rest in notes(song, at)]
    assert set(wanted) <= set(notes(opened))
    assert not [n for n in notes(opened) if at <= n[1] < at + length]
    for track, now in zip(song.tracks, opened.tracks, strict=True):
        for lane, lane_now in zip(track.automation, now.automation, strict=True):
            if lane.target == "pedal":
                continue
            for tick in range(0, 20 * 960, 480):
                if abs(tick - at) > 1:
                    then = tick + (length if tick >= at else 0)
                    assert abs(value_at(lane, tick) - value_at(lane_now, then)) < 0.01


@quick
@given(songs(), places, spans)
def test_time_taken_out_takes_its_notes_along_and_no_others(song: Song, start: int, length: int) -> None:
    end = start + length
    closed = cut_time(song, start, end)
    check(closed)
    for tick in (*range(0, start, 480), *range(end, 30 * 960, 480)):
        then = tick - length if tick >= end else tick
        assert closed.tempo_map.bpm(then) == song.tempo_map.bpm(tick)
    wanted = [
        (t, at - (length if at >= end else 0), *rest)
        for t, at, *rest in notes(song)
        if not (at - EARLY <= start < at + rest[1] + EARLY or at - EARLY <= end < at + rest[1] + EARLY)
        and not start <= at < end
    ]
    assert set(wanted) <= set(notes(closed))


@quick
@given(songs(), places, spans)
def test_a_copy_sounds_like_what_was_copied_and_the_rest_stays(song: Song, start: int, length: int) -> None:
    end = start + length
    opened = insert_time(song, end, length, maker())
    copied = copy_time(opened, start, end, end, maker_of_copies())
    check(copied)
    first = [(t, at - start, *rest) for t, at, *rest in notes(copied) if start <= at < end]
    second = [(t, at - end, *rest) for t, at, *rest in notes(copied) if end <= at < end + length]
    assert {one for one in second if one[1]} <= set(first), "but for notes played early, which begin with the copy"
    whole = [n for n in first if n[1] + n[3] < length - EARLY]
    assert set(whole) <= set(second)
    assert [n for n in notes(copied) if not end <= n[1] < end + length] == [
        n for n in notes(opened) if not end <= n[1] < end + length
    ]
    for tick in range(0, length, 480):
        assert copied.tempo_map.bpm(end + tick) == copied.tempo_map.bpm(start + tick)
    for tick in range(end + length, end + length + 20 * 960, 480):
        assert copied.tempo_map.bpm(tick) == opened.tempo_map.bpm(tick)


def maker_of_copies():
    numbers = count(1)
    return lambda kind: f"{kind}copy{next(numbers)}"
