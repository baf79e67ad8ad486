"""Which notes rub, who has the tune, and how hard a part is."""

from __future__ import annotations

from fact_songs import answer, facts, line, song_of
from msgspec.structs import replace

from agent.chat.answer import BarsLink
from agent.song.ids import SectionId, TrackId
from agent.song.song import Section, Song
from agent.song.time import to_ticks

CHORD = [(0, 64, 4), (0, 67, 4), (4, 64, 4), (4, 67, 4)]


def rubbing(guitar: list[tuple[float, int, float]]) -> Song:
    return song_of(
        line("Organ", "organ_drawbar", CHORD), line("Guitar", "guitar_clean", guitar),
        line("Drums", "kit_standard", [(0, 65, 4)]), key="C",
    )


def test_a_semitone_is_told_with_both_notes_bar_and_beat() -> None:
    found = answer(rubbing([(0, 60, 4), (5, 63, 2)]), "clashes")
    assert found.text.startswith("Yes: E4 of Organ against D♯4 of Guitar, a minor second apart, in bar 2, beat 2")
    assert "(D♯4 is outside the key)" in found.text
    assert facts(found) == {"semitones": 1, "tritones": 0}
    assert BarsLink(2, 2) in found.links


def test_a_place_and_parts_limit_what_is_looked_at() -> None:
    song = rubbing([(0, 60, 4), (5, 63, 2)])
    assert answer(song, "clashes", bars=(1, 1)).text.startswith("No: no two parts are a semitone or a tritone apart")
    assert "Yes, in bar 2" in answer(song, "clashes", "Guitar", bars=(2, 2)).text
    assert "Yes, in bars 1–2" in answer(song, "clashes", bars=(1, 1), moment=1.9).text
    assert "ends after bar 2" in answer(song, "clashes", bars=(9, 9)).text


def test_a_tritone_alone_is_told_as_milder_and_a_grazing_note_not_at_all() -> None:
    assert "No semitone rubs, only tritones" in answer(rubbing([(0, 61, 4)]), "clashes").text
    assert answer(rubbing([(3.9, 63, 2)]), "clashes").text.startswith("Yes")
    assert answer(rubbing([(0, 60, 4), (3.95, 69, 4)]), "clashes").text.startswith("No")
    brief = song_of(line("Organ", "organ_drawbar", [(0, 64, 1)]), line("Flute", "woodwind_flute", [(0.95, 65, 1)]))
    assert answer(brief, "clashes").text.startswith("No")


def test_the_closest_interval_outside_the_key_comes_first() -> None:
    song = song_of(
        line("Bass", "bass_finger", [(0, 40, 4)]), line("Piano", "piano_grand", [(0, 64, 4)]),
        line("Flute", "woodwind_flute", [(0, 65, 4)]), line("Horn", "brass_horn", [(0, 63, 1)]),
    )
    found = answer(song, "clashes").text
    assert found.startswith("Yes: E4 of Piano against D♯4 of Horn")
    assert "F4 of Flute against E4 of Piano" in found
    assert "E2 of Bass" not in found
    assert "2 more pairs are a semitone apart" in found
    low = song_of(line("Bass", "bass_finger", [(0, 40, 4)]), line("Flute", "woodwind_flute", [(0, 65, 4)]))
    assert "F4 of Flute against E2 of Bass, two octaves and a minor second apart" in answer(low, "clashes").text


def test_notes_that_are_named_are_compared_with_key_and_chords() -> None:
    song = rubbing([(0, 60, 4), (4, 60, 4)])
    fits = answer(song, "clashes", words="my sound is C E G, will it clash?").text
    assert fits.startswith("On the whole it fits: C, E and G all belong to C major. No chord has a tone a semitone")
    rubs = answer(song, "clashes", words="and F# A?").text
    assert "F♯ is outside C major" in rubs
    assert "F♯ over C (bars 1–2)" in rubs


