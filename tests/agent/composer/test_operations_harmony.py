"""Other chords, other keys: what moves, what stays, and that nothing strays."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from agent.composer.changing.hearing.listening import hear
from agent.composer.understanding.operations import Reharmonise, Rekey, Transpose
from agent.composer.understanding.tasks import Bars, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.key import Key
from agent.theory.figures import figure
from agent.theory.harmony import bar_chords
from agent.theory.sounding import kit_tracks
from tests.agent.composer.doing import do, flaws, notes_outside

REQUESTS = ("pop", "jazz", "a waltz", "ambient", "rock", "neoclassical")


def part(song, name):
    track = next(track for track in song.tracks if track.name == name)
    return [(clip.start + n.start, n.pitch, n.duration, n.velocity) for clip in track.clips for n in clip.notes]


def in_range(song, palette):
    known = {one.name: one for one in palette.instruments}
    return all(
        known[track.instrument].low <= note.pitch <= known[track.instrument].high
        for track, clip in song.clips() if not known[track.instrument].is_kit for note in clip.notes
    )


@given(request_text=st.sampled_from(REQUESTS), seed=st.integers(1, 3))
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_other_chords_carry_the_same_tune(bench, request_text, seed):
    song = bench.compose(request_text, seed)
    after, changed = do(bench, song, Task(Reharmonise()), seed=seed)
    assert not changed.blocked
    assert figure("root_agreement", song, after, bench.palette) <= 0.75
    assert figure("melody_similarity", song, after, bench.palette) >= 0.99
    assert flaws(after, bench.palette) <= flaws(song, bench.palette)
    kits = kit_tracks(song, bench.palette)
    assert bar_chords(after, kits)[-1].root == bar_chords(song, kits)[-1].root
    assert [track.id for track in after.tracks] == [track.id for track in song.tracks]


def test_a_little_changes_fewer_chords(bench):
    song = bench.compose("pop", 1)
    shares = [
        figure("root_agreement", song, do(bench, song, Task(Reharmonise(), amount=amount))[0], bench.palette)
        for amount in (0.3, 1.0)
    ]
    assert 0.5 <= shares[0] < 1.0
    assert shares[1] < shares[0]


def test_parts_keep_their_rhythm_and_lead_and_drums_every_note(bench, sample):
    after, _ = do(bench, sample, Task(Reharmonise()))
    for name in ("Lead", "Drums"):
        assert part(after, name) == part(sample, name)
    assert part(after, "Bass") != part(sample, "Bass")
    assert [row[0] for row in part(after, "Bass")] == [row[0] for row in part(sample, "Bass")]
    assert {row[0] for row in part(sample, "Chords")} <= {row[0] for row in part(after, "Chords")}


def test_other_chords_in_some_bars_only(bench, sample):
    start, end = sample.bar_map.span(5, 8)
    after, changed = do(bench, sample, Task(Reharmonise(), Scope((Bars(5, 8),))))
    assert not changed.blocked
    assert notes_outside(after, start, end) == notes_outside(sample, start, end)


@pytest.mark.parametrize("mode", ["dorian", "phrygian", "lydian", "mixolydian", "major"])
def test_modes(bench, mode):
    song = bench.compose("pop", 2)
    after, changed = do(bench, song, Task(Rekey(None, mode)))
    if changed.blocked:
        assert song.key.mode == mode
        return
    assert after.key == Key(song.key.tonic, mode)
    assert hear(after, bench.palette, 100).key == after.key
    assert flaws(after, bench.palette) <= flaws(song, bench.palette)
    assert in_range(after, bench.palette)


def test_relative_and_parallel_minor_are_different_keys(bench, sample):
    major, _ = do(bench, sample, Task(Rekey("C", "major")))
    assert major.key == Key("C", "major")
    parallel, _ = do(bench, sample, Task(Rekey(None, "major")))
    assert parallel.key == Key("A", "major")
    assert part(parallel, "Drums") == part(sample, "Drums")
    assert part(parallel, "Bass")[0][1] % 12 == 9


def test_a_song_that_states_a_wrong_key_is_moved_from_where_it_is(bench):
    song = bench.compose("a neoclassical piano piece in A minor", 1)
    after, _ = do(bench, structs.replace(song, key=Key("C", "major")), Task(Rekey("D", "minor")))
    right, _ = do(bench, song, Task(Rekey("D", "minor")))
    assert after.key == right.key == Key("D", "minor")
    assert part(after, song.tracks[0].name) == part(right, song.tracks[0].name)


def test_another_key_for_the_last_bars_states_no_key(bench, sample):
    start, end = sample.bar_map.span(7, 8)
    after, changed = do(bench, sample, Task(Transpose(2), Scope((Bars(7, 8),))))
    assert not changed.blocked
    assert after.key == sample.key
    assert notes_outside(after, start, end) == notes_outside(sample, start, end)
    moved = [row[1] for row in part(after, "Lead") if row[0] >= start]
    assert moved == [row[1] + 2 for row in part(sample, "Lead") if row[0] >= start]


def test_a_part_alone_moves_by_an_octave_and_the_key_stays(bench, sample):
    wish = Wish("chords", role="chords", whole_role=True)
    after, _ = do(bench, sample, Task(Transpose(12, wish)))
    assert after.key == sample.key
    assert [row[1] for row in part(after, "Chords")] == [row[1] + 12 for row in part(sample, "Chords")]
    assert part(after, "Lead") == part(sample, "Lead")


def test_the_key_it_is_in_already_is_said(bench, sample):
    after, changed = do(bench, sample, Task(Rekey("A", "minor")))
    assert after == sample
    assert "already" in changed.blocked[0]
