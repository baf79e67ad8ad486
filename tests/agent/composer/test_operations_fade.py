"""Fades: what is loud where, and that everything outside of the fade stays."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from agent.composer.changing.operations.fading import Fade
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Bars, Edge, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.locks import BarsLock, TrackLock
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Automation, Point, Track
from agent.theory.excerpts import lane_value
from agent.theory.figures import figure
from tests.agent.composer.doing import do, read

BASS = Wish("bass", "bass", ("bass",), whole_role=True)
HATS = Wish("hi-hats", "drums", ("drums",), pieces=("hat",))
BAR = 3840
LAST = Scope((Edge("end", 4),))


def named(song: Song, name: str) -> Track:
    return next(track for track in song.tracks if track.name == name)


def heard(song: Song, name: str) -> list[float]:
    """The fader of a track at every beat, and right before the end."""
    track = named(song, name)
    lane = next((one for one in track.automation if one.target == "volume_db"), None)
    return [lane_value(lane, track.volume_db, at) for at in (*range(0, 8 * BAR, 960), 8 * BAR - 1)]


def test_a_song_fades_out_evenly_to_the_ear(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Fade("out"), LAST))
    for track in after.tracks:
        levels = heard(after, track.name)
        assert levels[:16] == [0.0] * 16
        assert all(before > now for before, now in itertools.pairwise(levels[16:]))
        assert levels[24] == pytest.approx(-10, abs=0.1)
        assert levels[-1] == -96
    assert [track.clips for track in after.tracks] == [track.clips for track in sample.tracks]


def test_a_part_fades_in_where_it_enters_and_others_stay(bench, sample) -> None:
    late = replace(sample, tracks=tuple(
        replace(track, clips=track.clips[1:]) if track.name == "Bass" else track for track in sample.tracks
    ))
    after, _ = do(bench, late, Task(Fade("in", BASS, 2)))
    levels = heard(after, "Bass")
    assert levels[16] == -96
    assert levels[24:] == [0.0] * 9
    assert [track for track in after.tracks if track.name != "Bass"] == [t for t in late.tracks if t.name != "Bass"]


def test_a_fade_in_the_midst_is_over_behind_it(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Fade("out", BASS), Scope((Bars(3, 4),))))
    levels = heard(after, "Bass")
    assert levels[:8] == [0.0] * 8
    assert levels[15] < -20
    assert levels[16:] == [0.0] * 17


def test_a_fade_keeps_the_lane_that_is_there(bench, sample) -> None:
    lane = Automation("volume_db", (Point(Ticks(0), -6.0), Point(Ticks(2 * BAR), -3.0)), "hold")
    song = replace(sample, tracks=tuple(
        replace(track, automation=(lane,)) if track.name == "Bass" else track for track in sample.tracks
    ))
    after, _ = do(bench, song, Task(Fade("out", BASS), LAST))
    levels = heard(after, "Bass")
    assert levels[:8] == [-6.0] * 8
    assert levels[8:16] == [-3.0] * 8
    assert levels[24] == pytest.approx(-13, abs=0.1)


def test_single_drums_get_softer_stroke_by_stroke(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Fade("out", HATS), LAST))
    kits = [[n for c in named(song, "Drums").clips for n in c.notes] for song in (sample, after)]
    assert [n for n in kits[0] if n.pitch != 42] == [n for n in kits[1] if n.pitch != 42]
    hats = [note.velocity for note in kits[1] if note.pitch == 42]
    assert hats[-1] < 15
    assert hats[-1] < hats[-16] < hats[0]


def test_nothing_fades_in_locked_bars_or_on_locked_tracks(bench, sample) -> None:
    same, changed = do(bench, sample, Task(Fade("out"), LAST), (BarsLock(7, 7),))
    assert same == sample
    assert "locked" in changed.blocked[0]
    track = named(sample, "Bass").id
    after, _ = do(bench, sample, Task(Fade("out"), LAST), (TrackLock(track),))
    assert named(after, "Bass") == named(sample, "Bass")
    assert heard(after, "Lead")[-1] == -96


def test_where_nothing_plays_nothing_fades(bench, sample) -> None:
    short = replace(sample, tracks=tuple(
        replace(track, clips=track.clips[:1]) if track.name == "Bass" else track for track in sample.tracks
    ))
    same, changed = do(bench, short, Task(Fade("out", BASS), LAST))
    assert same == short
    assert "bass does not play there" in changed.blocked[0]


def test_a_fade_is_proved_in_its_silent_bar(bench, sample) -> None:
    draft = bench.draft("fade the bass out over the last 4 bars", sample)
    (ask,) = draft.asks
    assert (ask.measure, ask.goal, ask.bars) == ("level:Bass", "lower", (8, 8))
    after = bench.song(draft, sample)
    assert figure("level:Bass", sample, after, bench.palette, (8, 8)) < -20  # type: ignore[operator]


READ = [
    ("fade out at the end", "out", 0), ("fade in over the first 4 bars", "in", 0), ("end with a fade-out", "out", 0),
    ("let the bass fade out in the outro", "out", 0), ("fade the bass in over 8 bars", "in", 8),
    ("make the song fade out", "out", 0), ("add a 4 bar fade out", "out", 4), ("let it die away", "out", 0),
    ("fade the drums and the bass out", "out", 0), ("the bass fades in slowly", "in", 0),
    ("can the song get quieter and quieter at the end", "out", 0), ("bring the bass in gradually", "in", 0),
    ("make the bass disappear slowly in the outro", "out", 0), ("fade everything out over the last 8 bars", "out", 0),
]


@pytest.mark.parametrize(("said", "way", "bars"), READ)
def test_people_say_it_in_many_ways(bench, sample, said: str, way: str, bars: int) -> None:
    intent = read(said, Lexicon(bench.words, bench.styles, bench.palette, sample), has_music=True)
    assert {type(task.operation) for task in intent.tasks} == {Fade}
    assert {(task.operation.way, task.operation.bars) for task in intent.tasks} == {(way, bars)}
    assert not intent.ignored
