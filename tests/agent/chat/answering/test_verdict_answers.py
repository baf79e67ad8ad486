"""What is judged begins with the judgement, what is ranked is of the kind that is asked for, and bars are counted."""

from __future__ import annotations

import pytest
from chatting import context, language, part, small_song
from msgspec.structs import replace

from agent.chat.answer import Answer
from agent.chat.reply import Answered, ToCarryOut, reply
from agent.song.song import Song
from agent.song.time import TempoChange, Ticks


def asked(text: str, song: Song | None = None) -> Answer:
    found = reply(text, context(song), language())
    assert isinstance(found, Answered), found
    return found.answer


@pytest.mark.parametrize(("text", "bpm", "start"), [
    ("is this slow enough for a cool down?", 84.0, "Yes: 84 BPM lies within the 60–100 BPM"),
    ("is this slow enough for a cool down?", 140.0, "No: 140 BPM lies above the 60–100 BPM"),
    ("is it too fast for walking?", 110.0, "No: 110 BPM lies within the 90–125 BPM"),
    ("is it too fast for walking?", 140.0, "Yes: 140 BPM lies above the 90–125 BPM"),
    ("is it fast enough for you?", 150.0, "Yes: 150 BPM is on the fast side"),
    ("is it slow enough?", 150.0, "No: 150 BPM is on the fast side"),
])
def test_a_tempo_is_judged_by_what_it_is_for(text: str, bpm: float, start: str) -> None:
    song = replace(small_song(), tempos=(TempoChange(Ticks(0), bpm),))
    assert asked(text, song).text.startswith(start)


def test_a_tempo_that_nobody_judges_is_told_alone() -> None:
    assert asked("what's the tempo?").text.startswith("96 BPM")


@pytest.mark.parametrize(("text", "start"), [
    ("does the lead go below my open G on the mandolin?", "No, it does not go below G3, the lowest open string of a"),
    ("does the bass go below E2?", "Yes, it goes below E2: the lowest note of Bass is C2."),
    ("does the lead ever go above an E5?", "Yes, it goes above E5: the highest note of Lead is F5."),
    ("is the lead too high for a second alto?", "Yes: Lead goes from C5 to F5; its F5 lies 6 semitones above B4"),
    ("can a soprano sing the lead, does it fit her range?", "Yes: Lead goes from C5 to F5, within the usual range"),
])
def test_a_part_is_held_against_what_is_named(text: str, start: str) -> None:
    assert asked(text).text.startswith(start)


def test_four_on_the_floor_is_yes_where_each_beat_has_a_kick() -> None:
    straight, other = (
        replace(small_song(), tracks=(part("Drums", "kit_standard", pitches),)) for pitches in ([36] * 16, [36, 38] * 8)
    )
    text = "is it four on the floor anywhere?"
    assert asked(text, straight).text.startswith("Yes, in all bars that have a kick: bars 1–4 have")
    assert asked(text, other).text.startswith("No: in none of the 4 bars with a kick")


@pytest.mark.parametrize(("text", "part_of_it"), [
    ("which bit's the loudest?", "the song is loudest"), ("who is loudest?", "From loudest to softest: Bass"),
    ("which bar has the most notes?", "Bar 5 ("), ("which instrument is busiest?", "Of the parts"),
])
def test_what_is_ranked_is_what_was_asked_for(text: str, part_of_it: str) -> None:
    assert part_of_it in asked(text).text


@pytest.mark.parametrize(("text", "start"), [
    ("how many bars before the first chorus?", "4 bars: Chorus begins at bar 5 (0:10)."),
    ("how many eights is the whole piece?", "4 eights (8 bars of 4 beats)."),
])
def test_bars_and_eights_are_counted(text: str, start: str) -> None:
    assert asked(text).text.startswith(start)


def test_a_way_out_near_a_time_is_the_border_near_it() -> None:
    answer = asked("can I fade out cleanly at 0:08?")
    assert "nearest border of a section is the beginning of Chorus, bar 5" in answer.text


def test_parts_beside_each_other_are_heard_alone_together() -> None:
    found = reply("solo bass + drums", context(), language())
    assert isinstance(found, ToCarryOut)
    assert set(found.message.about.tracks) == {"Bass-t", "Drums-t"}


def test_half_time_is_reckoned() -> None:
    assert asked("what bpm is that in half time?").text.startswith("In half time it is felt as 48 BPM.")
