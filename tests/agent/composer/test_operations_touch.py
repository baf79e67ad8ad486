"""How a part is played: with the kick, short or bound, stressed, within a range, for a beginner."""

from __future__ import annotations

from itertools import pairwise

import pytest
from style_parts import track_of

from agent.composer.changing.hearing.listening import hear
from agent.composer.changing.operations.articulating import Accent, Articulate
from agent.composer.changing.operations.locking import LockToKick
from agent.composer.changing.operations.ranging import Ease, Range
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Replace
from agent.composer.understanding.tasks import Bars, Operation, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.locks import BarsLock
from agent.song.song import Song
from agent.theory.figures import figure
from tests.agent.composer.doing import do, flaws, notes_outside, read

BAR, BEAT = 3840, 960
MELODY = Wish("melody", "lead", ("lead",), whole_role=True)
BASS = Wish("bass", "bass", ("bass",), ("bass_finger",), whole_role=True)
PIANO = Wish("piano", "chords", ("piano",), ("piano_grand",))
DRUMS = Wish("drums", "drums", ("drums", "percussion"), whole_role=True)


def notes(song: Song, track: str) -> list[tuple[int, int, int, int]]:
    found = next(one for one in song.tracks if one.name == track)
    return sorted((c.start + n.start, n.pitch, n.duration, n.velocity) for c in found.clips for n in c.notes)


def starts(song: Song, track: str) -> list[tuple[int, int]]:
    return [note[:2] for note in notes(song, track)]


def after(bench, song: Song, operation: Operation, *scope: Bars, amount: float = 1.0) -> Song:
    new, changed = do(bench, song, Task(operation, Scope(scope), amount))
    assert not changed.blocked
    assert flaws(new, bench.palette) <= flaws(song, bench.palette)
    if scope:
        start, end = (scope[0].first - 1) * BAR, scope[-1].last * BAR
        assert notes_outside(new, start, end) == notes_outside(song, start, end)
    return new


def test_the_bass_strikes_with_the_kick_on_its_own_roots(bench, sample):
    new = after(bench, sample, LockToKick(BASS))
    kicks = [at for at, pitch, *_ in notes(sample, "Drums") if pitch == 36]
    bass = notes(new, "Bass")
    assert [at for at, *_ in bass] == kicks
    chords = hear(sample, bench.palette, 112.0).chords
    roots = {next(span.chord for span in chords if span.start <= at < span.end).root for at, *_ in bass}
    assert {pitch % 12 for _, pitch, *_ in bass} == roots
    assert all(at + length <= following for (at, _, length, _), (following, *_) in pairwise(bass))
    assert figure("with_kick", sample, new, bench.palette) == 1.0
    assert figure("with_kick", sample, sample, bench.palette) < 1.0


def test_only_there_and_only_where_a_kick_plays(bench, sample):
    after(bench, sample, LockToKick(BASS), Bars(3, 4))
    for operation, why in ((LockToKick(DRUMS), "is the beat itself"), (LockToKick(MELODY), "")):
        _, changed = do(bench, sample, Task(operation))
        assert not why or why in changed.blocked[0]


def test_staccato_and_legato_change_lengths_alone(bench, sample):
    short, bound = (after(bench, sample, Articulate(touch, PIANO)) for touch in ("staccato", "legato"))
    assert starts(short, "Chords") == starts(bound, "Chords") == starts(sample, "Chords")
    for (*_, before, _), (*_, now, _) in zip(notes(sample, "Chords"), notes(short, "Chords"), strict=True):
        assert 0.3 * before <= now <= 0.6 * before
    assert all(length == BEAT for _, _, length, _ in notes(bound, "Chords"))
    for one in ("Drums", "Bass", "Lead"):
        assert notes(short, one) == notes(sample, one)


def test_legato_leaves_the_breath_between_phrases(bench, sample):
    tune = notes(sample, "Lead")
    bound = notes(after(bench, sample, Articulate("legato", MELODY)), "Lead")
    for (at, _, was, _), (_, _, now, _), following in zip(tune, bound, [*tune[1:], (8 * BAR, 0, 0, 0)], strict=True):
        gap = following[0] - at - was
        assert now == (was + gap if gap < BEAT else was)


