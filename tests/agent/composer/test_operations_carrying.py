"""Parts between places: what is played there afterwards, in which key, and what stays."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.composer.changing.operations.carrying import Carry
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Bars, Named, Task
from agent.composer.understanding.wishes import Wish
from agent.song.clip import Clip
from agent.song.ids import ClipId, NoteId, SectionId
from agent.song.locks import BarsLock
from agent.song.song import Section, Song
from agent.song.time import Ticks
from agent.song.track import Track
from tests.agent.composer.doing import do, flaws, notes_outside, read

LEAD = Wish("lead", "lead", ("lead",), whole_role=True)
BASS = Wish("bass", "bass", ("bass",), whole_role=True)
DRUMS = Wish("drums", "drums", ("drums",), whole_role=True)
HATS = Wish("hi-hats", "drums", ("drums",), pieces=("hat",))
BAR = 3840
VERSE, CHORUS = (Named("verse"),), (Named("chorus"),)


@pytest.fixture
def song(sample) -> Song:
    """The sample with a verse and a chorus of four bars, of which the chorus has no lead and quieter drums."""
    sections = (
        Section(SectionId("verse"), "Verse", Ticks(0), Ticks(4 * BAR)),
        Section(SectionId("chorus"), "Chorus", Ticks(4 * BAR), Ticks(4 * BAR)),
    )
    tracks = []
    for track in sample.tracks:
        if track.name == "Lead":
            track = replace(track, clips=track.clips[:1])
        if track.name == "Drums":
            half = replace(track.clips[1], notes=track.clips[1].notes[::2])
            track = replace(track, clips=(track.clips[0], half))
        tracks.append(track)
    return replace(sample, sections=sections, tracks=tuple(tracks))


def played(song: Song, name: str, first: int, last: int) -> list[tuple[int, int, int, int]]:
    """Place in the stretch, pitch, length and velocity."""
    track = next(track for track in song.tracks if track.name == name)
    start, end = song.bar_map.span(first, last)
    return sorted(
        (clip.start + n.start - start, n.pitch, n.duration, n.velocity) for clip in track.clips for n in clip.notes
        if start <= clip.start + n.start < end
    )


def test_a_part_plays_elsewhere_what_it_plays_here(bench, song) -> None:
    after, _ = do(bench, song, Task(Carry(VERSE, CHORUS, LEAD)))
    assert played(after, "Lead", 5, 8) == played(song, "Lead", 1, 4)
    assert notes_outside(after, 4 * BAR, 8 * BAR) == notes_outside(song, 4 * BAR, 8 * BAR)
    assert flaws(after, bench.palette) <= flaws(song, bench.palette)


def test_a_longer_place_gets_it_over_and_over_and_a_shorter_its_beginning(bench, song) -> None:
    after, _ = do(bench, song, Task(Carry((Bars(1, 2),), CHORUS, DRUMS)))
    assert played(after, "Drums", 5, 6) == played(after, "Drums", 7, 8) == played(song, "Drums", 1, 2)
    after, _ = do(bench, song, Task(Carry(VERSE, (Bars(6, 6),), DRUMS)))
    assert played(after, "Drums", 6, 6) == played(song, "Drums", 1, 1)
    assert played(after, "Drums", 7, 8) == played(song, "Drums", 7, 8)


def test_single_drums_come_without_the_others(bench, song) -> None:
    after, _ = do(bench, song, Task(Carry(VERSE, CHORUS, HATS)))
    hats = [[one for one in played(s, "Drums", *bars) if one[1] == 42] for s, bars in ((song, (1, 4)), (after, (5, 8)))]
    assert hats[0] == hats[1]
    rest = [[one for one in played(s, "Drums", 5, 8) if one[1] != 42] for s in (song, after)]
    assert rest[0] == rest[1]


def test_the_whole_band_plays_the_chorus_like_the_verse(bench, song) -> None:
    after, _ = do(bench, song, Task(Carry(VERSE, CHORUS)))
    for track in song.tracks:
        assert played(after, track.name, 5, 8) == played(song, track.name, 1, 4)


def test_what_moves_is_gone_where_it_was(bench, song) -> None:
    after, _ = do(bench, song, Task(Carry(VERSE, CHORUS, LEAD, away=True)))
    assert not played(after, "Lead", 1, 4)
    assert played(after, "Lead", 5, 8) == played(song, "Lead", 1, 4)


def raised(track: Track) -> Track:
    """The track with its second half a minor third higher."""
    first, second = track.clips[0], track.clips[-1]
    notes = tuple(replace(note, pitch=note.pitch + 3) for note in second.notes)
    return replace(track, clips=(first, replace(second, notes=notes)))


def test_in_another_key_the_pitches_move_along(bench, song) -> None:
    tracks = tuple(raised(track) if track.name in ("Bass", "Chords") else track for track in song.tracks)
    after, _ = do(bench, replace(song, tracks=tracks), Task(Carry(VERSE, CHORUS, LEAD)))
    was, now = played(song, "Lead", 1, 4), played(after, "Lead", 5, 8)
    assert [(at, pitch + 3) for at, pitch, _, _ in was] == [(at, pitch) for at, pitch, _, _ in now]


def test_under_other_chords_the_bass_plays_their_roots(bench, song) -> None:
    tracks = []
    for track in song.tracks:
        if track.name in ("Bass", "Chords"):
            # the second half begins with its third bar: F, C, G, Am instead of Am, F, C, G
            first, second = track.clips
            turned = tuple(sorted(
                (replace(n, start=Ticks((n.start - BAR) % (4 * BAR))) for n in second.notes),
                key=lambda n: (n.start, n.pitch, n.id),
            ))
            track = replace(track, clips=(first, replace(second, notes=turned)))
        tracks.append(track)
    after, _ = do(bench, replace(song, tracks=tuple(tracks)), Task(Carry((Bars(1, 1),), (Bars(6, 6),), BASS)))
    assert {pitch % 12 for _, pitch, _, _ in played(after, "Bass", 6, 6)} == {0}
    assert [one[0] for one in played(after, "Bass", 6, 6)] == [one[0] for one in played(song, "Bass", 1, 1)]


def test_locked_bars_stay_and_an_empty_source_is_told(bench, song) -> None:
    after, _ = do(bench, song, Task(Carry(VERSE, CHORUS, LEAD)), (BarsLock(6, 6),))
    assert not played(after, "Lead", 6, 6)
    assert played(after, "Lead", 5, 5) == played(song, "Lead", 1, 1)
    for operation, why in (
        (Carry(CHORUS, VERSE, LEAD), "plays nothing"), (Carry(VERSE, VERSE, LEAD), "same place"),
        (Carry((Named("solo"),), VERSE, LEAD), "no solo"),
    ):
        same, changed = do(bench, song, Task(operation))
        assert same == song
        assert why in changed.blocked[0]


def test_notes_that_lie_across_the_clips_stay_whole(bench, song) -> None:
    lead = song.tracks[-1]
    long = replace(lead.clips[0].notes[0], id=NoteId("long"), start=Ticks(0), duration=Ticks(BAR))
    clip = Clip(ClipId("across"), "across", Ticks(3 * BAR), Ticks(2 * BAR), (replace(long, start=Ticks(BAR // 2)),))
    tracks = (*song.tracks[:-1], replace(lead, clips=(replace(lead.clips[0], duration=Ticks(3 * BAR), notes=tuple(
        note for note in lead.clips[0].notes if note.end <= 3 * BAR
    )), clip)))
    after, _ = do(bench, replace(song, tracks=tracks), Task(Carry((Bars(1, 1),), (Bars(6, 6),), LEAD)))
    assert played(after, "Lead", 4, 5) == played(replace(song, tracks=tracks), "Lead", 4, 5)


def test_it_is_proved_by_its_rhythm_there(bench, song) -> None:
    draft = bench.draft("use the lead of the verse in the chorus", song)
    (ask,) = draft.asks
    assert (ask.measure, ask.bars, ask.now_bars) == ("same_rhythm:Lead", (1, 4), (5, 8))


READ = [
    ("copy the verse melody to the chorus", "melody", False),
    ("use the bass line of the verse in the chorus", "bass", False),
    ("the bass of the verse again in the chorus", "bass", False), ("make the chorus like the verse", "", False),
    ("play the same drums in the chorus as in the verse", "drums", False),
    ("the drums in the chorus like in the verse", "drums", False),
    ("let the bass play the same in the chorus as in the verse", "bass", False),
    ("replace the drums in the chorus with the drums of the verse", "drums", False),
    ("move the melody from the verse to the chorus", "melody", True),
    ("the bass in the chorus should be like the verse", "bass", False),
]


@pytest.mark.parametrize(("said", "part", "away"), READ)
def test_people_say_it_in_many_ways(bench, song, said: str, part: str, away: bool) -> None:
    intent = read(said, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    (operation,) = [task.operation for task in intent.tasks]
    assert isinstance(operation, Carry)
    assert (operation.wish.label if operation.wish else "", operation.away) == (part, away)
    assert (operation.source, operation.target) == (VERSE, CHORUS)
    assert not intent.ignored
