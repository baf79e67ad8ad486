"""Clean loops: what the last bars play, and that nothing of an ending is left."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.composer.changing.operations.looping import Loop
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Task
from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId
from agent.song.locks import BarsLock, TrackLock
from agent.song.song import Song
from agent.song.time import TempoChange, Ticks
from agent.song.track import Automation, Point
from agent.theory.excerpts import lane_value
from agent.theory.figures import figure
from tests.agent.composer.doing import do, flaws, read

BAR = 3840


@pytest.fixture
def ended(sample) -> Song:
    """The sample with an ending: a ritardando, a chord held for the last bar, a fade, and a bar of tail."""
    tracks = []
    for track in sample.tracks:
        first, second = track.clips
        second = replace(second, notes=tuple(note for note in second.notes if note.end <= 3 * BAR))
        if track.name == "Chords":
            held = tuple(
                Note(NoteId(f"held{pitch}"), pitch, Ticks(0), Ticks(2 * BAR), 80) for pitch in (57, 60, 64)
            )
            tail = Clip(ClipId("tail"), "Last chord", Ticks(7 * BAR), Ticks(2 * BAR), held)
            track = replace(track, clips=(first, replace(second, duration=Ticks(3 * BAR)), tail))
        else:
            track = replace(track, clips=(first, replace(second, duration=Ticks(3 * BAR))))
        fade = Automation("volume_db", (Point(Ticks(0), 0.0), Point(Ticks(6 * BAR), 0.0), Point(Ticks(9 * BAR), -60.0)))
        tracks.append(replace(track, automation=(fade,)))
    tempos = (*sample.tempos, TempoChange(Ticks(6 * BAR), 100.0), TempoChange(Ticks(7 * BAR), 80.0))
    return replace(sample, tracks=tuple(tracks), tempos=tempos)


def starts(song: Song, name: str, bar: int) -> set[int]:
    track = next(track for track in song.tracks if track.name == name)
    found = {clip.start + note.start - (bar - 1) * BAR for clip in track.clips for note in clip.notes}
    return {int(at) for at in found if 0 <= at < BAR}


def test_the_band_plays_on_where_the_song_ended(bench, ended) -> None:
    after, changed = do(bench, ended, Task(Loop()))
    assert not changed.blocked
    assert after.bars == 8
    for name in ("Bass", "Chords"):
        assert starts(after, name, 8) == starts(after, name, 7)
    assert all(clip.end <= 8 * BAR for _, clip in after.clips())
    assert [change.bpm for change in after.tempos] == [112.0]
    for track in after.tracks:
        assert lane_value(track.automation[0], 0.0, 8 * BAR - 1) == 0
    assert flaws(after, bench.palette) <= flaws(ended, bench.palette)


def test_a_fill_leads_into_the_first_bar(bench, ended) -> None:
    after, _ = do(bench, ended, Task(Loop()))
    assert starts(after, "Drums", 8) != starts(after, "Drums", 7)
    drums = next(track for track in after.tracks if track.name == "Drums")
    last = {n.pitch for c in drums.clips for n in c.notes if c.start + n.start >= 8 * BAR - 960}
    assert last & {43, 45, 47, 48, 50}


def test_a_loop_is_proved_by_its_seam(bench, ended) -> None:
    draft = bench.draft("make it loop seamlessly", ended)
    (ask,) = draft.asks
    assert (ask.measure, ask.goal, ask.value) == ("loop_faults", "equals", 0.0)
    assert figure("loop_faults", ended, ended, bench.palette) == 2
    assert figure("loop_faults", ended, bench.song(draft, ended), bench.palette) == 0


def test_what_loops_already_and_what_is_locked_is_told(bench, sample, ended) -> None:
    same, changed = do(bench, sample, Task(Loop()))
    assert same == sample
    assert "already" in changed.blocked[0]
    same, changed = do(bench, ended, Task(Loop()), (BarsLock(9, 9),))
    assert same == ended
    assert "locked" in changed.blocked[0]
    after, _ = do(bench, replace(ended, tracks=ended.tracks[:2]), Task(Loop()), (TrackLock(ended.tracks[0].id),))
    assert after.tracks[0] == ended.tracks[0]


READ = [
    "make it loop", "make it loop seamlessly", "it should loop cleanly", "make it loopable", "loop it perfectly",
    "make it a perfect loop please", "the end should lead back into the beginning", "make it so that it loops forever",
]


@pytest.mark.parametrize("said", READ)
def test_people_say_it_in_many_ways(bench, sample, said: str) -> None:
    intent = read(said, Lexicon(bench.words, bench.styles, bench.palette, sample), has_music=True)
    assert [task.operation for task in intent.tasks] == [Loop()]
    assert not intent.ignored
