"""Notes of two versions: each is counted once, and known again by its id."""

from __future__ import annotations

from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from songs import songs

from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.viewmodels.history.comparing import Comparison, as_text, compared
from app.viewmodels.history.difference import counts_of, marks_of
from app.viewmodels.history.difference_sound import difference_song, version_heard


def note(name: str, pitch: int, start: int, velocity: int = 100) -> Note:
    return Note(NoteId(name), pitch, Ticks(start), Ticks(480), velocity)


def track(*notes: Note, clip: str = "c1", start: int = 0) -> Track:
    made = Clip(ClipId(clip), "Riff", Ticks(start), Ticks(9600), in_order(notes))
    return Track(TrackId("t1"), "Pad", "pad_warm", clips=(made,))


def kinds(before: Track | None, after: Track | None) -> list[str]:
    return [mark.kind for mark in marks_of(before, after)]


@settings(max_examples=examples(150))
@given(songs(), songs())
def test_every_note_of_both_versions_is_counted_once(a: Song, b: Song) -> None:
    found = compared(a, b, Palette())
    unchanged = sum(one.note_count for one in b.tracks if one in a.tracks)
    counts = found.counts
    assert counts.same + counts.moved + counts.removed + unchanged == a.note_count
    assert counts.same + counts.moved + counts.added + unchanged == b.note_count
    assert len(found.tracks) + len(found.same) == len({one.id for song in (a, b) for one in song.tracks})
    notes = sum(change.mark is not None for change in found.changes)
    assert notes == counts.differing
    assert found.empty == (a == b)
    assert (not found.changes) == found.empty
    as_text(found, "A", "B")


@given(songs(), songs())
def test_back_again_turns_added_and_removed_around(a: Song, b: Song) -> None:
    there, back = compared(a, b, Palette()).counts, compared(b, a, Palette()).counts
    assert (there.added, there.removed, there.moved, there.same) == (back.removed, back.added, back.moved, back.same)


def test_an_id_that_stays_is_a_note_that_moved() -> None:
    before = track(note("n1", 60, 0), note("n2", 64, 0), note("n3", 67, 960))
    after = track(note("n1", 60, 0), note("n2", 65, 0), note("n4", 67, 1920))
    [same, moved, removed, added] = marks_of(before, after)
    assert (same.kind, moved.kind, removed.kind, added.kind) == ("same", "moved", "removed", "added")
    pitches = [one.pitch for one in (moved.before, moved.after) if one is not None]
    assert pitches == [64, 65]


def test_a_softer_note_is_moved_too() -> None:
    assert kinds(track(note("n1", 60, 0, 100)), track(note("n1", 60, 0, 64))) == ["moved"]


def test_a_clip_that_moved_takes_its_notes_along() -> None:
    assert kinds(track(note("n1", 60, 0)), track(note("n1", 60, 0), start=960)) == ["moved"]


def test_notes_written_anew_that_sound_the_same_are_the_same() -> None:
    before, after = track(note("n1", 60, 0)), track(note("x9", 60, 0), clip="c2")
    assert kinds(before, after) == ["same"]


def test_a_part_written_anew_an_octave_up_has_moved() -> None:
    low = track(note("n1", 40, 0), note("n2", 43, 0), note("n3", 45, 960))
    high = track(note("x1", 52, 0), note("x2", 55, 0), note("x3", 57, 960))
    marks = marks_of(low, high)
    assert [mark.kind for mark in marks] == ["moved"] * 3
    assert [mark.after.pitch - mark.before.pitch for mark in marks if mark.before and mark.after] == [12, 12, 12]
    far = track(note("x1", 60, 0), note("x2", 43, 0, 90), note("x3", 45, 1000))
    assert sorted(kinds(low, far)) == ["added"] * 3 + ["removed"] * 3


def test_one_note_doubled_is_one_that_stays_and_one_added() -> None:
    assert sorted(kinds(track(note("n1", 60, 0)), track(note("n1", 60, 0), note("n2", 60, 960)))) == ["added", "same"]


def test_a_track_that_came_or_went() -> None:
    assert kinds(None, track(note("n1", 60, 0))) == ["added"]
    assert kinds(track(note("n1", 60, 0)), None) == ["removed"]
    assert counts_of(marks_of(None, None)).differing == 0


def chords(*tracks: Track) -> Song:
    return Song(tracks=tracks)


def differing(*kinds_heard: str) -> tuple[Comparison, list[list[int]]]:
    before = track(note("n1", 60, 0), note("n2", 64, 0), note("n3", 67, 0))
    after = track(note("n1", 60, 0), note("n2", 65, 0), note("n4", 72, 0, 90))
    found = compared(chords(before), chords(after), Palette())
    song = difference_song(found, kinds_heard)  # type: ignore[arg-type]
    return found, [[one.pitch for clip in made.clips for one in clip.notes] for made in song.tracks]


def test_the_difference_is_heard_by_kind() -> None:
    assert differing("added", "moved")[1] == [[65, 72]]
    assert differing("removed")[1] == [[67]]
    assert differing("added", "moved", "removed")[1] == [[65, 72], [67]]
    assert differing()[1] == []


def test_a_is_heard_as_loud_as_b_or_as_it_is() -> None:
    found = compared(Song(loudness_target=-15.0), Song(loudness_target=-18.0), Palette())
    assert version_heard(found, "a", matched=True).loudness_target == -18.0
    assert version_heard(found, "a", matched=False) is found.a
    assert version_heard(found, "b", matched=True) is found.b


def test_a_track_whose_mix_alone_differs_is_heard_whole() -> None:
    before = track(note("n1", 60, 0))
    found = compared(chords(before), chords(replace(before, volume_db=-9.0)), Palette())
    assert difference_song(found, ("added",)).note_count == 1


@settings(max_examples=examples(80))
@given(songs(), songs(), st.sets(st.sampled_from(["added", "removed", "moved"])))
def test_the_difference_of_any_songs_has_ids_of_its_own(a: Song, b: Song, heard: set[str]) -> None:
    song = difference_song(compared(a, b, Palette()), heard)  # type: ignore[arg-type]
    ids = [one.id for one in song.tracks] + [clip.id for _, clip in song.clips()]
    ids += [effect.id for one in song.tracks for effect in one.effects]
    assert len(set(ids)) == len(ids)
