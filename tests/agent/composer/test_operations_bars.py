"""Bars that go, come, or change their order, and parts that come in where they rested."""

from __future__ import annotations

import pytest

from agent.composer.changing.operations.entering import Enter
from agent.composer.changing.operations.inserting import Insert
from agent.composer.changing.operations.kit_pieces import Pattern
from agent.composer.changing.operations.trimming import Trim
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.sentences import told
from agent.composer.understanding.tasks import Bars, Edge, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.song import Song
from tests.agent.composer.doing import do, notes_outside, read

BASS = Wish("bass", "bass", ("bass",), whole_role=True)
BAR = 3840


def bars_of(song: Song, name: str) -> set[int]:
    """The bars in which a track strikes a note."""
    track = next(one for one in song.tracks if one.name == name)
    return {(clip.start + note.start) // BAR + 1 for clip in track.clips for note in clip.notes}


def test_only_what_is_kept_stays(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Trim((Edge("start", 3),))))
    assert after.bars == 3
    assert notes_outside(after, 0, 0) == [one for one in notes_outside(sample, 0, 0) if one[1] < 3 * BAR]


def test_inserted_bars_of_one_part_move_what_follows(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Insert(2, (Bars(5, 5),), only=(BASS,))))
    assert after.bars == sample.bars + 2
    others = [track.name for track in sample.tracks if track.name != "Bass"]
    assert {5, 6} <= bars_of(after, "Bass")
    assert all(not {5, 6} & bars_of(after, name) for name in others)


def test_a_part_comes_in_earlier_with_its_own_music(bench, sample) -> None:
    late, _ = do(bench, sample, Task(Enter(BASS, Bars(5, 5))))
    assert min(bars_of(late, "Bass")) == 5
    after, _ = do(bench, late, Task(Enter(BASS, Bars(3, 3))))
    assert min(bars_of(after, "Bass")) == 3
    assert notes_outside(after, 2 * BAR, 4 * BAR) == notes_outside(late, 2 * BAR, 4 * BAR)


def test_an_instrument_that_is_missing_gets_a_track_for_its_pattern(bench, sample) -> None:
    block = Wish("woodblock", "percussion", ("percussion",), ("percussion_woodblock",))
    after, _ = do(bench, sample, Task(Pattern(block, "beats"), Scope((Bars(1, 4),))))
    new = next(track for track in after.tracks if track.name == "Woodblock")
    assert [clip.start + note.start for clip in new.clips for note in clip.notes] == list(range(0, 4 * BAR, 960))
    assert after.tracks[: len(sample.tracks)] == sample.tracks


@pytest.mark.parametrize(("request_", "said"), [
    ("keep just the first 5 bars", "keep nothing but the first 5 bars"),
    ("end it after bar 6", "keep nothing but bars 1-6"),
    ("cut everything after bar 4", "keep nothing but bars 1-4"),
    ("put two bars of just drums before bar 5", "2 more bars of drums alone before bar 5"),
    ("the drums hold off until bar 5", "drums only from bar 5"),
    ("can the hats do those fast trap rolls every couple bars?", "hi-hats rolls every 2 bars"),
    ("get the bass on straight eighths in bars 3 to 4", "bass in eighths in bars 3-4"),
])
def test_words_for_bars_are_read(bench, sample, request_, said) -> None:
    intent = read(request_, Lexicon(bench.words, bench.styles, bench.palette, sample), has_music=True)
    assert [told(task) for task in intent.tasks] == [said]


@pytest.mark.parametrize("request_", ["keep the first 4 bars as they are", "keep the drums only in bars 3 to 4"])
def test_no_bars_go_without_a_limiting_word_for_them(bench, sample, request_) -> None:
    intent = read(request_, Lexicon(bench.words, bench.styles, bench.palette, sample), has_music=True)
    assert not any(isinstance(task.operation, Trim) for task in intent.tasks)
