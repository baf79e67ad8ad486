"""Tune and bass beside people: each figure moves on a song made for it, and hands that stray do not fool it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import mido
import pytest

from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song
from app.services.library_files import read_palette
from tests.benchmarks.music.beside_people import LABELS, figures_of, medians
from tests.benchmarks.music.people import Library
from tests.benchmarks.music.songs import Row, built, eighths, struck

_G = Key("G")
RESOURCES = Path(__file__).parents[3] / "resources"
HOOK: tuple[Row, ...] = (
    (67, 0, 1, 90), (69, 1, 0.5, 90), (71, 1.5, 1.5, 90), (67, 3, 1, 90), (72, 4, 1, 90), (71, 5, 1, 90),
    (69, 6, 2, 90),
)
"""Two bars of G major."""
OTHER: tuple[Row, ...] = ((74, 0, 1, 90), (71, 1, 1, 90), (69, 2, 1, 90), (66, 3, 1, 90), (67, 4, 3, 90))
CHORDS = ((55, 59, 62), (48, 52, 55))


@pytest.fixture(scope="module")
def palette() -> Palette:
    return read_palette(RESOURCES)


def song(*two_bars: Sequence[Row], bass: Sequence[Row] = ()) -> Song:
    """A tune of groups of two bars over chords and a bass in G major."""
    tune = [(pitch, 8 * at + start, length, v) for at, rows in enumerate(two_bars) for pitch, start, length, v in rows]
    bars = range(2 * len(two_bars))
    parts: dict[tuple[str, str], list[Row]] = {
        ("Lead", "lead_square"): tune,
        ("Piano", "piano_grand"): struck(CHORDS, bars),
        ("Bass", "bass_finger"): list(bass) or eighths((43, 36), bars),
    }
    return built("Lines", parts, len(bars), bpm=100, clip_bars=len(bars), key=_G)


def each(rows: Sequence[Row], change: Callable[[int, float, float], tuple[int, float, float]]) -> tuple[Row, ...]:
    return tuple((*change(pitch, start, length), v) for pitch, start, length, v in rows)


def high(rows: Sequence[Row], by: int) -> tuple[Row, ...]:
    return each(rows, lambda pitch, start, length: (pitch + by, start, length))


def changed(name: str, before: Song, after: Song, palette: Palette) -> float:
    return figures_of(after, palette)[name] - figures_of(before, palette)[name]


def test_a_tune_that_returns_has_fewer_different_bars_and_a_hook(palette: Palette) -> None:
    returns = figures_of(song(HOOK, OTHER, HOOK, OTHER, HOOK), palette)
    wanders = figures_of(song(HOOK, high(HOOK, 2), high(OTHER, 5), high(OTHER, -5), OTHER), palette)
    assert returns["hook"] == 3
    assert returns["different_bars"] == pytest.approx(0.4)
    assert wanders["hook"] == 0
    assert wanders["different_bars"] == pytest.approx(1)


def test_a_sequence_is_a_different_bar_and_the_same_figure(palette: Palette) -> None:
    up = {67: 69, 69: 71, 71: 72, 72: 74}
    moved = each(HOOK, lambda pitch, start, length: (up[pitch], start, length))
    sequence, other = (figures_of(song(HOOK, rows), palette) for rows in (moved, OTHER))
    assert sequence["different_bars"] == other["different_bars"] == 1
    assert sequence["different_figures"] == pytest.approx(0.5)
    assert other["different_figures"] == 1


def test_a_hook_is_found_again_although_hands_are_never_exact(palette: Palette) -> None:
    loose = each(HOOK, lambda pitch, start, length: (pitch, max(0, start - 0.04), length))
    assert figures_of(song(HOOK, OTHER, loose), palette)["hook"] == 2


def test_one_bar_again_and_again_is_no_hook(palette: Palette) -> None:
    bar = tuple(row for row in HOOK if row[1] < 4)
    chugging = (*bar, *each(bar, lambda pitch, start, length: (pitch, start + 4, length)))
    assert figures_of(song(chugging, chugging), palette)["hook"] == 0


def test_a_rest_of_a_beat_ends_a_phrase_and_a_short_note_does_not(palette: Palette) -> None:
    long = song(HOOK, HOOK, HOOK, HOOK)
    assert figures_of(long, palette)["phrase"] == pytest.approx(8)
    plucked = each(HOOK, lambda pitch, start, _: (pitch, start, 0.25))
    short = figures_of(song(*[plucked] * 4), palette)["phrase"]
    assert short < 2.1
    dotted = tuple(row for row in HOOK if row[1] != 3)
    assert figures_of(song(dotted, dotted), palette)["phrase"] == pytest.approx((0.75 + 1.75) / 2, abs=0.3)


def test_a_note_held_over_a_bar_line_is_a_tie(palette: Palette) -> None:
    tied = tuple((71, 3, 2, 90) if row[1] == 3 else row for row in HOOK if row[1] != 4)
    assert figures_of(song(HOOK, HOOK), palette)["tied"] == 0
    assert figures_of(song(tied, HOOK), palette)["tied"] == pytest.approx(1 / 3)


def test_a_foreign_note_is_chromatic_and_another_key_is_not(palette: Palette) -> None:
    bent = tuple((70, *row[1:]) if row[0] == 71 else row for row in HOOK)
    assert changed("chromatic", song(*[HOOK] * 4), song(*[bent] * 4), palette) > 0.2
    both = song(*[HOOK] * 8)
    assert figures_of(both, palette)["chromatic"] == 0
    up = built("Up", {
        ("Lead", "lead_square"): [
            (pitch + 2 * (group >= 4), 8 * group + start, length, v)
            for group in range(8) for pitch, start, length, v in HOOK
        ],
        ("Piano", "piano_grand"): struck(CHORDS, range(8)) + [
            (pitch + 2, start + 32, length, v) for pitch, start, length, v in struck(CHORDS, range(8))
        ],
    }, 16, bpm=100, key=_G, clip_bars=16)
    assert figures_of(up, palette)["chromatic"] < 0.06
    assert changed("pitch_classes", both, up, palette) >= 2


@pytest.mark.parametrize(
    ("name", "way", "rows"),
    [
        ("notes_a_bar", -1, HOOK[::2]),
        ("repeated", 1, each(HOOK, lambda _, start, length: (71, start, length))),
        ("h1", -1, each(HOOK, lambda _, start, length: (67, start, length))),
    ],
)
def test_a_figure_of_the_tune_moves_the_way_it_did(
    name: str, way: int, rows: Sequence[Row], palette: Palette
) -> None:
    assert changed(name, song(HOOK, HOOK), song(rows, rows), palette) * way > 0


def test_a_bass_that_walks_has_steps_and_other_bars(palette: Palette) -> None:
    walk = [(pitch, float(at), 1.0, 90) for at, pitch in enumerate((43, 45, 47, 48, 36, 38, 40, 42) * 2)]
    before, after = song(HOOK, HOOK), song(HOOK, HOOK, bass=walk)
    assert figures_of(before, palette)["bass_steps"] == 0
    assert figures_of(after, palette)["bass_steps"] > 0.6
    running = [(pitch + at // 8, float(at), 1.0, 90) for at, (pitch, *_) in enumerate(walk)]
    assert changed("bass_bars", after, song(HOOK, HOOK, bass=running), palette) > 0.4


def test_parts_at_once_counts_the_tracks_of_each_bar(palette: Palette) -> None:
    assert figures_of(song(HOOK, HOOK), palette)["parts"] == pytest.approx(3)
    assert figures_of(song(HOOK, ()), palette)["parts"] == pytest.approx(2.5)


def test_a_song_without_a_tune_counts_for_the_other_figures_only(palette: Palette) -> None:
    middle = medians([figures_of(song(HOOK, OTHER), palette), {"parts": 9.0}])
    assert middle["parts"] == pytest.approx(6)
    assert middle["notes_a_bar"] == pytest.approx(3)
    assert set(medians([figures_of(song(HOOK, HOOK), palette)])) == set(LABELS)


def test_songs_of_people_are_read_from_a_folder_and_exercises_are_not(tmp_path: Path, palette: Palette) -> None:
    for name, bars in (("song", 9), ("exercise", 3)):
        file = mido.MidiFile(ticks_per_beat=480)
        track = mido.MidiTrack()
        for note in range(4 * bars):
            track.append(mido.Message("note_on", note=60 + note % 5, velocity=80, time=0))
            track.append(mido.Message("note_off", note=60 + note % 5, velocity=0, time=480))
        file.tracks.append(track)
        file.save(str(tmp_path / f"{name}.mid"))
    (tmp_path / "broken.mid").write_bytes(b"MThd")
    assert [one.bars for one in Library(more=(tmp_path,)).songs(palette) if one.name in ("song", "exercise")] == [9]
