"""What a new piece is: tempo in every notation, directions, techniques and purposes; what cannot be played is told."""

from __future__ import annotations

import pytest

from agent.song.song import Song


def made(bench, request: str) -> Song:
    return bench.song(bench.draft(request), Song())


def told(bench, request: str) -> dict[str, str]:
    return {clause.text.casefold(): clause.reason for clause in bench.draft(request).clauses if clause.reason}


@pytest.mark.parametrize(
    ("request_text", "bpm"),
    [
        ("a tune for clarinet, crotchet = 66", 66),
        ("piano, 6/8, dotted quarter note = 48", 72),
        ("string trio at quaver = 208", 104),
        ("q=78, solo cello", 78),
        ("a pop song, 97ish", 97),
        ("funk, somewhere around 103, with horns", 103),
        ("jazz ca. 126", 126),
    ],
)
def test_a_tempo_holds_however_it_is_written(bench, request_text, bpm):
    assert made(bench, request_text).tempos[0].bpm == bpm


@pytest.mark.parametrize(
    ("request_text", "low", "high"),
    [
        ("a soul groove between 84 and 90", 84, 90),
        ("techno, 131-133 bpm", 131, 133),
        ("Largo for strings", 42, 58),
        ("Presto for two violins", 172, 196),
        ("something like Erik Satie for piano", 58, 76),
    ],
)
def test_a_range_of_tempi_holds(bench, request_text, low, high):
    assert low <= made(bench, request_text).tempos[0].bpm <= high


def test_a_number_of_something_else_is_no_tempo(bench):
    assert made(bench, "a tune of about 40 bars for brass at 100 bpm").tempos[0].bpm == 100


def test_the_groups_of_a_bar_are_read(bench):
    assert any("7/8 (3+2+2)" in line for line in bench.draft("a piece in 7/8 (3+2+2) for harp").understood)


@pytest.mark.parametrize(
    ("request_text", "style"),
    [
        ("music for a dentist's waiting room", "Bossa nova"),
        ("lonely highway at night, just guitar and harmonica", "Pop ballad"),
        ("something sinister for low strings", "Cinematic"),
        ("a track in the vein of J Dilla", "Boom bap"),
        ("in the style of Count Basie", "Swing"),
        ("British Invasion, two minutes", "Indie"),
        ("a rainy window, piano", "Neoclassical"),
    ],
)
def test_what_it_is_like_chooses_the_style(bench, request_text, style):
    draft = bench.draft(request_text)
    assert any(line.startswith(f"style: {style}") for line in draft.understood)
    assert not [clause.text for clause in draft.clauses if clause.reason]


def test_the_facts_of_a_direction_are_told(bench):
    assert any("floating sevenths" in line for line in bench.draft("something like Satie").understood)


@pytest.mark.parametrize("request_text", ["something not tragic for piano", "nothing too sad, for piano"])
def test_a_refused_mood_is_no_feast_of_its_opposite(bench, request_text):
    assert any("a little happier" in line for line in bench.draft(request_text).understood)


def test_a_technique_that_can_be_played_is_played(bench):
    song = made(bench, "a waltz with pizz strings")
    assert any(track.instrument == "strings_pizzicato" for track in song.tracks)


@pytest.mark.parametrize(("word", "means"), [("flutter-tongue", "rolled"), ("col legno", "wood"), ("vocoder", "talk")])
def test_a_technique_that_nothing_here_plays_is_told_with_its_meaning(bench, word, means):
    assert any(means in why for why in told(bench, f"a short piece for flute with {word}").values())


def test_a_phrase_is_not_read_by_one_of_its_words(bench):
    assert not any("horror" in line for line in bench.draft("a funk beat with ghost notes").understood)
    assert not any("nature" in line for line in bench.draft("a pop song with spring reverb").understood)


@pytest.mark.parametrize("request_text", ["a rachenitsa for clarinet", "a dark baile funk", "some klezmer in E"])
def test_a_kind_that_is_not_written_is_asked_about(bench, request_text):
    assert "I cannot write" in bench.question(request_text).text


@pytest.mark.parametrize("request_text", ["a sad song about grandma's house", "calm music for moving house, no drums"])
def test_what_somebody_has_is_no_style(bench, request_text):
    assert not any(line.startswith("style: House") for line in bench.draft(request_text).understood)


def test_what_somebody_works_on_is_a_style(bench):
    assert any(line.startswith("style: House") for line in bench.draft("the house track for our opening").understood)


def test_keys_of_an_exercise_are_no_keyboards(bench):
    assert len(made(bench, "an exercise through all twelve keys for bass and piano").tracks) < 6
