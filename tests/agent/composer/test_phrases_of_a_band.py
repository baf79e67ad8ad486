"""Phrases of a band: cadences, voices that move, figures that breathe, and players who do not all change at once."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.understanding.intent import Intent
from agent.composer.writing.bass import bass_line
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.composer.writing.inner_voices import moving
from agent.composer.writing.new_piece import NewPiece, decide
from agent.composer.writing.phrased import Stroke, carried, phrased
from agent.song.chord import Chord
from agent.song.key import Key

BAR, BEAT = 16 * STEP, 4 * STEP
C = Key("C", "major")


def piece_of(bench, name: str, seed: int, **cadences: float) -> NewPiece:
    style = bench.styles.style(name)
    style = structs.replace(style, cadences=structs.replace(style.cadences, **cadences))
    return decide(style, Intent(goal="compose", style=name), bench.palette, Dice(seed, "phrases"))


def scene_of(*chords: Chord, energy: float = 0.5) -> Scene:
    """A section of a bar for each chord."""
    spans = tuple(ChordSpan(at * BAR, (at + 1) * BAR, chord) for at, chord in enumerate(chords))
    return Scene("Verse", 0, 0, len(chords), BAR, energy, "a", (), spans)


def bars_of(strokes: list[Stroke]) -> list[list[tuple[int, int]]]:
    return [[(one.start % BAR, one.length) for one in strokes if one.start // BAR == bar] for bar in range(8)]


def player_of(bench, style: str, role: str, **changed: object) -> Player:
    player = next(one for one in piece_of(bench, style, 1).players if one.style.role == role)
    return structs.replace(player, style=structs.replace(player.style, **changed))


@pytest.mark.parametrize("style", ["pop", "gospel", "neoclassical"])
def test_a_phrase_ends_on_two_chords_of_which_the_second_leads_on(bench, style):
    led = 0
    for seed in (1, 2, 3):
        plain, quick = (piece_of(bench, style, seed, quickens=share) for share in (0.0, 1.0))
        for before, scene in zip(plain.scenes, quick.scenes, strict=True):
            old = {span.start for span in before.chords}
            for span, after in pairwise(scene.chords):
                new = span.start not in old and span.end % (4 * scene.bar) == scene.start % (4 * scene.bar)
                led += new and (span.chord.root - after.chord.root) % 12 == 7
            assert scene.chords[-1].end == scene.end
    assert led > 3


def test_a_voice_that_hangs_over_resolves_by_step_and_rubs_against_no_tune():
    chords = [Chord(0), Chord(5), Chord(7), Chord(0)]
    led = list(zip(scene_of(*chords).chords, [(52, 55, 60), (53, 57, 60), (50, 55, 59), (52, 55, 60)], strict=True))
    frame = Frame(C, 100, BAR, 0, STEP)
    found = [moving(led, scene_of(*chords), frame, (), 1.0, Dice(seed, "v")) for seed in range(20)]
    moves = [(held, move) for one in found for held in one for move in held.moves]
    assert len({move[1:] for _, move in moves}) > 3
    for held, (at, voice, pitch) in moves:
        assert 1 <= abs(pitch - held.at(voice, at - 1)) <= 2
    tune = [Tone(0, 72, 4 * BAR, 90)]
    for one in (moving(led, scene_of(*chords), frame, tune, 1.0, Dice(seed, "v")) for seed in range(20)):
        for held in one:
            heard = [held.heard(voice, held.span.start, held.span.end) for voice in range(3)]
            assert all(pitch % 12 != 11 or pitch in held.span.chord for voice in heard for *_, pitch in voice)


def test_hands_leave_their_figure_where_a_phrase_ends_and_never_where_it_begins(bench):
    scene = scene_of(*[Chord(0)] * 8)
    figure = [Stroke(at * BEAT, BEAT, "x") for at in range(32)]
    part = player_of(bench, "pop", "chords", closes=1.0, phrases=0.0).style
    bars = bars_of(phrased(figure, scene, (), part, Dice(1, "h")))
    assert all(bar == bars[0] for at, bar in enumerate(bars) if at % 4 != 3)
    assert bars[3] != bars[0] != bars[7]
    freely = bars_of(phrased(figure, scene, (), structs.replace(part, phrases=1.0), Dice(1, "h")))
    assert sum(bar != bars[0] for bar in freely) > 3


def test_hands_answer_a_tune_in_its_rest(bench):
    scene = scene_of(*[Chord(0)] * 4)
    figure = [Stroke(at * BAR, BAR, "x") for at in range(4)]
    tune = [Tone(at * BEAT, 72, BEAT, 90) for at in range(13)]
    part = player_of(bench, "pop", "chords", closes=1.0, phrases=0.0).style
    found = [phrased(figure, scene, tune, part, Dice(seed, "h")) for seed in range(12)]
    answers = [[one for one in strokes if one.start > 3 * BAR] for strokes in found]
    assert any(answers)
    assert all(one.start >= 3 * BAR + BEAT for answer in answers for one in answer)


def test_a_chord_that_comes_while_another_is_held_is_struck():
    halves = (ChordSpan(0, BAR // 2, Chord(0)), ChordSpan(BAR // 2, BAR, Chord(7)))
    scene = structs.replace(scene_of(Chord(0)), chords=halves)
    assert [one.start for one in carried([Stroke(0, BAR, "x")], scene, ahead=False)] == [0, BAR // 2]
    assert [one.start for one in carried([Stroke(0, BAR, "x")], scene, ahead=True)] == [0]


def test_a_bass_runs_by_step_into_the_next_phrase_while_the_tune_rests(bench):
    player = player_of(bench, "pop", "bass", closes=1.0, leads=0.0, phrases=0.0)
    scene = scene_of(*[Chord(0)] * 4, *[Chord(5)] * 4)
    tune = [Tone(0, 72, BEAT, 90)]
    runs = 0
    for seed in range(10):
        line = bass_line(player, scene, Frame(C, 100, BAR, 0, STEP), "", Dice(seed, "b"), None, tune)
        last = [tone for tone in line if 3.5 * BAR <= tone.start < 4 * BAR]
        first = next(tone for tone in line if tone.start >= 4 * BAR)
        runs += len(last) > 1 and all(0 < abs(b.pitch - a.pitch) <= 2 for a, b in pairwise([*last, first]))
    assert runs > 5


@pytest.mark.parametrize("style", ["pop", "soul", "country"])
def test_some_players_come_in_or_leave_beside_the_border_of_a_section(bench, style):
    stays = [
        (stay, scene) for seed in range(6) for scene in piece_of(bench, style, seed).scenes for stay in scene.stays
    ]
    assert any(stay.first > scene.bars // 2 for stay, scene in stays)
    assert any(stay.last < scene.bars // 2 for stay, scene in stays)
    assert all(0 <= stay.first < stay.last <= scene.bars and stay.name in scene.parts for stay, scene in stays)
