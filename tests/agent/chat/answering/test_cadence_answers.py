"""Cadences are told from the two chords at the end of each phrase."""

from __future__ import annotations

import pytest
from chatting import context, language
from harmonised import halves, harmonised
from msgspec.structs import replace

from agent.chat.answer import Answer, BarsLink
from agent.chat.answering.questions import answer_question
from agent.chat.messages import About, Question
from agent.song.ids import SectionId
from agent.song.key import Key
from agent.song.song import Song
from agent.theory.cadences import cadences
from agent.theory.pitch import pitch_class

_I, _IV, _V, _VI = "C3 G3 E4 C5", "F3 A3 C4 F4", "G2 G3 B3 D4", "A2 A3 C4 E4"
_TURNS = {
    "perfect": f"{_I};{_IV};{_I};{_IV}|{_I};{_IV};{_V};{_I}",
    "half": f"{_I};{_IV};{_I};{_IV}|{_I};{_IV};{_I};{_V}",
    "plagal": f"{_I};{_V};{_I};{_V}|{_I};{_V};{_IV};{_I}",
    "deceptive": f"{_I};{_IV};{_I};{_IV}|{_I};{_IV};{_V};{_VI}",
    "authentic": f"{_I};{_IV};{_I};{_IV}|{_I};{_IV};{_V};C3 C4 G4 E5",
}

NOTHING = About()


def asked(song: Song, words: str = "where are the cadences?", about: About = NOTHING) -> Answer:
    return answer_question(Question("cadences", words, about), context(song), language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


@pytest.mark.parametrize("kind", list(_TURNS))
def test_the_last_two_chords_make_the_kind(kind: str) -> None:
    found = cadences(harmonised(_TURNS[kind]))
    assert (found[-1].bar, found[-1].kind) == (2, kind)


def test_sections_end_in_a_cadence_each() -> None:
    first, second = _TURNS["half"], _TURNS["perfect"]
    answer = asked(harmonised(f"{first}|{second}", sections=halves()))
    assert facts(answer)["bar 2"] == "half (imperfect)"
    assert facts(answer)["bar 4"] == "perfect (authentic)"
    assert "bar 2, C–G (I–V)" in answer.text
    assert "The first perfect one is in bar 4" in answer.text
    assert BarsLink(4, 4) in answer.links


def test_a_place_is_answered_about_its_own_cadence_or_the_one_before_it() -> None:
    song = harmonised(f"{_TURNS['half']}|{_TURNS['perfect']}", sections=halves())
    second = About(sections=(SectionId("Second3"),))
    assert facts(asked(song, about=second))["bar 4"] == "perfect (authentic)"
    assert asked(song, about=About(bars=(1, 1))).text.startswith("No phrase ends in bar 1.")


_II, _V7, _ONE = "D3 A3 D4 F4*4", "G2 F3 B3 D4*4", "C3 G3 E4 C5*4"


@pytest.mark.parametrize(("chords", "said", "prepared", "resolves"), [
    (f"{_II}|{_V7}|{_ONE}|{_ONE}", "Yes, a ii–V, which resolves to C.", True, True),
    (f"{_ONE}|{_V7}|{_ONE}|{_ONE}", "No ii–V, but a V that resolves to C.", False, True),
    (f"{_II}|{_V7}|A2 A3 C4 E4*4|{_ONE}", "Yes, a ii–V, which does not resolve but goes on to Am.", True, False),
    (f"{_II}|G2 Bb3 D4 G4*4|{_ONE}|{_ONE}", "No ii–V: it goes on to C", False, False),
    (f"{_ONE}|F3 A3 C4 F4*4|{_ONE}|{_ONE}", "No ii–V: it goes on to C without a dominant", False, False),
])
def test_what_leads_into_a_place(chords: str, said: str, prepared: bool, resolves: bool) -> None:
    song = harmonised(chords, sections=halves())
    answer = asked(song, "is there a ii-V into the second part?", About(sections=(SectionId("Second3"),)))
    assert answer.text.startswith(said)
    assert (facts(answer)["ii-V"], facts(answer)["resolves"]) == (prepared, resolves)
    first = asked(song, "what comes before it?", About(sections=(SectionId("First1"),)))
    assert first.text.startswith("No chord leads into First")


@pytest.mark.parametrize(("kind", "closed", "said"), [
    ("perfect", True, "sounds finished"), ("plagal", True, "sounds finished"), ("half", False, "left hanging"),
    ("deceptive", False, "left hanging"), ("authentic", True, "a little less firmly with E on top"),
])
def test_whether_it_sounds_finished(kind: str, closed: bool, said: str) -> None:
    answer = asked(harmonised(_TURNS[kind]), "does it sound finished at the end?")
    assert facts(answer)["closed"] is closed
    assert said in answer.text


def test_phrases_without_sections_end_where_the_top_line_is_held() -> None:
    phrase = f"{_I};{_IV};{_I};{_IV}|{_I};{_V};{_I}*2"
    half = f"{_I};{_IV};{_I};{_IV}|{_IV};{_I};{_V}*2"
    found = cadences(harmonised(f"{half}|{phrase}"))
    assert [(one.bar, one.kind) for one in found] == [(2, "half"), (4, "perfect")]


def test_an_upbeat_begins_the_next_phrase_so_that_a_short_note_before_it_ends_the_last() -> None:
    song = harmonised(f"{_VI}*3;{_I}|{_I};{_IV};{_I};{_IV}|{_V}*2;{_I};{_I}|{_IV};{_I};{_IV};{_I}|{_V}*3")
    upbeat = tuple(
        replace(track, clips=tuple(replace(clip, notes=clip.notes[1:]) for clip in track.clips))
        for track in song.tracks
    )
    found = cadences(replace(song, tracks=upbeat))
    assert [(one.bar, one.kind) for one in found] == [(3, "perfect"), (5, "half")]


def test_a_cadence_in_another_key_is_named_in_it() -> None:
    song = harmonised(f"{_I};{_IV};{_I};{_IV}|{_I};{_IV};D3 A3 F#4 D5;G2 B3 D4 G4")
    found = cadences(song)[-1]
    assert (found.kind, found.key) == ("perfect", Key("G"))
    assert facts(asked(song, "is the final cadence finished?"))["closed"] is False
    assert found.last.root == pitch_class("G")


def test_an_empty_song_has_no_cadence() -> None:
    assert facts(asked(Song()))["cadences"] == 0
