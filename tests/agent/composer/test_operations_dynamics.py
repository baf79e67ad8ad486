"""Dynamics: velocities change as they are asked to, and nothing else does."""

from __future__ import annotations

import pytest

from agent.composer.changing.operations.dynamics import Beside, Dynamic, Strike
from agent.composer.changing.operations.swelling import Swell
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.sentences import told
from agent.composer.understanding.tasks import Bars, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.song import Song
from tests.agent.composer.doing import do, notes_outside, read

BASS = Wish("bass", "bass", ("bass",), whole_role=True)
DRUMS = Wish("drums", "drums", ("drums", "percussion"), whole_role=True)
BAR = 3840
MIDDLE = Scope((Bars(3, 6),))


def struck(song: Song, name: str, first: int, last: int) -> list[int]:
    """Velocities of a track's notes in a stretch of bars, in order of time."""
    track = next(one for one in song.tracks if one.name == name)
    notes = [(clip.start + note.start, note.velocity) for clip in track.clips for note in clip.notes]
    return [velocity for at, velocity in sorted(notes) if (first - 1) * BAR <= at < last * BAR]


def shape(song: Song) -> list[tuple[str, int, int, int]]:
    """All of the notes but how hard they are struck."""
    return [(t.id, c.start + n.start, n.pitch, n.duration) for t, c in song.clips() for n in c.notes]


@pytest.mark.parametrize("operation", [
    Dynamic(36), Dynamic(62, BASS, "most"), Strike("harder", BASS), Strike("softer"), Beside("softer", BASS, DRUMS),
    Swell("louder"), Swell("softer", BASS), Swell("louder", BASS, 36, 108),
])
def test_only_velocities_of_its_place_change(bench, sample, operation) -> None:
    after, _ = do(bench, sample, Task(operation, MIDDLE))
    assert after != sample
    assert shape(after) == shape(sample)
    assert notes_outside(after, 2 * BAR, 6 * BAR) == notes_outside(sample, 2 * BAR, 6 * BAR)


def test_a_mark_is_where_the_notes_come_to_lie(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Dynamic(36, BASS), MIDDLE))
    found = struck(after, "Bass", 3, 6)
    assert abs(sum(found) / len(found) - 36) < 2


def test_a_crescendo_reaches_its_mark_on_the_downbeat_that_it_leads_to(bench, sample) -> None:
    after, _ = do(bench, sample, Task(Swell("louder", BASS, 48, 108, (Bars(3, 3),), (Bars(5, 5),))))
    means = [sum(bar) / len(bar) for bar in (struck(after, "Bass", n, n) for n in (3, 4))]
    assert 40 <= means[0] < means[1] <= 108
    assert struck(after, "Bass", 5, 5)[0] >= 100
    assert struck(after, "Bass", 5, 8)[1:] == struck(sample, "Bass", 5, 8)[1:]


@pytest.mark.parametrize(("request_", "said"), [
    ("crescendo from p at bar 3 to ff at bar 6", "crescendo from p from bar 3 to ff up to bar 6"),
    ("let the bass swell from pp to f over bars 2 to 5", "bass crescendo from pp in bars 2-5 to f"),
    ("a long diminuendo over the last 4 bars", "diminuendo in the last 4 bars"),
    ("the drums must never get louder than mp", "drums never louder than mp"),
    ("play the bass pianissimo in bars 3 to 4", "bass pp in bars 3-4"),
    ("have the drums hit harder than they do now in bars 3-4", "drums struck harder in bars 3-4"),
    ("keep the bass quieter than the drums", "bass softer than drums"),
])
def test_words_of_dynamics_are_read(bench, sample, request_, said) -> None:
    intent = read(request_, Lexicon(bench.words, bench.styles, bench.palette, sample), has_music=True)
    assert [told(task) for task in intent.tasks] == [said]
    assert not intent.ignored
