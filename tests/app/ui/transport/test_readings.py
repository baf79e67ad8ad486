"""What the number display says."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from songs import songs

from agent.song.song import Song
from agent.song.time import MeterChange, Ticks
from app.ui.transport import readings

WALTZ = Song(meters=(MeterChange(Ticks(0)), MeterChange(Ticks(3840), 6, 8)))


@pytest.mark.parametrize(
    ("at", "text"),
    [(0, "1.1.000"), (959, "1.1.959"), (960, "1.2.000"), (3839, "1.4.959"), (3840, "2.1.000"), (3840 + 480, "2.2.000"),
     (3840 + 2880, "3.1.000")],
)
def test_position_counts_beats_of_the_meter(at: int, text: str) -> None:
    assert readings.position(WALTZ, at) == text


@given(songs(), st.integers(0, 960 * 400), st.integers(0, 960 * 8))
def test_position_never_goes_back(song: Song, at: int, later: int) -> None:
    def number(text: str) -> list[int]:
        return [int(part) for part in text.split(".")]

    assert number(readings.position(song, at)) <= number(readings.position(song, at + later))


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00.00"), (35.36, "0:35.36"), (59.999, "0:59.99"), (61.5, "1:01.50")]
)
def test_clock(seconds: float, text: str) -> None:
    assert readings.clock(seconds) == text


@pytest.mark.parametrize(
    ("text", "bpm"),
    [("84", 84.0), (" 84,5 ", 84.5), ("112.004", 112.0), ("999", 999.0), ("0.99", None), ("1000", None), ("", None),
     ("fast", None), ("nan", None), ("inf", None), ("-84", None)],
)
def test_typed_tempos(text: str, bpm: float | None) -> None:
    assert readings.read_tempo(text) == bpm


@given(st.text(max_size=12))
def test_anything_may_be_typed(text: str) -> None:
    found = readings.read_tempo(text)
    assert found is None or 1 <= found <= 999


@pytest.mark.parametrize(
    ("level", "text"),
    [(-9.44, "−9.4 dB"), (0.0, "0.0 dB"), (-0.04, "0.0 dB"), (-math.inf, "−∞ dB"), (math.nan, "−∞ dB")],
)
def test_levels_have_the_real_minus(level: float, text: str) -> None:
    assert readings.decibels(level) == text


@pytest.mark.parametrize(("lufs", "text"), [(-14.21, "−14.2 LUFS"), (-0.04, "0.0 LUFS"), (None, "no signal")])
def test_loudness_has_the_real_minus(lufs: float | None, text: str) -> None:
    assert readings.loudness(lufs) == text


def test_loop_names_inclusive_bars() -> None:
    assert readings.loop(Song(), (Ticks(8 * 3840), Ticks(24 * 3840))) == "9 – 24"
    assert readings.loop(Song(), (Ticks(0), Ticks(3840))) == "1"
    assert readings.loop(Song(), None) == "—"
