"""Without a named style, what a piece is for, its moods, meter and instruments choose one, and never the die."""

from __future__ import annotations

import pytest

from agent.song.song import Song

GROOVES = {"House", "Deep house", "Techno", "Trance", "Trap", "Dubstep", "Drum and bass", "Boom bap", "Funk"}


def style_of(bench, request: str, seed: int = 1) -> str:
    said = next(line for line in bench.draft(request, seed=seed).understood if line.startswith("style: "))
    return said.removeprefix("style: ").partition(" (")[0]


@pytest.mark.parametrize(
    ("request_text", "fitting"),
    [
        ("Something stately for my sister to walk down the aisle to", {"Neoclassical", "Cinematic"}),
        ("music for my grandad's funeral, two minutes", {"Neoclassical", "Drone", "Cinematic", "Lullaby"}),
        ("music for a car chase", {"Cinematic"}),
        ("a tense cue in 7/8 with low strings", {"Cinematic"}),
        ("something to help my baby fall asleep", {"Lullaby"}),
        ("hype music for our hockey team", {"Rock", "Drum and bass", "Dubstep"}),
        ("music about a dragon guarding a castle", {"Cinematic"}),
        ("i need something for yoga, no beat", {"Ambient", "Drone"}),
        ("music for the robots on the spaceship", {"Synthwave", "Techno", "Ambient"}),
        ("a goofy tune for my hamster", {"Chiptune", "Indie", "Swing", "Pop"}),
    ],
)
def test_what_it_is_for_chooses_the_style(bench, request_text, fitting):
    assert style_of(bench, request_text) in fitting


@pytest.mark.parametrize("request_text", ["a piece in 7/8", "a piece in 5/4 for flute and harp", "3/4, with a cello"])
def test_an_uneven_meter_gets_no_dance_floor(bench, request_text):
    assert style_of(bench, request_text) not in GROOVES


def test_the_seed_does_not_draw_a_style(bench):
    assert len({style_of(bench, "a bride comes up the aisle", seed) for seed in range(1, 8)}) == 1


def test_the_plan_says_what_chose_the_style(bench):
    said = bench.draft("music for my wedding with trumpet and organ").understood
    assert any("you named none; nearest to a wedding" in line for line in said)


def test_what_is_negated_chooses_nothing(bench):
    draft = bench.draft("a birthday song for my grandma, no scary bits, she can't dance fast")
    assert not any("horror" in line for line in draft.understood)
    assert bench.song(draft, Song()).key.mode == "major"


def test_what_stands_for_a_dance_keeps_its_meter(bench):
    choices = bench.question("a tarantella for two flutes").choices
    assert all(choice.request.endswith("in 6/8") for choice in choices)
    song = bench.compose(choices[0].request)
    assert (song.meters[0].beats, song.meters[0].unit) == (6, 8)


@pytest.mark.parametrize(("text", "meter"), [("a jig for two flutes", (6, 8)), ("a reel for two flutes", (4, 4))])
def test_a_jig_is_in_six_and_a_reel_in_four(bench, text, meter):
    song = bench.compose(text)
    assert (song.meters[0].beats, song.meters[0].unit) == meter


@pytest.mark.parametrize(("text", "style"), [
    ("a string quartet in G major", "chamber_quartet"), ("a waltz for string quartet", "waltz"),
    ("a gospel song in F", "gospel"), ("seventies disco in A minor", "disco"), ("uk drill at 142", "drill"),
    ("heavy metal in E minor", "metal"), ("a hymn in E flat", "chorale"),
    ("a two-part invention in D minor", "baroque"),
    ("a song for children about a frog", "childrens_song"), ("a march for brass band", "march"),
])
def test_what_is_asked_for_by_its_name_is_written(bench, text, style):
    label = bench.styles.style(style).label
    assert any(line.startswith(f"style: {label}") for line in bench.draft(text).understood)


def test_a_jazz_blues_has_the_sounds_of_jazz_and_the_round_of_a_blues(bench):
    song = bench.compose("a jazz blues in F")
    assert {(s.end - s.start) // 3840 for s in song.sections} <= {1, 2, 4, 12}
