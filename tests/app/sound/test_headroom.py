"""What keeps a mix at its loudness without being squeezed: rounded strokes, a limiter that lets go, a low end in
the middle."""

from __future__ import annotations

import numpy as np
import pytest

from agent.song.palette import Palette
from app.sound.drum_peaks import rounded
from app.sound.fluid import Planar
from app.sound.limiter import LIMITER_BLOCK, master
from app.sound.master_chain import LOW_HZ, LowEnd, MasterChain
from app.sound.part import SAMPLE_RATE
from app.sound.renderer import Renderer
from tests.app.sound.conftest import Mixer
from tests.app.sound.songs import clip, effect, song, track
from tests.benchmarks.sound_figures import low_side_db

SECONDS = np.arange(2 * SAMPLE_RATE) / SAMPLE_RATE


def tone(hertz: float, level: float, left: float = 1.0, right: float = 1.0) -> Planar:
    wave = np.sin(2 * np.pi * hertz * SECONDS) * level
    return np.stack([wave * left, wave * right]).astype(np.float32)


def carry_on() -> None:
    """Nobody cancels."""


def test_a_hard_stroke_loses_its_peak_and_a_soft_one_nothing() -> None:
    hard, soft = tone(200, 0.5), tone(200, 0.1)
    peak = float(np.abs(rounded(hard, 0.5)).max())
    assert 20 * np.log10(peak / 0.5) == pytest.approx(-4, abs=0.2)
    assert np.array_equal(rounded(soft, 0.5), soft)
    louder = float(np.abs(rounded(tone(200, 1.0), 0.5)).max())
    assert peak <= louder <= 0.5 * 10 ** (-4 / 20) + 1e-6


def test_strokes_of_a_kit_stay_apart_by_their_strength(mixed: Mixer) -> None:
    def peak(velocity: int) -> float:
        beat = clip(*((pitch, 0.0, 1.0, velocity) for pitch in (36, 38, 49)))
        return 20 * float(np.log10(np.abs(mixed(song(track("kit_standard", beat)))).max()))

    soft, middle, hard = peak(40), peak(80), peak(120)
    assert soft + 6 < middle < hard < middle + 6


def taken_after(sound: Planar, seconds: float, target: float) -> float:
    """How many dB the limiter takes at a moment, to bring the sound to a loudness."""
    mastered = master(sound, target, carry_on)
    assert mastered.levels is not None
    level = mastered.levels[int(seconds * SAMPLE_RATE) // LIMITER_BLOCK]
    return mastered.gain_db - 20 * float(np.log10(level))


def with_bursts(*moments: float) -> Planar:
    sound = tone(440, 0.05)
    for moment in moments:
        at = int(moment * SAMPLE_RATE)
        sound[:, at : at + 240] *= 16
    return sound


def test_the_limiter_lets_go_after_one_stroke_and_holds_amid_many() -> None:
    alone, many = with_bursts(1.0), with_bursts(*np.arange(0.2, 1.0, 0.02), 1.0)
    assert taken_after(alone, 1.002, -14.0) > 4
    assert taken_after(alone, 1.2, -14.0) < 0.5
    assert taken_after(many, 1.002, -6.0) > 2
    assert taken_after(many, 1.15, -6.0) > taken_after(alone, 1.15, -14.0) + 0.3


@pytest.mark.parametrize(("hertz", "least", "most"), [(50, 26, 99), (100, 18, 40), (LOW_HZ, 15, 22), (600, 0, 0.5)])
def test_the_low_end_comes_to_the_middle_and_the_rest_stays(hertz: float, least: float, most: float) -> None:
    wide = tone(hertz, 0.2, left=1.0, right=-1.0)
    after = LowEnd().process(wide)[:, SAMPLE_RATE:]
    lost = -20 * np.log10(np.sqrt((after**2).mean()) / (0.2 / np.sqrt(2)))
    assert least <= lost + 1e-3
    assert lost <= most
    middle = tone(hertz, 0.2)
    assert np.allclose(LowEnd().process(middle), middle, atol=1e-6)


def test_blocks_and_whole_have_the_same_low_end(palette: Palette) -> None:
    sound = (np.random.default_rng(2).standard_normal((2, SAMPLE_RATE)) * 0.2).astype(np.float32)
    for effects in ((), (effect("reverb"),)):
        chain = MasterChain(effects, palette)
        blocks = [chain.process(sound[:, start : start + 1024]) for start in range(0, SAMPLE_RATE, 1024)]
        assert np.array_equal(np.concatenate(blocks, axis=1), MasterChain(effects, palette).process(sound))


def test_a_wide_low_part_is_heard_on_both_sides(renderer: Renderer) -> None:
    low = song(track("strings_contrabass", clip((31, 0, 4, 100)), pan=-1.0))
    rendering = renderer.render(low, stems=True)
    assert low_side_db(rendering.mix.T) < -12
    stem = next(iter(rendering.stems.values()))
    assert low_side_db(stem.T) < -12
