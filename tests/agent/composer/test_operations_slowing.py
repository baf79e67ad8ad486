"""Ritardando, accelerando and fermata: what the tempo does, and how long the last chord sounds."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from agent.composer.changing.operations.slowing import Drift, Hold
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Retempo
from agent.composer.understanding.tasks import Bars, Edge, Named, Scope, Task
from agent.song.ids import SectionId
from agent.song.locks import TrackLock
from agent.song.song import Section, Song
from agent.song.time import Ticks
from tests.agent.composer.doing import do, read

BAR = 3840
HERE = Scope((Bars(3, 4),))


def tempi(song: Song) -> list[float]:
    """The tempo of every beat, and behind the end."""
    return [song.tempo_map.bpm(at) for at in range(0, 8 * BAR + 1, 960)]


def formed(sample: Song) -> Song:
    """The sample with a verse and a chorus of four bars."""
    sections = (
        Section(SectionId("verse"), "Verse", Ticks(0), Ticks(4 * BAR)),
        Section(SectionId("chorus"), "Chorus", Ticks(4 * BAR), Ticks(4 * BAR)),
    )
    return replace(sample, sections=sections)


def test_a_ritardando_lingers_at_the_end(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Drift("slower"), Scope((Edge("end", 4),))))
    found = tempi(after)
    assert found[:16] == [112.0] * 16
    falls = [before - now for before, now in itertools.pairwise(found[15:32])]
    assert all(fall > 0 for fall in falls)
    assert falls[-1] > 3 * falls[1]
    assert found[-1] == pytest.approx(112 * 0.72, abs=0.1)
    assert after.tracks == sample.tracks


def test_behind_a_stretch_in_the_midst_the_tempo_is_back(bench, sample) -> None:
    for way in ("slower", "faster"):
        after, _ = do(bench, sample, Task(Drift(way), HERE))  # type: ignore[arg-type]
        found = tempi(after)
        assert found[:8] == [112.0] * 8
        assert found[16:] == [112.0] * 17
        assert (found[15] < found[8] < 112) if way == "slower" else (found[15] > found[8] > 112)


def test_a_tempo_that_is_stated_is_reached_and_stays(bench, sample) -> None:
    found = tempi(do(bench, sample, Task(Drift("faster", bpm=130.0), HERE))[0])
    assert found[:8] == [112.0] * 8
    assert found[15:] == [130.0] * 18


def test_what_speeds_up_into_a_section_arrives_there(bench, sample) -> None:
    song = formed(sample)
    found = tempi(do(bench, song, Task(Drift("faster", 2, into=(Named("chorus"),))))[0])
    assert found[:8] == [112.0] * 8
    assert found[8] < found[12] < found[15] <= found[16]
    assert found[16:] == [pytest.approx(134.4)] * 17


def test_a_tempo_that_is_to_stay_stays_and_a_wrong_way_is_told(bench, sample) -> None:
    same, changed = do(bench, sample, Task(Drift("slower", bpm=140.0), HERE))
    assert same == sample
    assert "112 BPM already" in changed.blocked[0]
    same, changed = do(bench, sample, Task(Drift("faster", into=(Bars(1, 1),))))
    assert same == sample


def test_the_last_chord_rings_on_but_not_the_drums(bench, sample) -> None:
    after, _ = do(bench, formed(sample), Task(Hold(2)))
    assert after.bars == 10
    assert after.sections[-1].end == 10 * BAR
    for old, new in zip(sample.tracks, after.tracks, strict=True):
        if old.name == "Drums":
            assert old == new
            continue
        last = max(clip.start + note.start for clip in old.clips for note in clip.notes)
        ends = {clip.start + n.end for clip in new.clips for n in clip.notes if clip.start + n.start == last}
        assert ends == {10 * BAR}
        earlier = [
            [(c.start + n.start, n.pitch, n.duration) for c in track.clips for n in c.notes if c.start + n.start < last]
            for track in (old, new)
        ]
        assert earlier[0] == earlier[1]


def test_a_locked_part_is_not_held(bench, sample) -> None:
    bass = next(track for track in sample.tracks if track.name == "Bass")
    after, _ = do(bench, sample, Task(Hold()), (TrackLock(bass.id),))
    assert next(track for track in after.tracks if track.name == "Bass") == bass
    assert after.bars == 9


def test_a_chord_in_the_midst_is_held_by_its_tempo(bench, sample) -> None:
    found = tempi(do(bench, sample, Task(Hold(), HERE))[0])
    assert found[:15] == [112.0] * 15
    assert found[15:17] == [56.0, 112.0]


def test_it_is_proved_in_the_last_bar(bench, sample) -> None:
    draft = bench.draft("slow down gradually over the last 2 bars", sample)
    (ask,) = draft.asks
    assert (ask.measure, ask.goal, ask.bars) == ("tempo", "lower", (8, 8))


DRIFTS = [
    ("slow down gradually over the last 4 bars", "slower"), ("rit. at the end", "slower"), ("rit at the end", "slower"),
    ("add a ritardando", "slower"), ("slow down at the end", "slower"), ("slow down over 4 bars", "slower"),
    ("speed up towards the chorus", "faster"), ("slow down before the chorus", "slower"),
    ("get faster and faster", "faster"), ("accelerando into the chorus", "faster"),
    ("the tempo gradually drops to 60 in the chorus", "slower"), ("speed up gradually from 112 to 120", "faster"),
    ("the song should slow down little by little at the end", "slower"), ("rallentando", "slower"),
]


@pytest.mark.parametrize(("said", "way"), DRIFTS)
def test_gradual_tempi_are_read(bench, sample, said: str, way: str) -> None:
    intent = read(said, Lexicon(bench.words, bench.styles, bench.palette, formed(sample)), has_music=True)
    assert [(type(task.operation), task.operation.way) for task in intent.tasks] == [(Drift, way)]  # type: ignore[attr-defined]
    assert not intent.ignored


@pytest.mark.parametrize(("said", "bars"), [
    ("hold the last chord", 0), ("hold the last chord for two bars", 2), ("let the final chord ring for 4 bars", 4),
    ("a fermata on the last chord please", 0), ("make the last note longer", 0),
])
def test_held_chords_are_read(bench, sample, said: str, bars: int) -> None:
    intent = read(said, Lexicon(bench.words, bench.styles, bench.palette, sample), has_music=True)
    assert [task.operation for task in intent.tasks] == [Hold(bars)]


def test_a_tempo_that_is_another_at_once_is_no_ritardando(bench, sample) -> None:
    for said in ("slow it down", "slower in the chorus", "slow down a bit"):
        intent = read(said, Lexicon(bench.words, bench.styles, bench.palette, formed(sample)), has_music=True)
        assert {type(task.operation) for task in intent.tasks} == {Retempo}