def test_one_part_cannot_clash() -> None:
    assert "It takes two parts" in answer(song_of(line("Organ", "organ_drawbar", CHORD)), "clashes").text
    assert "empty" in answer(Song(), "clashes").text


VERSE = Section(SectionId("v"), "Verse", to_ticks(0), to_ticks(4))


def test_the_part_that_sings_in_the_place_has_the_tune() -> None:
    song = song_of(
        line("Strings", "strings_ensemble", [*CHORD, (0, 60, 4), (4, 60, 4)]),
        line("Flute", "woodwind_flute", [(at, 76 + at, 1) for at in range(4)]),
        line("Oboe", "woodwind_oboe", [(4 + at, 74 + at, 1) for at in range(4)]), sections=[VERSE],
    )
    found = answer(song, "melody", sections=[VERSE.id])
    assert found.text.startswith("Flute most likely has the tune in Verse (bar 1): 4 notes from E5 to G5")
    assert "all single notes, with all of the top notes" in found.text
    assert answer(song, "melody", bars=(2, 2)).text.startswith("Oboe most likely")
    asked = answer(song, "melody", "Strings", bars=(1, 1)).text
    assert asked.startswith("No: Flute most likely")
    assert "Strings plays 3 notes from C4 to G4, mostly chords, with none of the top notes" in asked
    assert answer(song, "melody", "Flute", bars=(1, 1)).text.startswith("Yes: Flute")
    assert "ends after bar 2" in answer(song, "melody", bars=(8, 8)).text


def test_of_a_quartet_the_part_on_top_sings_though_it_plays_a_double_stop() -> None:
    song = song_of(
        line("First", "strings_ensemble", [*[(at, 80 - at, 1) for at in range(8)], (7, 60, 1)]),
        line("Viola", "strings_ensemble", [(at, 62 + at % 2, 1) for at in range(8)]),
    )
    assert answer(song, "melody").text.startswith("First most likely has the tune")


def test_the_higher_of_two_piano_parts_of_one_name_is_the_right_hand() -> None:
    lower = line("Part", "piano_grand", [(0, 48, 1), (1, 50, 1)])
    upper = replace(line("Part", "piano_grand", [(0, 72, 1)]), id=TrackId("second-t"))
    found = answer(song_of(lower, upper), "melody").text
    assert "The right hand is Part (track 2, the upper) with 1 note; the left is Part (track 1, the lower)" in found


def test_drums_have_no_tune() -> None:
    assert "Nobody has a tune" in answer(song_of(line("Drums", "kit_standard", [(0, 36, 1)])), "melody").text
    assert "empty" in answer(Song(), "melody").text


def test_quick_wide_and_chromatic_is_harder_than_slow_and_plain() -> None:
    slow = [(at, 60 + 2 * at, 1) for at in range(3)]
    hard = [(at / 8, 48 + (at * 17) % 36, 0.1) for at in range(32)]
    song = song_of(line("Slow", "piano_grand", slow), line("Wild", "piano_grand", hard))
    found = answer(song, "difficulty")
    assert "I cannot name an exam grade" in found.text
    assert "Slow is easy: its quickest notes are quarter notes, 2 a second" in found.text
    assert "Wild is hard" in found.text
    assert found.text.index("Wild") < found.text.index("Slow")
    assert facts(found)["Slow difficulty"] == 0


def test_stretches_count_for_the_hands_of_one_player() -> None:
    chords = [(0, 48, 1), (0, 64, 1), (1, 48, 1), (1, 64, 1)]
    piano = answer(song_of(line("Piano", "piano_grand", chords)), "difficulty", "Piano").text
    assert "stretches of up to a major tenth (C3 to E4) in bar 1, beat 1, too wide for small hands" in piano
    strings = answer(song_of(line("Strings", "strings_ensemble", chords)), "difficulty", "Strings").text
    assert "stretches" not in strings
    assert "drums" in answer(song_of(line("Drums", "kit_standard", [(0, 36, 1), (1, 38, 1)])), "difficulty").text
    assert "empty" in answer(Song(), "difficulty").text
