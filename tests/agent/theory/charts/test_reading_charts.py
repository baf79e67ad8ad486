"""Charts as people write them, and the chords that are meant at each beat."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.song.key import Key
from agent.song.time import PPQ
from agent.theory.charts.chart import MOST_BARS, ChartError, meter_changes, placed
from agent.theory.charts.reading import read_chart


def bars(text: str, key: Key | None = None) -> str:
    """The chart bar by bar, each chord behind the beat on which it begins unless that is the first: "C | G 3:Am"."""
    told = []
    for bar in read_chart(text, key).bars:
        beat = PPQ * 4 // bar.meter[1]
        told.append(" ".join(
            one.symbol if not one.start else f"{one.start / beat + 1:g}:{one.symbol}" for one in bar.chords
        ))
    return " | ".join(told)


@pytest.mark.parametrize(("text", "expected"), [
    ("C G Am F", "C | G | Am | F"),
    ("C - G – Am, F", "C | G | Am | F"),
    ("am f c g", "Am | F | C | G"),
    ("| C | Am7 D7 | G % | N.C. |", "C | Am7 3:D7 | G | N.C."),
    ("| C | % | G/B . . Am |", "C | C | G/B 4:Am"),
    ("C / / / G / Am /", "C | G 3:Am"),
    ("3/4 | C | D7 G | 7/8 Am F |", "C | D7 3:G | Am 5:F"),
    ("| C G Am F |", "C 2:G 3:Am 4:F"),
    ("| C G Am |", "C 3:G 4:Am"),
    ("|: C | G :| x3", "C | G | C | G | C | G"),
    ("| Am | F | x2", "Am | F | Am | F"),
    ("C G x2", "C | G | C | G"),
    ("C7 x4, F7 x2, C7 x2", "C7 | C7 | C7 | C7 | F7 | F7 | C7 | C7"),
    ("|: C | Am |1. F | G :|2. F G | C |", "C | Am | F | G | C | Am | F 3:G | C"),
    ("||: Dm | G | [1. C | A7 :|| [2. C | C ||", "Dm | G | C | A7 | Dm | G | C | C"),
    ("| Em | D | twice", "Em | D | Em | D"),
    ("Bm9 / E13 / Amaj7 / F#m7 B7", "Bm9 | E13 | Amaj7 | F#m7 3:B7"),
    ("G G C G / D D G G", "G | G | C | G | D | D | G | G"),
    ("em c g/b d7", "Em | C | G/B | D7"),
    ("| G7(b9,#5) | C6(add9) |", "G7(b9,#5) | C6(add9)"),
    ("VERSE (x2)  C  F\nOUTRO  G", "C | F | C | F | G"),
    ("Chorus: Eb Ab\nLast chorus up a whole step", "Eb | Ab | F | Bb"),
    ("Key: D\nChorus: D G\nChorus (down 2 semitones)", "D | G | C | F"),
    ("A: | C | F |\nB: | G | D |\nform ABA", "C | F | G | D | C | F"),
    ("[Verse 1]\nC   F\ndown by the sea\n[Chorus]\nG\nla\n[Verse 2]\nup on the hill", "C | F | G | C | F"),
    ("| C | F | ||: G | Am :||", "C | F | G | Am | G | Am"),
    ("Key: G\n1 6- 2-7 5/7", "G | E- | A-7 | D/F#"),
    ("1 5 6 4", "C | G | Am | F"),
    ("I vi ii7 V7\nKey: Bb", "Bb | Gm | Cm7 | F7"),
    ("Key: A\nI IV\nKey: C\nI IV", "A | D | C | F"),
    ("[C]Hello my [G]friend\n[Am]how are you", "C | G | Am"),
    ("C    G\nI love you baby\nAm   F\nyes I do", "C | G | Am | F"),
    ("D-7 for 2 bars\nEb-7 for 1 bar", "D-7 | D-7 | Eb-7"),
    ("C (2 bars) | G/B | N.C. (2 bars)", "C | C | G/B | N.C. | N.C."),
    ("2 bars of Fmaj7 then one bar of Em7", "Fmaj7 | Fmaj7 | Em7"),
    ("Am F for 4 bars", "Am | F | Am | F"),
    ("Dm7 G7 Cmaj7 (two beats each)", "Dm7 3:G7 | Cmaj7"),
    ("Am Dm, two bars each", "Am | Am | Dm | Dm"),
    ("| Am | F |\n(repeat 3 times)\n| G |", "Am | F | Am | F | Am | F | G"),
    ("| C | F | 4 bars", "C | F | C | F"),
    ("C Am\n1st: F G\n2nd: F C", "C | Am | F | G | C | Am | F | C"),
    ("| C |\n1st time: | F :|\nSecond ending: | G |", "C | F | C | G"),
    ("Do Rem Sol7 Fa#m/La", "C | Dm | G7 | F#m/A"),
    ("| Do | Mib Sib7 |\nla la la", "C | Eb 3:Bb7"),
    ("C Major 7, F sharp minor, G 7, A diminished", "Cmaj7 | F#m | G7 | Adim"),
    ("[Dm7 G7] [Cmaj7]", "Dm7 3:G7 | Cmaj7"),
    ("Key: C\n| C | F |\nKey: D\n| I | V7 |", "C | F | D | A7"),
    ("Transpose: 2\nKey: Eb\nEb N.C. Bb7/D", "F | N.C. | C7/E"),
    ("{transpose: -1}\n[C]la [G]la", "B | F#"),
    ("capo 2\nG D", "G | D"),
    ("{title: Mine}\n{key: Am}\n{time: 6/8}\n| Am | Dm E7 |", "Am | Dm 4:E7"),
])
def test_chords_stand_at_the_beats_that_are_written(text: str, expected: str) -> None:
    assert bars(text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("Verse:\n| Am | F |\nChorus:\n| C G |\nVerse", [("Verse", 1, 2), ("Chorus", 3, 1), ("Verse", 4, 2)]),
    ("[Verse]\nC G\n[Chorus x2]\nF C", [("Verse", 1, 2), ("Chorus", 3, 2), ("Chorus", 5, 2)]),
    ("A: | Dm7 G7 | C |\nB: | Fm7 | Eb |\nForm: AABA", [("A", 1, 2), ("A", 3, 2), ("B", 5, 2), ("A", 7, 2)]),
    ("A   | Em | D |\nA2  | Em | C |\nB   | G | D |", [("A", 1, 2), ("A2", 3, 2), ("B", 5, 2)]),
    ("Verse\nEm C\nChorus 2\nG D", [("Verse", 1, 2), ("Chorus 2", 3, 2)]),
    ("INTRO  Em C\nTAG    G D", [("INTRO", 1, 2), ("TAG", 3, 2)]),
    ("Verse\nEm C\nChorus\nG D\nOrder: Verse, Chorus, Verse.", [("Verse", 1, 2), ("Chorus", 3, 2), ("Verse", 5, 2)]),
    ("{soc}\n[F]la\n{eoc}\n{sov}\n[C]la\n{eov}\n{chorus}", [("Chorus", 1, 1), ("Verse", 2, 1), ("Chorus", 3, 1)]),
    ("{soc}\nF G\n{eoc}\n{sov: Verse 1}\nC", [("Chorus", 1, 2), ("Verse 1", 3, 1)]),
])
def test_sections_are_named_repeated_and_put_in_their_form(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert [(one.name, one.first, one.bars) for one in read_chart(text).sections] == expected


def test_what_is_said_beside_the_chords_is_read() -> None:
    chart = read_chart("Title: Blue\nKey: F#m\nTempo: 92 bpm\nF#m D\n5/4 | A | 3/4 E |\nla la la")
    assert (chart.title, chart.key, chart.bpm) == ("Blue", Key("F#", "minor"), 92)
    assert meter_changes(chart) == ((1, (4, 4)), (3, (5, 4)), (4, (3, 4)))
    assert chart.unread == ("la la la",)
    assert read_chart("I V").assumed
    assert not read_chart("I V", Key("D")).assumed


def test_a_german_h_is_told() -> None:
    assert [one.text for one in read_chart("| Em | C | H7 | Em |").doubts] == ["H7"]
    assert read_chart("| Em | C | B7 | Em |").doubts == ()


def test_b_beside_h_is_asked_about_with_both_meanings() -> None:
    with pytest.raises(ChartError) as caught:
        read_chart("| Em | B | H7/F# |")
    assert caught.value.meanings == ({"B": "Bb", "H7/F#": "B7/F#"}, {"B": "B", "H7/F#": "B7/F#"})
    assert read_chart("| Em | Bb | H7 |").symbols == ("Em", "Bb", "H7")


@pytest.mark.parametrize(("text", "says"), [
    ("capo 2\nG D", "capo 2"),
    ("Transpose: up\nG D", "cannot transpose"),
    ("Key: C\nC F\nKey: D\nD G", "goes on in D major from bar 3"),
    ("C D E F G | C", "5 chords in 4/4"),
    ("| C D E F G |", "5 chords in 4/4"),
    ("Am F C for 4 bars", "cut short"),
    ("[Verse] (4 bars)\nAm F C", "3 bars are written for the 4 of Verse"),
])
def test_what_does_not_add_up_is_told(text: str, says: str) -> None:
    assert any(says in one.reason for one in read_chart(text).doubts)


def test_a_meter_beside_a_heading_holds_from_there() -> None:
    chart = read_chart("[Verse] (4/4)\n| C | G |\n[Bridge] 3/4\n| Dm |\n")
    assert meter_changes(chart) == ((1, (4, 4)), (3, (3, 4)))
    assert [one.name for one in chart.sections] == ["Verse", "Bridge"]


def test_a_chord_lasts_until_the_next_one() -> None:
    chords = placed(read_chart("| C | | G . . Am |"), start=PPQ)
    found = [(one.symbol, one.start / PPQ, one.duration / PPQ) for one in chords]
    assert found == [("C", 1, 4), ("G", 5, 3), ("Am", 8, 1)]


@pytest.mark.parametrize(("text", "words"), [
    ("", "no chords"),
    ("hello there my friend", "no chords"),
    ("la[%]la", "no chords"),
    ("| Cmaj7 | Cmaj8 | G |", "'Cmaj8' in bar 2"),
    ("| C | Amm |", "did you mean Am"),
    ("C " * (MOST_BARS + 1), "too long"),
    ("|: C :| x99\n" * 30, "too long"),
    ("C" * 100_001, "too long"),
])
def test_a_chart_that_cannot_be_read_is_one_clear_error(text: str, words: str) -> None:
    with pytest.raises(ChartError) as caught:
        read_chart(text)
    assert words in f"{caught.value} {caught.value.advice}"


_PIECES = (
    "C", "Am7", "|", ":|", "|:", "x3", "for 2 bars", "4 bars of", "two beats each", "\n", "1st:", "2nd:", "[1.",
    "(3/4)", "Verse x2", "N.C.", "%", "capo 2", "Transpose: 99", "Do", "Sol7", "twice", "(repeat)", "[Intro] (4 bars)",
    "Key: D", "H7", "V7", "1", ".", "/", "C minor 7", "99 bars",
)


_SIGNS = st.text("ABCGFm7b#/|:%x2.[](){}- \n", max_size=200)


@given(_SIGNS | st.lists(st.sampled_from(_PIECES), max_size=30).map(" ".join))
def test_any_text_is_a_chart_or_one_error(text: str) -> None:
    try:
        chart = read_chart(text)
    except ChartError:
        return
    assert all(one.duration > 0 for one in placed(chart))


@pytest.mark.parametrize(("text", "expected"), [
    ("[7/8] Am | F | [4/4] G | C", [(7, 8), (7, 8), (4, 4), (4, 4)]),
    ("7/8: Am F", [(7, 8), (7, 8)]), ("(7/8) | Am | F |", [(7, 8), (7, 8)]), ("[3/4]\nAm F", [(3, 4), (3, 4)]),
    ("[Verse 7/8]\nAm\n[Chorus 4/4]\nC", [(7, 8), (4, 4)]), ("| Am | [2/4] F |", [(4, 4), (2, 4)]),
])
def test_a_meter_stands_before_the_bars_that_it_is_of(text: str, expected: list[tuple[int, int]]) -> None:
    assert [bar.meter for bar in read_chart(text).bars] == expected


def test_only_a_meter_before_the_first_bar_is_that_of_the_chart() -> None:
    assert read_chart("[7/8] Am | [4/4] F").meter == (7, 8)
    assert read_chart("| Am | [2/4] F |").meter is None


def test_a_meter_that_cannot_be_is_named() -> None:
    with pytest.raises(ChartError, match="'13/3' in bar 3") as caught:
        read_chart("Am | F | 13/3 G | C")
    assert caught.value.why == "that is no meter"


@pytest.mark.parametrize(("text", "expected"), [
    ("Am F C G\nC G | Am F", "Am | F | C | G | C | G | Am | F"), ("F G Am F | C/G G C", "F | G | Am | F | C/G | G | C"),
    ("C G | Am F", "C 3:G | Am 3:F"), ("Am F C G\n| C G | Am F |", "Am | F | C | G | C 3:G | Am 3:F"),
    ("Am F C G\nC | Am F | G", "Am | F | C | G | C | Am 3:F | G"),
])
def test_a_lone_bar_line_parts_phrases_where_other_lines_have_none(text: str, expected: str) -> None:
    assert bars(text) == expected


def test_a_bar_line_that_is_read_as_the_end_of_a_phrase_is_told() -> None:
    (told,) = read_chart("Am F C G\nC G | Am F").doubts
    assert told.text == "C G | Am F"
    assert "a chord a bar as in 'Am F C G'" in told.reason
    assert "write | C G | Am F |" in told.reason


@pytest.mark.parametrize(("text", "expected"), [
    ("Es7 | As/C | Gm | Cm", "Eb7 | Ab/C | Gm | Cm"), ("Fism Cis E A", "F#m | C# | E | A"),
    ("Asus4 A Esus4 E", "Asus4 | A | Esus4 | E"), ("Des Ges Des As", "Db | Gb | Db | Ab"),
])
def test_german_roots_are_read(text: str, expected: str) -> None:
    assert bars(text) == expected
    assert any("as it is called in German" in one.reason for one in read_chart(text).doubts) == ("sus" not in text)


@pytest.mark.parametrize(("text", "key"), [
    ("Key: As-Dur\nC F", Key("Ab")), ("key: h-moll\nC F", Key("B", "minor")), ("Key: B-Dur\nC F", Key("Bb")),
    ("Key: Es\nC F", Key("Eb")), ("Key: B\nC F", Key("B")), ("Key: fis moll\nC F", Key("F#", "minor")),
])
def test_a_chart_names_its_key_in_german(text: str, key: Key) -> None:
    assert read_chart(text).key == key


def test_b_beside_a_german_root_is_asked_about() -> None:
    with pytest.raises(ChartError, match="which note B is beside Es") as caught:
        read_chart("Es As B Es")
    assert caught.value.meanings == ({"Es": "Eb", "As": "Ab", "B": "Bb"}, {"Es": "Eb", "As": "Ab", "B": "B"})
