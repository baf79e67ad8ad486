"""Sections elsewhere: whole bars with all that lies on them, by what sounds in each bar before and after."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.composer.changing.operations.moving import Copy, Move, Swap
from agent.composer.changing.time.exchanging import Exchanged, exchange_time
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Cut, Repeat
from agent.composer.understanding.tasks import Bars, Edge, Named, Scope, Task
from agent.song.ids import SectionId
from agent.song.locks import BarsLock, TrackLock
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks
from agent.song.track import Automation, Point
from agent.theory.excerpts import lane_value
from tests.agent.composer.doing import do, flaws, read

BAR = 3840
FORM = ("Intro", "Verse", "Chorus", "Bridge")


@pytest.fixture
def song(sample) -> Song:
    """The sample as four sections of two bars: Intro, Verse, Chorus, Bridge, with another chord each."""
    sections = tuple(
        Section(SectionId(name), name, Ticks(2 * n * BAR), Ticks(2 * BAR)) for n, name in enumerate(FORM)
    )
    return replace(sample, sections=sections)


def sounds(song: Song) -> list[frozenset[tuple[str, int, int, int]]]:
    """What each bar plays: track, place in the bar, pitch and velocity."""
    bars: list[set[tuple[str, int, int, int]]] = [set() for _ in range(song.bars)]
    for track, clip in song.clips():
        for note in clip.notes:
            bar = song.bar_map.bar_at(clip.start + note.start)
            at = clip.start + note.start - song.bar_map.start_of(bar)
            bars[bar - 1].add((track.name, int(at), note.pitch, note.velocity))
    return [frozenset(bar) for bar in bars]


def form(song: Song) -> list[tuple[str, int]]:
    """Sections with the bars in which they begin."""
    return [(section.name, song.bar_map.bar_at(section.start)) for section in song.sections]


def ordered(song: Song, *bars: int) -> list[frozenset[tuple[str, int, int, int]]]:
    """The bars of a song in another order."""
    now = sounds(song)
    return [now[bar - 1] for bar in bars]


CHORUS, VERSE, BRIDGE, INTRO = ((Named(name),) for name in ("chorus", "verse", "bridge", "intro"))
CASES = [
    (Move(BRIDGE, CHORUS), (1, 2, 3, 4, 7, 8, 5, 6), "Intro Verse Bridge Chorus"),
    (Move(INTRO, CHORUS, "after"), (3, 4, 5, 6, 1, 2, 7, 8), "Verse Chorus Intro Bridge"),
    (Move(VERSE, (Edge("end", 4),)), (1, 2, 5, 6, 7, 8, 3, 4), "Intro Chorus Bridge Verse"),
    (Move(BRIDGE, (Edge("start", 4),)), (7, 8, 1, 2, 3, 4, 5, 6), "Bridge Intro Verse Chorus"),
    (Move(BRIDGE, (*VERSE, *CHORUS), "between"), (1, 2, 3, 4, 7, 8, 5, 6), "Intro Verse Bridge Chorus"),
    (Move(VERSE, by=2), (1, 2, 5, 6, 3, 4, 7, 8), "Intro Chorus Verse Bridge"),
    (Swap(VERSE, CHORUS), (1, 2, 5, 6, 3, 4, 7, 8), "Intro Chorus Verse Bridge"),
    (Swap(INTRO, BRIDGE), (7, 8, 3, 4, 5, 6, 1, 2), "Bridge Verse Chorus Intro"),
    (Copy(VERSE, BRIDGE, "after"), (1, 2, 3, 4, 5, 6, 7, 8, 3, 4), "Intro Verse Chorus Bridge Verse 2"),
    (Copy(BRIDGE, VERSE, "before", 2), (1, 2, 7, 8, 7, 8, 3, 4, 5, 6, 7, 8), "Intro Bridge Bridge Verse Chorus Bridge"),
]


@pytest.mark.parametrize(("operation", "order", "names"), CASES)
def test_whole_bars_lie_elsewhere_and_nothing_else_changes(bench, song, operation, order, names) -> None:
    after, changed = do(bench, song, Task(operation))
    assert not changed.blocked
    assert sounds(after) == ordered(song, *order)
    assert [name.rstrip(" 0123456789") for name, _ in form(after)] == [one for one in names.split() if one != "2"]
    assert flaws(after, bench.palette) <= flaws(song, bench.palette)
    assert [t.name for t in after.tracks] == [t.name for t in song.tracks]


def test_sections_of_different_lengths_swap(bench, song) -> None:
    after, _ = do(bench, song, Task(Swap((Bars(1, 1),), (Bars(4, 6),))))
    assert sounds(after) == ordered(song, 4, 5, 6, 2, 3, 1, 7, 8)


def test_counted_sections_are_counted_again(bench, song) -> None:
    names = ("Verse", "Chorus", "Verse 2", "Chorus 2")
    song = replace(song, sections=tuple(
        replace(section, name=name) for section, name in zip(song.sections, names, strict=True)
    ))
    after, _ = do(bench, song, Task(Swap((Named("verse"),), (Named("chorus"),))))
    assert form(after) == [("Chorus", 1), ("Verse", 3), ("Chorus 2", 5), ("Verse 2", 7)]
    assert sounds(after) == ordered(song, 3, 4, 1, 2, 7, 8, 5, 6)


def test_tempo_meter_and_automation_go_with_their_bars(bench, song) -> None:
    lane = Automation("volume_db", (Point(Ticks(4 * BAR), -9.0), Point(Ticks(6 * BAR), -2.0)), "hold")
    lead = song.tracks[-1]
    song = replace(
        song, tempos=(*song.tempos, TempoChange(Ticks(4 * BAR), 90.0), TempoChange(Ticks(6 * BAR), 112.0)),
        tracks=(*song.tracks[:-1], replace(lead, automation=(lane,))),
    )
    after, _ = do(bench, song, Task(Move(CHORUS, (Edge("start", 4),))))
    assert [after.tempo_map.bpm(at) for at in (0, 2 * BAR - 1, 2 * BAR, 6 * BAR)] == [90.0, 90.0, 112.0, 112.0]
    moved = after.tracks[-1].automation[0]
    heard = [lane_value(moved, 0.0, at) for at in (0, 2 * BAR - 1, 2 * BAR, 6 * BAR - 1, 6 * BAR)]
    assert heard == [-9.0, -9.0, 0.0, 0.0, -2.0]


def test_exchanging_twice_gives_the_song_back(song) -> None:
    numbers = iter(range(1000))
    song = replace(song, meters=(*song.meters, MeterChange(Ticks(4 * BAR), 3, 4)))
    seams = [int(song.bar_map.start_of(bar)) for bar in (2, 5, 8)]
    move = Exchanged(*seams)
    once = exchange_time(song, move, lambda kind: f"{kind}new{next(numbers)}")
    back = Exchanged(seams[0], seams[0] + seams[2] - seams[1], seams[2])
    twice = exchange_time(once, back, lambda kind: f"{kind}new{next(numbers)}")
    assert sounds(once) != sounds(song)
    assert sounds(twice) == sounds(song)
    assert twice.meters == song.meters
    assert twice.tempos == song.tempos


def test_locked_bars_and_tracks_do_not_move(bench, song) -> None:
    for lock in (BarsLock(5, 5), TrackLock(song.tracks[0].id)):
        same, changed = do(bench, song, Task(Move(BRIDGE, CHORUS)), (lock,))
        assert same == song
        assert changed.blocked
    free, _ = do(bench, song, Task(Move(BRIDGE, CHORUS)), (BarsLock(1, 2),))
    assert sounds(free) == ordered(song, 1, 2, 3, 4, 7, 8, 5, 6)


def test_what_is_there_already_or_nowhere_is_told(bench, song) -> None:
    for operation, why in (
        (Move(VERSE, CHORUS), "there already"), (Move((Named("solo"),), CHORUS), "no solo"),
        (Copy((Bars(1, 4),), (Bars(2, 2),)), "into itself"), (Swap(VERSE, VERSE), "nothing to swap"),
    ):
        same, changed = do(bench, song, Task(operation))
        assert same == song
        assert why in changed.blocked[0]


def test_a_move_is_proved_where_it_went(bench, song) -> None:
    draft = bench.draft("move the bridge before the chorus", song)
    (ask,) = draft.asks
    assert (ask.measure, ask.bars, ask.now_bars) == ("same_notes", (7, 8), (5, 6))


def test_so_many_times_are_so_many_in_all(bench, song) -> None:
    after, _ = do(bench, song, Task(Repeat(3), Scope(VERSE)))
    played = [{note for note in bar if note[0] != "Drums"} for bar in sounds(after)]
    assert played[2:4] == played[4:6] == played[6:8]
    assert after.bars == 12


READ = [
    ("move the bridge before the chorus", [Move(BRIDGE, CHORUS)]),
    ("put the bridge behind the last chorus", [Move(BRIDGE, (Named("chorus", -1),), "after")]),
    ("the bridge should come after the intro", [Move(BRIDGE, INTRO, "after")]),
    ("move the intro to the end", [Move(INTRO, (Edge("end", 4),))]),
    ("put the bridge between the verse and the chorus", [Move(BRIDGE, (*VERSE, *CHORUS), "between")]),
    ("move the bridge 2 bars earlier", [Move(BRIDGE, by=-2)]),
    ("swap verse and chorus", [Swap(VERSE, CHORUS)]), ("swap the verse and the chorus", [Swap(VERSE, CHORUS)]),
    ("exchange the verse with the chorus", [Swap(VERSE, CHORUS)]),
    ("let the verse and the chorus trade places", [Swap(VERSE, CHORUS)]),
    ("copy the verse after the bridge", [Copy(VERSE, BRIDGE, "after")]),
    ("play the chorus twice at the end", [Copy(CHORUS, (Edge("end", 4),), "before", 2, "ending")]),
    ("play the chorus again after the bridge", [Copy(CHORUS, BRIDGE, "after")]),
    ("repeat the chorus three times", [Repeat(3)]), ("play the verse 5 times", [Repeat(5)]),
    ("repeat the chorus two more times", [Repeat(3)]), ("loop the whole song 4 times", [Repeat(4)]),
    ("delete the bridge", [Cut()]),
]


@pytest.mark.parametrize(("said", "operations"), READ)
def test_people_say_it_in_many_ways(bench, song, said: str, operations) -> None:
    intent = read(said, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    assert [task.operation for task in intent.tasks] == operations
    assert not intent.ignored
