"""What stands before a song, at its end, under it, and where its parts begin: and nothing else changes."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.changing.operations.closing_chord import ClosingChord
from agent.composer.changing.operations.counting_in import CountIn
from agent.composer.changing.operations.crashing import Crash
from agent.composer.changing.operations.holding_roots import HoldRoots
from agent.composer.changing.operations.kit_pieces import Pattern
from agent.composer.understanding.lexicon import Lexicon, thing_wish
from agent.composer.understanding.tasks import Bars, Operation, Scope, Task
from agent.song.song import Song
from tests.agent.composer.doing import do, read

BAR = 3840


def asked(bench, song: Song, text: str) -> list[Operation]:
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    return [task.operation for task in intent.tasks]


def after(bench, song: Song, operation: Operation, *places: Bars) -> Song:
    new, changed = do(bench, song, Task(operation, Scope(places)))
    assert not changed.blocked
    return new


def struck(song: Song) -> list[tuple[str, int, int]]:
    return [(t.id, c.start + n.start, n.pitch) for t in song.tracks for c in t.clips for n in c.notes]


@pytest.mark.parametrize(("text", "bars"), [
    ("count us in for two bars", 2), ("can we have a bar of clicks at the beginning", 1),
    ("I need a two-bar count-off before the start", 2), ("put four bars of stick clicks in front", 4),
    ("please start with a count in of 2 bars", 2),
])  # fmt: skip
def test_counting_in_is_read_with_its_bars(bench, sample, text, bars):
    operations = asked(bench, sample, text)
    assert [(type(one), getattr(one, "bars", 0)) for one in operations] == [(CountIn, bars)]


@pytest.mark.parametrize("text", [
    "no count-in please", "the count-in is too loud", "the drums count in is nice", "I love the count-in",
    "the 2 bar count-in is nice",
])  # fmt: skip
def test_a_count_in_that_is_not_wanted_is_not_made(bench, sample, text):
    assert not any(isinstance(one, CountIn) for one in asked(bench, sample, text))


def test_clicks_come_before_a_song_that_goes_on_as_it_was(bench, sample):
    new = after(bench, sample, CountIn(2, thing_wish(bench.words.thing("rim"))))
    assert new.bars == sample.bars + 2
    assert [(at, pitch) for _, at, pitch in struck(new) if at < 2 * BAR] == [(beat * BAR // 4, 37) for beat in range(8)]
    assert sorted(one for one in struck(new) if one[1] >= 2 * BAR) == sorted(
        (track, at + 2 * BAR, pitch) for track, at, pitch in struck(sample)
    )


@pytest.mark.parametrize(("text", "mode"), [
    ("end on a major chord", "major"), ("could the last chord be a hopeful one", "major"),
    ("finish with a picardy third", "major"), ("the final chord should be minor", "minor"),
])  # fmt: skip
def test_the_closing_chord_is_read(bench, sample, text, mode):
    assert asked(bench, sample, text) == [ClosingChord(mode)]


def test_only_thirds_of_the_last_chord_move(bench, sample):
    other = "major"
    new, changed = do(bench, sample, Task(ClosingChord("major")))
    if changed.blocked:
        other = "minor"
        new, changed = do(bench, sample, Task(ClosingChord("minor")))
    assert not changed.blocked
    moved = [(a, b) for a, b in zip(struck(sample), struck(new), strict=True) if a != b]
    assert moved
    assert {b[2] - a[2] for a, b in moved} == {1 if other == "major" else -1}


def test_a_cymbal_is_struck_once_where_a_place_begins(bench, sample):
    (operation,) = asked(bench, sample, "a crash at bar 3")
    assert isinstance(operation, Crash)
    new = after(bench, sample, operation)
    assert set(struck(new)) - set(struck(sample)) == {(sample.tracks[0].id, 2 * BAR, 49)}
    assert set(struck(sample)) <= set(struck(new))


def test_an_orchestra_s_cymbal_is_struck_where_its_kit_has_it(bench, sample):
    kit = structs.replace(sample.tracks[0], instrument="kit_orchestra")
    song = structs.replace(sample, tracks=(kit, *sample.tracks[1:]))
    (operation,) = asked(bench, song, "a crash at bar 3")
    new = after(bench, song, operation)
    assert set(struck(new)) - set(struck(song)) == {(kit.id, 2 * BAR, 57)}


@pytest.mark.parametrize("text", ["add a synth bass holding the roots", "put in an organ that just sustains the roots"])
def test_roots_that_are_added_leave_all_else(bench, sample, text):
    (operation,) = asked(bench, sample, text)
    assert isinstance(operation, HoldRoots)
    assert operation.added
    new = after(bench, sample, operation, Bars(1, 2))
    assert new.tracks[: len(sample.tracks)] == sample.tracks
    assert all(at < 2 * BAR for track, at, _ in struck(new) if track == new.tracks[-1].id)


def test_measured_tremolo_and_double_kick_are_rhythms(bench, sample):
    kick = asked(bench, sample, "add a double kick in bars 2-3")
    assert [(type(one), getattr(one, "beats", 0)) for one in kick] == [(Pattern, 0.25)]


@pytest.mark.parametrize(("text", "bpm"), [
    ("rallentando over the last two bars reaching 80", 80), ("slow down over the last 2 bars until it reaches 70", 70),
    ("molto rit. over bars 3-4, arriving at 72", 72),
])  # fmt: skip
def test_a_ritardando_arrives_at_a_tempo(bench, sample, text, bpm):
    assert [getattr(one, "bpm", 0) for one in asked(bench, sample, text)] == [bpm]


@pytest.mark.parametrize("text", [
    "I like how the bass plays the roots", "the last chord is major, leave it", "the bass holds the roots there",
])  # fmt: skip
def test_what_is_only_described_stays(bench, sample, text):
    assert not any(isinstance(one, HoldRoots | ClosingChord) for one in asked(bench, sample, text))
