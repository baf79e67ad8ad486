"""Two voices: a tune with one climax, breath and leaps that turn back, and a counter-melody that fits it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from style_parts import track_of

from agent.composer.dice import Dice
from agent.composer.tones import Tone
from agent.composer.understanding.intent import Intent
from agent.composer.writing.counter import counter_line
from agent.composer.writing.frame import Player, Scene
from agent.composer.writing.new_piece import NewPiece, decide
from agent.composer.writing.performing import Performance, stage_of

SUNG = ("indie", "jazz", "pop", "pop_ballad", "soul", "swing", "synthwave", "waltz")
ANSWERED = ("bossa_nova", "indie", "pop_ballad", "rock", "soul", "swing", "trance", "waltz")
SEEDS = (1, 2, 3, 4)
BEAT = 960


def staged(bench, style: str, seed: int) -> tuple[NewPiece, Performance]:
    dice = Dice(seed, "voices")
    piece = decide(bench.styles.style(style), Intent(goal="compose", style=style), bench.palette, dice)
    return piece, stage_of(piece.style, piece.players, piece.scenes, piece.frame, dice)


def scenes_sung(piece: NewPiece, stage: Performance) -> list[tuple[Scene, list[Tone]]]:
    """Scenes with a whole tune, as it is sung; elsewhere a tune has at most an upbeat."""
    singer = next(player.style.name for player in piece.players if player.style.role == "lead")
    lively = [scene for scene in piece.scenes if scene.bars >= 4 and scene.energy >= 0.35]
    return [(scene, stage.tune[scene.index]) for scene in lively if singer in scene.parts]


def second_voices(piece: NewPiece, stage: Performance, seed: int) -> list[tuple[Player, Scene, list[Tone], list[Tone]]]:
    """(player, scene, tune, counter-melody) wherever both voices sound."""
    found = []
    for player in piece.players:
        for scene in piece.scenes if player.style.role == "counter" else ():
            tune = stage.tune.get(scene.index)
            if tune and player.style.name in scene.parts:
                line = counter_line(player, scene, piece.frame, tune, Dice(seed, "counter"))
                found.append((player, scene, tune, line))
    return found


@pytest.mark.parametrize("style", ANSWERED)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_second_voice_never_rubs_against_the_tune(bench, style, seed):
    for _, _, tune, line in second_voices(*staged(bench, style, seed), seed):
        for low in line:
            for high in tune:
                if low.start < high.end and high.start < low.end:
                    assert abs(low.pitch - high.pitch) % 12 != 1
                    assert abs(low.pitch - high.pitch) >= 3


@pytest.mark.parametrize("style", ANSWERED)
def test_a_second_voice_has_its_own_rhythm_and_register(bench, style):
    together = answered = notes = 0
    for seed in SEEDS:
        for _, _, tune, line in second_voices(*staged(bench, style, seed), seed):
            begins = {tone.start for tone in tune}
            together += sum(tone.start in begins for tone in line)
            notes += len(line)
            rests = [(a.start + BEAT // 2, b.start) for a, b in pairwise(tune) if b.start - a.start >= 2 * BEAT]
            answered += sum(any(start <= tone.start < end for tone in line) for start, end in rests)
            low, high = (sorted(tone.pitch for tone in voice) for voice in (line, tune))
            assert low[len(low) // 2] < high[len(high) // 2]
    assert notes
    assert answered
    assert together <= 0.5 * notes


@pytest.mark.parametrize("style", ANSWERED)
def test_a_second_voice_moves_against_the_tune_and_avoids_parallels(bench, style):
    against = along = parallel = 0
    for seed in SEEDS:
        for _, _, tune, line in second_voices(*staged(bench, style, seed), seed):
            for first, second in pairwise(line):
                under = [[t for t in tune if t.start <= tone.start < t.end] for tone in (first, second)]
                if not all(under) or first.pitch == second.pitch or under[0][-1].pitch == under[1][-1].pitch:
                    continue
                ours, theirs = second.pitch - first.pitch, under[1][-1].pitch - under[0][-1].pitch
                against, along = against + (ours * theirs < 0), along + (ours * theirs > 0)
                parallel += (under[0][-1].pitch - first.pitch) % 12 == (under[1][-1].pitch - second.pitch) % 12 == 0
    assert against >= along
    assert parallel == 0


@pytest.mark.parametrize("style", ["indie", "pop_ballad", "soul", "swing"])
def test_a_second_voice_waits_until_the_tune_is_known(bench, style):
    for seed in SEEDS:
        piece, stage = staged(bench, style, seed)
        first = min(stage.tune)
        names = {player.style.name for player in piece.players if player.style.role == "counter"}
        assert names
        playing = [scene.index for scene in piece.scenes if names & set(scene.parts)]
        assert playing
        assert min(playing) > first


def test_a_song_with_a_second_voice_has_its_track(bench):
    song = bench.compose("a soul song", 2)
    track = track_of(song, "Answering horn")
    assert track.note_count > 8
    assert song.bar_map.count(track.end) == song.bars


@pytest.mark.parametrize("style", SUNG)
def test_most_sections_have_one_climax(bench, style):
    alone = sections = 0
    for seed in SEEDS:
        for _, tune in scenes_sung(*staged(bench, style, seed)):
            top = max(tone.pitch for tone in tune)
            alone += sum(tone.pitch == top for tone in tune) == 1
            sections += 1
    assert alone >= 0.7 * sections


@pytest.mark.parametrize("style", SUNG)
@pytest.mark.parametrize("seed", SEEDS)
def test_leaps_turn_back_and_the_range_can_be_sung(bench, style, seed):
    for _, tune in scenes_sung(*staged(bench, style, seed)):
        assert max(tone.pitch for tone in tune) - min(tone.pitch for tone in tune) <= 20
        for first, second, third in zip(tune, tune[1:], tune[2:], strict=False):
            leap, after = second.pitch - first.pitch, third.pitch - second.pitch
            joined = second.start - first.end < BEAT // 2 and third.start - second.end < BEAT // 2
            if abs(leap) >= 5 and joined:
                assert leap * after <= 0 or abs(after) <= 2


@pytest.mark.parametrize("style", SUNG)
def test_a_tune_rests(bench, style):
    for seed in SEEDS:
        for scene, tune in scenes_sung(*staged(bench, style, seed)):
            if scene.energy < 0.8:
                assert sum(b.start - a.end >= BEAT // 4 for a, b in pairwise(tune)) >= scene.bars // 8


def test_ten_seeds_sing_ten_tunes(bench):
    tunes = {tuple(tone.pitch for tone in scenes_sung(*staged(bench, "indie", seed))[0][1]) for seed in range(10)}
    assert len(tunes) == 10
