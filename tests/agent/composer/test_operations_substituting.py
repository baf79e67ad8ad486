"""Chords of the same function under the same tune, and how a song or a section closes."""

from __future__ import annotations

import pytest

from agent.composer.changing.operations.closing_chord import ClosingChord
from agent.composer.changing.operations.ending_on import EndOn
from agent.composer.changing.operations.substituting import Substitute
from agent.composer.understanding.asked_chart import AskedChart
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Restyle
from agent.composer.understanding.tasks import Bars, Named, Scope, Task
from agent.theory.figures import figure
from tests.agent.composer.doing import do, notes_outside, read

CHORUS, VERSE = (Named("chorus"),), (Named("verse"),)


def asked(bench, song, text):
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    return [(task.operation, task.scope.places) for task in intent.tasks]


def symbols(song, start, end):
    return [one.symbol for one in song.chords if start <= one.start < end]


def line(song, name):
    track = next(track for track in song.tracks if track.name == name)
    return [(clip.start + note.start, note.pitch, note.duration) for clip in track.clips for note in clip.notes]


@pytest.mark.parametrize(
    ("text", "operation", "places"),
    [
        ("substitute tritone chords in the chorus", Substitute("tritone"), CHORUS),
        ("use tritone substitutions in the chorus", Substitute("tritone"), CHORUS),
        ("replace the chords with their relative minors in the verse", Substitute("relative"), VERSE),
        ("use secondary dominants in the verse", Substitute("secondary"), VERSE),
        ("jazz it up with substitutions", Substitute("jazz"), ()),
        ("reharmonise the verse with secondary dominants", Substitute("secondary"), VERSE),
        ("change all the chords to sevenths", Substitute("sevenths"), ()),
        ("add a tritone sub before the chorus", Substitute("tritone", CHORUS), ()),
        ("finish the song with an amen cadence", EndOn("plagal"), ()),
        ("end on a perfect cadence", EndOn("perfect"), ()),
        ("finish with a plagal cadence", EndOn("plagal"), ()),
        ("end the verse on a half cadence", EndOn("half"), VERSE),
        ("end the second verse with a deceptive cadence", EndOn("deceptive"), (Named("verse", 2),)),
        ("picardy third at the end", ClosingChord("major"), None),
        ("the last chord should be Cmaj9", EndOn(None, AskedChart("Cmaj9", True, False)), ()),
        ("end the chorus on C", EndOn(None, AskedChart("C", True, False)), CHORUS),
        ("end the second verse on an A minor chord", EndOn(None, AskedChart("Am", True, False)), (Named("verse", 2),)),
    ],
)
def test_they_are_read_with_their_place(bench, sample, text, operation, places):
    (found, where), = asked(bench, sample, text)
    assert found == operation
    assert places is None or where == places


@pytest.mark.parametrize("text", ["make it jazz", "end with a fade", "end it with the drums alone"])
def test_other_ends_and_styles_are_none(bench, sample, text):
    found = asked(bench, sample, text)
    assert not any(isinstance(one, Substitute | EndOn) for one, _ in found)
    assert text != "make it jazz" or isinstance(found[0][0], Restyle)


@pytest.mark.parametrize(
    ("how", "seed"), [("tritone", 4), ("relative", 1), ("secondary", 1), ("jazz", 1), ("sevenths", 1)]
)
def test_the_tune_stays_and_the_chords_stand(bench, how, seed):
    # not every tune carries every substitute
    song = bench.compose("a pop song in C major", seed)
    section = next(one for one in song.sections if "chorus" in one.name.casefold())
    after, changed = do(bench, song, Task(Substitute(how), Scope((Named("chorus", 1),))))
    assert not changed.blocked
    start, end = int(section.start), int(section.end)
    bars = song.bar_map.bar_at(start), song.bar_map.bar_at(end - 1)
    assert symbols(after, start, end) != symbols(song, start, end)
    assert symbols(after, 0, start) == symbols(song, 0, start)
    assert figure("melody_similarity", song, after, bench.palette) == 1.0
    assert figure("on_chords", song, after, bench.palette, bars) >= 0.8
    held = {row[:3] for row in notes_outside(song, start, end) if row[1] < end < row[1] + row[3] or row[1] < start}
    was, now = ({row[:3] for row in notes_outside(one, start, end)} for one in (song, after))
    assert not {row for row in was - now if row[1] < start - 60}
    assert all(row in held or row[1] == end for row in (was ^ now) if row[1] >= end)


def test_a_tritone_substitute_lies_a_semitone_above_what_follows(bench):
    song = bench.compose("jazz")
    after, changed = do(bench, song, Task(Substitute("tritone")))
    assert not changed.blocked
    new = [(one, two) for one, two in zip(after.chords, after.chords[1:], strict=False) if one not in song.chords]
    changed_roots = [(one.chord.root - two.chord.root) % 12 for one, two in new if one.symbol.endswith("7")]
    assert changed_roots
    assert 1 in changed_roots
    assert not any("#" in one.symbol for one, _ in new)


def test_before_a_place_only_its_bar_changes(bench):
    song = bench.compose("a pop song in C major")
    section = next(one for one in song.sections if "chorus" in one.name.casefold())
    after, changed = do(bench, song, Task(Substitute("sevenths", (Named("chorus", 1),))))
    assert not changed.blocked
    new = [one for one in after.chords if one not in song.chords]
    assert new[-1].end == section.start
    start, _ = song.bar_map.span(*[song.bar_map.bar_at(section.start) - 1] * 2)
    assert all(one.start >= start for one in new)
    assert all(one.symbol[-1] == "7" for one in new)


def test_a_secondary_dominant_lies_a_fifth_above_what_follows(bench):
    song = bench.compose("a pop song in C major")
    after, changed = do(bench, song, Task(Substitute("secondary")))
    assert not changed.blocked
    pairs = zip(after.chords, after.chords[1:], strict=False)
    new = [(one, two) for one, two in pairs if one.symbol.endswith("7") and one not in song.chords]
    assert new
    assert {(one.chord.root - two.chord.root) % 12 for one, two in new} == {7}
    assert all(two.chord.root != song.key.pitch_class for _, two in new)


@pytest.mark.parametrize(
    ("cadence", "steps"), [("perfect", [7, 0]), ("plagal", [5, 0]), ("deceptive", [7, 9]), ("half", [5, 7])]
)
def test_the_last_two_chords_are_the_cadence(bench, cadence, steps):
    song = bench.compose("a pop song in C major")
    after, changed = do(bench, song, Task(EndOn(cadence)))
    assert not changed.blocked
    assert song.key.mode == "major"
    assert [(one.chord.root - song.key.pitch_class) % 12 for one in after.chords[-2:]] == steps
    first = int(after.chords[-2].start)
    held = {row[:3] for row in notes_outside(song, first, 10**9) if row[1] + row[3] > first}
    assert {row[:3] for row in notes_outside(song, first - 60, 10**9)} - held == {
        row[:3] for row in notes_outside(after, first - 60, 10**9)
    } - held


def test_the_last_chord_is_the_one_that_is_named(bench, sample):
    after, changed = do(bench, sample, Task(EndOn(None, AskedChart("Cmaj9", True, False))))
    assert not changed.blocked
    assert after.chords[-1].symbol == "Cmaj9"
    assert figure("on_chords", sample, after, bench.palette, (8, 8)) >= 0.8


def test_a_cadence_needs_two_chords(bench, sample):
    after, changed = do(bench, sample, Task(EndOn("perfect"), Scope((Bars(1, 1),))))
    assert after == sample
    assert "only one chord" in changed.blocked[0]
