"""Second voices, canons and answers: in key, over the chords, in range and out of the tune's way."""

from __future__ import annotations

import pytest

from agent.composer.changing.hearing.listening import hear
from agent.composer.changing.operations.harmonising import Harmonise
from agent.composer.changing.operations.imitating import Imitate
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Remove
from agent.composer.understanding.tasks import Bars, Operation, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.key import Key
from agent.song.locks import BarsLock, TrackLock
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.pitch import degree_of, in_scale
from tests.agent.composer.doing import do, flaws, read

BAR, BEAT = 3840, 960
KEY = Key("A", "minor")
MELODY = Wish("melody", "lead", ("lead",), whole_role=True)
BASS = Wish("bass", "bass", ("bass",), ("bass_finger",), whole_role=True)
FLUTE = Wish("flute", "lead", ("woodwind",), ("woodwind_flute",))
CELLO = Wish("cello", "lead", ("strings",), ("strings_cello",))


def line(track: Track) -> list[tuple[int, int, int]]:
    return sorted((c.start + n.start, n.pitch, n.duration) for c in track.clips for n in c.notes)


def tune(song: Song) -> list[tuple[int, int, int]]:
    return line(next(track for track in song.tracks if track.name == "Lead"))


def second(bench, song: Song, operation: Operation, *scope: Bars) -> list[tuple[int, int, int]]:
    """The line of the one new track; nothing else has changed and nothing is wrong."""
    after, changed = do(bench, song, Task(operation, Scope(scope)))
    assert not changed.blocked
    assert flaws(after, bench.palette) <= flaws(song, bench.palette)
    old = {track.id for track in song.tracks}
    assert [track for track in after.tracks if track.id in old] == list(song.tracks)
    (new,) = [track for track in after.tracks if track.id not in old]
    return line(new)


@pytest.mark.parametrize(
    ("steps", "up", "intervals"),
    [
        (2, False, {3, 4}),
        (2, True, {3, 4}),
        (5, False, {8, 9}),
        (5, True, {8, 9}),
        (7, True, {12}),
    ],
)
def test_a_second_voice_keeps_its_interval_in_the_key(bench, sample, steps, up, intervals):
    found = second(bench, sample, Harmonise(MELODY, steps, up))
    pairs = list(zip(tune(sample), found, strict=True))
    assert all(one[0] == other[0] and one[2] == other[2] for one, other in pairs)
    assert all(in_scale(KEY, pitch) for _, pitch, _ in found)
    apart = [(other[1] - one[1]) * (1 if up else -1) for one, other in pairs]
    assert sum(by in intervals for by in apart) >= 0.75 * len(apart)
    assert all(min(intervals) - 2 <= by <= max(intervals) + 2 for by in apart)


def test_long_notes_of_the_chord_get_a_partner_of_the_chord(bench, sample):
    chords = hear(sample, bench.palette, 112.0).chords
    for (at, pitch, length), (_, other, _) in zip(tune(sample), second(bench, sample, Harmonise(MELODY)), strict=True):
        chord = next(span.chord for span in chords if span.start <= at < span.end)
        assert not (length >= BEAT and pitch in chord) or other in chord


def test_octaves_on_the_bass_have_room_above(bench, sample):
    bass = line(sample.tracks[1])
    assert [(at, pitch + 12, length) for at, pitch, length in bass] == second(bench, sample, Harmonise(BASS, 7))


