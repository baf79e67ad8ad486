"""Whether the key is left is told from what is heard, and a touch of another key is called so."""

from __future__ import annotations

from chatting import context, language, part, small_song
from harmonised import halves, harmonised

from agent.chat.answer import Answer, BarsLink
from agent.chat.answering.questions import answer_question
from agent.chat.messages import About, Question
from agent.song.ids import SectionId
from agent.song.song import Song

_HOME = "C3 G3 E4 C5;F3 A3 C4 F4;G2 G3 B3 D4;C3 G3 E4 C5"
_D_MAJOR = "D3 A3 F#4 D5;G3 B3 D4 G4;A2 A3 C#4 E4;D3 A3 F#4 D5"

NOTHING = About()


def asked(song: Song, about: About = NOTHING) -> Answer:
    return answer_question(Question("modulation", "does it modulate?", about), context(song), language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


def test_a_section_in_another_key_with_its_cadence_is_a_modulation() -> None:
    answer = asked(harmonised("|".join([_HOME, _HOME, _D_MAJOR, _D_MAJOR]), sections=halves()))
    assert answer.text.startswith("Yes: bars 3–4 are heard in D major, settled by A–D in bar 4")
    assert facts(answer)["bars 3-4".replace("-", "–")] == "D major"
    assert "The first note outside the key is F♯4 in bar 3 (Alto)" in answer.text
    assert BarsLink(3, 4) in answer.links


def test_a_song_that_stays_says_so() -> None:
    answer = asked(harmonised("|".join([_HOME] * 4), sections=halves()))
    assert answer.text.startswith("No: it stays in C major from beginning to end. Every note belongs to that key.")
    assert facts(answer)["modulations"] == 0


def test_a_passing_dominant_is_only_tonicisation() -> None:
    touch = "C3 G3 E4 C5*2;D3 A3 F#4 D5*2|G2 G3 B3 D4*4"
    answer = asked(harmonised("|".join([_HOME, touch, _HOME]), sections=()))
    assert answer.text.startswith("No: it stays in C major")
    assert "only tonicisation" in answer.text
    assert facts(answer)["notes outside the key"] == 1


def test_a_place_is_judged_alone_and_its_chords_are_told() -> None:
    song = harmonised("|".join([_HOME, _HOME, _D_MAJOR, _D_MAJOR]), sections=halves())
    first = asked(song, About(sections=(SectionId("First1"),)))
    assert first.text.startswith("No: First (bars 1–2) stays in C major. Every note belongs to that key.")
    assert "First (bars 1–2): " in first.text.partition("that key.")[2]
    assert asked(song, About(sections=(SectionId("Second3"),))).text.startswith("Yes: bars 3–4")
    assert "after bar 4" in asked(song, About(bars=(9, 12))).text


def test_songs_without_pitch_leave_no_key() -> None:
    assert facts(asked(Song()))["modulations"] == 0
    assert "No note with a pitch" in asked(Song(tracks=(part("Drums", "kit_standard", [36, 38] * 8),))).text
    assert facts(asked(small_song()))["modulations"] == 0
