"""Other tempi and other meters: what is stated is exact, lengths that are to stay do, tunes stay themselves."""

from __future__ import annotations

import pytest
from forms import proposed
from msgspec import structs

from agent.composer.changing.hearing.listening import drum_tracks
from agent.composer.understanding.operations import Remeter, Retempo
from agent.composer.understanding.tasks import Bars, Scope, Task
from agent.song.locks import BarsLock, TrackLock
from agent.song.song import Song
from agent.song.time import TempoChange, Ticks
from agent.theory.gate import findings
from agent.theory.harmony import root_agreement
from agent.theory.melody import melody_line, melody_track, similarity

REQUESTS = (
    ("a pop song in G major at 100 bpm, 32 bars, with piano", 1), ("a waltz, 32 bars", 2),
    ("a neoclassical piano piece, 24 bars", 2), ("a house track in A minor at 124 bpm, 32 bars", 3),
)
METERS = ((3, 4), (4, 4), (6, 8), (5, 4), (7, 8))


@pytest.fixture(scope="module")
def pieces(bench, sample) -> dict[str, Song]:
    return {"sample": sample, **{request: bench.compose(request, seed) for request, seed in REQUESTS}}


def seconds(song: Song) -> float:
    return song.tempo_map.seconds(song.bar_map.start_of(song.bars + 1))


def onsets(song: Song) -> list:
    """Seconds and pitch of all that begins."""
    return sorted(
        (round(song.tempo_map.seconds(clip.start + note.start), 2), note.pitch)
        for _, clip in song.clips() for note in clip.notes
    )


def performance(song: Song) -> Song:
    """The song with a tempo that breathes."""
    changes = [TempoChange(Ticks(beat * 960), 100.0 + (beat * 7) % 13 + 0.5) for beat in range(0, 32, 2)]
    return structs.replace(song, tempos=tuple(changes))


def same_tune(before: Song, after: Song, palette) -> float:
    old, new = melody_track(before, palette), melody_track(after, palette)
    return similarity(melody_line(before, {old}), melody_line(after, {new}))


@pytest.mark.parametrize("factor", [2.0, 0.5, 4.0])
def test_twice_the_tempo_at_the_same_length_is_twice_the_bars(bench, pieces, factor):
    for name, song in pieces.items():
        after = proposed(bench, song, Task(Retempo(factor=factor, keep_length=True))).song
        if not 20 <= song.tempos[0].bpm * factor <= 300:
            continue
        assert after.tempos[0].bpm == round(song.tempos[0].bpm * factor), name
        assert after.bars == round(song.bars * factor), name
        assert abs(seconds(after) - seconds(song)) <= 0.05 * seconds(song), name
        assert not findings(after, bench.palette), name


def test_at_twice_the_tempo_every_note_is_where_it_was_in_seconds(bench, sample):
    after = proposed(bench, sample, Task(Retempo(bpm=224.0, keep_length=True))).song
    assert after.tempos[0].bpm == 224
    assert onsets(after) == onsets(sample)


@pytest.mark.parametrize("bpm", [84.0, 97.0, 118.0, 150.0])
def test_another_tempo_at_the_same_length_gets_bars_that_fill_it(bench, pieces, bpm):
    for name, song in pieces.items():
        after = proposed(bench, song, Task(Retempo(bpm, keep_length=True))).song
        assert after.tempos[0].bpm == bpm, name
        assert abs(seconds(after) - seconds(song)) <= 0.05 * seconds(song) + 60 / bpm, name
        assert not findings(after, bench.palette), name


