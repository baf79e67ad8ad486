"""Finding notes: what the index says is what looking at every note says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.key import Key
from agent.song.locks import BarsLock, ClipLock, TrackLock
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import BarMap, MeterChange, Ticks
from agent.song.track import Track
from app.viewmodels.pianoroll.chords import chords_between
from app.viewmodels.pianoroll.drums import lanes, piece_name
from app.viewmodels.pianoroll.note_selection import NoteIndex
from app.viewmodels.pianoroll.roll_words import length_in_words, note_in_words
from app.viewmodels.pianoroll.shown import shown_clip
from app.viewmodels.pianoroll.step_input import octave_after, pitch_of
from app.viewmodels.plan.ghosts import Cause, GhostClip, Ghosts

BARS = BarMap([MeterChange(Ticks(0))])
NOTES = st.lists(
    st.tuples(st.integers(58, 62), st.integers(0, 60), st.integers(1, 40)), max_size=25,
).map(lambda shapes: in_order([
    Note(NoteId(f"n{n}"), pitch, Ticks(start), Ticks(length)) for n, (pitch, start, length) in enumerate(shapes)
]))


@given(NOTES, st.integers(57, 63), st.integers(0, 100))
def test_the_note_at_a_place_sounds_there_and_began_last(notes: tuple[Note, ...], pitch: int, at: int) -> None:
    found = NoteIndex(notes).at(pitch, at)
    there = [note for note in notes if note.pitch == pitch and note.start <= at < note.end]
    assert (found is None) == (not there)
    assert found is None or (found in there and found.start == max(note.start for note in there))


@given(NOTES, st.integers(0, 100), st.integers(1, 50), st.integers(57, 63), st.integers(0, 4))
def test_a_rectangle_finds_all_that_touches_it(
    notes: tuple[Note, ...], start: int, length: int, low: int, span: int
) -> None:
    found = NoteIndex(notes).within(start, start + length, low, low + span)
    wanted = {
        note.id for note in notes
        if note.start < start + length and note.end > start and low <= note.pitch <= low + span
    }
    assert {note.id for note in found} == wanted
    assert len(found) == len(wanted)


@given(NOTES)
def test_going_right_meets_every_note_once(notes: tuple[Note, ...]) -> None:
    index = NoteIndex(notes)
    met, now = [], notes[0] if notes else None
    while now is not None:
        met.append(now)
        now = index.beside(now, "right")
    assert tuple(met) == notes
    for note in notes:
        above = index.beside(note, "up")
        assert above is None or above.pitch > note.pitch
        assert (above is None) == (note.pitch == max(one.pitch for one in notes))


def test_notes_and_lengths_in_words() -> None:
    clip = Clip(ClipId("c"), "Clip", Ticks(8 * 3840), Ticks(3840), (
        note := Note(NoteId("n"), 60, Ticks(960), Ticks(960), 90),
    ))
    assert note_in_words(note, clip, BARS, Key("C"), kit=False) == "Note C4, bar 9 beat 2, 1/4, velocity 90"
    assert note_in_words(note, clip, BARS, Key("C"), kit=True) == "High bongo, bar 9 beat 2, velocity 90"
    assert [length_in_words(one) for one in (480, 720, 320, 2400, 960 * 4)] == [
        "1/8", "dotted 1/8", "1/8 triplet", "2.5 beats", "1/1",
    ]


def test_lanes_of_a_kit_are_the_usual_ones_and_what_is_used() -> None:
    assert lanes([], whole=False)[-1] == 36
    assert 75 in lanes([75, 36], whole=False)
    assert len(lanes([10], whole=True)) == 62
    assert piece_name(38) == "Snare"
    assert piece_name(3) == "Drum 3"


def test_letters_of_the_typing_keyboard() -> None:
    assert [pitch_of(letter, 4) for letter in "awsk"] == [60, 61, 62, 72]
    assert pitch_of("q", 4) is None
    assert pitch_of("P", 9) is None
    assert (octave_after(4, "x"), octave_after(0, "z"), octave_after(4, "a")) == (5, 0, None)


def chord(bar: int, *pitches: int) -> list[Note]:
    return [Note(NoteId(f"n{bar}{pitch}"), pitch, Ticks((bar - 1) * 3840), Ticks(3840)) for pitch in pitches]


def test_chords_are_named_where_they_sound_in_the_stretch() -> None:
    notes = in_order([*chord(1, 48, 64, 67), *chord(2, 45, 60, 64), *chord(3, 45, 60, 64), *chord(4, 43, 59, 62)])
    song = Song(tracks=(Track(TrackId("t"), "Keys", "piano_grand", clips=(
        Clip(ClipId("c"), "Clip", Ticks(0), Ticks(4 * 3840), notes),
    )),))
    found = chords_between(song, (), 3840, 4 * 3840)
    assert [(one.name, one.start // 3840, one.end // 3840) for one in found] == [("Am", 1, 3), ("G", 3, 4)]


def test_chords_that_are_struck_within_a_bar_have_their_own_names() -> None:
    struck = [(0, 2, (57, 60, 64)), (2, 1, (65, 69, 72)), (3, 1, (62, 65, 69))]
    notes = [
        Note(NoteId(f"n{beat}{pitch}"), pitch, Ticks(beat * 960), Ticks(length * 960))
        for beat, length, pitches in struck for pitch in pitches
    ]
    # A bass that stays, and a melody that wanders over it.
    notes += [Note(NoteId("bass"), 45, Ticks(0), Ticks(3840))]
    notes += [Note(NoteId(f"m{at}"), 72 + at, Ticks(at * 480), Ticks(480)) for at in range(8)]
    song = Song(tracks=(Track(TrackId("t"), "Keys", "piano_grand", clips=(
        Clip(ClipId("c"), "Clip", Ticks(0), Ticks(3840), in_order(notes)),
    )),))
    found = [(one.name, one.start // 960, one.end // 960) for one in chords_between(song, (), 0, 3840)]
    assert [one[1:] for one in found] == [(0, 2), (2, 3), (3, 4)]
    assert [one[0].rstrip("7maj") for one in found] == ["A", "F", "D"]


def test_a_clip_that_the_plan_changes_is_shown_as_planned_before_what_is_there() -> None:
    old = Clip(ClipId("c"), "Old", Ticks(0), Ticks(3840))
    new = Clip(ClipId("c"), "New", Ticks(0), Ticks(3840), tuple(chord(1, 60)))
    song = Song(tracks=(Track(TrackId("t"), "Keys", "piano_grand", clips=(old,)),))
    ghosts = Ghosts((GhostClip(Cause(3, "s", frozenset("s")), "changed", TrackId("t"), new, old),))
    planned = shown_clip(song, ghosts, (), Palette(), ClipId("c"), planned=True)
    assert planned is not None
    assert (planned.clip, planned.before, planned.editable) == (new, old, False)
    now = shown_clip(song, ghosts, (), Palette(), ClipId("c"), planned=False)
    assert now is not None
    assert (now.clip, now.planned, now.editable) == (old, True, True)
    assert shown_clip(song, Ghosts(), (), Palette(), ClipId("gone"), planned=True) is None


def test_a_lock_is_told_in_words() -> None:
    clip = Clip(ClipId("c"), "Old", Ticks(3840), Ticks(3840))
    song = Song(tracks=(Track(TrackId("t"), "Keys", "piano_grand", clips=(clip,)),))
    told = (
        (TrackLock(TrackId("t")), "Track locked"), (ClipLock(ClipId("c")), "Clip locked"),
        (BarsLock(2, 3), "Bars 2–3 locked"),
    )
    for lock, words in told:
        shown = shown_clip(song, Ghosts(), (lock,), Palette(), ClipId("c"), planned=True)
        assert shown is not None
        assert words in shown.locked
        assert shown.editable
    free = shown_clip(song, Ghosts(), (BarsLock(5, 6),), Palette(), ClipId("c"), planned=True)
    assert free is not None
    assert not free.locked
