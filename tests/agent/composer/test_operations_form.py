"""Sections that come, go, come again; songs that get longer and shorter: the form holds, the rest sounds as before."""

from __future__ import annotations

import pytest
from forms import proposed

from agent.composer.changing.hearing.listening import drum_tracks, hear
from agent.composer.understanding.operations import Cut, NewSection, Repeat, Resize
from agent.composer.understanding.tasks import Bars, Edge, Named, Scope, Task
from agent.song.locks import BarsLock, TrackLock
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.gate import findings
from agent.theory.melody import melody_line, melody_track, similarity

HAIR = PPQ // 40
"""Ticks by which nobody hears that one note comes before another."""
KINDS = ("intro", "break", "build", "bridge", "outro")
REQUESTS = (
    ("a pop song in G major at 100 bpm, 32 bars, with piano", 1), ("a house track in A minor at 124 bpm, 32 bars", 3),
    ("a neoclassical piano piece, 24 bars", 2), ("a waltz, 32 bars", 2), ("an ambient piece, 24 bars", 2),
)


@pytest.fixture(scope="module")
def pieces(bench, sample) -> dict[str, Song]:
    return {"sample": sample, **{request: bench.compose(request, seed) for request, seed in REQUESTS}}


def sounds(song: Song, start: int = 0, end: int = 10**9, by: int = 0) -> list:
    """What begins within a span, moved, by track."""
    return sorted(
        (track.id, clip.start + note.start + by, note.pitch, note.velocity)
        for track, clip in song.clips()
        for note in clip.notes
        if start <= clip.start + note.start < end
    )


def struck(heard: list) -> list:
    """What is struck how hard, and when."""
    return sorted(((track, pitch, velocity), at) for track, at, pitch, velocity in heard)


def end_of(song: Song) -> int:
    return song.bar_map.start_of(song.bars + 1)


def new_flaws(before: Song, after: Song, palette) -> list:
    known = {(flaw.rule, flaw.where) for flaw in findings(before, palette)}
    return [flaw for flaw in findings(after, palette) if (flaw.rule, flaw.where) not in known]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bars", [0, 1, 8])
def test_a_new_section_has_its_bars_and_its_name_and_the_rest_stays(bench, pieces, kind, bars):
    for name, song in pieces.items():
        done = proposed(bench, song, Task(NewSection(kind, bars)))
        assert not done.blocked, name
        assert done.song.bars == song.bars + (bars or done.song.bars - song.bars)
        assert 4 <= done.song.bars - song.bars <= 8 or bars
        assert not new_flaws(song, done.song, bench.palette), name
        added = [step for step in done.steps if step.tool == "add_section"]
        assert any(step.inputs["name"].startswith(kind.capitalize()) for step in added), name
        length = end_of(done.song) - end_of(song)
        if kind == "intro":
            assert sounds(done.song, length, by=-length) == sounds(song)


def test_an_intro_is_thinner_than_what_it_leads_into(bench, pieces):
    for name, song in pieces.items():
        after = proposed(bench, song, Task(NewSection("intro", 4))).song
        start = after.bar_map.start_of(5)
        assert 0 < len(sounds(after, 0, start)) < 1.5 * max(1, len(sounds(after, start, 2 * start))), name


def test_a_break_has_no_bass_and_hardly_a_beat(bench, sample):
    done = proposed(bench, sample, Task(NewSection("break", 4), Scope((Bars(5, 5),))))
    bar = 3840
    inside = sounds(done.song, 4 * bar, 8 * bar)
    drums, bass = (next(t.id for t in sample.tracks if t.name == name) for name in ("Drums", "Bass"))
    assert not [one for one in inside if one[0] == bass]
    assert all(at >= 7 * bar for track, at, *_ in inside if track == drums), "only the pickup at its end"
    assert sounds(done.song, 8 * bar, by=-4 * bar) == sounds(sample, 4 * bar)
    assert sounds(done.song, 0, 4 * bar) == sounds(sample, 0, 4 * bar)


def test_a_build_grows_denser_and_louder(bench, sample):
    done = proposed(bench, sample, Task(NewSection("build", 4), Scope((Bars(5, 5),))))
    drums = next(t.id for t in sample.tracks if t.name == "Drums")
    bars = [[one for one in sounds(done.song, b * 3840, (b + 1) * 3840) if one[0] == drums] for b in range(4, 8)]
    assert len(bars[3]) > len(bars[0])
    struck = sorted((one for bar in bars for one in bar), key=lambda one: one[1])
    snares = [one[3] for one in struck if one[2] == 38]
    assert snares == sorted(snares)
    assert len(snares) >= 20