def test_a_tempo_for_some_bars_goes_back_to_what_it_was(bench, sample):
    after = proposed(bench, sample, Task(Retempo(90.0), Scope((Bars(3, 4),)))).song
    assert [(change.at // 3840, change.bpm) for change in after.tempos] == [(0, 112.0), (2, 90.0), (4, 112.0)]
    slower = proposed(bench, sample, Task(Retempo(factor=0.5), Scope((Bars(5, 8),)))).song
    assert [(change.at // 3840, change.bpm) for change in slower.tempos] == [(0, 112.0), (4, 56.0)]


def test_a_performance_keeps_its_breath_at_another_tempo(bench, sample):
    song = performance(sample)
    after = proposed(bench, song, Task(Retempo(140.0))).song
    assert after.bpm == 140
    assert len(after.tempos) == len(song.tempos)
    for was, now in zip(song.tempos, after.tempos, strict=True):
        assert now.at == was.at
        assert abs(now.bpm / was.bpm - 140 / song.bpm) < 0.01
    faster = proposed(bench, song, Task(Retempo(factor=1.25))).song
    assert all(abs(now.bpm / was.bpm - 1.25) < 0.01 for was, now in zip(song.tempos, faster.tempos, strict=True))


def test_a_stated_tempo_is_that_of_the_song_and_not_of_its_pickup(bench, sample):
    pickup = structs.replace(sample, tempos=(TempoChange(Ticks(0), 50.0), TempoChange(Ticks(720), 100.0)))
    song = proposed(bench, pickup, Task(Retempo(84.0))).song
    assert [change.bpm for change in song.tempos] == [42.0, 84.0]
    assert song.bpm == 84.0


def test_a_tempo_that_is_to_stay_stays(bench, sample):
    done = proposed(bench, sample, Task(Retempo(factor=1.2)), keep_tempo=True)
    assert done.blocked == {0: "the tempo is to stay"}


@pytest.mark.parametrize("meter", METERS)
def test_every_bar_becomes_a_bar_of_the_other_meter(bench, pieces, meter):
    for name, song in pieces.items():
        if (song.meters[0].beats, song.meters[0].unit) == meter:
            continue
        done = proposed(bench, song, Task(Remeter(*meter)))
        after = done.song
        assert [(m.beats, m.unit) for m in after.meters] == [meter], name
        assert after.bars == song.bars, name
        old, new = song.bar_map, after.bar_map
        assert [new.bar_at(s.start) for s in after.sections] == [old.bar_at(s.start) for s in song.sections], name
        assert same_tune(song, after, bench.palette) >= 0.7, name
        drums = drum_tracks(song, bench.palette) | drum_tracks(after, bench.palette)
        assert root_agreement(song, after, drums) >= 0.7, name
        assert not findings(after, bench.palette), name
        assert sum(step.tool == "set_time_signature" for step in done.steps) == 1


@pytest.mark.parametrize(("meter", "kicks", "snares"), [
    ((3, 4), [0], [1, 2]), ((6, 8), [0], [1.5]), ((5, 4), [0, 3], [1, 2, 4]), ((7, 8), [0, 2], [1, 3]),
])
def test_a_beat_is_made_anew_on_the_groups_of_the_meter(bench, sample, meter, kicks, snares):
    after = proposed(bench, sample, Task(Remeter(*meter))).song
    drums = next(track for track in after.tracks if track.name == "Drums")
    bar = after.meters[0].bar_length
    struck = {
        pitch: sorted(n.start / 960 for n in drums.clips[0].notes if n.pitch == pitch and n.start < bar)
        for pitch in (36, 38)
    }
    assert struck == {36: kicks, 38: snares}


def test_strong_beats_of_a_tune_stay_on_strong_beats_of_the_waltz(bench, sample):
    after = proposed(bench, sample, Task(Remeter(3, 4))).song
    lead, now = (next(t for t in song.tracks if t.name == "Lead") for song in (sample, after))
    first = {clip.start + n.start: n.pitch for clip in lead.clips for n in clip.notes}
    later = {clip.start + n.start: n.pitch for clip in now.clips for n in clip.notes}
    for bar in range(8):
        if bar * 3840 in first:
            assert later[bar * 2880] == first[bar * 3840]
        if bar * 3840 + 1920 in first:
            assert later[bar * 2880 + 960] == first[bar * 3840 + 1920], "the third beat begins the second"


def test_a_few_bars_in_another_meter_and_back(bench, sample):
    after = proposed(bench, sample, Task(Remeter(3, 4), Scope((Bars(3, 4),)))).song
    assert [(after.bar_map.bar_at(m.at), m.beats) for m in after.meters] == [(1, 4), (3, 3), (5, 4)]
    assert after.bars == 8
    assert not findings(after, bench.palette)


@pytest.mark.parametrize("lock", [BarsLock(5, 6), TrackLock("Bass")])
def test_a_lock_stands_against_another_meter(bench, sample, lock):
    if isinstance(lock, TrackLock):
        lock = TrackLock(next(track.id for track in sample.tracks if track.name == "Bass"))
    done = proposed(bench, sample, Task(Remeter(3, 4)), locks=(lock,))
    assert "would move" in done.blocked[0]
    assert not done.steps


def test_a_song_in_that_meter_already_is_left_alone(bench, sample):
    assert proposed(bench, sample, Task(Remeter(4, 4))).blocked == {0: "it is in 4/4 already"}
