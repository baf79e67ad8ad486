"""Chords that MIDI files name: in texts, markers and XF marks, believed as far as the notes agree."""

from __future__ import annotations

import io

import mido
import pytest

from app.exchange.chord_texts import chord_mark
from app.exchange.midi_in import ImportedMidi, song_from_midi
from tests.app.exchange.midi_songs import PALETTE

BAR = 1920
TRIADS = {"Am7": (57, 60, 64, 67), "F": (53, 57, 60), "G/B": (59, 62, 67), "Bb": (58, 62, 65)}


def imported(kind: str, names: list[str], sounding: list[str]) -> ImportedMidi:
    """A file that names a chord a bar, over the notes of other ones."""
    file, track = mido.MidiFile(ticks_per_beat=480), mido.MidiTrack()
    file.tracks.append(track)
    for name, chord in zip(names, sounding, strict=True):
        if kind == "xf":
            track.append(mido.MetaMessage("sequencer_specific", data=bytes.fromhex(name)))
        else:
            track.append(mido.MetaMessage(kind, text=name))
        for pitch in TRIADS[chord]:
            track.append(mido.Message("note_on", note=pitch, velocity=90))
        for number, pitch in enumerate(TRIADS[chord]):
            track.append(mido.Message("note_off", note=pitch, time=BAR if number == 0 else 0))
    out = io.BytesIO()
    file.save(file=out)
    return song_from_midi(out.getvalue(), "named.mid", PALETTE)


def stated(found: ImportedMidi) -> list[tuple[float, float, str]]:
    return [(one.start / 960, one.duration / 960, one.symbol) for one in found.song.chords]


@pytest.mark.parametrize("kind", ["text", "marker", "lyrics", "cue_marker"])
def test_chord_texts_are_stated_with_how_far_the_notes_agree(kind: str) -> None:
    found = imported(kind, ["Am7", "F", "G/B", "N.C."], ["Am7", "F", "G/B", "F"])
    assert stated(found) == [(0, 4, "Am7"), (4, 4, "F"), (8, 4, "G/B"), (12, 4, "N.C.")]
    assert (found.chords, found.agreed) == (4, 1.0)
    assert found.song.sections == ()
    assert found.dropped == ()


def test_letters_of_a_form_stay_sections() -> None:
    found = imported("marker", ["A", "B", "A", "C"], ["Am7", "F", "G/B", "F"])
    assert found.song.chords == ()
    assert [section.name for section in found.song.sections] == ["A", "B", "A", "C"]
    alike = imported("marker", ["F", "F", "F", "F"], ["F", "F", "F", "F"])
    assert alike.song.chords == ()
    assert len(alike.song.sections) == 4


def test_names_that_the_notes_deny_are_not_stated_and_told() -> None:
    found = imported("marker", ["C#m", "F#", "Abm", "C#m"], ["F", "F", "F", "F"])
    assert found.song.chords == ()
    assert "4 names of chords that the notes deny" in found.dropped
    assert len(found.song.sections) == 4


def test_words_are_no_chords() -> None:
    found = imported("lyrics", ["A", "bright", "Gm", "day"], ["Am7", "F", "G/B", "F"])
    assert found.song.chords == ()
    assert found.dropped == ("4 lyrics",)


def test_xf_marks_are_read() -> None:
    marks = ["437b01360a367f", "437b0134007f7f", "437b0135003737", "437b0131227f7f"]
    found = imported("xf", marks, ["Am7", "F", "G/B", "F"])
    assert [symbol for _, _, symbol in stated(found)] == ["Am7", "F", "G/B", "N.C."]


@pytest.mark.parametrize(("data", "symbol"), [
    ("437b0127007f7f", "Bb"), ("437b0141137f7f", "C#7"), ("437b0131220000", "N.C."), ("437b01310a0000", "Cm7"),
    ("437b02310a", None), ("437b01", None), ("437b0131ff7f7f", None), ("437b013f007f7f", None), ("", None),
])
def test_a_mark_is_a_chord_or_nothing(data: str, symbol: str | None) -> None:
    assert chord_mark(bytes.fromhex(data)) == symbol
