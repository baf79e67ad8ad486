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
    ("words", "symbols"),
    [
        ("a pop song with the chords Do Sol Lam Fa", "C G Am F"),
        ("soul, Dm7 G7 Cmaj7 A7. two beats each", "Dm7 G7 Cmaj7 A7"),
        ("chords are C major, A minor, F major, G major. make it a pop song", "C Am F G"),
        ("pop, verse x2: | G | C |, chorus: | D | Em |", "G C G C D Em"),
        ("funk, D-7 for 3 bars", "D-7 D-7 D-7"),
        ("funk in E, E9 the whole time, just drums and bass", "E9"),
        ("funk. verse: Em7 A9. break: N.C. 2 bars. chorus: C7 B7", "Em7 A9 N.C. N.C. C7 B7"),
        ("a waltz\nVerse:\nC | F\n1st time: G7 | G7\n2nd time: C | C", "C F G7 G7 C F C C"),
        ("pop\n{c: Verse}\n[C]Lift your [F]voice\n{c: Verse 2}\nLift your hands\nand shout\n{c: Verse}", "C F C F C F"),
        ("a techno loop, stay on Fm7", "Fm7"),
        ("reggae over one chord: Am7 throughout, with organ", "Am7"),
        ("a simple country tune: one, four, five in G", "G C D"),
        ("bluegrass, 1 4 5 1 in G, two bars each", "G G C C D D G G"),
        ("rock, 1-4-5 in E minor", "Em Am Bm"),
        ("jazz over a two five one in Bb", "Cm7 F7 Bbmaj7 Bbmaj7"),
        ("a pop song in D over one five six four", "D A Bm G"),
        ("jazz, two-five-one in C minor", "Dm7b5 G7 Cm7 Cm7"),
        ("jazz, changes: Cm7 / G7(b9,#5) / Cm(maj7)", "Cm7 G7(b9,#5) Cm(maj7)"),
    ],
)
def test_chords_are_read_as_people_write_them(bench, words, symbols):
    intent = read(bench, words)
    assert intent.charted.symbols == tuple(symbols.split())
    assert not any(intent.ignored)


@pytest.mark.parametrize(
    ("words", "sections", "roots"),
    [
        ("AABA\nA: | C | F |\nB: | G | D |", ["A", "A 2", "B", "A 3"], "C F C F G D C F"),
        ("swing it\nA: | C | F |\nB: | G | D |\nform ABA", ["A", "B", "A 2"], "C F G D C F"),
        ("verse chorus verse\n{0}", ["Verse", "Chorus", "Verse 2"], "C F G D C F"),
        ("play it twice\n{0}", ["Verse", "Chorus", "Verse 2", "Chorus 2"], "C F G D C F G D"),
        ("up a tone for the last chorus\n{0}", ["Verse", "Chorus", "Verse 2", "Chorus 2"], "C F G D C F A E"),
        ("with strings\n{0}\nLast chorus (up a tone)", ["Verse", "Chorus", "Last chorus"], "C F G D A E"),
        ("with strings\n{0}\nLast chorus up a whole step: | A | E7 |", ["Verse", "Chorus", "Last chorus"],
         "C F G D A E7"),
    ],
)
def test_sections_that_are_written_once_are_played_as_often_as_is_asked_for(bench, words, sections, roots):
    song = bench.compose("a pop tune, " + words.format("Verse: | C | F |\nChorus: | G | D |"))
    assert [section.name for section in song.sections] == sections
    assert [one.symbol for one in song.chords] == roots.split()


def test_b_beside_h_is_a_question_with_both_answers(bench):
    asked = bench.question("pop: | Em | B | H7 | Em |")
    assert [choice.request for choice in asked.choices] == [
        "pop: | Em | Bb | B7 | Em |", "pop: | Em | B | B7 | Em |"
    ]
    assert len({choice.label for choice in asked.choices}) == 2


@pytest.mark.parametrize(
    "words",
    [
        "a pop song with an A part and a B part, then A again",
        "a piece in A, then C, then D",
        "rock in G, somebody counts in one two three four in G",
        "a waltz in A the whole time",
        "a waltz in Am the whole time",
        "a waltz in A minor, only piano",
        "pop with verse 1, verse 2 and a bridge in D",
        "rock in G, a fill in bars one, four and five",
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


@pytest.mark.parametrize(
    ("words", "where", "reason"),
    [
        ("a rock song in 4/4:\n| Em . . . | D . . . . | C . . . | B7 . . . |", "D . . . .", "5 beats, 4/4 has 4"),
        ("a waltz in 3/4: | G / / | D7 / / / | G / / | G / / |", "D7 / / /", "4 beats, 3/4 has 3"),
        ("jazz trio, exactly 9 bars: | Dm7 | G7 | Cmaj7 | Cmaj7 |", "| Dm7 | G7 | Cmaj7 | Cmaj7 |", "asked for 9"),
        ("pop. verse, chorus, bridge.\nVerse: | G | C |\nChorus: | D | C |", "bridge", "over chords of the style"),
        ("swing, | F | Gm7 | C7 | F |, D.C. al Fine", "D.C. al Fine", "I do not jump back"),
        ("pop\nVerse:\nChorus: | F | G |", "Verse", "no chords for Verse"),
        ("pop, I | V | vi | IV", "I | V | vi | IV", "the key is C major"),
    ],
)
def test_what_a_chart_leaves_open_is_told_where_it_stands(bench, words, where, reason):
    told = [one for one in read(bench, words).clauses if one.outcome == "told"]
    assert [(one.text, words[one.start : one.end]) for one in told if reason in one.reason] == [(where, where)]


def test_chords_that_do_not_fit_are_asked_about_and_none_is_cut(bench):
    intent = read(bench, "a pop song, exactly 4 bars, chords G D Em C Am D")
    assert intent.lacks == "chords"
    assert intent.options[-1] == "a pop song, exactly 6 bars, chords G D Em C Am D"


def test_chords_for_an_empty_song_are_a_new_piece(bench):
    intent = read(bench, "turn this into an arrangement for piano\n\n[Verse]\n| G | Em |\n[Chorus]\n| C | D |")
    assert intent.goal == "compose"
    assert intent.charted.bars == 4
