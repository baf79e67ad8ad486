"""How hands and breath begin and end notes: strummed chords, and lines that are bound or set apart."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import pytest

from agent.composer.dice import Dice
from agent.composer.styles import PartStyle
from agent.composer.tones import Tone
from agent.composer.writing.feel import played
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.touch import touched
from agent.song.key import Key
from agent.song.palette import Instrument
from tests.benchmarks.playing_figures import breath, is_line, rows_of

SEEDS = (1, 2, 3)
TOGETHER = 60


def strokes(song, family: str, palette) -> list[list[tuple[int, int, int]]]:
    """The chords of three notes and more of a family's tracks, each as rows of start, pitch and velocity."""
    known = {one.name: one.family for one in palette.instruments}
    found: list[list[tuple[int, int, int]]] = []
    for track in song.tracks:
        if known[track.instrument] != family:
            continue
        groups: list[list[tuple[int, int, int]]] = []
        for row in sorted((clip.start + n.start, n.pitch, n.velocity) for clip in track.clips for n in clip.notes):
            if groups and row[0] - groups[-1][0][0] < TOGETHER:
                groups[-1].append(row)
            else:
                groups.append([row])
        found += [group for group in groups if len(group) >= 3]
    return found


def joins(song, family: str, palette) -> list[float]:
    """By how many milliseconds the notes of a family's lines reach into the next pitch, where one leads to it."""
    known = {one.name: one.family for one in palette.instruments}
    found = []
    for track in song.tracks:
        notes = sorted((clip.start + n.start, n.duration, n.pitch) for clip in track.clips for n in clip.notes)
        starts = [start for start, _, _ in notes]
        if known[track.instrument] != family or len(set(starts)) < len(starts):
            continue
        for (start, length, pitch), (after, _, other) in pairwise(notes):
            if pitch != other and abs(after - start - length) <= 2 * TOGETHER:
                found.append((start + length - after) * 62.5 / song.tempos[0].bpm)
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_a_guitar_strums_downwards_on_the_beat_and_upwards_softer_between(bench, seed):
    song = bench.compose("bossa nova, just guitar and bass", seed)
    chords = strokes(song, "guitar", bench.palette)
    assert len(chords) > 8
    down = [chord for chord in chords if chord[0][1] < chord[-1][1]]
    up = [chord for chord in chords if chord[0][1] > chord[-1][1]]
    assert down
    assert up
    beat = 62.5 / song.tempos[0].bpm
    assert all(0 < (chord[-1][0] - chord[0][0]) * beat <= 33 for chord in chords)
    near = [min(chord[0][0] % 960, 960 - chord[0][0] % 960) for chord in down]
    far = [min(chord[0][0] % 960, 960 - chord[0][0] % 960) for chord in up]
    assert max(near) < min(far)


