"""How hands and breath begin and end notes: strummed chords, and lines that are bound or set apart."""

from __future__ import annotations

from itertools import pairwise

import pytest

from agent.composer.styles import PartStyle
from agent.composer.tones import Tone
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.touch import touched
from agent.song.key import Key

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


def test_a_piano_strikes_its_chords_at_once(bench):
    chords = strokes(bench.compose("a piano ballad, only piano", 2), "piano", bench.palette)
    assert chords
    assert all(chord[-1][0] == chord[0][0] for chord in chords)


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
