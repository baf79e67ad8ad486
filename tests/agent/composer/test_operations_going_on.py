"""Parts that go on where they rest, low notes that another doubles, and last chords held by so many beats."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.changing.operations.exchanging import Exchange
from agent.composer.changing.operations.playing_on import PlayOn
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Add, Double, Resize
from agent.composer.understanding.sentences import told
from agent.composer.understanding.tasks import Bars, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.ids import TrackId
from agent.song.song import Song
from tests.agent.composer.conftest import Bench
from tests.agent.composer.doing import do, notes_outside, read

BAR = 3840


@pytest.fixture(scope="module")
def halting(sample: Song) -> Song:
    """The sample, whose bass rests in the second bar and stops for good after the fourth."""
    tracks = [
        track if track.name != "Bass" else structs.replace(track, clips=tuple(
            structs.replace(clip, notes=tuple(
                note for note in clip.notes
                if clip.start + note.start < 4 * BAR and (clip.start + note.start) // BAR != 1
            )) for clip in track.clips
        )) for track in sample.tracks
    ]
    return structs.replace(sample, tracks=tuple(tracks))


def said(text: str, bench: Bench, song: Song) -> tuple[list[str], list[str]]:
    """What is understood, and what is told."""
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, song)
    intent = read(text, lexicon, has_music=True)
    tasks = [told(task, song.tempos[0].bpm) for task in intent.tasks]
    return tasks, [clause.text for clause in intent.clauses if clause.outcome == "told"]


@pytest.mark.parametrize(("text", "task"), [
    ("could the bass carry on to the end?", "Bass playing on from where it stops to the end"),
    ("let the bass keep going until bar 6", "Bass playing on from where it stops up to bar 6"),
    ("continue the bass through to bar 7 in the same style", "Bass playing on from where it stops up to bar 7"),
    ("let the bass run under the whole thing", "Bass playing on through the whole song"),
    ("the bass should go from start to finish", "Bass playing on through the whole song"),
    ("get the bass landing on the one", "Bass on the first beat of every bar"),
    ("what the bass played goes up an octave", "Bass an octave up"),
    ("turn the bass down like 4 dB", "Bass quieter by 4 dB"),
    ("swap the bass for an 808", "808 instead of Bass"),
    ("stretch it to half speed", "half the tempo: about 56 BPM"),
    ("can it go into E minor", "key: E minor"),
    ("hold it three beats longer in all parts", "hold the last chord 3 beats longer"),
    ("add a tuba that doubles the low notes of the bass", "the low notes of Bass doubled by tuba"),
])
def test_what_is_to_go_on_is_read(text: str, task: str, bench: Bench, sample: Song) -> None:
    tasks, left = said(text, bench, sample)
    assert [one.casefold() for one in tasks] == [task.casefold()]
    assert not left


def test_a_part_goes_on_only_from_where_it_stops(bench: Bench, halting: Song) -> None:
    bass = next(track for track in halting.tracks if track.name == "Bass")
    wish = Wish("Bass", tracks=(bass.id,))
    song, _ = do(bench, halting, Task(PlayOn(wish, onward=True, last=6)))
    begun = {(clip.start + note.start) // BAR for clip in song.track(bass.id).clips for note in clip.notes}
    assert {4, 5} <= begun
    assert 1 not in begun
    assert not begun & {6, 7}
    assert notes_outside(song, 4 * BAR, 8 * BAR) == notes_outside(halting, 4 * BAR, 8 * BAR)


def test_low_notes_alone_are_doubled(bench: Bench, sample: Song) -> None:
    part = next(track for track in sample.tracks if track.name not in ("Bass", "Drums"))
    by = Wish("tuba", instruments=("brass_tuba",), families=("brass",))
    song, _ = do(bench, sample, Task(Double(Wish(part.name, tracks=(part.id,)), by, lowest=True)))
    new = next(track for track in song.tracks if track.id not in {one.id for one in sample.tracks})
    at = {clip.start + note.start for clip in new.clips for note in clip.notes}
    assert at
    assert at <= {clip.start + note.start for clip in part.clips for note in clip.notes}
    assert new.note_count < part.note_count


def test_two_parts_exchange_their_lines(bench: Bench, sample: Song) -> None:
    bass = next(track for track in sample.tracks if track.name == "Bass")
    other = next(track for track in sample.tracks if track.name not in ("Bass", "Drums"))
    tasks, left = said(f"swap the bass and the {other.name.lower()}", bench, sample)
    assert tasks == [f"bass and {other.name.lower()} exchange their lines"]
    assert not left
    wishes = [Wish(track.name, tracks=(track.id,)) for track in (bass, other)]
    song, _ = do(bench, sample, Task(Exchange(*wishes)))

    def line(one: Song, track: TrackId) -> set[tuple[int, int]]:
        clips = one.track(track).clips
        return {(clip.start + note.start, note.pitch % 12) for clip in clips for note in clip.notes}

    assert line(song, bass.id) == line(sample, other.id)
    assert line(song, other.id) == line(sample, bass.id)
    assert [track.instrument for track in song.tracks] == [track.instrument for track in sample.tracks]


@pytest.mark.parametrize(("text", "tasks"), [
    ("add some rock drums", ["add rock drums"]),
    ("put dusty hip hop drums under it", ["add trap drums"]),
    ("take out the bass and put a tuba to play the same bass", ["tuba instead of bass"]),
    ("put some rock drums in there", ["add rock drums"]),
    ("the tempo about 10 bpm slower", ["tempo: exactly 102 BPM"]),
    ("the last chord should be held three beats longer", ["hold the last chord 3 beats longer"]),
    ("that last chord should ring, hold it four beats longer", ["hold the last chord 4 beats longer"]),
])
def test_wishes_beside_one_another_are_read(text: str, tasks: list[str], bench: Bench, sample: Song) -> None:
    assert said(text, bench, sample) == (tasks, [])


def test_drums_in_a_style_leave_the_rest_of_the_song(bench: Bench, sample: Song) -> None:
    bare = structs.replace(sample, tracks=tuple(track for track in sample.tracks if track.name != "Drums"))
    song, _ = do(bench, bare, Task(Add(Wish("drums", role="drums", whole_role=True), "rock")))
    assert [one for one in song.tracks if one.id in {track.id for track in bare.tracks}] == list(bare.tracks)
    assert len(song.tracks) == len(bare.tracks) + 1


def test_nothing_is_asked_about_a_part_that_is_not_there(bench: Bench, sample: Song) -> None:
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, sample)
    request = "the bagpipes should wobble like a jelly on the bass"
    intent = read(request, lexicon, has_music=True)
    assert [wish.label.casefold() for wish in intent.mentioned] == ["bass"]
    asked = bench.asked(intent, request, sample).text
    assert "the bagpipes should wobble" in asked or "bagpipes should wobble" in asked
    assert "bass?" in asked


@pytest.mark.parametrize(("text", "left"), [("cut 2 bars", 6), ("cut about 2 bars", 6), ("trim roughly 3 bars", 5)])
def test_bars_to_cut_are_no_length(text: str, left: int, bench: Bench, sample: Song) -> None:
    assert said(text, bench, sample) == ([f"length: {left} bars"], [])


def test_bars_are_cut_from_the_place_alone(bench: Bench, sample: Song) -> None:
    scope = Scope((Bars(1, 4),))
    song, _ = do(bench, sample, Task(Resize(bars=sample.bars - 2, by=-2), scope))
    assert song.bars == sample.bars - 2
    assert told(Task(Resize(bars=6, by=-2), scope), None) == "bars 1-4: 2 bars shorter"