@pytest.mark.parametrize("seed", SEEDS)
def test_bows_bind_a_line_and_brass_sets_its_notes_apart(bench, seed):
    bowed = joins(bench.compose("a string quartet", seed), "strings", bench.palette)
    blown = joins(bench.compose("a brass quartet", seed), "brass", bench.palette)
    assert len(bowed) > 20
    assert len(blown) > 20
    assert sorted(bowed)[len(bowed) // 2] > 5
    assert sorted(blown)[len(blown) // 2] < -5


def test_a_house_piano_strikes_its_chords_at_once(bench):
    chords = strokes(bench.compose("house with a bright piano", 2), "piano", bench.palette)
    assert chords
    assert all(chord[-1][0] == chord[0][0] for chord in chords)


def test_a_ballad_s_pianist_rolls_chords_that_last_from_below(bench):
    song = bench.compose("a pop ballad", 1)
    lengths = {(row.start, row.pitch): row.length for track in song.tracks for row in rows_of(track)}
    chords = strokes(song, "piano", bench.palette)
    long, short = [], []
    for chord in chords:
        least = min(lengths[start, pitch] for start, pitch, _ in chord)
        (long if least > 1300 else short if least < 1100 else []).append(chord)
    assert len(long) > 4
    assert len(short) > 4
    beat = 62.5 / song.tempos[0].bpm
    for chord in long:
        assert [pitch for _, pitch, _ in chord] == sorted(pitch for _, pitch, _ in chord)
        assert 5 < (chord[-1][0] - chord[0][0]) * beat <= 61
    assert all(chord[-1][0] == chord[0][0] for chord in short)


@pytest.mark.parametrize(("request_text", "family"), [("a string quartet", "strings"), ("a swing band", "woodwind")])
def test_short_notes_that_leap_are_set_apart_and_those_that_step_are_bound(bench, request_text, family):
    known = {one.name: one.family for one in bench.palette.instruments}
    leaps, steps = [], []
    for seed in SEEDS:
        song = bench.compose(request_text, seed)
        for track in song.tracks:
            rows = rows_of(track)
            if known[track.instrument] != family or not is_line(rows):
                continue
            for one, after in pairwise(rows):
                if after.start - one.start < 300 * song.tempos[0].bpm / 62.5:
                    near = 0 < abs(after.pitch - one.pitch) <= 2
                    (steps if near else leaps).append(one.length / (after.start - one.start))
    assert len(steps) > 10
    assert len(leaps) > 10
    assert median(steps) > 0.95
    assert median(leaps) < 0.86


@pytest.mark.parametrize("request_text", ["a chorale", "a cumbia", "a swing band", "a waltz with a flute"])
def test_who_sings_or_blows_a_line_takes_a_breath_in_time(bench, request_text):
    found = 0
    for seed in SEEDS:
        song = bench.compose(request_text, seed)
        for track in song.tracks:
            instrument = bench.palette.instrument(track.instrument)
            rows = rows_of(track)
            if instrument.family in ("choir", "woodwind", "brass") and len({r.start for r in rows}) == len(rows) > 8:
                found += 1
                assert breath(rows, 62.5 / song.tempos[0].bpm) < 7.5, track.name
    assert found > 2


@pytest.mark.parametrize("request_text", ["a pop ballad with strings", "an ambient piece", "a cinematic piece"])
def test_held_notes_swell_within_their_phrases_and_struck_ones_do_not(bench, request_text):
    song = bench.compose(request_text, 4)
    held, struck = [], []
    known = {one.name: one.family for one in bench.palette.instruments}
    for track in song.tracks:
        lengths = [n.duration for clip in track.clips for n in clip.notes]
        lane = next((lane for lane in track.automation if lane.target == "expression"), None)
        values = [point.value for point in lane.points] if lane is not None else []
        if known[track.instrument] in ("strings", "pad", "choir", "brass") and sum(lengths) / len(lengths) > 1440:
            held.append(values)
        elif known[track.instrument] in ("piano", "keys", "guitar", "bass", "drums"):
            struck.append(values)
    assert held
    for values in held:
        assert sum(a < b > c for a, b, c in zip(values, values[1:], values[2:], strict=False)) >= 3
    assert all(len(values) <= 3 for values in struck)


@pytest.mark.parametrize(
    ("request_text", "instrument", "does"),
    [
        ("a chorale", "choir_aahs", True), ("a chorale", "organ_church", False),
        ("a cumbia", "organ_accordion", True), ("a tango", "organ_bandoneon", True),
        ("a jig with a bagpipe", "woodwind_bagpipe", False),
    ],
)
def test_breath_and_bellows_swell_but_pipes_do_not(bench, request_text, instrument, does):
    found = 0
    for seed in SEEDS:
        for track in bench.compose(request_text, seed).tracks:
            if track.instrument == instrument and (is_line(rows_of(track)) or not does):
                lane = next((lane for lane in track.automation if lane.target == "expression"), None)
                values = [point.value for point in lane.points] if lane is not None else []
                peaks = sum(a < b > c for a, b, c in zip(values, values[1:], values[2:], strict=False))
                assert (peaks >= 2) == does, (seed, track.name)
                found += 1
    assert found


@pytest.mark.parametrize("seed", SEEDS)
def test_an_orchestra_s_cymbals_are_cymbals_and_its_kettledrums_in_tune(bench, seed):
    march = pitches_of_kit(bench.compose("a march", seed))
    assert 57 in march
    assert 49 not in march
    song = bench.compose("a cinematic piece with an orchestra kit", seed)
    kettles = [pitch for pitch in pitches_of_kit(song) if 41 <= pitch <= 53]
    assert kettles
    assert {(pitch - song.key.pitch_class) % 12 for pitch in kettles} <= {0, 7}


def pitches_of_kit(song):
    """The keys that the orchestra's kit plays."""
    kits = [track for track in song.tracks if track.instrument == "kit_orchestra"]
    return {n.pitch for track in kits for clip in track.clips for n in clip.notes}


def test_notes_of_a_swung_line_still_meet():
    part = PartStyle(name="Horn", role="lead", instruments=("piano_grand",), timing_ms=0)
    frame = Frame(Key("C"), 120, 3840, swing=0.33, swing_ticks=480)
    scene = Scene("Head", 0, 0, 1, 3840, 0.5, "a", ("Horn",), ())
    line = [Tone(at, 60 + at // 480, 480, 80) for at in range(0, 3840, 480)]
    heard = played(line, Player(part, Instrument("piano_grand", "piano", "Piano", 0)), scene, frame, Dice(1, "feel"))
    assert heard[1].start > 600
    assert all(abs(one.end - after.start) <= 1 for one, after in pairwise(heard))


def test_vibrato_comes_into_long_notes_of_a_line_and_into_no_short_ones(bench):
    song = bench.compose("a string quartet", 2)
    found = 0
    for track in song.tracks:
        lane = next((lane for lane in track.automation if lane.target == "modulation"), None)
        notes = [(clip.start + n.start, clip.start + n.start + n.duration) for clip in track.clips for n in clip.notes]
        for point in (point for point in lane.points if point.value > 0) if lane is not None else ():
            start, end = next(span for span in notes if span[0] <= point.at < span[1])
            assert end - start >= 1600
            assert point.at > (start + end) / 2
            found += 1
    assert found > 10


def test_a_piano_has_no_vibrato(bench):
    song = bench.compose("a piano ballad, only piano", 2)
    assert not [lane for track in song.tracks for lane in track.automation if lane.target == "modulation"]


def line(family: str, bench) -> list[Tone]:
    """Sixteen bars of half notes without a rest at 120 to the minute, as somebody of a family plays them."""
    instrument = next(one for one in bench.palette.instruments if one.family == family and "ensemble" not in one.tags)
    part = PartStyle(name="Voice", role="lead", instruments=(instrument.name,))
    scene = Scene("Verse", 0, 0, 16, 3840, 0.5, "a", ("Voice",), ())
    tones = [Tone(at * 1920, 72 + at % 3, 1920, 80) for at in range(32)]
    return touched(tones, Player(part, instrument), scene, Frame(Key("C", "major"), 120, 3840, 0.0, 480))


@pytest.mark.parametrize("family", ["woodwind", "brass"])
def test_who_blows_breathes_every_six_seconds(bench, family):
    tones = line(family, bench)
    rests = [after.start for tone, after in pairwise(tones) if after.start - tone.end > 300]
    assert len(rests) >= 4
    assert all(b - a <= 6 * 1920 for a, b in pairwise([0, *rests]))


def test_a_bow_needs_no_breath(bench):
    assert all(tone.end >= after.start - 60 for tone, after in pairwise(line("strings", bench)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_bagpipe_s_drone_stays_on_tonic_and_fifth(bench, seed):
    song = bench.compose("a jig with a drone", seed)
    tonic = song.key.pitch_class
    drones = [track for track in song.tracks if track.instrument in ("woodwind_bagpipe", "organ_reed")]
    assert drones
    end = song.sections[-1].end - 3 * 960
    for track in drones:
        held = [row for row in rows_of(track) if row.start < end - 960]
        assert held
        assert {(row.pitch - tonic) % 12 for row in held} == {0, 7}, track.name
