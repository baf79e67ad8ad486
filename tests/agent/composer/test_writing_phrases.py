"""What an ear expects of a new piece: choruses above verses, phrases that settle, whole phrases in any length."""

from __future__ import annotations

from itertools import pairwise

import pytest

from agent.composer.dice import Dice
from agent.composer.styles import Form, SectionStyle
from agent.composer.tones import STEP
from agent.composer.understanding.intent import Intent
from agent.composer.writing.melody import is_chorus
from agent.composer.writing.new_piece import decide
from agent.composer.writing.performing import stage_of
from agent.composer.writing.steps import locked
from agent.composer.writing.stretching import stretched
from agent.song.chord import Chord
from agent.theory.melody import melody_track
from agent.theory.voicing import voice

SUNG = ("pop", "pop_ballad", "rock", "indie", "soul", "synthwave")
KICK = "X.....x.X.x.....|X..x..x.X.x...x."
BASS = ("R-------R-------", "R-----R-R-------", "R-R-R-R-R-R-R-R-")


@pytest.mark.parametrize("style", SUNG)
def test_a_chorus_rises_above_the_verses(bench, style):
    above = compared = 0
    for seed in range(1, 7):
        dice = Dice(seed, "phrases")
        piece = decide(bench.styles.style(style), Intent(goal="compose", style=style), bench.palette, dice)
        for tunes in stage_of(piece.style, piece.players, piece.scenes, piece.frame, dice).tunes.values():
            tops = {n: max(tone.pitch for tone in line) for n, line in tunes.items() if len(line) > 6}
            verses = [top for n, top in tops.items() if not is_chorus(piece.scenes[n])]
            choruses = [top for n, top in tops.items() if is_chorus(piece.scenes[n])]
            if verses and choruses:
                compared += 1
                above += max(choruses) > max(verses)
    assert compared
    assert above >= 0.8 * compared


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_a_phrase_ends_on_more_than_a_touch(bench, seed):
    song = bench.compose("a pop song in G major at 104 bpm, 40 bars", seed)
    lead = song.track(melody_track(song, bench.palette))
    notes = sorted((clip.start + n.start, n.duration) for clip in lead.clips for n in clip.notes)
    ends = [length for (start, length), (after, _) in pairwise(notes) if after - start >= 8 * STEP]
    assert ends
    assert sum(length >= 3 * STEP for length in ends) >= 0.9 * len(ends)


def _form(*bars: int) -> Form:
    return Form(tuple(
        SectionStyle(name=f"S{at}", bars=size, energy=0.3 if at in (0, len(bars) - 1) else 0.7, parts=("A",))
        for at, size in enumerate(bars)
    ))


@pytest.mark.parametrize("bars", [40, 48, 56, 64])
def test_sections_of_eight_stay_whole_phrases(bars):
    made = stretched(_form(4, 8, 8, 8, 4), bars)
    assert sum(section.bars for section in made) == bars
    assert all(section.bars % 8 == 0 for section in made[1:-1])


def test_an_opening_does_not_grow_with_the_piece():
    made = stretched(_form(8, 8, 16, 8), 80)
    assert made[0].bars == 8
    assert sum(section.bars for section in made) == 80


def test_a_loud_bass_is_no_calmer_than_its_energy():
    assert all(locked(BASS, 0.95, KICK, Dice(seed, "bass")) == BASS[-1] for seed in range(8))


@pytest.mark.parametrize("quality", ["min9", "maj9", "9"])
def test_a_ninth_is_no_cluster(quality):
    for root in range(12):
        pitches = voice(Chord(root, quality), 59, None, 48, 72, voices=4)
        steps = [b - a for a, b in pairwise(pitches)]
        assert root in {pitch % 12 for pitch in pitches}
        assert not any(a <= 2 and b <= 2 for a, b in pairwise(steps)), pitches


def test_a_wanted_instrument_plays_although_its_usual_role_is_refused(bench):
    song = bench.compose("a lofi beat with vibraphone, no melody")
    assert any(track.instrument == "keys_vibraphone" for track in song.tracks)


def test_drums_that_rest_join_a_quiet_close_without_a_crash(bench):
    rested = 0
    for seed in range(1, 7):
        song = bench.compose("a pop song, 40 bars, with an intro, verse, chorus, verse, chorus and outro", seed)
        last, outro = song.bar_map.start_of(song.bars), song.sections[-1]
        drums = next(track for track in song.tracks if track.name == "Drums")
        strokes = [(c.start + n.start, n.pitch) for c in drums.clips for n in c.notes]
        close = [(at, pitch) for at, pitch in strokes if at >= outro.start]
        if all(at >= last for at, _ in close):
            rested += 1
            assert 49 not in {pitch for _, pitch in close}
    assert rested
