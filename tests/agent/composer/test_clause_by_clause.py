"""Leaving a clause out changes only what that clause asked for."""

from __future__ import annotations

from itertools import combinations

import pytest

from agent.song.song import Song
from agent.song.track import Track

CLAUSES = {
    "make the bass louder": "Bass", "pan the guitar hard left": "Guitar", "vary the lead": "Flute",
    "humanize the drums": "Drums", "more reverb on the Rhodes": "Rhodes",
}
"""What is asked of a song, each of one track."""
FRAMES = {"in D minor": "key", "at 96 bpm": "tempo", "16 bars": "form"}
"""What is asked of a new piece, and what of its frame it decides."""


@pytest.fixture(scope="module")
def lofi(bench) -> Song:
    return bench.compose("a calm lofi beat in D minor at 82 bpm, 32 bars", 11)


def changed(bench, song: Song, clauses) -> Song:
    return bench.song(bench.draft(", ".join(clauses), song), song)


@pytest.mark.parametrize("left_out", CLAUSES)
def test_a_change_without_a_clause_differs_in_what_it_named_alone(bench, lofi, left_out):
    whole = changed(bench, lofi, CLAUSES)
    without = changed(bench, lofi, [clause for clause in CLAUSES if clause != left_out])
    other = {one.name for one, two in zip(whole.tracks, without.tracks, strict=True) if heard(one) != heard(two)}
    assert other == {CLAUSES[left_out]}
    assert (whole.tempos, whole.key, whole.sections) == (without.tempos, without.key, without.sections)


def heard(track: Track) -> tuple[object, ...]:
    """All of a track but the ids of what was made."""
    notes = [
        (clip.start + note.start, note.pitch, note.duration, note.velocity)
        for clip in track.clips for note in clip.notes
    ]
    effects = [(effect.name, effect.params, effect.enabled) for effect in track.effects]
    return track.instrument, track.volume_db, track.pan, notes, effects


def choices(song: Song) -> dict[str, object]:
    """What was decided about a piece before a note is written."""
    return {
        "key": song.key, "tempo": song.tempos[0].bpm, "meter": song.meters,
        "form": [(section.name, section.duration) for section in song.sections],
        "band": [(track.name, track.instrument) for track in song.tracks],
    }


@pytest.mark.parametrize(("first", "second"), combinations(FRAMES, 2))
def test_a_new_piece_without_a_clause_keeps_every_other_choice(bench, first, second):
    both = choices(bench.compose(f"a calm lofi beat, {first}, {second}", 4))
    one = choices(bench.compose(f"a calm lofi beat, {second}", 4))
    assert {name for name, value in both.items() if value != one[name]} <= {FRAMES[first]}
