"""Figures by name: of one part, of some bars, of a mix that moves, and of what compares two songs."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, EffectId, NoteId, TrackId
from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Automation, Effect, Point, Track
from agent.theory.description import describe
from agent.theory.figures import FIGURES, figure

BEAT = 960
PALETTE = Palette(
    instruments=(
        Instrument("kit", "drums", "Kit", 0, 128),
        Instrument("timpani", "percussion", "Timpani", 47, 0, 36, 60),
        Instrument("piano", "piano", "Piano", 0, 0, 21, 108),
    )
)


def track(name: str, instrument: str, notes: list[tuple[int, float, float, int]], **mix: object) -> Track:
    """A track with one clip of four bars; notes as (pitch, beat, beats, velocity)."""
    made = tuple(
        Note(NoteId(f"{name}{number}"), pitch, Ticks(round(at * BEAT)), Ticks(round(long * BEAT)), velocity)
        for number, (pitch, at, long, velocity) in enumerate(notes)
    )
    clip = Clip(ClipId(f"c{name}"), name, Ticks(0), Ticks(16 * BEAT), made)
    return Track(TrackId(f"t{name}"), name, instrument, clips=(clip,), **mix)  # type: ignore[arg-type]


def song(*tracks: Track) -> Song:
    return Song(tracks=tracks)


def of(name: str, one: Song, bars: tuple[int, int] | None = None) -> float | str | None:
    return figure(name, one, one, PALETTE, bars)


def test_a_part_is_measured_alone_and_the_bars_stay_the_songs() -> None:
    both = song(
        track("Left", "piano", [(60, 0, 1, 80), (62, 1, 1, 80)], volume_db=-3.0),
        track("Beat", "kit", [(36, at, 0.25, 90) for at in range(16)]),
    )
    assert of("onsets_per_bar", both) == 4.5
    assert of("onsets_per_bar:Left", both) == 0.5
    assert of("notes:drums", both) == 16
    assert of("level:Left", both) == -3
    assert of("level:tLeft", both) == -3
    assert of("tracks:strings", both) == 0
    assert of("nonsense:Left", both) is None


def test_bars_are_measured_alone() -> None:
    one = song(track("Left", "piano", [(60, 0, 1, 80), (62, 8, 1, 40), (64, 9, 1, 60)]))
    assert of("notes", one, (1, 2)) == 1
    assert of("velocity", one, (3, 3)) == 50
    assert of("onsets_per_bar", one, (3, 4)) == 1


def test_a_fader_that_moves_counts_by_where_it_stands() -> None:
    lane = Automation("volume_db", (Point(Ticks(0), 0.0), Point(Ticks(8 * BEAT), 6.0)), "hold")
    one = song(track("Left", "piano", [(60, at, 1, 80) for at in range(16)], automation=(lane,)))
    assert [of("level", one, bars) for bars in ((1, 2), (3, 4))] == [0, 6]
    assert of("level", one) == 3


def test_effects_count_while_they_are_on() -> None:
    wet = Effect(EffectId("e1"), "reverb", (("mix", 0.4),))
    one = song(track("Left", "piano", [(60, 0, 1, 80)], effects=(wet,)))
    assert of("reverb", one) == pytest.approx(0.4)
    off = replace(one, tracks=(replace(one.tracks[0], effects=(replace(wet, enabled=False),)),))
    assert of("reverb", off) == 0
    assert of("wet_share", off) == 0


def test_swing_is_where_the_offbeat_falls() -> None:
    straight = song(track("Left", "piano", [(60, at / 2, 0.25, 80) for at in range(32)]))
    swung = song(track("Left", "piano", [(60, at // 2 + (at % 2) * 2 / 3, 0.25, 80) for at in range(32)]))
    assert of("swing", straight) == 0.5
    assert of("swing", swung) == pytest.approx(0.667, abs=0.01)
    assert of("looseness", straight) == 0


def test_what_is_unchanged_is_the_same_in_everything() -> None:
    one = song(track("Left", "piano", [(60, 0, 1, 80)]), track("Right", "piano", [(64, 0, 1, 80)]))
    softer = replace(one, tracks=(replace(one.tracks[0], volume_db=-1.0), one.tracks[1]))
    assert figure("unchanged", one, softer, PALETTE) == 0.5
    assert figure("unchanged:Right", one, softer, PALETTE) == 1
    assert figure("same_sounds", one, softer, PALETTE) == 1


def test_chords_that_differ_are_a_share() -> None:
    was = song(track("Left", "piano", [(p, bar * 4, 4, 80) for bar in range(4) for p in (48, 60, 64, 67)]))
    now = song(track("Left", "piano", [
        (p, bar * 4, 4, 80) for bar in range(4) for p in ((48, 60, 64, 67) if bar else (45, 57, 60, 64))
    ]))
    assert figure("chord_change", was, now, PALETTE) == 0.25


def test_the_description_says_what_the_figures_say() -> None:
    one = song(
        track("Left", "piano", [(60, 0, 2, 80), (67, 2, 1, 70)]),
        track("Deep", "timpani", [(40, 0, 4, 90)]),
        track("Beat", "kit", [(36, at, 0.25, 100) for at in range(8)]),
    )
    whole = describe(one, PALETTE).whole
    for field, name in (
        ("onsets_per_bar", "onsets_per_bar"), ("percussion_hits", "percussion_hits"),
        ("mean_note_beats", "mean_note_beats"), ("mean_pitch", "register"), ("mean_velocity", "velocity"),
    ):
        assert getattr(whole, field) == pytest.approx(of(name, one), abs=0.001), name


def test_every_figure_measures_an_empty_song() -> None:
    for name in FIGURES:
        assert of(name, Song()) is not None, name
