"""A pivot chord that leads into another key, and one note in the bass under whatever the chords are."""

from __future__ import annotations

import pytest

from agent.composer.changing.operations.modulating import Modulate
from agent.composer.changing.operations.pedal_points import PedalPoint
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Remove, Transpose
from agent.composer.understanding.tasks import Bars, Named, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.key import Key
from agent.theory.chords import diatonic
from tests.agent.composer.doing import do, notes_outside, read

BASS = Wish("bass", "bass", whole_role=True)


def asked(bench, song, text):
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    return [(task.operation, task.scope.places) for task in intent.tasks]


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        ("modulate up a tone for the last chorus with a pivot chord", Modulate(2)),
        ("use a pivot chord to modulate to E minor in the last chorus", Modulate(tonic="E")),
        ("modulate down a minor third for the last chorus using a pivot chord", Modulate(-3)),
        ("modulate up a tone for the last chorus", Transpose(2)),
    ],
)
def test_a_pivot_is_used_where_it_is_asked_for(bench, sample, text, operation):
    assert asked(bench, sample, text) == [(operation, (Named("chorus", -1),))]


@pytest.mark.parametrize(
    ("text", "tonic", "held"),
    [
        ("hold a C pedal in the bass under the bridge", "C", True), ("pedal point on Eb in the bridge", "Eb", False),
        ("put a D pedal in the bass in the bridge", "D", False), ("add a pedal point in the bridge", "", False),
    ],
)
def test_a_pedal_point_is_read(bench, sample, text, tonic, held):
    (found, places), = asked(bench, sample, text)
    assert isinstance(found, PedalPoint)
    assert (found.tonic, found.held, found.wish.role, places) == (tonic, held, "bass", (Named("bridge"),))


def test_the_pivot_is_a_chord_of_both_keys_in_the_bar_before(bench):
    song = bench.compose("pop", 2)
    section = song.sections[-2]
    after, changed = do(bench, song, Task(Modulate(2), Scope((Named(section.name.casefold()),))))
    assert not changed.blocked
    start = int(section.start)
    pivot, dominant = (one.chord for one in [one for one in after.chords if one.end <= start][-2:])
    old, new = song.key, Key("CDEFGAB"["CDEFGAB".index(song.key.tonic[0])], song.key.mode)
    for key in (old, old.pitch_class + 2):
        tonic = key if isinstance(key, Key) else next(
            one for one in map(Key, ("C", "D", "E", "F", "G", "A", "B", "Db", "Eb", "F#", "Ab", "Bb"))
            if one.pitch_class == key % 12
        )
        assert pivot in [diatonic(Key(tonic.tonic, new.mode), degree) for degree in range(1, 8)]
    assert (dominant.root - song.key.pitch_class) % 12 == 9
    bar = int(song.bar_map.start_of(song.bar_map.bar_at(start - 1)))
    was, now = ({row[:3] for row in notes_outside(one, bar - 60, int(section.end))} for one in (song, after))
    assert not {row for row in was ^ now if row[1] < bar - 60}


def test_keys_without_a_chord_in_common_and_the_first_bar_are_told(bench, sample):
    for scope, steps, why in ((Bars(5, 8), 1, "no chord in common"), (Bars(1, 4), 2, "no bar before it")):
        after, changed = do(bench, sample, Task(Modulate(steps), Scope((scope,))))
        assert after == sample
        assert why in changed.blocked[0]


@pytest.mark.parametrize("held", [True, False])
def test_the_bass_stays_on_one_note_and_the_chords_say_so(bench, sample, held):
    start, end = map(int, sample.bar_map.span(5, 6))
    after, changed = do(bench, sample, Task(PedalPoint(BASS, "D", held), Scope((Bars(5, 6),))))
    assert not changed.blocked
    track = next(track for track in after.tracks if track.name == "Bass")
    inside = [(clip.start + n.start, n.pitch) for clip in track.clips for n in clip.notes]
    inside = [one for one in inside if start <= one[0] < end]
    assert {pitch % 12 for _, pitch in inside} == {2}
    assert len({pitch for _, pitch in inside}) == 1
    before = [row for row in notes_outside(sample, 0, 0) if row[0] == track.id and start <= row[1] < end]
    assert len(inside) == (2 if held else len(before))
    assert notes_outside(after, start, end) == notes_outside(sample, start, end)
    assert all(one.symbol.startswith("D") or one.symbol.endswith("/D") for one in after.chords)


def test_a_bass_that_rests_there_gets_a_note_a_bar(bench, sample):
    there = Scope((Bars(5, 6),))
    silent, _ = do(bench, sample, Task(Remove(BASS), there))
    after, changed = do(bench, silent, Task(PedalPoint(BASS, "D"), there))
    assert not changed.blocked
    track = next(track.id for track in after.tracks if track.name == "Bass")
    start, end = map(int, sample.bar_map.span(5, 6))
    found = [row[1:4] for row in notes_outside(after, 0, 0) if row[0] == track and start <= row[1] < end]
    assert [(at, pitch % 12, length) for at, pitch, length in found] == [(start, 2, 3840), (start + 3840, 2, 3840)]
