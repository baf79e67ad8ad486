"""What differs between two songs, in words."""

from __future__ import annotations

from agent.song.changes import Changes, ClipChanges, FieldChange, TrackChanges, compare
from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.ui.history.comparing import Counts, as_text, compared


def note(name: str, pitch: int) -> Note:
    return Note(NoteId(name), pitch, Ticks(0), Ticks(960), 90)


def song(volume: float, *notes: Note) -> Song:
    clip = Clip(ClipId("c1"), "Verse", Ticks(0), Ticks(3840), notes)
    return Song(tracks=(Track(TrackId("t1"), "Pad", "pad_warm", volume_db=volume, clips=(clip,)),))


def test_notes_are_counted_and_fields_told_with_real_signs() -> None:
    found = compared(compare(
        song(-7.5, note("a", 60), note("b", 62)), song(-9, note("a", 64), note("c", 67), note("d", 69))
    ))
    [part] = found.parts
    assert found.counts == part.counts == Counts(2, 1, 1)
    assert found.headline == "1 track differs"
    assert part.lines[0].text == "Volume, dB: −7.5 → −9"
    assert part.lines[1].text == "Clip “Verse”: notes: 2 added, 1 removed, 1 moved"
    text = as_text(found, "Iteration 1", "Iteration 2")
    assert "Notes: 2 added, 1 removed, 1 moved" in text
    assert text.startswith("A: Iteration 1\nB: Iteration 2")


def test_new_and_gone_tracks_and_the_song_itself() -> None:
    found = compared(compare(song(0), Song(name="Other")))
    assert [(part.title, part.state) for part in found.parts] == [("Song", "changed"), ("Pad", "removed")]
    assert found.parts[1].lines[0].text == "Clip “Verse” removed"


def test_equal_songs_and_endless_values() -> None:
    assert compared(Changes()).headline == "Both iterations are the same"
    long = FieldChange("effects", "", "x" * 10_000)
    clip = ClipChanges(ClipId("c"), "", "changed", fields=(long,))
    found = compared(Changes(tracks=(TrackChanges(TrackId("t"), "T", "changed", (clip,)),)))
    [line] = found.parts[0].lines
    assert line.what == "A clip, effects"
    assert line.before == "none"
    assert len(line.after) <= 200
