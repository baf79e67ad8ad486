"""Drum fills: where they are asked for, leading over, and grooves without them."""

from __future__ import annotations

import pytest

from agent.composer.changing.operations.filling import Fill, NoFills
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Remove
from agent.composer.understanding.tasks import Bars, Edge, Named, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import Kind, SectionId, derive
from agent.song.locks import BarsLock
from agent.song.song import Song
from agent.song.time import Ticks
from agent.theory.figures import figure
from tests.agent.composer.doing import do, flaws, read

BAR = 3840
DRUMS = Wish("drums", "drums", ("drums", "percussion"), whole_role=True)
TOMS = {43, 45, 47, 50}


def drums(song: Song, start: int = 0, end: int = 10**9) -> list[tuple[int, int, int]]:
    track = next(track for track in song.tracks if track.name == "Drums")
    notes = [(c.start + n.start, n.pitch, n.velocity) for c in track.clips for n in c.notes]
    return sorted(note for note in notes if start <= note[0] < end)


def changed_bars(before: Song, after: Song) -> list[int]:
    bars = range(1, before.bars + 1)
    return [
        bar for bar in bars if drums(before, (bar - 1) * BAR, bar * BAR) != drums(after, (bar - 1) * BAR, bar * BAR)
    ]


def test_a_fill_leads_into_its_bar_and_grows(bench, sample):
    after, changed = do(bench, sample, Task(Fill(before=(Bars(5, 5),))))
    assert not changed.blocked
    assert changed_bars(sample, after) == [4]
    assert drums(after, 3 * BAR, 3 * BAR + BAR // 2) == drums(sample, 3 * BAR, 3 * BAR + BAR // 2)
    filled = drums(after, 3 * BAR + BAR // 2, 4 * BAR)
    assert not [pitch for _, pitch, _ in filled if pitch == 42], "the hand that plays the hat is busy"
    hands = [(pitch, velocity) for _, pitch, velocity in filled if pitch != 36]
    assert hands[0][0] == 38
    assert hands[-1][0] in TOMS
    assert hands[-1][1] > hands[0][1]
    assert flaws(after, bench.palette) <= flaws(sample, bench.palette)


@pytest.mark.parametrize(("every", "bars"), [(2, [2, 4, 6, 8]), (4, [4, 8]), (8, [8])])
def test_every_so_many_bars(bench, sample, every, bars):
    after, _ = do(bench, sample, Task(Fill(), every=every))
    assert changed_bars(sample, after) == bars


def test_small_and_big_fills(bench, sample):
    begun = []
    for amount in (0.5, 1.0, 1.5):
        after, _ = do(bench, sample, Task(Fill(ending=(Bars(4, 4),)), amount=amount))
        begun.append(min(set(drums(sample)) - set(drums(after)))[0])
    assert begun == sorted(begun, reverse=True)
    assert len(set(begun)) == 3


def test_a_roll_is_one_drum_ever_denser_and_louder(bench, sample):
    after, _ = do(bench, sample, Task(Fill("roll", before=(Bars(5, 5),))))
    roll = [(at, v) for at, pitch, v in drums(after, 3 * BAR, 4 * BAR) if pitch == 38]
    assert len([at for at, _ in roll if at >= 3.75 * BAR]) > len([at for at, _ in roll if at < 3.25 * BAR])
    assert [v for _, v in roll] == sorted(v for _, v in roll)
    assert {pitch for _, pitch, _ in drums(after, 3 * BAR, 4 * BAR)} == {36, 38}


def test_a_tom_fill_goes_down(bench, sample):
    after, _ = do(bench, sample, Task(Fill("toms", ending=(Bars(8, 8),))))
    toms = [pitch for _, pitch, _ in drums(after, 7.5 * BAR, 8 * BAR) if pitch in TOMS]
    assert toms == sorted(toms, reverse=True)
    assert len(set(toms)) == 4


def test_before_each_chorus(bench, sample):
    edits = [
        e.AddSection(
            section_id=SectionId(derive(Kind.SECTION, n)),
            name=name,
            start_time=Ticks(n * 2 * BAR),
            duration=Ticks(2 * BAR),
        )
        for n, name in enumerate(("Verse", "Chorus", "Verse 2", "Chorus 2"))
    ]
    song = apply_all(sample, edits)
    after, _ = do(bench, song, Task(Fill(before=(Named("chorus"),))))
    assert changed_bars(song, after) == [2, 6]
    after, _ = do(bench, song, Task(Fill(each="section")))
    assert changed_bars(song, after) == [2, 4, 6]


def test_a_fill_leads_out_of_a_rest(bench, sample):
    rested, _ = do(bench, sample, Task(Remove(DRUMS), Scope((Bars(1, 4),))))
    after, _ = do(bench, rested, Task(Fill(before=(Bars(5, 5),))))
    assert changed_bars(rested, after) == [4]


def test_no_fills_is_the_groove_and_no_hole(bench, sample):
    filled, _ = do(bench, sample, Task(Fill(), every=4))
    after, _ = do(bench, filled, Task(NoFills()))
    assert [at_pitch[:2] for at_pitch in drums(after)] == [at_pitch[:2] for at_pitch in drums(sample)]


def test_the_figure_counts_fills(bench, sample):
    filled, _ = do(bench, sample, Task(Fill(), every=4))
    assert figure("fills", sample, sample, bench.palette) == 0
    assert figure("fills", sample, filled, bench.palette) == 2


def test_what_cannot_be_done_is_said(bench, sample):
    filled, _ = do(bench, sample, Task(Fill(before=(Bars(5, 5),))))
    for song, operation, scope, why in (
        (filled, Fill(before=(Bars(5, 5),)), Scope(), "there is a fill already"),
        (sample, NoFills(), Scope(), "no fill"),
        (bench.compose("a neoclassical piano piece, 24 bars", 2), Fill(), Scope(), "no drum kit"),
    ):
        after, changed = do(bench, song, Task(operation, scope))
        assert why in changed.blocked[0]
        assert after is song


def test_locked_bars_stay(bench, sample):
    after, _ = do(bench, sample, Task(Fill(), every=2), locks=(BarsLock(3, 6),))
    assert changed_bars(sample, after) == [2, 8]


END = Edge("end", 4)
TABLE = [
    ("add a drum fill before the chorus", Fill(before=(Named("chorus"),)), 1.0, None),
    ("a fill every 4 bars", Fill(), 1.0, 4),
    ("snare roll into the chorus", Fill("roll", before=(Named("chorus"),)), 1.0, None),
    ("put fills at the end of each phrase", Fill(each="phrase", ending=(END,)), 1.0, None),
    ("put fills at the end of each section", Fill(each="section", ending=(END,)), 1.0, None),
    ("small tom fill in bar 8", Fill("toms", ending=(Bars(8, 8),)), 0.5, None),
    ("no fills", NoFills(), 1.0, None),
    ("let the drummer play a big fill before bar 9", Fill(before=(Bars(9, 9),)), 1.5, None),
    ("remove all of the drum fills", NoFills(), 1.0, None),
    ("add a fill at the end of the verse", Fill(ending=(Named("verse"),)), 1.0, None),
    ("the drums should play a fill every 8 bars", Fill(), 1.0, 8),
    ("add fills between the sections", Fill(each="section"), 1.0, None),
    ("lead into the outro with a drum roll", Fill("roll", before=(Named("outro"),)), 1.0, None),
]


@pytest.mark.parametrize(("text", "operation", "amount", "every"), TABLE)
def test_it_is_read(bench, text, operation, amount, every):
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, Song())
    intent = read(text, lexicon, has_music=True)
    assert [(t.operation, t.amount, t.every) for t in intent.tasks] == [(operation, amount, every)]
    assert not intent.ignored


def test_a_fill_in_a_list_is_no_second_kit(bench, sample):
    tasks = read(
        "add strings and a drum fill before bar 5",
        Lexicon(bench.words, bench.styles, bench.palette, sample),
        has_music=True,
    ).tasks
    assert [type(task.operation).__name__ for task in tasks] == ["Add", "Fill"]
