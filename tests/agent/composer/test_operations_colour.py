"""Colours: each mood moves its figure, whatever the song, and leaves the tune, the chords and the rest alone."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.composer.changing.operations.colouring import measures
from agent.composer.understanding.operations import Colour
from agent.composer.understanding.tasks import Bars, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.locks import BarsLock
from agent.theory.colours import brightness_of, energy_of, groove_of
from agent.theory.figures import figure
from agent.theory.sounding import kit_tracks
from tests.agent.composer.doing import do, flaws, notes_outside

MOODS = ("darker", "brighter", "calmer", "more energetic", "sadder", "happier", "groovier")
REQUESTS = ("pop", "jazz", "a waltz", "ambient", "drum and bass", "neoclassical", "techno")


def mood(bench, name):
    return next(one for one in bench.words.moods if one.name == name)


def measured(name, song, palette, spans=None):
    match name:
        case "brightness":
            return brightness_of(song, palette, spans)
        case "energy":
            return energy_of(song, spans)
        case _:
            return groove_of(song, spans)


@given(name=st.sampled_from(MOODS), request_text=st.sampled_from(REQUESTS), amount=st.sampled_from((0.3, 1.0, 1.5)))
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_mood_moves_its_figure_and_the_song_stays_itself(bench, name, request_text, amount):
    song = bench.compose(request_text, 3)
    colour = mood(bench, name)
    after, changed = do(bench, song, Task(Colour(colour), amount=amount))
    assert not changed.blocked
    figure_name, way = measures(colour)[0]
    old, new = (measured(figure_name, one, bench.palette) for one in (song, after))
    assert new < old if way == "lower" else new > old
    assert flaws(after, bench.palette) <= flaws(song, bench.palette)
    assert figure("melody_similarity", song, after, bench.palette) >= 0.5
    assert figure("root_agreement", song, after, bench.palette) >= 0.7


@pytest.mark.parametrize("name", MOODS)
def test_within_bars_nothing_else_changes(bench, sample, name):
    start, end = sample.bar_map.span(3, 4)
    colour = mood(bench, name)
    after, _ = do(bench, sample, Task(Colour(colour), Scope((Bars(3, 4),)), amount=0.3))
    figure_name, way = measures(colour)[0]
    old, new = (measured(figure_name, one, bench.palette, ((start, end),)) for one in (sample, after))
    assert new < old if way == "lower" else new > old
    assert notes_outside(after, start, end) == notes_outside(sample, start, end)
    assert after.tempos == sample.tempos
    assert [track.effects for track in after.tracks] == [track.effects for track in sample.tracks]


def test_what_is_calm_already_gets_calmer_still(bench):
    song = bench.compose("a calm ambient piece", 2)
    for _ in range(3):
        before = energy_of(song)
        song, changed = do(bench, song, Task(Colour(mood(bench, "calmer")), amount=0.3))
        assert not changed.blocked
        assert energy_of(song) < before


def test_further_is_further(bench, sample):
    levels = [
        brightness_of(do(bench, sample, Task(Colour(mood(bench, "darker")), amount=amount))[0], bench.palette)
        for amount in (0.3, 1.0, 1.5)
    ]
    assert brightness_of(sample, bench.palette) > levels[0] > levels[1] > levels[2]


def test_energy_comes_from_more_and_shorter_notes_and_calm_from_fewer(bench, sample):
    driven, _ = do(bench, sample, Task(Colour(mood(bench, "more energetic"))))
    calm, _ = do(bench, sample, Task(Colour(mood(bench, "calmer"))))
    assert driven.note_count > sample.note_count > calm.note_count
    assert figure("mean_note_beats", sample, calm, bench.palette) > figure(
        "mean_note_beats", sample, sample, bench.palette
    )


def test_groove_adds_ghost_notes_and_leaves_the_firsts_of_bars(bench, sample):
    after, _ = do(bench, sample, Task(Colour(mood(bench, "groovier"))))
    drums = next(track for track in after.tracks if track.id in kit_tracks(after, bench.palette))
    ghosts = [note for clip in drums.clips for note in clip.notes if note.pitch == 38 and note.velocity < 50]
    assert ghosts

    def firsts(song):
        bass = next(track for track in song.tracks if track.name == "Bass")
        return [
            (clip.start + note.start, note.pitch) for clip in bass.clips for note in clip.notes
            if (clip.start + note.start) % 3840 == 0
        ]

    assert firsts(after) == firsts(sample)


def test_a_sad_song_sighs_at_the_ends_of_its_phrases(bench, sample):
    after, _ = do(bench, sample, Task(Colour(mood(bench, "sadder"))))
    lead = next(track for track in after.tracks if track.name == "Lead")
    notes = [(clip.start + n.start, n.pitch, n.duration) for clip in lead.clips for n in clip.notes]
    old = next(track for track in sample.tracks if track.name == "Lead")
    long = [(clip.start + n.start, n.pitch) for clip in old.clips for n in clip.notes if n.duration >= 1400]
    sighs = [
        (start, pitch) for start, pitch in long
        if any(at == start and 1 <= other - pitch <= 2 for at, other, _ in notes)
        and any(start < at < start + 960 and other == pitch for at, other, _ in notes)
    ]
    assert sighs


def test_only_the_part_that_is_meant_and_never_locked_bars(bench, sample):
    wish = Wish("bass", role="bass", families=("bass",), whole_role=True)
    task = Task(Colour(mood(bench, "more energetic"), wish))
    after, _ = do(bench, sample, task, (BarsLock(1, 2),))
    old, new = ({track.name: track for track in song.tracks} for song in (sample, after))
    assert [name for name in old if old[name] != new[name]] == ["Bass"]
    start, end = sample.bar_map.span(1, 2)

    def locked(track):
        return [n for clip in track.clips for n in clip.notes if start <= clip.start + n.start < end]

    assert locked(new["Bass"]) == locked(old["Bass"])
    assert after.tempos == sample.tempos


def test_a_mood_that_is_not_about_calm_takes_no_notes(bench, sample):
    sad, _ = do(bench, sample, Task(Colour(mood(bench, "sadder"))))
    before, after = ({track.name: track.note_count for track in song.tracks} for song in (sample, sad))
    assert all(after[name] >= count for name, count in before.items())
    assert sad != sample
