"""A new piece over the chords that its request writes down: each stands where it is stated, and is heard there."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.composer.changing.hearing.listening import drum_tracks, roles_of
from agent.plan.errors import PlanError
from agent.song.chord import Chord
from agent.song.chord_symbols import chord
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.charts.reading import read_chart
from agent.theory.sounding import family_tracks, pitched
from tests.benchmarks.music.chart_figures import ENDINGS, ROOTS, STYLES, longest, tells

BAR = 4 * PPQ
Placed = list[tuple[int, int, str]]


@st.composite
def charts(draw: st.DrawFn) -> list[list[str]]:
    """Bars of one, two or four chords, some over another bass, some without any; the first sounds."""
    symbol = st.builds(
        lambda root, ending, bass: f"{root}{ending}" + (f"/{bass}" if bass else ""),
        st.sampled_from(ROOTS), st.sampled_from(ENDINGS), st.one_of(st.just(""), st.just(""), st.sampled_from(ROOTS)),
    )
    stated = st.one_of(symbol, symbol, symbol, symbol, st.just("N.C."))
    bars = [[draw(stated) for _ in range(draw(st.sampled_from((1, 1, 2, 4))))] for _ in range(draw(st.integers(1, 12)))]
    return [[draw(symbol), *bars[0][1:]], *bars[1:]]


def placed(bars: Sequence[Sequence[str]]) -> Placed:
    """Where the chords stand, by a rule of our own: a bar is shared out evenly."""
    found = []
    for number, symbols in enumerate(bars):
        length = BAR // len(symbols)
        found += [(number * BAR + at * length, length, symbol) for at, symbol in enumerate(symbols)]
    return found


def written(bars: Sequence[Sequence[str]]) -> str:
    return "| " + " | ".join(" ".join(symbols) for symbols in bars) + " |"


def stated(song: Song) -> list[tuple[int, str]]:
    return [(one.start, one.symbol) for one in song.chords]


def spans(bars: Sequence[Sequence[str]]) -> list[tuple[int, int, Chord]]:
    """Where chords sound, with start and end."""
    return [(start, start + length, chord(symbol)) for start, length, symbol in placed(bars) if symbol != "N.C."]


@settings(max_examples=10)
@given(bars=charts(), style=st.sampled_from(STYLES), seed=st.integers(1, 99))
def test_every_chord_stands_where_it_is_stated_with_its_bass(bench, bars, style, seed):
    song = bench.compose(f"a {len(bars)}-bar {style} piece over {written(bars)}", seed)
    wanted = placed(bars)
    assert song.bars == len(bars)
    assert [(one.start, one.chord) for one in song.chords] == [
        (start, None if symbol == "N.C." else chord(symbol)) for start, _, symbol in wanted
    ]
    low = family_tracks(song, bench.palette, "bass")
    bass = [note for note in pitched(song, drum_tracks(song, bench.palette)) if note.track in low]
    early = PPQ // 6
    firsts = [
        (min(begun, key=lambda note: note.start), one) for start, end, one in spans(bars)
        if (begun := [note for note in bass if start - early <= note.start < end - early])
    ]
    assert sum(note.pitch % 12 == one.lowest for note, one in firsts) >= 0.9 * len(firsts) - 1


def test_what_tells_a_chord_from_others_sounds_longest(bench):
    heard = []
    for number, style in enumerate(STYLES):
        dice = Random(number)
        many = [dice.choice((1, 1, 2)) for _ in range(8)]
        bars = [[dice.choice(ROOTS) + dice.choice(ENDINGS) for _ in range(count)] for count in many]
        song = bench.compose(f"an 8-bar {style} piece over {written(bars)}", number)
        notes = pitched(song, drum_tracks(song, bench.palette))
        heard += [tells(one) <= longest(notes, start, end) for start, end, one in spans(bars)]
    assert sum(heard) >= 0.95 * len(heard)


@pytest.mark.parametrize("style", ["pop", "house", "soul"])
def test_comping_and_bass_rest_where_no_chord_is_stated(bench, style):
    song = bench.compose(f"a {style} piece over | Am | F | N.C. | G | N.C. | C |", 3)
    roles = roles_of(song, bench.palette)
    resting = {track.id for track in song.tracks if roles[track.id] in ("bass", "chords", "pad", "arp")}
    assert resting
    for bar in (3, 5):
        start, end = song.bar_map.span(bar, bar)
        late = [note for note in pitched(song, ()) if note.track in resting and start <= note.start < end - PPQ // 6]
        assert late == []


@pytest.mark.parametrize(
    ("words", "sections", "chords"),
    [
        (
            "pop song. verse: Am F C G, chorus: F G Am Am/E", ["Verse", "Chorus"],
            ["Am", "F", "C", "G", "F", "G", "Am", "Am/E"],
        ),
        (
            "pop over this:\n[Verse]\n| Am | F | C G | N.C. |\n\n[Chorus]\n|: F | G :| x2\nmake it loud",
            ["Verse", "Chorus"], ["Am", "F", "C", "G", "N.C.", "F", "G", "F", "G"],
        ),
        ("pop. |: C | F |1. G :|2. Am |", ["Theme"], ["C", "F", "G", "C", "F", "Am"]),
        ("a 4-bar waltz in 3/4: | Am | E7/B | N.C. | Am |", ["Theme"], ["Am", "E7/B", "N.C.", "Am"]),
        ("rock in D, the nashville numbers 1 5 6- 4, 4 bars", ["Theme"], ["D", "A", "B-", "G"]),
        ("jazz, ii V I in Bb, 3 bars", ["Theme"], ["Cm", "F", "Bb", "Bb"]),
    ],
)
def test_the_form_is_that_of_the_chart(bench, words, sections, chords):
    song = bench.compose(words)
    if sections != ["Theme"]:
        assert [section.name for section in song.sections] == sections
    assert [symbol for _, symbol in stated(song)] == chords[: len(song.chords)]


def test_a_bar_of_seven_eighths_is_shared_out_on_its_beats(bench):
    song = bench.compose("7/8 | Am | F | G C |, rock")
    assert [at / PPQ for at, _ in stated(song)][:4] == [0, 3.5, 7, 9]


def test_each_section_has_its_own_chords_whenever_it_comes(bench):
    song = bench.compose("pop. verse: Am F C G, chorus: F G C D; verse chorus verse chorus, 32 bars")
    starts = {section.name: section.start for section in song.sections}
    by_bar = {at // BAR: symbol for at, symbol in stated(song)}
    for name, first in (("Verse", "Am"), ("Chorus", "F"), ("Verse 2", "Am"), ("Chorus 2", "F")):
        assert by_bar[starts[name] // BAR] == first
    assert song.bars == 32


def test_a_chart_goes_round_where_a_longer_piece_is_asked_for(bench):
    song = bench.compose("lofi, 16 bars, over | Am | F | C | G |")
    assert [symbol for _, symbol in stated(song)] == ["Am", "F", "C", "G"] * 4


@pytest.mark.parametrize(
    ("words", "bars"),
    [
        ("a pop ballad: | Am F | C | G |", None), ("a song: | Am | F | C | G | F | G | C | C |", None),
        ("a pop ballad: | Am F | C | G |, play it once", 3), ("a loop: | Am F | C | G |, pop", 3),
        ("pop, 6 bars: | Am F | C | G |", 6), ("pop: |: Am | F :| x3", 6), ("pop: " + "| Am | F | C " * 3 + "|", 9),
        ("pop\n[Verse]\n| Am | F |\n[Chorus]\n| C | G |", 4),
    ],
)
def test_a_chart_of_few_bars_is_a_loop_that_a_song_repeats(bench, words, bars):
    song = bench.compose(words)
    if bars is not None:
        assert song.bars == bars
        return
    assert song.bars > 20
    assert len(song.sections) > 2
    each = len(read_chart(words.partition(": ")[2]).bars) * BAR
    firsts = {symbol for at, symbol in stated(song) if at % each == 0}
    assert firsts == {"Am"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("techno in E major over | Am | F | C | G |", "not in E major"),
        ("pop, 2 minutes, over " + "| Am | F | C | G " * 3 + "|", "as often as comes nearest"),
        ("a short pop song over " + "| Am | F | C | G " * 3 + "|", "as often as comes nearest"),
        ("pop over\nCapo: 3\n| Am | F |\n| C | G |", "capo 3"),
        ("pop, 6 bars, over | Am | F | C | G |", "you asked for 6"),
    ],
)
def test_what_does_not_agree_is_said(bench, words, says):
    assert any(says in one for one in bench.draft(words).understood)


def test_an_unknown_chord_is_asked_about(bench):
    asked = bench.question("pop over | Am Fmj9 | C G |")
    assert "'Fmj9' in bar 1" in asked.text
    assert [choice.request for choice in asked.choices] == ["pop over | Am Fmaj9 | C G |"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("pop over | " + " | ".join(["C", "G"] * 250) + " |", "500 bars"), ("| N.C. | pop", "no chord that sounds"),
    ],
)
def test_a_chart_that_cannot_be_written_is_told(bench, words, says):
    with pytest.raises(PlanError) as refused:
        bench.draft(words)
    assert says in refused.value.what
