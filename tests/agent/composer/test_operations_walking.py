"""A bass that walks where it is asked to, and chords set for four voices."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from agent.composer.changing.operations.four_parts import FourParts
from agent.composer.changing.operations.walking import Walk
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Bars, Named, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.time import PPQ
from agent.theory.figures import figure
from agent.theory.sounding import sounding
from tests.agent.composer.doing import do, notes_outside, read

BASS = Wish("bass", "bass", whole_role=True)
STRINGS = Wish("strings", "pad", ("strings",), ("strings_ensemble",), whole_family=True)


def asked(bench, song, text):
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    return [(type(task.operation), task.operation.wish.role, task.scope.places) for task in intent.tasks]


@pytest.mark.parametrize(
    ("text", "kind", "role", "places"),
    [
        ("some walking notes in the verse", Walk, "bass", (Named("verse"),)),
        ("walking bass in the verse", Walk, "bass", (Named("verse"),)),
        ("make the bass walk in the verse", Walk, "bass", (Named("verse"),)),
        ("add a walking bass in the chorus", Walk, "bass", (Named("chorus"),)),
        ("four-part (SATB) setting of the chords in the strings", FourParts, "pad", ()),
        ("set the chords for SATB choir", FourParts, "pad", ()),
        ("add a four-part harmony in the strings in the chorus", FourParts, "pad", (Named("chorus"),)),
    ],
)
def test_they_are_read(bench, sample, text, kind, role, places):
    assert asked(bench, sample, text) == [(kind, role, places)]


@pytest.mark.parametrize("text", ["make it a walking tempo", "walk me through the song"])
def test_walks_of_people_are_none(bench, sample, text):
    assert not any(kind is Walk for kind, _, _ in asked(bench, sample, text))


def test_the_bass_has_a_note_on_every_beat_and_the_root_where_a_chord_begins(bench, sample):
    start, end = map(int, sample.bar_map.span(3, 6))
    after, changed = do(bench, sample, Task(Walk(BASS), Scope((Bars(3, 6),))))
    assert not changed.blocked
    track = next(track.id for track in sample.tracks if track.name == "Bass")
    notes = [note for note in sounding(after, (track,)) if start <= note.start < end]
    beats = {start + PPQ * beat for beat in range(16)}
    assert beats <= {note.start for note in notes}
    firsts = [next(note.pitch % 12 for note in notes if note.start == start + 4 * PPQ * bar) for bar in range(4)]
    assert firsts == [0, 7, 9, 5]
    assert all(abs(one.pitch - other.pitch) <= 12 for one, other in pairwise(notes))
    assert notes_outside(after, start, end) == notes_outside(sample, start, end)


def test_four_voices_sing_the_chords_without_parallel_fifths(bench, sample):
    after, changed = do(bench, sample, Task(FourParts(STRINGS)))
    assert not changed.blocked
    track = next(track for track in after.tracks if track.id not in {one.id for one in sample.tracks})
    notes = sounding(after, (track.id,))
    voicings = [
        sorted(note.pitch for note in notes if note.start <= at < note.end)
        for at in (int(after.bar_map.start_of(bar)) for bar in range(1, 9))
    ]
    assert all(3 <= len(one) <= 4 for one in voicings)
    assert figure(f"on_chords:{track.name}", sample, after, bench.palette) >= 0.8
    whole = [(one, other) for one, other in pairwise(voicings) if len(one) == len(other) == 4]
    assert whole
    parallel = [
        (one, other) for one, other in whole for low, high in combinations(range(4), 2)
        if (one[high] - one[low]) % 12 == (other[high] - other[low]) % 12 == 7 and one[low] != other[low]
    ]
    assert not parallel
    assert notes_outside(sample, 0, 0) == [row for row in notes_outside(after, 0, 0) if row[0] != track.id]


def test_a_song_without_the_part_is_told(bench, sample):
    after, changed = do(bench, sample, Task(Walk(Wish("tuba", None, ("brass",), ("tuba",)))))
    assert after == sample
    assert "no tuba" in changed.blocked[0]