def test_a_bridge_has_other_chords_and_the_same_band(bench, sample):
    done = proposed(bench, sample, Task(NewSection("bridge", 4), Scope((Bars(5, 5),))))
    heard = hear(done.song, bench.palette, 112.0)
    roots = [[heard_at(heard, bar).root for bar in range(first, first + 4)] for first in (1, 5)]
    assert sum(a != b for a, b in zip(*roots, strict=True)) >= 3
    inside = {one[0] for one in sounds(done.song, 4 * 3840, 8 * 3840)}
    assert inside == {track.id for track in sample.tracks}


def heard_at(heard, bar: int):
    at = heard.song.bar_map.start_of(bar)
    return next(span.chord for span in heard.chords if span.start <= at < span.end)


def test_an_outro_ends_a_song_that_just_stopped(bench, sample):
    done = proposed(bench, sample, Task(NewSection("outro", 4)))
    drums = drum_tracks(done.song, bench.palette)
    last = [
        (note, clip) for track, clip in done.song.clips() if track.id not in drums for note in clip.notes
        if clip.start + note.start >= end_of(done.song) - 2 * 3840
    ]
    assert last
    assert all(clip.start + note.start == end_of(done.song) - 2 * 3840 for note, clip in last), "one chord"
    assert all(clip.start + note.end == end_of(done.song) for note, clip in last), "which rings to the end"
    assert {note.pitch % 12 for note, _ in last} <= {9, 0, 4}, "home in A minor"


def test_an_outro_keeps_the_ending_that_there_is(bench, pieces):
    song = pieces[REQUESTS[0][0]]
    done = proposed(bench, song, Task(NewSection("outro", 4)))
    bar = end_of(song) - song.bar_map.start_of(song.bars)
    by = end_of(done.song) - end_of(song)
    # one hand may strike a hair before the bar
    before, after = (struck(sounds(one, end_of(one) - bar - HAIR)) for one in (song, done.song))
    assert [strike for strike, _ in after] == [strike for strike, _ in before]
    assert all(abs(b + by - a) <= HAIR for (_, a), (_, b) in zip(after, before, strict=True))


def test_two_sections_and_a_cut_in_one_request_find_their_places(bench, pieces):
    song = pieces[REQUESTS[0][0]]
    names = [section.name for section in song.sections]
    tasks = (
        Task(NewSection("intro", 4)), Task(Cut(), Scope((Bars(5, 8),))), Task(Repeat(), Scope((Bars(13, 16),))),
        Task(NewSection("outro", 4)),
    )
    done = proposed(bench, song, *tasks)
    assert not done.blocked
    assert done.song.bars == song.bars + 8
    assert not new_flaws(song, done.song, bench.palette)
    bar = 3840
    assert sounds(done.song, 8 * bar, 12 * bar, by=-4 * bar)[0][1] >= 4 * bar
    assert sounds(song, 12 * bar, 15 * bar) == sounds(done.song, 12 * bar, 15 * bar), "4 later by the intro, 4 up"
    assert len(done.song.sections) >= len(names)


def test_cutting_bars_moves_what_follows_up_and_nothing_hangs_over(bench, pieces):
    for name, song in pieces.items():
        done = proposed(bench, song, Task(Cut(), Scope((Bars(3, 4),))))
        start, end = song.bar_map.span(3, 4)
        assert done.song.bars == song.bars - 2, name
        assert sounds(done.song, 0, start - 80) == sounds(song, 0, start - 80)
        later = {(t, at) for t, at, *_ in sounds(song, end, by=start - end)}
        assert later <= {(t, at) for t, at, *_ in sounds(done.song, start)}
        assert not new_flaws(song, done.song, bench.palette), name


def test_a_song_that_loses_its_end_keeps_every_note_before_it_and_none_behind(bench, pieces):
    for name, song in pieces.items():
        done = proposed(bench, song, Task(Cut(), Scope((Edge("end", 4),))))
        end = song.bar_map.start_of(song.bars - 3)
        upbeat = end - PPQ
        assert sounds(done.song, 0, upbeat) == sounds(song, 0, upbeat), name
        assert set(sounds(done.song)) <= set(sounds(song, 0, end)), name
        assert end_of(done.song) <= end, name


