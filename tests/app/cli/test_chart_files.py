"""A chart file beside a request: text, ChordPro and MIDI become bars behind it; what is no chart is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import BandleaderError
from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import PPQ, Ticks
from agent.song.track import Track
from agent.theory.charts.reading import read_chart
from app.cli.chart_files import onto_song, over_chart
from app.exchange.midi_out import export_midi
from app.services.library_files import read_palette

PALETTE = read_palette(Path(__file__).parents[2 + ("cli" in Path(__file__).parts)] / "resources")


def over(path: Path) -> str:
    return over_chart("a pop song", path, PALETTE).request


@pytest.mark.parametrize(
    ("text", "chords"),
    [
        ("[Verse]\n| Am | F |\nsome words\n[Chorus]\n|: C | G :|", ["Am", "F", "C", "G", "C", "G"]),
        ("{t: Song}\n{key: G}\n{c: Verse}\n[G]Hello [D/F#]there", ["G", "D/F#"]),
        ("Key: Bb\nii V I", ["Cm", "F", "Bb"]),
    ],
)
def test_a_chart_stands_behind_the_request_bar_by_bar(tmp_path: Path, text: str, chords: list[str]) -> None:
    path = tmp_path / "chart.txt"
    path.write_text(text, encoding="utf-8")
    request, _, chart = over(path).partition("\n\n")
    assert request == "a pop song"
    assert list(read_chart(chart).symbols) == chords


def test_a_file_that_is_all_chart_is_read_in_the_key_and_meter_of_the_request(tmp_path: Path) -> None:
    path = tmp_path / "chart.txt"
    path.write_text("[Verse]\nI V vi IV\n[Chorus]\nIV V\n", encoding="utf-8")
    made = over_chart("a pop song in D", path, PALETTE)
    assert made.request == "a pop song in D\n\n[Verse]\nI V vi IV\n[Chorus]\nIV V"
    assert made.remarks == ()


def test_what_of_a_file_is_read_otherwise_than_it_stands_is_told(tmp_path: Path) -> None:
    path = tmp_path / "chart.txt"
    path.write_text("My song, by me\ncapo 2\n| Am | F |\nla la la\n", encoding="utf-8")
    made = over_chart("a pop song", path, PALETTE)
    assert "| Am | F |" in made.request
    assert [any(says in one for one in made.remarks) for says in ("My song", "la la la", "capo 2")] == [True] * 3


def test_the_chords_of_a_midi_file_are_those_that_are_heard(tmp_path: Path) -> None:
    notes = [(pitch, bar) for bar, chord in enumerate(((48, 52, 55), (55, 59, 62))) for pitch in chord]
    clip = Clip(ClipId("c"), "c", Ticks(0), Ticks(8 * PPQ), tuple(
        Note(NoteId(f"n{at}"), pitch, Ticks(bar * 4 * PPQ), Ticks(4 * PPQ), 90) for at, (pitch, bar) in enumerate(notes)
    ))
    path = tmp_path / "song.mid"
    export_midi(Song(tracks=(Track(TrackId("t"), "Piano", "piano_grand", clips=(clip,)),)), PALETTE, path)
    assert list(read_chart(over(path).partition("\n\n")[2]).symbols) == ["C", "G"]


def played(bars: int) -> Song:
    """A song of one long note."""
    note = Note(NoteId("n"), 60, Ticks(0), Ticks(bars * 4 * PPQ), 90)
    clip = Clip(ClipId("c"), "c", Ticks(0), Ticks(bars * 4 * PPQ), (note,))
    return Song(tracks=(Track(TrackId("t"), "Piano", "piano_grand", clips=(clip,)),))


def test_a_song_that_has_notes_is_asked_to_follow_the_chart_from_its_first_bar(tmp_path: Path) -> None:
    path = tmp_path / "chart.txt"
    path.write_text("Key: D\n[Verse]\n| Am | C G |\n[Chorus]\n| F . . G | N.C. |\n", encoding="utf-8")
    made = onto_song("louder", path, played(8), PALETTE)
    assert made.request == "louder\n\nbars 1-4: | Am | C G | F . . G | N.C. |"
    assert [any(says in one for one in made.remarks) for says in ("in D major", "bars 5-8")] == [True] * 2
    cut = onto_song("louder", path, played(3), PALETTE)
    assert cut.request.endswith("bars 1-3: | Am | C G | F . . G |")
    assert any("the last 1" in one for one in cut.remarks)
    path.write_text("3/4 | Am |", encoding="utf-8")
    with pytest.raises(BandleaderError, match="song in 4/4"):
        onto_song("louder", path, played(3), PALETTE)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xfe\x00C | G", "not a text"), (b"", "no chords"), (b"hello there", "no chords"),
        (b"| Am | Fmj9 |", "Fmj9"), (b"| C " * 60_000, "too long"), (b"\x00\x01\x02", "no chords"),
    ],
)
def test_what_is_no_chart_is_refused(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "chart.txt"
    path.write_bytes(data)
    with pytest.raises(BandleaderError) as refused:
        over(path)
    assert says in str(refused.value)
