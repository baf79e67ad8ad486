"""SoundFont files of one's own in words: a part, or the whole song, plays from one that is there."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.composer.changing.operations.own_sounds import PlayFrom
from agent.composer.understanding.tasks import Edge, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.plan.planning import SoundFonts
from agent.song.locks import TrackLock
from agent.song.song import Song
from tests.agent.composer.doing import do

THERE = SoundFonts("/fonts", ("My-Bank.sf3", "orchestra.sf2"))
BASS = Wish("bass", "bass", ("bass",), whole_role=True)


def fonts(song: Song) -> dict[str, str]:
    """Which file the song ("") and its tracks play from."""
    return {"": song.soundfont} | {track.name: track.soundfont for track in song.tracks}


SAID = [
    ("play the bass from my orchestra.sf2", {"Bass": "orchestra.sf2"}),
    ("use my-bank.sf3 for the whole song", {"": "my-bank.sf3"}),
    ("switch everything to my-bank.sf3", {"": "my-bank.sf3"}),
    ("the bass should use my-bank.sf3 and the lead orchestra.sf2", {"Bass": "my-bank.sf3"}),
    ("Bass: orchestra.sf2", {"Bass": "orchestra.sf2"}),
    ('load "my great bank.sf2" for the drums', {"Drums": "my great bank.sf2"}),
    ("I want the bass to come from orchestra.sf2", {"Bass": "orchestra.sf2"}),
    ("replace the bass sound with orchestra.sf2", {"Bass": "orchestra.sf2"}),
]


@pytest.mark.parametrize(("said", "told"), SAID)
def test_a_file_is_set_where_it_is_said_and_nothing_else(bench, sample, said: str, told: dict[str, str]) -> None:
    after = bench.song(bench.draft(said, sample), sample)
    assert {name: file for name, file in fonts(after).items() if file} == told
    plain = tuple(replace(track, soundfont="") for track in after.tracks)
    assert replace(after, soundfont="", tracks=plain) == sample


def test_from_the_bank_again(bench, sample) -> None:
    tracks = tuple(replace(track, soundfont="orchestra.sf2") for track in sample.tracks)
    song = replace(sample, soundfont="my-bank.sf3", tracks=tracks)
    bass = bench.song(bench.draft("use the built-in sounds for the bass again", song), song)
    assert [name for name, file in fonts(bass).items() if not file] == ["Bass"]
    whole = bench.song(bench.draft("go back to the default sounds", song), song)
    assert not any(fonts(whole).values())


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ("a pop song of 16 bars with strings from orchestra.sf2", {"Strings"}),
        ("a waltz of 16 bars for piano, from orchestra.sf2", {""}),
        ("a waltz of 16 bars for piano using orchestra.sf2", {"Piano", "Piano (melody)"}),
    ],
)
def test_a_new_piece_plays_from_it(bench, request_: str, names: set[str]) -> None:
    song = bench.song(bench.draft(request_), None)
    assert {name for name, file in fonts(song).items() if file == "orchestra.sf2"} == names


def test_a_name_is_found_whatever_its_capitals_and_one_that_is_not_there_is_told(bench, sample) -> None:
    after, _ = do(bench, sample, Task(PlayFrom("ORCHESTRA.SF2", BASS)), fonts=THERE)
    assert fonts(after)["Bass"] == "orchestra.sf2"
    for operation, why in (
        (PlayFrom("s.sf2", BASS), "no s.sf2 is among your SoundFonts (there are My-Bank.sf3, orchestra.sf2)"),
        (PlayFrom("strings.sf2", BASS), "put the file into /fonts"), (PlayFrom("", BASS), "the bank already"),
    ):
        same, changed = do(bench, sample, Task(operation), fonts=THERE)
        assert same == sample
        assert why in changed.blocked[0]


def test_a_locked_part_keeps_its_sound_and_bars_have_none_of_their_own(bench, sample) -> None:
    bass = next(track for track in sample.tracks if track.name == "Bass")
    after, _ = do(bench, sample, Task(PlayFrom("orchestra.sf2")), (TrackLock(bass.id),), fonts=THERE)
    assert {name for name, file in fonts(after).items() if not file} == {"", "Bass"}
    same, changed = do(bench, sample, Task(PlayFrom("orchestra.sf2", BASS), Scope((Edge("start", 2),))), fonts=THERE)
    assert same == sample
    assert "not some of its bars" in changed.blocked[0]
