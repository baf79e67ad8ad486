"""How many notes sound at once, and how many are struck at once."""

from __future__ import annotations

from fact_songs import answer, facts, line, song_of

from agent.chat.answer import BarsLink
from agent.song.song import Song

CHORDS = [(0, 60, 4), (0, 64, 4), (0, 67, 4), (4, 60, 4), (4, 65, 4), (4, 69, 4)]
"""Three notes in bar 1, three in bar 2 as the first end."""


def test_a_note_that_begins_where_another_ends_does_not_sound_with_it() -> None:
    found = answer(song_of(line("Piano", "piano_grand", CHORDS)), "polyphony")
    assert found.text.startswith("At most 3 notes sound at once, first in bar 1, beat 1.")


def test_parts_are_counted_together_and_each() -> None:
    song = song_of(
        line("Piano", "piano_grand", CHORDS), line("Flute", "woodwind_flute", [(4, 84, 2)]),
        line("Drums", "kit_standard", [(6, 36, 0.5), (6, 42, 0.5)]),
    )
    found = answer(song, "polyphony")
    assert found.text.startswith("At most 5 notes sound at once, first in bar 2, beat 3.")
    assert "Without the drums 4, first in bar 2, beat 1." in found.text
    assert "Piano 3, Drums 2 and Flute 1" in found.text
    assert facts(answer(song, "polyphony", bars=(1, 1)))["most at once"] == 3


def test_what_a_hand_strikes_at_once_is_told_beside_what_rings() -> None:
    guitar = line("Guitar", "guitar_nylon", [(0, 40, 4), (1, 55, 1), (1, 59, 1), (4.01, 64, 1), (4, 60, 1), (6, 67, 1)])
    found = answer(song_of(guitar), "polyphony", "Guitar")
    assert "Guitar strikes at most 2 notes at once, first in bar 1, beat 2" in found.text
    assert "with what still rings, 3 sound together in bar 1, beat 2" in found.text
    assert "Both: 2 of its 4 attacks have two or more notes" in found.text
    assert BarsLink(1, 1) in found.links


def test_a_line_has_no_chords() -> None:
    song = song_of(line("Flute", "woodwind_flute", [(0, 72, 1), (1, 74, 1)]))
    assert "All 2 attacks are single notes" in answer(song, "polyphony", "Flute").text


def test_where_nothing_sounds_there_is_nothing_at_once() -> None:
    song = song_of(line("Flute", "woodwind_flute", [(0, 72, 1), (9, 74, 1)]))
    assert "Flute plays no note in bar 2" in answer(song, "polyphony", "Flute", bars=(2, 2)).text
    assert "No note is heard" in answer(Song(), "polyphony").text
