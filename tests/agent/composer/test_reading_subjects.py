"""Whom a clause is about, where "there" is, and what only tells why: read clause by clause."""

from __future__ import annotations

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Named
from agent.song.key import Key
from agent.song.song import Section, Song
from agent.song.track import Track
from tests.agent.composer.doing import read

_BAR = 3840
_FORM = ("Intro", "Verse", "Chorus", "Verse 2", "Chorus 2", "Outro")


@pytest.fixture(scope="module")
def lexicon(bench) -> Lexicon:
    sections = tuple(Section(f"s{at}", name, at * 8 * _BAR, 8 * _BAR) for at, name in enumerate(_FORM))
    tracks = (Track("t1", "Vinyl air", "pad_new_age"), Track("t2", "Drums", "kit_jazz"))
    song = Song(key=Key("C"), sections=sections, tracks=tracks)
    return Lexicon(bench.words, bench.styles, bench.palette, song)


def done(text: str, lexicon: Lexicon) -> list[tuple[str, str, tuple[str, ...]]]:
    """Each task as its kind, its part and the sections it names."""
    return [
        (
            type(task.operation).__name__, getattr(getattr(task.operation, "wish", None), "label", ""),
            tuple(place.name + (f" {place.number}" if place.number else "") for place in task.scope.places
                  if isinstance(place, Named)),
        )
        for task in read(text, lexicon, has_music=True).tasks
    ]


@pytest.mark.parametrize(("text", "expected"), [
    ("the bass should be quieter in the chorus", [("Mix", "bass", ("chorus",))]),
    ("the bass, the guitar and the flute should all be louder", [
        ("Mix", "bass", ()), ("Mix", "guitar", ()), ("Mix", "flute", ()),
    ]),
    ("make the strings and especially the bass louder", [("Mix", "bass", ()), ("Mix", "strings", ())]),
    ("swing the hats harder", [("Swing", "hi-hats", ())]),
    ("add strings in the intro, quiet", [("Add", "strings", ("intro",)), ("Colour", "strings", ("intro",))]),
    ("knock the vinyl down 3 dB", [("Mix", "Vinyl air", ())]),
])
def test_what_is_done_is_done_to_those_that_were_named_before_it(lexicon, text, expected):
    assert done(text, lexicon) == expected


def test_there_is_where_something_was_done_last(lexicon):
    text = "bring the flute down an octave in the intro and double it with the guitar there"
    assert [where for _, _, where in done(text, lexicon)] == [("intro",), ("intro",)]
    assert done("there is too much reverb on the bass", lexicon) == [("Mix", "bass", ())]


def test_what_goes_out_there_stays_where_nobody_understood_where_that_is(lexicon):
    text = "have the vinyl zorp in the second 16 so it is different. take the drums out there too"
    assert done(text, lexicon) == []
    assert "I do not see where “there” is" in [one.reason for one in read(text, lexicon, has_music=True).clauses]
    assert done("take the drums out there", lexicon) == [("Remove", "drums", ())]
    named = "make the verse louder, take the drums out there too"
    assert ("Remove", "drums", ("verse",)) in done(named, lexicon)


@pytest.mark.parametrize("text", [
    "verses too short, double it. no kick for the whole of it", "the verse is nice. no kick for the whole of it",
    "the verse is nice. no kick for the entirety of it",
])
def test_the_whole_of_it_is_the_place_that_was_spoken_of(lexicon, text):
    assert done(text, lexicon) == [("Remove", "kick", ("verse",))]


def test_the_whole_of_it_is_the_song_where_no_place_was_spoken_of(lexicon):
    assert done("no kick for the whole of it", lexicon) == [("Remove", "kick", ())]


def test_that_section_is_the_one_that_was_named_last(lexicon):
    text = "the guest talks when the chorus comes in, so thin that section out: no drums"
    assert [where for _, _, where in done(text, lexicon)] == [("chorus",), ("chorus",)]


def test_a_place_that_is_to_be_left_alone_is_not_where_the_sentence_before_is_done(lexicon):
    alone = "the drums louder. Whatever zorps before must be left alone. The outro"
    assert done(alone, lexicon) == [("Mix", "drums", ())]
    assert done("the drums louder. In the outro", lexicon) == [("Mix", "drums", ("outro",))]


def test_straight_back_to_a_style_writes_no_new_music(lexicon):
    assert done("swing it in the verse, then straight back to the bossa feel at the chorus", lexicon) == [
        ("Swing", "", ("verse",)),
    ]
    assert done("make it a bossa", lexicon) == [("Restyle", "", ())]


@pytest.mark.parametrize(("text", "kinds"), [
    ("no roots since the bass has those covered", []),
    ("cut the intro so it starts right at the first verse", ["Cut"]),
    ("turn the bass up 3 dB because the drums are too loud and mute the guitar", ["Mix", "Remove"]),
    ("drop the guitar since nobody likes it, then speed it up to 90", ["Remove", "Retempo"]),
    ("thin the drums to just kick and hats until the chorus", []),
    ("no vibraphone while it's going on", []),
    ("make it so that it loops forever", ["Loop"]),
])
def test_reasons_purposes_and_half_understood_lists_are_no_orders(lexicon, text, kinds):
    assert [kind for kind, *_ in done(text, lexicon)] == kinds


def test_a_length_that_can_be_read_in_two_ways_is_told(lexicon):
    assert done("make it 8 bars longer", lexicon) == [("Resize", "", ())]
    assert done("make it 8 bars twice as long", lexicon) == []
    assert "two ways" in read("make it 8 bars twice as long", lexicon, has_music=True).clauses[0].reason
