"""The chords that a request names are those of its piece, and none other; a major chord may be the last one."""

from __future__ import annotations

import pytest

from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.song.song import Song
from agent.theory.sounding import kit_tracks, sounding
from tests.agent.composer import doing


def read(bench, words: str) -> Intent:
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, Song())
    return doing.read(words, lexicon, has_music=False)


def bars_of(song: Song, kits: frozenset[str]) -> list[set[int]]:
    """The pitch classes that begin in each bar, outside the kits."""
    result: list[set[int]] = []
    for bar in range(1, song.bars + 1):
        start, end = song.bar_map.span(bar, bar)
        notes = [note for note in sounding(song) if start <= note.start < end and note.track not in kits]
        result.append({note.pitch % 12 for note in notes})
    return result


@pytest.mark.parametrize(
    ("words", "chords", "bars"),
    [
        ("a rock song with the chords Am F C G", ("Am", "F", "C", "G"), 1),
        ("jazz trio over Dm7 G7 Cmaj7, two bars each", ("Dm7", "G7", "Cmaj7"), 2),
        ("progression Fmaj7 Em7 Dm7 Cmaj7 for a lofi beat, 2 bars each", ("Fmaj7", "Em7", "Dm7", "Cmaj7"), 2),
        ("a waltz for guitar, please only with the chords Am, Dm and E7", ("Am", "Dm", "E7"), 1),
        ("pop, chord progression: C - G - Am - F, on repeat", ("C", "G", "Am", "F"), 1),
    ],
)
def test_named_chords_are_those_of_the_piece(bench, words, chords, bars):
    intent = read(bench, words)
    assert intent.chart.goes_round
    assert intent.charted.symbols[::bars] == chords
    assert intent.charted.bars == bars * len(chords)
    assert intent.ignored == ()


@pytest.mark.parametrize(
    "words",
    [
        "a pop song with an A part and a B part, then A again",
        "a piece in A, then C, then D",
    ],
)
def test_letters_of_parts_and_keys_are_none(bench, words):
    assert read(bench, words).chart is None


def test_they_go_round_bar_by_bar(bench):
    song = bench.compose("a rock song, 16 bars, chords Am F C G all the time, drums, bass and guitar, no melody")
    kits = kit_tracks(song, bench.palette)
    roots = [9, 5, 0, 7]
    assert all(roots[at % 4] in tones for at, tones in enumerate(bars_of(song, kits)[4:12]))
    assert song.key.tonic == "A"


@pytest.mark.parametrize(
    "words",
    ["slow piano piece in G minor with a major chord at the end", "organ in G minor, the last chord should be major"],
)
def test_the_last_chord_alone_is_major(bench, words):
    intent = read(bench, words)
    assert (intent.tonic, intent.mode, intent.rules.close) == ("G", "minor", "major_chord")
    song = bench.compose(words)
    start, end = song.bar_map.span(song.bars, song.bars)
    last = {note.pitch % 12 for note in sounding(song) if start <= note.start < end}
    assert 11 in last
    assert 10 not in last


def test_a_key_to_end_in_is_no_chord(bench):
    assert read(bench, "a piece that ends in A major").rules.close == ""
