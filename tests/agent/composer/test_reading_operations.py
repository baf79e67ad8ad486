"""Operations on notes in the words of different people: each is read as one thing, and nothing else is done."""

from __future__ import annotations

import pytest

from agent.composer.changing.change import kept_tracks
from agent.composer.understanding.lexicon import Lexicon
from agent.song.song import Song
from tests.agent.composer.doing import read

TABLE = [
    ("can the flute sort of answer the tune when it stops", ["flute answers melody in its gaps"]),
    ("make it easy so I can play it", ["for a beginner"]),
    ("I want the piano to play one note after another instead of all at once", ["piano as arpeggios"]),
    ("4-on-the-floor kick and offbeat open hats", ["kick on every beat", "open hi-hats on the off-beats"]),
    ("stack a third above the lead", ["melody in thirds above"]),
    ("the cello imitates the violin melody two bars later", ["cello follows violin in canon, 2 bars later"]),
    ("let the strings enter at bar 13, legato", ["strings only from bar 13", "legato strings"]),
    ("more legato in the strings, accents on the downbeats", ["legato strings", "accent on the first beat"]),
    ("double the lead an octave below with a cello", ["melody doubled by cello, an octave down"]),
    ("add a descant a sixth above the tune", ["melody in sixths above"]),
    ("arrange this for beginners: nothing above G5", ["for a beginner", "everything not above G5"]),
    ("put an accent on the first beat of every bar", ["accent on the first beat"]),
    ("turn the broken chords back into block chords", ["chords as block chords"]),
    ("please make fill of drums in the bar 12 and the bar 20", ["a drum fill in bar 12 and bar 20"]),
    ("bass must play together with kick drum", ["bass with the kick"]),
    ("the guitar comes not before bar 21", ["guitar only from bar 21"]),
    ("the chords should be not together but broken", ["chords as arpeggios"]),
    ("in chorus make echo of melody by the flute in the pauses", ["flute answers melody in its gaps"]),
    ("write a second voice in thirds for my students", ["melody in thirds"]),
    ("let the pupils' melody stay between middle C and A4", ["melody between C4 and A4"]),
    ("remove the drums in bar 5", ["without drums"]),
    ("take the drums out of the bridge", ["without drums"]),
    ("make the chorus shorter", ["a third shorter"]),
    ("let the piano play the melody", ["piano instead of melody"]),
]


@pytest.mark.parametrize(("text", "said"), TABLE)
def test_it_is_read_as_that_alone(bench, text, said):
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, Song()), has_music=True)
    assert [task.operation.sentence(1.0, None) for task in intent.tasks] == said


def test_a_drum_that_is_kept_does_not_lock_the_kit_in_which_another_changes(bench, sample):
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, sample)
    ghosts = read("add ghost notes to the snare, keep the kick as it is", lexicon, has_music=True)
    assert kept_tracks(ghosts, sample, bench.palette) == ()
    louder = read("make the bass louder, keep the kick as it is", lexicon, has_music=True)
    assert kept_tracks(louder, sample, bench.palette) == (sample.tracks[0].id,)
