"""Beats, bars and seconds by example."""

from __future__ import annotations

import pytest

from agent.song.time import BarMap, MeterChange, TempoChange, TempoMap, Ticks, to_ticks


@pytest.mark.parametrize(
    ("beats", "ticks"), [(0, 0), (1, 960), (1 / 3, 320), (0.00052, 0), (0.00053, 1), (2.5 / 960, 3)]
)
def test_beats_become_the_nearest_tick_and_halves_go_up(beats: float, ticks: int) -> None:
    assert to_ticks(beats) == ticks


def test_bar_ranges_are_inclusive() -> None:
    bars = BarMap((MeterChange(Ticks(0)),))
    assert bars.span(9, 16) == (8 * 3840, 16 * 3840)
    assert (bars.bar_at(0), bars.bar_at(3839), bars.bar_at(3840)) == (1, 1, 2)
    assert (bars.count(0), bars.count(1), bars.count(3840), bars.count(3841)) == (0, 1, 1, 2)


def test_a_change_of_meter_begins_a_bar_wherever_it_stands() -> None:
    bars = BarMap((MeterChange(Ticks(0)), MeterChange(Ticks(5000), 6, 8)))
    assert [bars.start_of(bar) for bar in (1, 2, 3, 4)] == [0, 3840, 5000, 5000 + 2880]
    assert (bars.bar_at(4999), bars.bar_at(5000)) == (2, 3)
    assert (bars.meter_at(4999).beats, bars.meter_at(5000).beats) == (4, 6)


def test_seconds_follow_the_tempo_changes() -> None:
    tempo = TempoMap((TempoChange(Ticks(0), 120.0), TempoChange(Ticks(3840), 60.0)))
    assert tempo.seconds(3840) == 2.0
    assert tempo.seconds(3840 + 960) == 3.0
    assert tempo.ticks(3.0) == 3840 + 960
    assert (tempo.bpm(3839), tempo.bpm(3840)) == (120.0, 60.0)


def test_the_tempo_of_a_stretch_is_the_one_that_most_of_it_has():
    tempos = TempoMap([TempoChange(Ticks(0), 100.0), TempoChange(Ticks(720), 120.0), TempoChange(Ticks(90_000), 60.0)])
    assert tempos.prevailing(0, 96_000) == 120.0
    assert tempos.prevailing(0, 400) == 100.0
    assert tempos.prevailing(90_000, 90_000) == 60.0
