"""Where a text writes down chords: rows in a sentence, bars, and charts of several lines; and where it does not."""

from __future__ import annotations

import pytest

from agent.theory.charts.passages import passages

SECTIONS = {"verse", "chorus", "bridge"}


def found(text: str) -> list[str]:
    return [one.text for one in passages(text, SECTIONS.__contains__) if one.sure]


@pytest.mark.parametrize(
    ("text", "chords"),
    [
        ("verse: Am F C G, chorus: F G Am Am/E", ["Am F C G", "F G Am Am/E"]),
        ("a song over | Dm7 G7 | Cmaj7/B Am7 | in swing", ["| Dm7 G7 | Cmaj7/B Am7 |"]),
        ("a ii-V-I in Bb", ["ii V I"]),
        ("Am7 F C G in the verse, C G | Am F in the chorus", ["Am7 F C G", "C G | Am F"]),
        ("a song over [7/8] Am | F | [4/4] C | G", ["[7/8] Am | F | [4/4] C | G"]),
        ("7/8: Am7 F C G, slowly", ["7/8 Am7 F C G"]),
        ("1 5 6- 4 in D", ["1 5 6- 4"]),
        ("chords C - G - Am - F, on repeat", ["C G Am F"]),
        ("the chords Am, Dm and E7(b9).", ["Am Dm E7(b9)"]),
        ("play |: F | G :| x2 loud", ["|: F | G :| x2"]),
        ("Am Fmj9 C G", ["Am Fmj9 C G"]),
        ("a slow beat over em7 a7 dmaj7 bm7", ["em7 a7 dmaj7 bm7"]),
        ("funk jam, D-7 for 16 bars", ["D-7 for 16 bars"]),
        ("Am for 2 bars, then F for 2 bars, then C", ["Am for 2 bars F for 2 bars C"]),
        ("lofi, 4 bars of Fmaj7 then 4 bars of Em7", ["4 bars of Fmaj7 4 bars of Em7"]),
        ("Am Dm Em for 16 bars", ["Am Dm Em"]),
        ("Am and Dm, two bars each, loud", ["Am Dm"]),
        ("a blues in E, E7 x4, A7 x2, B7", ["E7 x4 A7 x2 B7"]),
        ("pop, Lam Fa Do Sol", ["Lam Fa Do Sol"]),
        ("jazz: [Dm7 G7] [Cmaj7]", ["|Dm7 G7| |Cmaj7|"]),
        ("verse: | E | A |, chorus: | B | A |", ["| E | A |", "| B | A |"]),
        ("| E | A | then | B | E |", ["| E | A |", "| B | E |"]),
        ("verse is | E | A | twice, chorus is | B | A |", ["| E | A | twice", "| B | A |"]),
    ],
)
def test_chords_are_found_in_a_sentence(text: str, chords: list[str]) -> None:
    assert found(text) == chords


@pytest.mark.parametrize(
    "text",
    [
        "a pop song with an A part and a B part, then A again", "a piece in A, then C, then D",
        "I want a sad song in F", "only the notes C4 D4 E4 F4", "Can I have a bass? A big one",
        "8 bars of drums, then 4 bars of bass", "end on Cmaj7 for 2 bars", "a 12 bar blues in A", "in C for 8 bars",
        "do re mi fa", "it starts in C major, then D major, then E minor", "Am, a loop of 8 bars", "la la la",
        "bars 1, 2 and 3 at 120 bpm", "AABA, 32 bars",
        "parts a b c d e", "I am a big fan",
    ],
)
def test_words_are_no_chords(text: str) -> None:
    assert found(text) == []


def test_a_pasted_chart_is_one_passage() -> None:
    chart = "[Verse]\n| Am | F | C G | N.C. |\n\n[Chorus]\n|: F | G :| x2"
    assert found(f"pop over this:\n{chart}\nmake it loud") == [chart]
    sheet = "Verse:\nC G Am F\nhello darkness my friend\nF G C C"
    ordered = "Verse\nC G\nChorus\nF G\nOrder: Verse, Chorus, Verse"
    assert found(f"pop:\n{ordered}") == [ordered]
    assert found(f"a ballad:\n{sheet}\n") == [sheet]