def test_a_repeated_section_comes_right_after_itself_with_a_fill_and_a_number(bench, sample):
    named = proposed(bench, sample, Task(NewSection("intro", 4))).song
    assert named.sections[0].name == "Intro"
    done = proposed(bench, named, Task(Repeat(), Scope((Named("Intro"),))))
    assert [s.name for s in done.song.sections][:2] == ["Intro", "Intro 2"]
    again = proposed(bench, sample, Task(Repeat(), Scope((Bars(1, 4),))))
    bar = 3840
    drums = next(t.id for t in sample.tracks if t.name == "Drums")
    first, second = sounds(again.song, 0, 4 * bar), sounds(again.song, 4 * bar, 8 * bar, by=-4 * bar)
    assert [one for one in first if one[0] != drums] == [one for one in second if one[0] != drums]
    assert second == sounds(sample, 0, 4 * bar)
    filled = [one for one in first if one not in second]
    assert filled
    assert all(one[0] == drums and one[1] >= 3.5 * bar for one in filled)


@pytest.mark.parametrize("bars", [6, 12, 31, 64])
def test_a_stated_number_of_bars_is_exact(bench, pieces, bars):
    for name, song in pieces.items():
        if bars == song.bars:
            continue
        done = proposed(bench, song, Task(Resize(bars=bars)))
        assert not done.blocked, name
        assert done.song.bars == bars, name
        assert not new_flaws(song, done.song, bench.palette), (name, new_flaws(song, done.song, bench.palette))
        assert done.song.tempos[0] == song.tempos[0]


@pytest.mark.parametrize("seconds", [40, 150])
def test_a_stated_length_in_seconds_is_met(bench, pieces, seconds):
    for name, song in pieces.items():
        after = proposed(bench, song, Task(Resize(seconds=seconds))).song
        assert abs(after.tempo_map.seconds(end_of(after)) - seconds) <= 0.05 * seconds + 1, name


@pytest.mark.parametrize("factor", [0.5, 1.5, 2.0])
def test_longer_and_shorter_keep_beginning_ending_and_tune(bench, pieces, factor):
    for name, song in pieces.items():
        after = proposed(bench, song, Task(Resize(factor=factor))).song
        assert (after.bars > song.bars) == (factor > 1), name
        assert abs(after.bars / song.bars - factor) <= 0.15 * factor, name
        assert after.bars % 2 == 0
        singer = melody_track(song, bench.palette)
        again = melody_track(after, bench.palette)
        assert similarity(melody_line(song, {singer}), melody_line(after, {again})) >= 0.5, name
        bar = end_of(song) - song.bar_map.start_of(song.bars)
        ends = [(t, p) for t, _, p, _ in sounds(after, end_of(after) - bar)]
        assert ends == [(t, p) for t, _, p, _ in sounds(song, end_of(song) - bar)], name


def test_a_longer_stretch_leaves_what_is_before_it(bench, sample):
    done = proposed(bench, sample, Task(Resize(bars=8), Scope((Bars(5, 8),))))
    assert done.song.bars == 12
    assert sounds(done.song, 0, 4 * 3840) == sounds(sample, 0, 4 * 3840)


@pytest.mark.parametrize("task", [
    Task(NewSection("intro", 4)), Task(Cut(), Scope((Bars(1, 2),))), Task(Repeat(), Scope((Bars(1, 2),))),
])
def test_what_is_locked_is_not_moved(bench, sample, task):
    bars = proposed(bench, sample, task, locks=(BarsLock(5, 6),))
    assert list(bars.blocked.values()) == ["locked bars 5-6 would move"]
    assert not bars.steps
    track = proposed(bench, sample, task, locks=(TrackLock(sample.tracks[1].id),))
    assert list(track.blocked.values()) == ["Bass is to stay as it is and would move"]


def test_behind_what_is_locked_there_is_room(bench, sample):
    done = proposed(bench, sample, Task(NewSection("outro", 4)), locks=(BarsLock(1, 8), TrackLock(sample.tracks[3].id)))
    assert not done.blocked
    assert done.song.bars == 12
    assert done.song.tracks[3] == sample.tracks[3]


@pytest.mark.parametrize(("task", "why"), [
    (Task(Cut()), "nothing of the song would be left"), (Task(Resize(bars=5000)), "out of reach"),
    (Task(Repeat(), Scope((Bars(20, 24),))), "the song has only 8 bars"),
    (Task(Cut(), Scope((Named("chorus"),))), "the song has no chorus"),
])
def test_what_cannot_be_done_is_said_in_plain_words(bench, sample, task, why):
    done = proposed(bench, sample, task)
    assert why in done.blocked[0]
    assert not done.steps
