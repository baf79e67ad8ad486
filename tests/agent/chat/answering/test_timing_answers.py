"""Whether notes are on the grid, swung, late, and equally hard."""

from __future__ import annotations

import pytest
from fact_songs import answer, facts, line, song_of

from agent.song.song import Song

SIXTEENTH = 0.25


def hats(*, swing: float = 0.5, late: float = 0.0, velocity: int = 90) -> Song:
    """Four bars of sixteenth hi-hats at 120 BPM, their off-beats at `swing` of each pair, all `late` by a share of a
    beat."""
    starts = [at / 2 + part for at in range(32) for part in (0.0, swing / 2)]
    return song_of(line("Drums", "kit_standard", [(1 + one + late, 42, 0.1, velocity) for one in starts]))


def test_what_lies_on_the_grid_is_straight_and_as_if_quantised() -> None:
    found = answer(hats(), "timing", "Drums")
    assert "straight, without swing" in found.text
    assert "as if quantised" in found.text
    assert "All velocities are 90: constant" in found.text
    assert facts(found) == {"Drums swing": 0.5, "Drums off the grid": 0.0, "Drums late": 0.0, "Drums velocities": 1}


def test_swing_is_where_the_second_of_two_falls() -> None:
    found = answer(hats(swing=2 / 3), "timing", "Drums")
    assert "swung sixteenths, the second of each pair at 67%" in found.text
    assert "as if quantised" in found.text


def test_eighths_swing_too() -> None:
    ride = line("Drums", "kit_jazz", [(at + part, 51, 0.1) for at in range(16) for part in (0.0, 0.62)])
    assert "swung eighths, the second of each pair at 62%" in answer(song_of(ride), "timing", "Drums").text


def test_triplets_are_no_swing() -> None:
    triplets = line("Flute", "woodwind_flute", [(at / 3, 72, 0.3) for at in range(48)])
    found = answer(song_of(triplets), "timing", "Flute")
    assert "straight" in found.text
    assert "on the triplet grid as if quantised" in found.text


@pytest.mark.parametrize(("late", "said", "ms"), [
    (0.04, ", 20 ms late as a whole", 20.0), (-0.04, ", 20 ms early as a whole", -20.0),
])
def test_what_is_late_or_early_is_told_in_milliseconds(late: float, said: str, ms: float) -> None:
    found = answer(hats(late=late), "timing", "Drums")
    assert said in found.text
    assert facts(found)["Drums late"] == pytest.approx(ms, abs=0.6)


def test_a_late_snare_is_told_beside_a_kick_on_the_grid() -> None:
    beats = [(at, 36, 0.1) for at in range(0, 32, 2)] + [(at + 1.03, 38, 0.1) for at in range(0, 32, 2)]
    found = answer(song_of(line("Drums", "kit_standard", beats)), "timing", "Drums")
    assert "Of its drums: snare 15 ms late." in found.text


def test_unnamed_parts_are_told_together_with_the_loosest_first() -> None:
    exact = line("Bass", "bass_finger", [(at / 2, 40, 0.4) for at in range(32)])
    loose = line("Piano", "piano_grand", [(at + (at % 3) * 0.02, 60, 0.9, 60 + at) for at in range(16)])
    found = answer(song_of(exact, loose), "timing")
    assert "none is swung" in found.text
    assert "as if quantised: Bass" in found.text
    assert "Off it on average: Piano" in found.text
    assert "Constant velocities: Bass" in found.text


def test_what_is_not_there_is_told() -> None:
    song = hats()
    assert "the song ends after bar 5" in answer(song, "timing", "Drums", bars=(9, 12)).text
    assert "there is no tuba" in answer(song, "timing", absent=("tuba",)).text
    assert "empty" in answer(Song(), "timing").text
    muted = song_of(line("Drums", "kit_standard", [(0, 42, 0.1)], mute=True))
    assert "muted" in answer(muted, "timing", "Drums").text
