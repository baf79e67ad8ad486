"""Ducking: how loud a part is at each kick and between them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.composer.changing.operations.ducking import Duck
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Bars, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.locks import BarsLock, TrackLock
from agent.song.song import Song
from agent.theory.excerpts import lane_value
from agent.theory.figures import figure
from tests.agent.composer.doing import do, read

BASS = Wish("bass", "bass", ("bass",), whole_role=True)
LEAD = Wish("lead", "lead", ("lead",), whole_role=True)
KICK = Wish("kick", "drums", ("drums",), pieces=("kick",))
SNARE = Wish("snare", "drums", ("drums",), pieces=("snare",))
BEAT, BAR = 960, 3840


def level(song: Song, name: str, at: int) -> float:
    track = next(track for track in song.tracks if track.name == name)
    lane = next((one for one in track.automation if one.target == "volume_db"), None)
    return lane_value(lane, track.volume_db, at)


def test_a_part_dips_at_every_kick_and_is_back_before_the_next_beat(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Duck(BASS, KICK)))
    for kick in range(0, 32 * BEAT, 2 * BEAT):
        assert level(after, "Bass", kick) == -9
        assert -9 < level(after, "Bass", kick + BEAT // 2) < 0
        assert level(after, "Bass", kick + BEAT) == 0
        assert level(after, "Bass", kick + 2 * BEAT - 40) == 0
    assert [t for t in after.tracks if t.name != "Bass"] == [t for t in sample.tracks if t.name != "Bass"]
    assert [t.clips for t in after.tracks] == [t.clips for t in sample.tracks]


def test_another_drum_may_be_named(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Duck(BASS, SNARE)))
    assert level(after, "Bass", BEAT) == -9
    assert level(after, "Bass", 2 * BEAT) == 0


def test_where_no_kick_plays_each_beat_counts(bench, sample) -> None:
    quiet = replace(sample, tracks=tuple(track for track in sample.tracks if track.name != "Drums"))
    after, _ = do(bench, quiet, Task(Duck(BASS)))
    assert [level(after, "Bass", beat * BEAT) for beat in range(8)] == [-9.0] * 8


def test_under_a_line_it_stays_down_while_it_sounds(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Duck(BASS, LEAD)))
    assert level(after, "Bass", BEAT) == -5
    assert level(after, "Bass", BEAT * 3 // 2) == -5


def test_only_its_bars_and_nothing_locked_dips(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Duck(BASS), Scope((Bars(3, 5),))), (BarsLock(4, 4),))
    dips = [bar for bar in range(8) if level(after, "Bass", bar * BAR + 24) < 0]
    assert dips == [2, 4]
    assert level(after, "Bass", 5 * BAR) == 0
    bass = next(track for track in sample.tracks if track.name == "Bass")
    same, changed = do(bench, sample, Task(Duck(BASS)), (TrackLock(bass.id),))
    assert same == sample
    assert "locked" in changed.blocked[0]


def test_without_a_part_all_that_accompanies_pumps(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Duck()))
    assert [level(after, name, 0) for name in ("Drums", "Bass", "Chords", "Lead")] == [0, -9, -9, 0]


def test_who_is_not_there_is_told(bench, sample) -> None:
    same, changed = do(bench, sample, Task(Duck(BASS, Wish("choir", "pad", ("choir",)))))
    assert same == sample
    assert "no choir" in changed.blocked[0]


def test_it_is_measured_as_softer(bench, sample) -> None:
    draft = bench.draft("sidechain the bass to the kick", sample)
    (ask,) = draft.asks
    assert (ask.measure, ask.goal) == ("level:Bass", "lower")
    after = bench.song(draft, sample)
    assert -5 < figure("level:Bass", sample, after, bench.palette) < -1  # type: ignore[operator]


READ = [
    "sidechain the bass under the kick", "duck the bass when the kick hits", "make the bass pump",
    "sidechain the bass to the kick drum", "add sidechain compression to the bass",
    "let the bass breathe with the kick",
    "the bass should get quieter every time the kick hits", "add pumping to the bass", "duck the bass under the kick",
    "make the bass make room for the kick",
]


@pytest.mark.parametrize("said", READ)
def test_people_say_it_in_many_ways(bench, sample, said: str) -> None:
    intent = read(said, Lexicon(bench.words, bench.styles, bench.palette, sample), has_music=True)
    (operation,) = [task.operation for task in intent.tasks]
    assert isinstance(operation, Duck)
    assert operation.wish is not None
    assert operation.wish.label == "bass"
    assert operation.by is None or operation.by.label == "kick"
    assert not intent.ignored