def test_in_its_own_part_or_by_another_and_only_there(bench, sample):
    after, _ = do(bench, sample, Task(Harmonise(MELODY, 2, inside=True), Scope((Bars(3, 4),))))
    assert len(after.tracks) == len(sample.tracks)
    added = set(tune(after)) - set(tune(sample))
    assert set(tune(sample)) <= set(tune(after))
    assert {at // BAR for at, _, _ in added} == {2, 3}
    assert {at // BAR for at, _, _ in second(bench, sample, Harmonise(MELODY, 2, by=FLUTE), Bars(3, 4))} == {2, 3}


def test_a_canon_is_the_tune_later(bench, sample):
    found = second(bench, sample, Imitate("canon", MELODY, CELLO))
    leads = [(at + BAR, pitch % 12) for at, pitch, _ in tune(sample) if at + BAR < 8 * BAR]
    followed = {(at, pitch % 12) for at, pitch, _ in found}
    assert {at for at, _ in followed} <= {at for at, _ in leads}
    assert len(followed & set(leads)) >= 0.5 * len(leads), "it is known as the tune"
    chords = hear(sample, bench.palette, 112.0).chords
    for at, pitch, length in found:
        assert length < BEAT or pitch in next(span.chord for span in chords if span.start <= at < span.end)


def test_an_answer_sounds_where_the_tune_rests(bench, sample):
    gaps = Task(Remove(MELODY), Scope((Bars(2, 2), Bars(6, 6))))
    sparse, _ = do(bench, sample, gaps)
    after, _ = do(bench, sparse, Task(Imitate("answer", MELODY, FLUTE)))
    answer = line(next(track for track in after.tracks if track.instrument == "woodwind_flute"))
    assert answer
    for at, pitch, length in answer:
        assert degree_of(KEY, pitch)
        assert not any(at < begin + lasting and begin < at + length for begin, _, lasting in tune(sparse))
    assert {at // BAR for at, _, _ in answer} == {1, 5}


def test_who_is_asked_to_play_and_rests_plays_on_its_own_track(bench, sample):
    with_flute, _ = do(bench, sample, Task(Imitate("canon", MELODY, FLUTE), Scope((Bars(1, 4),))))
    after, _ = do(bench, with_flute, Task(Imitate("canon", MELODY, FLUTE), Scope((Bars(5, 8),))))
    assert len(after.tracks) == len(with_flute.tracks) == len(sample.tracks) + 1


def test_what_cannot_be_done_is_said(bench, sample):
    drums = Wish("drums", "drums", ("drums",), whole_role=True)
    for operation, why in (
        (Harmonise(drums), "no drums to harmonise"),
        (Imitate("canon", drums), "no drums to follow"),
        (Harmonise(FLUTE), "no flute"),
        (Imitate("answer", BASS, FLUTE), "leaves no gap"),
    ):
        after, changed = do(bench, sample, Task(operation))
        assert why in changed.blocked[0]
        assert after is sample


def test_locks_hold(bench, sample):
    lead = next(track for track in sample.tracks if track.name == "Lead")
    after, _ = do(bench, sample, Task(Harmonise(MELODY)), locks=(BarsLock(3, 6), TrackLock(lead.id)))
    assert {at // BAR for at, _, _ in line(after.tracks[-1])} <= {0, 1, 6, 7}
    _, changed = do(bench, sample, Task(Harmonise(MELODY, inside=True)), locks=(TrackLock(lead.id),))
    assert "locked" in changed.blocked[0]


TABLE = [
    ("double the melody in thirds", Harmonise(MELODY)),
    ("a harmony line a sixth below", Harmonise(MELODY, 5, False)),
    ("second voice", Harmonise(MELODY)),
    ("octaves on the bass", Harmonise(BASS, 7)),
    ("add a second voice a third above the melody", Harmonise(MELODY, 2, True)),
    ("let the flute double the melody in sixths", Harmonise(MELODY, 5, by=FLUTE)),
    ("play the melody in thirds on the same track", Harmonise(MELODY, inside=True)),
    ("let the flute answer the melody in the gaps", Imitate("answer", MELODY, FLUTE)),
    ("the cello follows two bars later (canon)", Imitate("canon", MELODY, CELLO, bars=2)),
    ("have the cello imitate the melody two beats later", Imitate("canon", MELODY, CELLO, 2.0, 0)),
    ("call and response between the melody and the flute", Imitate("answer", MELODY, FLUTE)),
    ("fill the gaps in the melody with a flute", Imitate("answer", MELODY, FLUTE)),
    ("make a canon of the melody with the cello", Imitate("canon", MELODY, CELLO)),
    ("harmonise the bass in octaves", Harmonise(BASS, 7)),
]


@pytest.mark.parametrize(("text", "operation"), TABLE)
def test_it_is_read(bench, text, operation):
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, Song()), has_music=True)

    def plain(one: object) -> object:
        return [
            getattr(one, name) if name not in ("wish", "by") else getattr(getattr(one, name), "label", None)
            for name in one.__struct_fields__
        ]

    assert [(type(t.operation), plain(t.operation)) for t in intent.tasks] == [(type(operation), plain(operation))]
    assert not intent.ignored
