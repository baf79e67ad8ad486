"""Parts that come in with a noun phrase: what it says is one value, its notes are so, and nothing beside it changes."""

from __future__ import annotations

import pytest

from agent.composer.changing.operations.writing_parts import WritePart
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Bars, Edge, Scope, Task
from agent.song.song import Song
from agent.song.track import Track
from tests.agent.composer.doing import do, read

BAR = 3840


@pytest.fixture(scope="module")
def lexicon(bench, sample) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, sample)


def only(request: str, lexicon: Lexicon) -> Task:
    """The one task of a request, of which every word is understood."""
    intent = read(request, lexicon, has_music=True)
    assert [one.text for one in intent.clauses if one.outcome == "told"] == []
    (task,) = intent.tasks
    assert isinstance(task.operation, WritePart)
    return task


def added(bench, sample: Song, task: Task) -> Track:
    """The new track; all others are what they were."""
    after, changed = do(bench, sample, task)
    assert not changed.blocked
    assert after.tracks[: len(sample.tracks)] == sample.tracks
    (new,) = after.tracks[len(sample.tracks) :]
    return new


def tones(track: Track) -> list[tuple[int, int, int, int]]:
    return [(clip.start + n.start, n.pitch, n.duration, n.velocity) for clip in track.clips for n in clip.notes]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a slow sub bass holding the roots, very quiet, only in bars 3-4", "add sub bass, the roots held, very quiet"),
        ("add a harp playing arpeggios very softly in the last 4 bars", "add harp, broken chords, very quiet"),
        ("I'd like a quiet flute that plays long notes above the lead", "add flute, long notes, above melody, quiet"),
        ("could we have a cello doubling the lead an octave lower, quietly",
         "add cello, doubling melody an octave lower, quiet"),
        ("an electric guitar that chops on the offbeats", "add guitar, the chords, on the off-beats"),
        ("bring in timpani hitting every downbeat, loud", "add timpani, on the downbeats, loud"),
        ("some hats rolling into bar 5", "add hi-hats, a roll"),
        ("long notes on a trombone, pretty high, panned right", "add trombone, long notes, high, panned right"),
        ("soft hammond organ holding the chords", "add organ, the chords held, quiet"),
        ("a quiet choir on the chords, panned a bit to the left", "add choir, the chords, quiet, panned left"),
        ("a fat sub on the root of every chord", "add sub, the roots"),
        ("add a cello holding the bass notes of the chords, softly", "add cello, the roots held, quiet"),
        ("double the bass with a tuba an octave lower, super quiet",
         "add tuba, doubling bass an octave lower, very quiet"),
        ("bring an airy flute playing a melody, not louder than the bass", "add flute, a melody, quiet"),
        ("two harpsichords playing the chords in eighths", "add harpsichord, the chords, in eighths"),
        ("gimme a dusty trumpet doing long notes", "add trumpet, long notes"),
        ("a low drone on D for the first two bars", "add pad, a drone, on D, low"),
    ],
)
def test_a_noun_phrase_is_one_value(text, sentence, lexicon):
    assert only(text, lexicon).operation.sentence(1, None) == sentence


def test_what_comes_in_at_a_place_plays_on_from_there(lexicon):
    assert only("soft strings that come in at bar 5", lexicon).scope == Scope((Bars(5, 8),))
    assert only("soft strings in bar 5", lexicon).scope == Scope((Bars(5, 5),))
    assert only("quiet strings in the first 2 bars", lexicon).scope == Scope((Edge("start", 2),))


@pytest.mark.parametrize(
    "text",
    ["the piano holding long notes", "a flute that wibbles, quietly", "a soft flute, only in the part that I like"],
)
def test_what_is_there_or_not_understood_is_no_new_part(text, lexicon):
    assert not any(isinstance(task.operation, WritePart) for task in read(text, lexicon, has_music=True).tasks)


def test_roots_are_low_long_and_quiet_where_they_are_asked_for(bench, sample, lexicon):
    notes = tones(added(bench, sample, only("a sub bass holding the roots, very quiet, in bars 3-4", lexicon)))
    assert [pitch % 12 for _, pitch, _, _ in notes] == [0, 7]
    assert all(2 * BAR <= start < 4 * BAR and length == BAR for start, _, length, _ in notes)
    assert all(pitch < 48 and velocity < 50 for _, pitch, _, velocity in notes)


def test_strokes_lie_at_the_places_that_are_said(bench, sample, lexicon):
    notes = tones(added(bench, sample, only("a trumpet playing chords on beats 1 and 3, softly", lexicon)))
    assert {start % BAR for start, *_ in notes} == {0, BAR // 2}
    offbeats = tones(added(bench, sample, only("an organ with short chords on the offbeats", lexicon)))
    assert {start % (BAR // 4) for start, *_ in offbeats} == {BAR // 8}


def test_a_line_lies_above_the_part_that_is_named(bench, sample, lexicon):
    notes = tones(added(bench, sample, only("a piccolo playing long notes above the lead", lexicon)))
    highest = max(pitch for _, pitch, *_ in tones(sample.tracks[3]))
    assert min(pitch for _, pitch, *_ in notes) > highest


def test_a_doubling_is_as_loud_as_is_said(bench, sample, lexicon):
    plain = tones(added(bench, sample, only("a cello doubling the lead an octave lower, panned left", lexicon)))
    assert [pitch for _, pitch, *_ in plain] == [pitch - 12 for _, pitch, *_ in sorted(tones(sample.tracks[3]))]
    quiet = tones(added(bench, sample, only("a cello doubling the lead an octave lower, very quiet", lexicon)))
    assert max(velocity for *_, velocity in quiet) < min(velocity for *_, velocity in plain)


def test_a_roll_grows_in_the_bar_before(bench, sample, lexicon):
    notes = tones(added(bench, sample, only("a timpani roll into bar 5", lexicon)))
    assert min(notes)[0] == 3 * BAR
    assert max(notes)[0] < 4 * BAR
    assert [velocity for *_, velocity in notes] == sorted(velocity for *_, velocity in notes)
