"""How much of its frame a song may come to hold: a rule of changes, so that older songs with more still open."""

from __future__ import annotations

import pytest

from agent.song import edits as e
from agent.song import rules
from agent.song.apply import apply
from agent.song.errors import SongError
from agent.song.ids import SectionId
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks

BEAT = 960


def with_sections(count: int) -> Song:
    return Song(sections=tuple(
        Section(SectionId(f"s{number:06}"), "A", Ticks(number * BEAT), Ticks(BEAT)) for number in range(count)
    ))


def with_tempos(count: int) -> Song:
    return Song(tempos=tuple(TempoChange(Ticks(number * BEAT), 100 + number % 2) for number in range(count)))


def with_meters(count: int) -> Song:
    return Song(meters=tuple(MeterChange(Ticks(number * BEAT), 1 + number % 2) for number in range(count)))


ADD = e.AddSection(section_id=SectionId("new"), name="B", start_time=Ticks(0), duration=Ticks(BEAT))
FULL = (
    (with_sections(rules.MAX_SECTIONS), ADD, "sections"),
    (with_tempos(rules.MAX_TEMPOS), e.SetTempo(bpm=91, at_beat=Ticks(BEAT // 2)), "tempo changes"),
    (
        with_meters(rules.MAX_METERS), e.SetTimeSignature(beats=7, unit=8, at_beat=Ticks(BEAT // 2)),
        "time signature changes",
    ),
)


@pytest.mark.parametrize(("song", "edit", "what"), FULL, ids=[what for _, _, what in FULL])
def test_no_edit_adds_to_what_is_full(song: Song, edit: e.Edit, what: str) -> None:
    with pytest.raises(SongError, match=f"{what} are too many"):
        apply(song, edit)
    rules.check(song)


def test_a_song_that_holds_more_can_be_changed_and_shortened_but_not_lengthened() -> None:
    song = with_sections(rules.MAX_SECTIONS + 10)
    rules.check(song)
    assert apply(song, e.RenameSong(name="Ferry")).name == "Ferry"
    shorter = apply(song, e.DeleteSection(section_id=SectionId("s000003")))
    assert len(shorter.sections) == rules.MAX_SECTIONS + 9
    with pytest.raises(SongError, match="too many"):
        apply(shorter, ADD)
