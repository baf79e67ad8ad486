"""Swing, push and grids: when notes begin; how long, high and loud they are stays."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.composer.changing.operations.swinging import Push, Swing
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Mix, Reshape
from agent.composer.understanding.tasks import Bars, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.locks import BarsLock, TrackLock
from agent.song.song import Song
from agent.song.time import MeterChange, Ticks
from agent.theory.figures import figure
from tests.agent.composer.doing import do, notes_outside, read

DRUMS = Wish("drums", "drums", ("drums", "percussion"), whole_role=True)
HATS = Wish("hi-hats", "drums", ("drums",), pieces=("hat",))
SNARE = Wish("snare", "drums", ("drums",), pieces=("snare", "rim"))
LEAD = Wish("lead", "lead", ("lead",), whole_role=True)
BEAT, BAR = 960, 3840


def starts(song: Song, name: str, pitch: int | None = None) -> list[int]:
    track = next(track for track in song.tracks if track.name == name)
    return sorted(
        int(c.start + n.start) for c in track.clips for n in c.notes if pitch is None or n.pitch == pitch
    )


def bodies(song: Song) -> list[tuple[str, int, int]]:
    """Track, pitch and velocity of all notes."""
    return sorted((track.name, n.pitch, n.velocity) for track, clip in song.clips() for n in clip.notes)


def test_the_second_of_two_eighths_comes_where_it_was_said(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Swing(60.0)))
    for name in ("Drums", "Bass", "Lead"):
        was, now = starts(sample, name), starts(after, name)
        assert now == [at + 96 if at % BEAT == BEAT // 2 else at for at in was]
    assert bodies(after) == bodies(sample)


def test_straight_takes_the_swing_back_and_swing_goes_from_where_it_is(bench, sample) -> None:
    once, _ = do(bench, sample, Task(Swing(64.0)))
    again, _ = do(bench, once, Task(Swing(50.0)))
    assert all(abs(a - b) <= 8 for a, b in zip(starts(again, "Drums"), starts(sample, "Drums"), strict=True))
    further, _ = do(bench, once, Task(Swing()))
    assert figure("swing", once, further, bench.palette) > figure("swing", once, once, bench.palette)  # type: ignore[operator]


def test_a_part_or_single_drums_swing_alone_and_in_their_bars(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Swing(60.0, HATS), Scope((Bars(3, 4),))))
    assert starts(after, "Drums", 36) == starts(sample, "Drums", 36)
    moved = set(starts(after, "Drums", 42)) - set(starts(sample, "Drums", 42))
    assert min(moved) >= 2 * BAR
    assert max(moved) < 4 * BAR
    assert notes_outside(after, 2 * BAR, 4 * BAR) == notes_outside(sample, 2 * BAR, 4 * BAR)


def test_triplets_stay_triplets(bench, sample) -> None:
    lead = sample.tracks[-1]
    clip = lead.clips[0]
    notes = tuple(
        replace(note, start=Ticks(320 * n), duration=Ticks(300)) for n, note in enumerate(clip.notes[:6])
    )
    song = replace(sample, tracks=(*sample.tracks[:-1], replace(lead, clips=(replace(clip, notes=notes),))))
    after, _ = do(bench, song, Task(Swing(60.0)))
    assert starts(after, "Lead") == starts(song, "Lead")


@pytest.mark.parametrize(("way", "amount", "ms"), [("ahead", 0.5, -7), ("behind", 1.0, 14)])
def test_a_push_is_some_milliseconds(bench, sample, way: str, amount: float, ms: float) -> None:
    after, _ = do(bench, sample, Task(Push(way, SNARE), amount=amount))  # type: ignore[arg-type]
    late = [now - was for was, now in zip(starts(sample, "Drums", 38), starts(after, "Drums", 38), strict=True)]
    assert {round(by * 60_000 / 112 / BEAT) for by in late} == {ms}
    assert starts(after, "Drums", 36) == starts(sample, "Drums", 36)
    assert bodies(after) == bodies(sample)


@pytest.mark.parametrize(("strength", "left"), [(1.0, 0), (0.5, 30)])
def test_a_grid_and_a_strength_are_kept_to(bench, sample, strength: float, left: int) -> None:
    late = replace(sample, tracks=tuple(
        replace(track, clips=tuple(
            replace(clip, notes=tuple(replace(n, start=Ticks(n.start + 60), duration=Ticks(120)) for n in clip.notes))
            for clip in track.clips
        )) if track.name == "Lead" else track for track in sample.tracks
    ))
    after, _ = do(bench, late, Task(Reshape("quantize", LEAD, 0.5), amount=strength))
    assert {at % (BEAT // 2) for at in starts(after, "Lead")} == {left}


def test_locks_hold_and_what_cannot_swing_is_told(bench, sample) -> None:
    drums = sample.tracks[0]
    after, _ = do(bench, sample, Task(Swing(60.0)), (TrackLock(drums.id), BarsLock(1, 2)))
    assert after.tracks[0] == drums
    assert [at for at in starts(after, "Bass") if at < 2 * BAR] == [at for at in starts(sample, "Bass") if at < 2 * BAR]
    same, changed = do(bench, sample, Task(Swing(50.0)))
    assert same == sample
    assert "straight already" in changed.blocked[0]
    threes = replace(sample, meters=(MeterChange(Ticks(0), 6, 8),))
    assert "three" in do(bench, threes, Task(Swing(60.0)))[1].blocked[0]


PROVED = [
    ("add swing of 60 %", "swing", "higher"), ("push the snare a little", "lateness:Drums", "lower"),
    ("lay the drums back", "lateness:Drums", "higher"), ("quantise the lead to quarters", "off_quarters:Lead", "lower"),
]


@pytest.mark.parametrize(("said", "measure", "goal"), PROVED)
def test_it_is_measured(bench, sample, said: str, measure: str, goal: str) -> None:
    draft = bench.draft(said, sample)
    (ask,) = draft.asks
    assert (ask.measure, ask.goal) == (measure, goal)
    after = bench.song(draft, sample)
    was, now = (figure(measure, sample, song, bench.palette) for song in (sample, after))
    assert now > was if goal == "higher" else now < was  # type: ignore[operator]


READ = [
    ("add swing of 60 %", Swing(60.0)), ("60% swing", Swing(60.0)), ("30 % swing", Swing(55.0)),
    ("straight, no swing", Swing(50.0)), ("no swing", Swing(50.0)), ("make it swing", Swing()),
    ("make the drums straight", Swing(50.0, DRUMS)), ("swing the drums", Swing(None, DRUMS)),
    ("lay the drums back", Push("behind", DRUMS)), ("the drums a bit late", Push("behind", DRUMS)),
    ("play the drums ahead of the beat", Push("ahead", DRUMS)), ("push the drums a little", Push("ahead", DRUMS)),
    ("quantise the drums to eighths, 50 %", Reshape("quantize", DRUMS, 0.5)),
    ("quantize the drums to 1/16", Reshape("quantize", DRUMS, 0.25)),
    ("snap the drums to the grid", Reshape("quantize", DRUMS)),
]


@pytest.mark.parametrize(("said", "operation"), READ)
def test_people_say_it_in_many_ways(bench, sample, said: str, operation) -> None:
    # a part of the song would be known by its track as well
    song = Song() if operation.wish is not None else sample
    intent = read(said, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    assert [task.operation for task in intent.tasks] == [operation]
    assert not intent.ignored


def test_what_sings_is_pushed_in_the_mix(bench) -> None:
    intent = read("push the melody", Lexicon(bench.words, bench.styles, bench.palette, Song()), has_music=True)
    assert [type(task.operation) for task in intent.tasks] == [Mix]
