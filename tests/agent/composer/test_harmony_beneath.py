"""Harmony beside a tune: below it, in the hands of who is free, spelled as it is led, and at home in the end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec import structs

from agent.composer.changing.hearing.listening import roles_of
from agent.composer.dice import Dice
from agent.composer.styles import Role
from agent.composer.tones import STEP, Tone
from agent.composer.writing.below_tune import below_tune, covered
from agent.composer.writing.frame import Player
from agent.composer.writing.instruments import default_part
from agent.composer.writing.steps import roaming
from agent.song.chord_symbols import chord
from agent.theory.sounding import sounding

BAR = 3840
TUNE = [Tone(at * 960, 62, 960, 90) for at in range(8)]


def pad(bench, centre: int, role: Role = "pad") -> Player:
    instrument = bench.palette.instrument("strings_ensemble")
    part = default_part(role, "Pad", (instrument.name,))
    return Player(structs.replace(part, centre=centre, span=12), instrument)


def held(player: Player) -> list[Tone]:
    """A chord around the middle of a part."""
    return [Tone(0, player.style.centre + above, 8 * 960, 80) for above in (-4, 0, 5)]


def test_harmony_that_covers_the_tune_goes_down_just_as_far_as_it_must(bench):
    low = below_tune(pad(bench, 60), TUNE, 66, held, {}, "a")
    assert max(tone.pitch for tone in low) == 61
    assert covered(low, TUNE) == 0


def test_harmony_that_lies_below_stays_and_so_does_what_is_to_lie_above(bench):
    assert below_tune(pad(bench, 56), TUNE, 66, held, {}, "a") == held(pad(bench, 56))
    assert below_tune(pad(bench, 76), TUNE, 66, held, {}, "a") == held(pad(bench, 76))
    assert below_tune(pad(bench, 60), (), 66, held, {}, "a") == held(pad(bench, 60))
    assert below_tune(pad(bench, 60, "counter"), TUNE, 66, held, {}, "a") == held(pad(bench, 60))


def test_what_returns_lies_as_it_did(bench):
    known: dict[str, int] = {}
    first = below_tune(pad(bench, 60), TUNE, 66, held, known, "a")
    assert below_tune(pad(bench, 60), [Tone(0, 80, 9600, 90)], 66, held, known, "a") == first
    assert below_tune(pad(bench, 60), [Tone(0, 80, 9600, 90)], 66, held, known, "b") == held(pad(bench, 60))


def test_harmony_goes_down_to_no_mud(bench):
    assert min(tone.pitch for tone in below_tune(pad(bench, 54), [Tone(0, 50, 9600, 90)], 66, held, {}, "a")) >= 52 - 4


@pytest.mark.parametrize("request_", ["a pop piece", "a cinematic piece", "a pop ballad", "a boom bap piece"])
def test_chords_and_pads_do_not_hide_the_tune(bench, request_):
    for seed in (1, 2):
        song = bench.compose(request_, seed=seed)
        roles = roles_of(song, bench.palette)
        tracks = {track.id: track.note_count for track in song.tracks if roles[track.id] == "lead"}
        singer = max(tracks, key=lambda track: tracks[track])
        tune = [Tone(n.start, n.pitch, n.end - n.start, 90) for n in sounding(song, {singer})]
        for track in song.tracks:
            if roles[track.id] in ("pad", "chords") and track.note_count:
                own = [Tone(n.start, n.pitch, n.end - n.start, 90) for n in sounding(song, {track.id})]
                assert covered(own, tune) < 0.3, (seed, track.name)


def test_a_hand_that_is_free_leaves_its_pattern_and_finds_it_again():
    patterns = ("x" + "." * 15, "x...x" + "." * 11, "x.x.x.x" + "." * 9)
    rows = [roaming(patterns, 0.5, BAR, 32, Dice(seed, "roam"), 1.0, 0.0) for seed in range(4)]
    for row in rows:
        assert len(row) == 32 * 16
        assert row[:64] == patterns[1] * 4
        assert {row[at : at + 64] for at in range(64, len(row), 64)} == {patterns[0] * 4, patterns[2] * 4}
    assert roaming(patterns, 0.5, BAR, 32, Dice(1, "roam"), 0.0, 0.0) == patterns[1] * 32


def test_a_jazz_pianist_comps_in_more_than_one_way(bench):
    song = bench.compose("a jazz piece for piano, bass, drums and clarinet, 64 bars")
    comping = next(track for track in song.tracks if track.name in ("Piano", "Comping", "Grand piano"))
    rhythms: dict[int, set[int]] = {}
    for note in sounding(song, {comping.id}):
        bar = song.bar_map.bar_at(note.start + 2 * STEP // 3)
        rhythms.setdefault(bar // 2, set()).add(round((note.start - song.bar_map.start_of(bar - bar % 2 or 1)) / STEP))
    assert len({frozenset(one) for one in rhythms.values()}) > 5


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_ballad_ends_on_its_root(bench, seed):
    last = bench.compose("a pop ballad", seed=seed).chords[-1].symbol
    assert chord(last).bass is None


@pytest.mark.parametrize("seed", [1, 2])
def test_what_leads_to_a_new_key_is_spelled_in_it(bench, seed):
    song = bench.compose("a pop piece", seed=seed)
    signs = [
        {sign for one in pair for sign in one.symbol[1:2] if sign in "#b"} for pair in pairwise(song.chords)
    ]
    assert all(len(both) < 2 for both in signs)
