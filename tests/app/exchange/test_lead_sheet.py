"""A song on paper: its tune in note values, its chords and form, in a page that nothing can be smuggled into."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Tree

import pytest
from msgspec import structs

from agent.song.chart import ChordSymbol
from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, NoteId, SectionId, TrackId
from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Section, Song
from agent.song.time import MeterChange, Ticks
from agent.song.track import Track
from agent.theory.melody import melody_line
from app.exchange.errors import ExchangeError
from app.exchange.lead_sheet.mei import signature, spelled, to_mei
from app.exchange.lead_sheet.rhythm import beam_groups, with_tune
from app.exchange.lead_sheet.sheet import Written, sheet_bars
from app.exchange.lead_sheet.writing import chord_pro_file, lead_sheet

Q = 960


def song_of(notes: list[tuple[float, float, int]], **more: object) -> Song:
    """A tune of starts, lengths (in beats) and pitches."""
    made = in_order([Note(NoteId(f"n{at}"), pitch, Ticks(round(start * Q)), Ticks(round(length * Q)))
                     for at, (start, length, pitch) in enumerate(notes)])
    end = max(round((start + length) * Q) for start, length, _ in notes)
    clip = Clip(ClipId("c"), "Tune", Ticks(0), Ticks(end), made)
    return structs.replace(Song("Song", tracks=(Track(TrackId("t"), "Lead", "lead", clips=(clip,)),)), **more)


def written(song: Song) -> list[list[Written]]:
    return [list(bar.notes) for bar in with_tune(sheet_bars(song, song.chords), melody_line(song))]


def values(notes: list[Written]) -> list[tuple[float, int | None, str]]:
    return [(note.written / Q, note.pitch, note.tie) for note in notes]


def test_bars_are_filled_and_a_note_over_a_bar_line_is_tied() -> None:
    bars = written(song_of([(0.5, 1, 60), (3, 3, 62)]))
    assert values(bars[0]) == [(0.5, None, ""), (1, 60, ""), (0.5, None, ""), (1, None, ""), (1, 62, "i")]
    assert values(bars[1]) == [(2, 62, "t"), (2, None, "")]


def test_small_gaps_are_a_way_of_playing_and_swung_eighths_are_written_straight() -> None:
    bars = written(song_of([(0, 0.6, 60), (0.62, 0.3, 62), (1, 0.5, 64), (1.64, 0.3, 65), (2, 2, 67)]))
    assert values(bars[0]) == [(0.5, 60, ""), (0.5, 62, ""), (0.5, 64, ""), (0.5, 65, ""), (2, 67, "")]


def test_a_note_on_the_first_third_makes_a_triplet() -> None:
    song = song_of([(0, 1 / 3, 60), (1 / 3, 1 / 3, 62), (2 / 3, 1 / 3, 64), (1, 3, 65)])
    bars = written(song)
    assert [(note.written, note.triplet) for note in bars[0]] == [(480, True)] * 3 + [(2880, False)]
    assert '<tuplet num="3" numbase="2"><beam>' in to_mei(with_tune(sheet_bars(song, ()), melody_line(song)), song.key)


@pytest.mark.parametrize("meter", [(7, 8), (6, 8), (3, 4), (5, 4), (12, 8), (2, 2)])
def test_every_bar_of_every_meter_adds_up(meter: tuple[int, int]) -> None:
    song = song_of([(at * 0.75, 0.6 + at % 3, 60 + at) for at in range(16)], meters=(
        MeterChange(Ticks(0), *meter), MeterChange(Ticks(meter[0] * Q * 4 // meter[1] * 2), 4, 4),
    ))
    for bar in with_tune(sheet_bars(song, ()), melody_line(song)):
        assert not bar.notes or sum(note.length for note in bar.notes) == bar.length
        assert sum(beam_groups(bar.meter)) == bar.length
    root = Tree.fromstring(to_mei(with_tune(sheet_bars(song, ()), melody_line(song)), song.key))
    assert [one.attrib["meter.unit"] for one in root.iter() if one.tag.endswith("scoreDef")] == [str(meter[1]), "4"]


@pytest.mark.parametrize(("key", "pitch", "name"), [
    (Key("Bb"), 70, ("B", 4, -1)), (Key("A", "minor"), 68, ("G", 4, 1)), (Key("F#"), 65, ("E", 4, 1)),
    (Key("Db"), 60, ("C", 4, 0)), (Key("C"), 70, ("B", 4, -1)), (Key("C"), 66, ("F", 4, 1)),
    (Key("Cb"), 59, ("C", 4, -1)),
])
def test_pitches_are_spelled_as_the_key_writes_them(key: Key, pitch: int, name: tuple[str, int, int]) -> None:
    one = spelled(pitch, key)
    assert (one.letter, one.octave, one.altered) == name


def test_signatures() -> None:
    keys = (Key("C"), Key("Bb"), Key("A"), Key("C", "minor"), Key("D", "dorian"), Key("F#", "minor"), Key("Cb"))
    assert [signature(key) for key in keys] == [0, -2, 3, -3, 0, 3, -7]


def test_an_accidental_is_written_once_in_a_bar_and_again_in_the_next() -> None:
    song = song_of([(0, 1, 66), (1, 1, 66), (2, 1, 65), (3, 1, 65), (4, 1, 66)])
    mei = to_mei(with_tune(sheet_bars(song, ()), melody_line(song)), song.key)
    assert re.findall(r' (accid(?:\.ges)?)="(.)"', mei) == [
        ("accid", "s"), ("accid.ges", "s"), ("accid", "n"), ("accid", "s"),
    ]


def test_the_page_is_engraved_with_form_and_chords_and_lets_no_text_in() -> None:
    song = song_of(
        [(at, 1, 60 + at) for at in range(16)], name="<script>alert(1)</script>",
        chords=(ChordSymbol(Ticks(0), Ticks(8 * Q), "Bbmaj7/D"), ChordSymbol(Ticks(8 * Q), Ticks(8 * Q), "N.C.")),
        sections=(Section(SectionId("s"), "Verse <1> & more", Ticks(0), Ticks(16 * Q)),),
    )
    sheet = lead_sheet(song, Palette())
    assert "<script" not in sheet.text
    assert "&lt;script&gt;" in sheet.text
    assert "Verse &lt;1&gt; &amp; more" in sheet.text
    shown = re.sub(r"<[^>]*>", "", sheet.text)
    assert "B♭maj7/D" in shown
    assert "N.C." in shown
    assert re.search('<tspan font-size="[1-9][0-9]*px">♭<', sheet.text)
    assert sheet.text.count('class="notehead"') == 16
    assert not re.search(r"(?:src|href)=\"(?!#)", sheet.text)
    assert (sheet.notes, sheet.remarks) == (16, ())
    assert lead_sheet(song, Palette()).text == sheet.text


def test_without_a_tune_the_chords_stand_alone_and_that_is_told() -> None:
    song = Song("Chords", chords=(
        ChordSymbol(Ticks(0), Ticks(4 * Q), "Am7"), ChordSymbol(Ticks(4 * Q), Ticks(4 * Q), "D7"),
    ))
    sheet = lead_sheet(song, Palette())
    assert sheet.remarks == ("No part of the song is a tune: the sheet holds the chords alone.",)
    assert "Am7" in sheet.text
    assert "<svg" not in sheet.text
    assert "[Am7]" not in chord_pro_file(song, Palette()).text
    assert "{start_of_grid}" in chord_pro_file(song, Palette()).text


def test_an_empty_song_is_told() -> None:
    for write in (lead_sheet, chord_pro_file):
        with pytest.raises(ExchangeError, match="has no chords"):
            write(Song("Empty"), Palette())
