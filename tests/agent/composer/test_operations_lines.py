"""Lines turned, chords broken, variations, entrances: what is heard before and after."""

from __future__ import annotations

from itertools import pairwise

import pytest

from agent.composer.changing.hearing.listening import hear
from agent.composer.changing.operations.entering import Enter, Leave
from agent.composer.changing.operations.transforming import Break, Transform
from agent.composer.changing.operations.variations import Variations, VaryRepeats
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Bars, Operation, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import Kind, SectionId, derive
from agent.song.key import Key
from agent.song.locks import BarsLock
from agent.song.song import Song
from agent.song.time import Ticks
from agent.theory.figures import figure
from agent.theory.pitch import in_scale
from tests.agent.composer.doing import do, flaws, notes_outside, read

BAR, BEAT = 3840, 960
MELODY = Wish("melody", "lead", ("lead",), whole_role=True)
BASS = Wish("bass", "bass", ("bass",), ("bass_finger",), whole_role=True)
CHORDS = Wish("chords", "chords", whole_role=True)
DRUMS = Wish("drums", "drums", ("drums", "percussion"), whole_role=True)
FLUTE = Wish("flute", "lead", ("woodwind",), ("woodwind_flute",))


def line(song: Song, name: str = "Lead") -> list[tuple[int, int, int]]:
    track = next((track for track in song.tracks if track.name == name), None)
    return sorted((c.start + n.start, n.pitch, n.duration) for c in track.clips for n in c.notes) if track else []


def after(bench, song: Song, operation: Operation, *scope: Bars, others: bool = True) -> Song:
    new, changed = do(bench, song, Task(operation, Scope(scope)))
    assert not changed.blocked
    assert flaws(new, bench.palette) <= flaws(song, bench.palette)
    wish = getattr(operation, "wish", None)
    if others:
        changed_tracks = [t.name for t, was in zip(new.tracks, song.tracks, strict=True) if t.clips != was.clips]
        assert len(changed_tracks) == 1, (wish, changed_tracks)
    if scope:
        start, end = (scope[0].first - 1) * BAR, scope[-1].last * BAR
        assert notes_outside(new, start, end) == notes_outside(song, start, end)
    return new


def on_chords(bench, song: Song, new: Song) -> bool:
    chords = hear(song, bench.palette, 112.0).chords
    return all(
        pitch in next(span.chord for span in chords if span.start <= at < span.end)
        for at, pitch, length in line(new) if length >= BEAT
    )


def test_twice_as_slow_is_its_first_half_stretched(bench, sample):
    new = after(bench, sample, Transform("augment", MELODY), Bars(1, 4))
    slow = [note for note in line(new) if note[0] < 4 * BAR]
    assert [(at, length) for at, _, length in slow] == [
        (2 * at, min(2 * length, 4 * BAR - 2 * at)) for at, _, length in line(sample) if at < 2 * BAR
    ]
    assert on_chords(bench, sample, new)
    assert line(new, "Chords") == line(sample, "Chords")


def test_twice_as_fast_comes_twice(bench, sample):
    new = after(bench, sample, Transform("diminish", MELODY), Bars(1, 4))
    starts = [at for at, *_ in line(new) if at < 4 * BAR]
    assert starts == sorted(
        at // 2 + again for at, *_ in line(sample) if at < 4 * BAR for again in (0, 2 * BAR)
    )


def test_upside_down_goes_down_where_it_went_up(bench, sample):
    new = after(bench, sample, Transform("invert", MELODY), Bars(1, 4))
    assert [at for at, *_ in line(new)] == [at for at, *_ in line(sample)]
    assert line(new)[0][1] == line(sample)[0][1], "it turns around its first note"
    assert figure("mirrored:Lead", sample, new, bench.palette, (1, 4)) >= 0.6
    assert figure("mirrored:Lead", sample, sample, bench.palette, (1, 4)) == 0
    assert all(in_scale(Key("A", "minor"), pitch) for _, pitch, _ in line(new))
    assert on_chords(bench, sample, new)


def test_backwards_ends_as_it_began(bench, sample):
    new = after(bench, sample, Transform("retrograde", MELODY), Bars(1, 4))
    was = [note for note in line(sample) if note[0] < 4 * BAR]
    now = [note for note in line(new) if note[0] < 4 * BAR]
    assert {at for at, *_ in now} <= {4 * BAR - at - length for at, _, length in was}
    assert len(now) >= len(was) - 1
    same = sum(one[1] == other[1] for one, other in zip(now, reversed(was), strict=False))
    assert same >= 0.5 * len(was)


def test_chords_are_broken_and_struck_again(bench, sample):
    broken = after(bench, sample, Break("arpeggio", CHORDS))
    assert all(one[0] < other[0] for one, other in pairwise(line(broken, "Chords")))
    assert {pitch for _, pitch, _ in line(broken, "Chords")} == {pitch for _, pitch, _ in line(sample, "Chords")}
    back = after(bench, broken, Break("block", CHORDS))
    struck = sorted({at for at, *_ in line(back, "Chords")})
    assert struck == [bar * BAR for bar in range(8)]
    assert all(len([1 for at, *_ in line(back, "Chords") if at == one]) >= 2 for one in struck)


