"""Rooms: how they ring, that they are the same everywhere, and what turning them does."""

from __future__ import annotations

import numpy as np
import pytest

from agent.song.palette import Palette
from app.sound.effects import BLOCK, EffectChain
from app.sound.part import SAMPLE_RATE
from app.sound.reverb_rooms import impulse_response
from tests.app.sound.songs import effect


def falling_seconds(response: np.ndarray, low: float, high: float) -> float:
    """The time in which a band falls by 60 dB, from its fall between 5 and 25 dB."""
    spectrum = np.fft.rfft(response, axis=1)
    hertz = np.fft.rfftfreq(response.shape[1], 1 / SAMPLE_RATE)
    band = np.fft.irfft(spectrum * ((hertz > low) & (hertz < high)), response.shape[1], axis=1)
    left = np.cumsum((band**2).sum(axis=0)[::-1])[::-1]
    fallen = 10 * np.log10(left / left[0] + 1e-12)
    return float(np.argmax(fallen < -25) - np.argmax(fallen < -5)) / SAMPLE_RATE * 3


@pytest.mark.parametrize("seconds", [0.4, 1.2, 3.0])
def test_a_room_rings_as_long_as_it_says_and_its_highs_less(seconds: float) -> None:
    response = impulse_response(seconds, 0.5)
    assert falling_seconds(response, 500, 2000) == pytest.approx(seconds, rel=0.2)
    assert falling_seconds(response, 6000, 16000) < 0.75 * falling_seconds(response, 200, 1000)
    assert np.abs(response.mean(axis=1)).max() < 1e-4


def test_damping_shortens_the_highs_and_leaves_the_middle() -> None:
    bare, soft = impulse_response(1.5, 0.0), impulse_response(1.5, 1.0)
    assert falling_seconds(soft, 6000, 16000) < 0.6 * falling_seconds(bare, 6000, 16000)
    assert falling_seconds(soft, 300, 1000) > 0.8 * falling_seconds(bare, 300, 1000)


def test_a_room_is_the_same_each_time_and_differs_from_side_to_side() -> None:
    impulse_response.cache_clear()
    first = impulse_response(0.8, 0.3).copy()
    impulse_response.cache_clear()
    assert np.array_equal(first, impulse_response(0.8, 0.3))
    late = first[:, SAMPLE_RATE // 10 :]
    assert abs(np.corrcoef(late)[0, 1]) < 0.2


def test_a_wet_room_is_about_as_loud_as_what_is_played_in_it(palette: Palette) -> None:
    sound = (np.random.default_rng(3).standard_normal((2, 3 * SAMPLE_RATE)) * 0.1).astype(np.float32)
    wet = EffectChain((effect("room", seconds=1.0, mix=1.0),), palette).process(sound)[:, 2 * SAMPLE_RATE :]
    assert abs(20 * np.log10(float(wet.std() / sound.std()))) < 3


def test_another_room_is_heard_from_the_turn_on(palette: Palette) -> None:
    clap = np.zeros((2, 64 * BLOCK), np.float32)
    clap[:, 10 * BLOCK] = 0.5
    chain = EffectChain((effect("room", seconds=0.3, mix=1.0),), palette)
    chain.process(clap[:, :BLOCK])
    assert chain.turn_to((effect("room", seconds=3.0, mix=1.0),))
    rest = chain.process(clap[:, BLOCK:])
    assert float(np.abs(rest[:, 40 * BLOCK :]).max()) > 1e-4
    short = EffectChain((effect("room", seconds=0.3, mix=1.0),), palette).process(clap)
    assert float(np.abs(short[:, 41 * BLOCK :]).max()) < 1e-5


def test_the_low_end_of_a_room_is_in_the_middle() -> None:
    response = impulse_response(2.0, 0.4)
    hertz = np.fft.rfftfreq(response.shape[1], 1 / SAMPLE_RATE)
    mid, side = (np.abs(np.fft.rfft(one)) ** 2 for one in (response[0] + response[1], response[0] - response[1]))
    low, high = (hertz > 20) & (hertz < 100), (hertz > 1000) & (hertz < 4000)
    assert 10 * np.log10(side[low].sum() / mid[low].sum()) < -20
    assert abs(10 * np.log10(side[high].sum() / mid[high].sum())) < 3
