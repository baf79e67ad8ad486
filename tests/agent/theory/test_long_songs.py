"""Figures of a song with many sections and notes take time in proportion to both."""

from __future__ import annotations

import time
from collections.abc import Callable

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, SectionId, TrackId
from agent.song.palette import Instrument, Palette
from agent.song.song import Section, Song
from agent.song.time import Ticks
from agent.song.track import Track
from agent.theory.description import describe
from agent.theory.gate import findings, remarks
from agent.theory.measures import sustained_share

PALETTE = Palette((Instrument("pad", "pad", "Pad", 88),))
BAR = 3840


def song(bars: int) -> Song:
    """One short note and one section in each bar."""
    notes = tuple(
        Note(NoteId(f"n{bar:06}"), 60 + bar % 12, Ticks(bar * BAR), Ticks(BAR // 2), 60 + bar % 30)
        for bar in range(bars)
    )
    sections = tuple(
        Section(SectionId(f"s{bar:06}"), "A", Ticks(bar * BAR), Ticks(BAR)) for bar in range(bars)
    )
    clip = Clip(ClipId("c"), "c", Ticks(0), Ticks(bars * BAR), notes)
    return Song(sections=sections, tracks=(Track(TrackId("t"), "Pad", "pad", clips=(clip,)),))


def growth(work: Callable[[Song], object]) -> float:
    """How much longer eight times as long a song takes, best of five."""
    short, long = song(500), song(4000)

    def best(one: Song) -> float:
        taken = []
        for _ in range(5):
            before = time.process_time()
            work(one)
            taken.append(time.process_time() - before)
        return min(taken)

    return best(long) / best(short)


def test_a_description_grows_with_its_song() -> None:
    assert growth(lambda one: describe(one, PALETTE)) < 20


def test_the_gate_grows_with_its_song() -> None:
    assert growth(lambda one: (findings(one, PALETTE), remarks(one, PALETTE))) < 20


def test_a_share_of_bars_grows_with_its_song() -> None:
    assert growth(lambda one: sustained_share(one, {TrackId("t")})) < 20


def test_each_section_is_described_by_its_own_notes() -> None:
    described = describe(song(5), PALETTE)
    assert [(one.first_bar, one.portrait.notes, one.portrait.low) for one in described.sections] == [
        (bar + 1, 1, 60 + bar) for bar in range(5)
    ]
    assert sustained_share(song(5), {TrackId("t")}) == 1.0
    assert sustained_share(song(5), {TrackId("t")}, needed=0.6) == 0.0