def test_a_strummed_chord_comes_string_by_string(bench, sample):
    new = after(bench, sample, Break("strum", CHORDS))
    first = [note for note in line(new, "Chords") if note[0] < BEAT]
    assert [pitch for _, pitch, _ in first] == sorted(pitch for _, pitch, _ in first)
    assert 0 < first[-1][0] - first[0][0] < 80
    assert [p for *_, p, _ in sorted(line(new, "Chords"))] != []


def sectioned(song: Song) -> Song:
    return apply_all(song, [
        e.AddSection(
            section_id=SectionId(derive(Kind.SECTION, n)), name=name, start_time=Ticks(n * 4 * BAR),
            duration=Ticks(4 * BAR),
        )
        for n, name in enumerate(("Verse", "Verse 2"))
    ])  # fmt: skip


def test_what_returns_comes_back_varied(bench, sample):
    song = sectioned(sample)
    new = after(bench, song, VaryRepeats(MELODY))
    assert [n for n in line(new) if n[0] < 4 * BAR] == [n for n in line(song) if n[0] < 4 * BAR]
    assert [n for n in line(new) if n[0] >= 4 * BAR] != [n for n in line(song) if n[0] >= 4 * BAR]


def test_three_variations_follow_their_theme_and_differ(bench, sample):
    new, changed = do(bench, sample, Task(Variations(3, MELODY), Scope((Bars(1, 4),))))
    assert not changed.blocked
    assert new.bars == sample.bars + 12
    each = [tuple((at - k * 4 * BAR, p, d) for at, p, d in line(new) if k <= at // (4 * BAR) < k + 1) for k in range(4)]
    assert list(each[0]) == [n for n in line(sample) if n[0] < 4 * BAR]
    assert len(set(each)) == 4


def test_a_part_enters_only_there_and_stops_there(bench, sample):
    new = after(bench, sample, Enter(BASS, Bars(5, 5)))
    assert line(new, "Bass") == [note for note in line(sample, "Bass") if note[0] >= 4 * BAR]
    new = after(bench, sample, Leave(BASS, Bars(5, 5)))
    assert line(new, "Bass") == [note for note in line(sample, "Bass") if note[0] < 4 * BAR]
    new = after(bench, sample, Leave(BASS, Bars(5, 5), behind=True))
    assert line(new, "Bass")[-1][0] // BAR == 4


def test_what_is_not_there_comes_in_there(bench, sample):
    new, changed = do(bench, sample, Task(Enter(FLUTE, Bars(5, 5))))
    assert not changed.blocked
    assert len(new.tracks) == len(sample.tracks) + 1
    assert min(clip.start for clip in new.tracks[-1].clips) >= 4 * BAR


def test_what_cannot_be_done_is_said(bench, sample):
    for operation, why in (
        (Transform("invert", CHORDS), "no single line"), (Transform("invert", DRUMS), "no pitches"),
        (Break("strum", MELODY), "nothing to play strummed"), (Enter(BASS, Bars(1, 1)), "does not play before"),
        (Leave(BASS, Bars(60, 60)), "only 8 bars"), (VaryRepeats(MELODY), "no section returns"),
    ):
        new, changed = do(bench, sample, Task(operation))
        assert why in changed.blocked[0]
        assert new is sample


def test_locked_bars_stay(bench, sample):
    for operation in (Transform("retrograde", MELODY), Break("arpeggio", CHORDS), Enter(BASS, Bars(7, 7))):
        new, _ = do(bench, sample, Task(operation), locks=(BarsLock(3, 6),))
        assert notes_outside(new, 6 * BAR, 0)
        inside = [note for note in notes_outside(new, 0, 2 * BAR) if note[1] < 6 * BAR]
        assert inside == [note for note in notes_outside(sample, 0, 2 * BAR) if note[1] < 6 * BAR]


TABLE = [
    ("play the melody twice as slow over the same chords", "melody twice as slow"),
    ("the melody upside down", "melody upside down"), ("play the melody backwards", "melody backwards"),
    ("arpeggiate the chords", "chords as arpeggios"), ("play the arpeggio as block chords", "arpeggio as block chords"),
    ("broken chords in the piano", "piano as broken chords"), ("strum the guitar", "guitar strummed"),
    ("let the bass enter only at bar 9", "bass only from bar 9"), ("drums not before bar 17", "drums only from bar 17"),
    ("the guitar stops at bar 24", "guitar only until bar 24"), ("bring the strings in at bar 9", "add strings"),
    ("make the repeat different", "each repeat varied"), ("give me three variations of the verse", "3 variations"),
    ("stop the drums after bar 36", "drums only until the end of bar 36"), ("double the tempo", "double the tempo"),
]


@pytest.mark.parametrize(("text", "said"), TABLE)
def test_it_is_read(bench, text, said):
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, Song()), has_music=True)
    assert [task.operation.sentence(1.0, None) for task in intent.tasks] == [said]
    assert not intent.ignored


def test_drums_only_from_a_bar_on_play_to_the_end(bench, sample):
    (task,) = read(
        "drums only from bar 5", Lexicon(bench.words, bench.styles, bench.palette, sample), has_music=True
    ).tasks
    assert task.scope.excluded == (Bars(5, 8),)