@pytest.mark.parametrize(("stress", "places"), [("one", {0}), ("backbeats", {1, 3}), ("beats", {0, 1, 2, 3})])
def test_accents_are_louder_on_their_beats_alone(bench, sample, stress, places):
    new = after(bench, sample, Accent(stress, PIANO))
    for (at, *_, was), (_, *_, now) in zip(notes(sample, "Chords"), notes(new, "Chords"), strict=True):
        assert (now > was) == (at % BAR // BEAT in places)
    if stress == "one":
        was, now = (figure("accent:Chords", sample, song, bench.palette) for song in (sample, new))
        assert now > was


@pytest.mark.parametrize(("low", "high"), [(60, 72), (None, 67), (72, None)])
def test_a_range_holds_and_keeps_rhythm_and_notes(bench, sample, low, high):
    new = after(bench, sample, Range(low, high, MELODY))
    assert [(at, pitch % 12) for at, pitch in starts(new, "Lead")] == [(at, p % 12) for at, p in starts(sample, "Lead")]
    assert all((low or 0) <= pitch <= (high or 127) for _, pitch in starts(new, "Lead"))
    assert notes(new, "Bass") == notes(sample, "Bass")


def test_one_hand_of_the_keys(bench, sample):
    new = after(bench, sample, Range(58, None, hand="left"))
    left = [(at, pitch) for at, pitch in starts(sample, "Chords") if pitch < 58]
    assert left
    assert not [pitch for _, pitch in starts(new, "Chords") if pitch < 58]
    assert starts(new, "Lead") == starts(sample, "Lead")


def test_a_beginner_gets_simple_rhythms_small_leaps_and_a_comfortable_range(bench):
    song = bench.compose("a funk track in E minor, 110 bpm, 16 bars, with piano", 3)
    new = after(bench, song, Ease(MELODY))
    lead = track_of(new, "Lead").name
    line = starts(new, lead)
    assert 0 < len(line) <= len(starts(song, lead))
    assert all(60 <= pitch <= 79 for _, pitch in line)
    # over a rest of two bars nobody leaps
    assert all(abs(one - other) <= 9 for (at, one), (then, other) in pairwise(line) if then - at < 2 * BAR)
    slots = [at // (BEAT // 2) for at, _ in line]
    assert len(slots) == len(set(slots)), "one note for each eighth at most"


def test_what_cannot_be_done_is_said(bench, sample):
    for operation, why in (
        (Articulate("staccato", DRUMS), "no notes that could be staccato"), (Range(40, 90, MELODY), "so it is already"),
        (Range(110, 120, BASS), "plays"), (Range(40, 90, DRUMS), "nothing there has pitches"),
    ):
        new, changed = do(bench, sample, Task(operation))
        assert why in changed.blocked[0]
        assert new is sample


def test_locked_bars_stay(bench, sample):
    for operation in (LockToKick(BASS), Articulate("staccato"), Accent("one"), Range(60, 65, MELODY), Ease()):
        new, _ = do(bench, sample, Task(operation), locks=(BarsLock(3, 8),))
        assert notes_outside(new, 0, 2 * BAR) == notes_outside(sample, 0, 2 * BAR)


TABLE = [
    ("lock the bass to the kick", "bass with the kick"), ("bass follows the kick drum", "bass with the kick"),
    ("staccato strings", "staccato strings"), ("legato melody", "legato melody"),
    ("play the piano shorter", "staccato piano"), ("play the piano detached", "staccato piano"),
    ("accent the first beat", "accent on the first beat"), ("let the chords ring out", "ringing chords"),
    ("make the strings pizzicato", "pizzicato strings instead of strings"), ("make it shorter", "a third shorter"),
    ("playable by a beginner", "for a beginner"),
    ("make the melody easy enough for a beginner", "melody for a beginner"),
    ("keep the melody between C4 and C5", "melody between C4 and C5"),
    ("nothing higher than G4", "everything not above G4"), ("left hand not below C3", "left hand not below C3"),
    ("the melody should not go above F#5", "melody not above F#5"),
    ("keep the bass under middle C", "bass not above C4"),
    ("the bass must not go below e flat 2", "bass not below D#2"),
]


@pytest.mark.parametrize(("text", "said"), TABLE)
def test_it_is_read(bench, text, said):
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, Song()), has_music=True)
    assert [task.operation.sentence(1.0, None) for task in intent.tasks] == [said]
    assert not intent.ignored
    assert isinstance(intent.tasks[0].operation, Replace) == ("pizzicato" in text)
