"""What words of strangers mean for a new piece, which other readings took for something else."""

from __future__ import annotations

import pytest

from agent.theory.sounding import sounding


def understood(bench, request: str) -> str:
    return "; ".join(bench.draft(request).understood)


def chords(song, count: int) -> list[tuple[int, str]]:
    return [(one.chord.root, one.chord.quality) for one in song.chords[:count]]


def first_bars(song) -> dict[str, int]:
    found: dict[str, int] = {}
    for note in sounding(song):
        bar = song.bar_map.bar_at(note.start)
        found[note.track] = min(bar, found.get(note.track, bar))
    return {track.name: found[track.id] for track in song.tracks if track.id in found}


def test_a_progression_that_has_a_name_is_played(bench) -> None:
    song = bench.compose("wedding music, canon-type chords in D, harp and strings, 16 bars")
    assert chords(song, 4) == [(2, "maj"), (9, "maj"), (11, "min"), (6, "min")]
    assert "C Am F G" in understood(bench, "doo-wop chords in C, pop song")
    assert "Gm F Eb D" in understood(bench, "piano ballad in G minor, 8 bars, andalusian chords")
    assert "G D Em C" in understood(bench, "pop song in G with axis chords")


def test_a_loop_over_named_chords_is_a_few_bars_long(bench) -> None:
    song = bench.compose("house loop, Am F C")
    assert song.bars <= 16
    assert song.bars % 3 == 0


@pytest.mark.parametrize(("request_", "bars"), [
    ("8 bar breakdown, metal, 140 bpm", 8), ("16 bar chorus, pop, 120 bpm", 16),
    ("blues in F, 24 bars so twice through", 24),
    ("a dance break, 16 bars, 130 bpm, 808, claps. first 8 bars build up then the drop at bar 9", 16),
])
def test_the_length_is_that_of_the_whole_piece(bench, request_: str, bars: int) -> None:
    assert bench.compose(request_).bars == bars


def test_stages_lie_within_the_bars_of_the_piece_that_is_called_a_section(bench) -> None:
    song = bench.compose("a dance break, 16 bars, 130 bpm, 808, claps. first 8 bars build up then the drop at bar 9")
    assert [song.bar_map.bar_at(one.start) for one in song.sections] == [1, 9]


@pytest.mark.parametrize("often", ["a new chord every 30 seconds", "bells 5 seconds apart"])
def test_how_often_something_comes_is_no_length(bench, often: str) -> None:
    assert "length: about 2 minutes" in understood(bench, f"ambient bed, 2 minutes, {often}")
    assert "seconds" not in understood(bench, f"ambient bed, {often}")


def test_drop_before_a_note_is_a_tuning_and_no_section(bench) -> None:
    said = understood(bench, "metal, 140 bpm, drop a#, 16 bars")
    assert "key: A#" in said
    assert "drop" not in said


def test_a_degree_before_minor_is_a_chord_and_no_key(bench) -> None:
    said = understood(bench, "worship tune in Db, 8 bars, start on the 1, then 4, then 6 minor")
    assert "minor" not in said


def test_a_refused_mood_before_a_part_leaves_the_part_in(bench) -> None:
    draft = bench.draft("cute pop song, 16 bars, no sad chords")
    assert not any(one.startswith("without: ") for one in draft.understood)
    assert "happier" in "; ".join(draft.understood)


@pytest.mark.parametrize(("request_", "players"), [
    ("a piano trio in C minor, 16 bars", {"Violin", "Cello", "Piano"}),
    ("a jazz piano trio, 16 bars", {"Piano", "Double bass", "Drums"}),
    ("a bossa for piano trio, 16 bars", {"Piano", "Double bass", "Drums"}),
    ("four horns playing a slow chorale, 8 bars", {"Horn 1", "Horn 2", "Horn 3", "Horn 4"}),
    ("piece for voice and piano, sad, 16 bars", {"Solo voice", "Piano"}),
])
def test_a_group_is_who_plays_in_it(bench, request_: str, players: set[str]) -> None:
    song = bench.compose(request_)
    assert {track.name.removesuffix(" (melody)") for track in song.tracks} == players


def test_a_strum_is_a_guitar_and_a_vocal_tune_is_no_choir(bench) -> None:
    assert "acoustic guitar" in understood(bench, "loop, Am F C G, muted acoustic strum, simple bass, shaker")
    assert "without: melody" in understood(bench, "pop song, no vocal tune, drums bass piano")


def test_who_stays_out_comes_in_at_the_bar_that_is_named(bench) -> None:
    song = bench.compose("slow gospel in D, organ and bass, drums stay out till bar 9, 16 bars")
    bars = first_bars(song)
    assert bars["Drums"] == 9
    assert bars["Organ"] == 1
