"""Which bars a scope means on a song: numbers, sections by name, and what is said of those that are not there."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.changing.scopes import spans_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.time.form import weight
from agent.composer.understanding.tasks import Bars, Edge, Named, Scope
from agent.song.ids import SectionId
from agent.song.song import Section, Song
from agent.song.time import Ticks

BAR = 3840


def song_with(sample: Song, *names: str) -> Song:
    """The sample with a section of a bar for each name."""
    sections = (
        Section(SectionId(f"s{number}"), name, Ticks(number * BAR), Ticks(BAR)) for number, name in enumerate(names)
    )
    return structs.replace(sample, sections=tuple(sections))


def bars(scope: Scope, song: Song, bench, *, new: bool = False) -> list[tuple[int, int]]:
    spans = spans_of(scope, song, bench.palette, new=new)
    return [(start // BAR + 1, end // BAR) for start, end in spans]


@pytest.mark.parametrize(("places", "excluded", "wanted"), [
    ((), (), [(1, 8)]),
    ((Bars(3, 4),), (), [(3, 4)]),
    ((Bars(7, 20),), (), [(7, 8)]),
    ((Bars(1, 2), Bars(3, 4), Bars(7, 7)), (), [(1, 4), (7, 7)]),
    ((), (Bars(3, 4),), [(1, 2), (5, 8)]),
    ((Edge("start", 2),), (), [(1, 2)]),
    ((Edge("end", 3),), (), [(6, 8)]),
    ((Edge("end", 30),), (), [(1, 8)]),
    ((Bars(1, 4),), (Bars(2, 2),), [(1, 1), (3, 4)]),
])
def test_bars(bench, sample, places, excluded, wanted):
    assert bars(Scope(places, excluded), sample, bench) == wanted


FORM = ("Intro", "Verse", "Pre-Chorus", "Chorus", "Verse 2", "Chorus 2", "Bridge", "Chorus 3")


@pytest.mark.parametrize(("name", "number", "wanted"), [
    ("verse", 0, [(2, 2), (5, 5)]), ("verse", 1, [(2, 2)]), ("verse", 2, [(5, 5)]), ("verse", -1, [(5, 5)]),
    ("chorus", 1, [(4, 4)]), ("chorus", 3, [(8, 8)]), ("chorus", -1, [(8, 8)]), ("pre-chorus", 0, [(3, 3)]),
    ("INTRO", 0, [(1, 1)]),
])
def test_sections_by_name_and_number(bench, sample, name, number, wanted):
    assert bars(Scope((Named(name, number),)), song_with(sample, *FORM), bench) == wanted


def test_a_letter_is_a_name_of_its_own(bench, sample):
    song = song_with(sample, "Main", "A", "Break", "A again", "Last A")
    assert bars(Scope((Named("a"),)), song, bench) == [(2, 2), (4, 5)]
    assert bars(Scope((Named("a", 2),)), song, bench) == [(4, 4)]


def test_the_number_in_a_name_counts_before_the_order(bench, sample):
    song = song_with(sample, "Verse", "Verse 3", "Verse 2")
    assert bars(Scope((Named("verse", 2),)), song, bench) == [(3, 3)]


@pytest.mark.parametrize(("place", "why"), [
    (Bars(9, 12), "the song has only 8 bars"),
    (Named("bridge"), "the song has no bridge; its sections are Verse, Chorus"),
    (Named("verse", 2), "the song has verse only once"),
])
def test_what_is_not_there_is_named(bench, sample, place, why):
    song = song_with(sample, "Verse", "Chorus")
    with pytest.raises(Blocked) as caught:
        spans_of(Scope((place,)), song, bench.palette)
    assert caught.value.what == why


def test_a_song_without_sections_has_those_that_are_heard(bench):
    song = bench.compose("a pop song, 32 bars", seed=2)
    bare = structs.replace(song, sections=())
    verse = bars(Scope((Named("verse", 1),)), bare, bench)
    assert verse
    assert verse[0][1] - verse[0][0] >= 3


def test_new_sections_may_stand_behind_the_last_bar(bench, sample):
    assert bars(Scope((Bars(9, 9),)), sample, bench, new=True) == [(9, 9)]


def test_nothing_may_be_left(bench, sample):
    with pytest.raises(Blocked, match="nothing is left"):
        spans_of(Scope((Bars(1, 2),), (Bars(1, 4),)), sample, bench.palette)


def test_a_section_is_found_by_what_it_does_where_none_is_called_so(bench):
    song = bench.compose("indie song, 40 bars", seed=2)
    plain = (structs.replace(section, name=f"Strain {at}") for at, section in enumerate(song.sections, 1))
    song = structs.replace(song, sections=tuple(plain))
    fullest = max(song.sections, key=lambda section: weight(song, section.start, section.end))
    spans = spans_of(Scope((Named("chorus"),)), song, bench.palette)

    def meant(section: Section) -> bool:
        return any(start <= section.start and section.end <= end for start, end in spans)

    assert meant(fullest)
    assert not meant(song.sections[0])
    draft = bench.draft("make the chorus darker", song)
    assert any(fullest.name in said and "chorus" in said for said in draft.understood)
    changed = bench.song(draft, song)
    for before, after in zip(song.tracks, changed.tracks, strict=True):
        for start, end in [(int(s.start), int(s.end)) for s in song.sections if not meant(s)]:
            assert notes_within(before, start, end) == notes_within(after, start, end)


def notes_within(track, start, end):
    return sorted(
        (clip.start + note.start, note.pitch, note.duration, note.velocity)
        for clip in track.clips for note in clip.notes if start <= clip.start + note.start < end
    )
