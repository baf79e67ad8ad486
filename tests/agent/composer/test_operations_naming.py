"""Names: of tracks and sections, as they were written."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.composer.changing.operations.naming import NameSection, NameTrack
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Named, Task
from agent.composer.understanding.wishes import Wish
from agent.song.ids import SectionId
from agent.song.locks import TrackLock
from agent.song.song import Section, Song
from agent.song.time import Ticks
from agent.theory.figures import figure
from tests.agent.composer.doing import do, read

BASS = Wish("bass", "bass", ("bass",), whole_role=True)
BAR = 3840


@pytest.fixture
def song(sample) -> Song:
    """The sample with two verses and a chorus."""
    sections = tuple(
        Section(SectionId(f"s{n}"), name, Ticks(2 * n * BAR), Ticks(2 * BAR))
        for n, name in enumerate(("Verse", "Chorus", "Verse 2"))
    )
    return replace(sample, sections=sections)


SAID = [
    ("rename Bass to Sub", "Bass", "Sub"), ('rename the drums to "Big Kit"', "Drums", "Big Kit"),
    ("call the bass Wobble", "Bass", "Wobble"), ("the lead should be called Vox", "Lead", "Vox"),
    ("change the name of the bass to Low End", "Bass", "Low End"),
    ("rename track 1 to Kick & Snare", "Drums", "Kick & Snare"),
    ("rename the Lead track to melodie", "Lead", "melodie"), ("rename the bass to piano", "Bass", "piano"),
]


@pytest.mark.parametrize(("said", "old", "new"), SAID)
def test_a_track_is_called_as_it_was_written(bench, song, said: str, old: str, new: str) -> None:
    after = bench.song(bench.draft(said, song), song)
    names = [track.name for track in song.tracks]
    assert [track.name for track in after.tracks] == [new if name == old else name for name in names]
    assert [replace(track, name="") for track in after.tracks] == [replace(track, name="") for track in song.tracks]


SECTIONS = [
    ("call the second verse Bridge", ["Verse", "Chorus", "Bridge"]),
    ("rename the chorus to Drop", ["Verse", "Drop", "Verse 2"]),
    ("rename the verse to Strophe", ["Strophe", "Chorus", "Strophe 2"]),
    ('rename the chorus to "the big one"', ["Verse", "the big one", "Verse 2"]),
    ("rename bars 5-6 to Solo", ["Verse", "Chorus", "Solo"]),
]


@pytest.mark.parametrize(("said", "names"), SECTIONS)
def test_a_section_is_called_as_it_was_written(bench, song, said: str, names: list[str]) -> None:
    if "5-6" in said:
        said = said.replace("5-6", "5-8")
        song = replace(song, sections=(*song.sections[:2], replace(song.sections[2], duration=Ticks(4 * BAR))))
    draft = bench.draft(said, song)
    after = bench.song(draft, song)
    assert [section.name for section in after.sections] == names
    assert after.tracks == song.tracks
    (ask,) = draft.asks
    assert figure(ask.measure, song, after, bench.palette) == ask.value
    assert figure(ask.measure, song, song, bench.palette) != ask.value


def test_a_song_is_named_and_the_rest_of_the_request_done(bench, song) -> None:
    after = bench.song(bench.draft("rename the song to Night Drive, and make the bass louder", song), song)
    assert after.name == "Night Drive"
    assert next(track for track in after.tracks if track.name == "Bass").volume_db > 0


def test_locked_and_taken_names_are_told(bench, song) -> None:
    bass = next(track for track in song.tracks if track.name == "Bass")
    for task, locks, why in (
        (Task(NameTrack(BASS, "Sub")), (TrackLock(bass.id),), "locked"), (Task(NameTrack(BASS, "Lead")), (), "another"),
        (Task(NameTrack(BASS, "Bass")), (), "already"), (Task(NameSection((Named("solo"),), "Solo")), (), "no solo"),
    ):
        same, changed = do(bench, song, task, locks)
        assert same == song
        assert why in changed.blocked[0]


def test_the_words_of_a_name_ask_for_nothing(bench, song) -> None:
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, song)
    intent = read("rename the bass to Louder Techno", lexicon, has_music=True)
    assert [task.operation.name for task in intent.tasks] == ["Louder Techno"]  # type: ignore[attr-defined]
