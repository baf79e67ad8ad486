"""Edits of notes by hand: whatever is asked, the song keeps its rules, and notes that stay keep their ids."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from agent.song.apply import apply_all
from agent.song.clip import Clip, Note, in_order
from agent.song.edits import ModifyClip, TransformClip
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import BarMap, MeterChange, Ticks
from agent.song.track import Track
from agent.theory.pitch import in_scale
from app.viewmodels.pianoroll import note_edits as edits
from app.viewmodels.pianoroll import operations
from app.viewmodels.pianoroll.grid import SNAPS, floored, lines_between, snapped, step_of, stepped
from app.viewmodels.pianoroll.note_edits import NoteEdit

LENGTH = 7680
BARS = BarMap([MeterChange(Ticks(0))])


@st.composite
def clips(draw: st.DrawFn) -> Clip:
    notes = []
    for number in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, LENGTH - 1))
        length = draw(st.integers(1, LENGTH - start))
        pitch, velocity = draw(st.integers(0, 127)), draw(st.integers(1, 127))
        notes.append(Note(NoteId(f"n{number}"), pitch, Ticks(start), Ticks(length), velocity))
    return Clip(ClipId("c"), "Clip", Ticks(draw(st.integers(0, 9000))), Ticks(LENGTH), in_order(notes))


def after(clip: Clip, edit: NoteEdit) -> Clip:
    """The clip in a song that has taken the edit; the song checks its rules."""
    song = Song(tracks=(Track(TrackId("t"), "Track", "piano_grand", clips=(clip,)),))
    return apply_all(song, edit.edits).clip(clip.id)[1]


AMOUNT = st.integers(-20_000, 20_000)
WAYS: dict[str, Callable[[Clip, frozenset[NoteId], int], NoteEdit]] = {
    "move": lambda clip, ids, by: edits.moved(clip, ids, by, by % 31 - 15),
    "left edge": lambda clip, ids, by: edits.resized(clip, ids, by, "left"),
    "right edge": lambda clip, ids, by: edits.resized(clip, ids, by, "right"),
    "velocity": lambda clip, ids, by: edits.with_velocities(clip, dict.fromkeys(ids, by)),
    "transpose": lambda clip, ids, by: operations.transposed(clip, ids, by % 25 - 12),
    "quantize": lambda clip, ids, by: operations.quantized(clip, ids, BARS, by % 960, (by % 11) / 10),
    "humanize": lambda clip, ids, by: operations.humanized(clip, ids, abs(by) % 200, abs(by) % 60, abs(by)),
    "louder": lambda clip, ids, by: operations.velocities_scaled(clip, ids, (abs(by) % 300 + 1) / 100),
    "legato": lambda clip, ids, _: operations.legato(clip, ids),
    "scale": lambda clip, ids, _: operations.brought_into(clip, ids, Key("D", "minor")),
}


@given(clips(), st.sampled_from(sorted(WAYS)), AMOUNT, st.data())
def test_notes_stay_in_their_clip_and_keep_their_ids(clip: Clip, way: str, by: int, data: st.DataObject) -> None:
    ids = frozenset(data.draw(st.sets(st.sampled_from([note.id for note in clip.notes] or [NoteId("none")]))))
    edit = WAYS[way](clip, ids, by)
    now = after(clip, edit)
    assert {note.id for note in now.notes} == {note.id for note in clip.notes}
    assert bool(edit.edits) == (now.notes != clip.notes)
    if ids & {note.id for note in clip.notes}:
        touched = {note for note in now.notes if note not in clip.notes}
        assert {note.id for note in touched} <= ids
    assert bool(edit.label) == bool(edit.edits)


@given(clips(), AMOUNT, st.data())
def test_copies_are_new_and_what_is_made_is_told(clip: Clip, by: int, data: st.DataObject) -> None:
    ids = frozenset(data.draw(st.sets(st.sampled_from([note.id for note in clip.notes] or [NoteId("none")]))))
    for edit in (
        edits.moved(clip, ids, by, 1, copy=True), edits.duplicated(clip, ids, 240),
        edits.pasted(clip, edits.chosen(clip, ids), abs(by)),
    ):
        now = after(clip, edit)
        assert set(clip.notes) <= set(now.notes)
        assert {note.id for note in now.notes} - {note.id for note in clip.notes} == set(edit.made)


def test_a_transformation_of_all_notes_is_told_as_one() -> None:
    notes = tuple(Note(NoteId(f"n{n}"), 60 + n, Ticks(n * 500), Ticks(240)) for n in range(4))
    clip = Clip(ClipId("c"), "Clip", Ticks(3840), Ticks(LENGTH), notes)
    for edit in (
        operations.transposed(clip, frozenset(), 12), operations.quantized(clip, frozenset(), BARS, 240, 0.5),
        operations.humanized(clip, frozenset(), 20, 8, 7), operations.velocities_scaled(clip, frozenset(), 0.5),
    ):
        assert isinstance(edit.edits[0], TransformClip)
    some = operations.transposed(clip, frozenset([NoteId("n1")]), 12)
    assert isinstance(some.edits[0], ModifyClip)
    assert [note.pitch for note in after(clip, some).notes] == [60, 73, 62, 63]
    assert some.label == "Transpose 1 note up by 12"


def test_quantizing_keeps_to_the_bars_of_the_song_not_to_the_clip() -> None:
    clip = Clip(ClipId("c"), "Clip", Ticks(100), Ticks(LENGTH), (Note(NoteId("n"), 60, Ticks(300), Ticks(240)),))
    now = after(clip, operations.quantized(clip, frozenset(), BARS, 240, 1.0))
    assert (clip.start + now.notes[0].start) % 240 == 0


def test_an_octave_that_does_not_fit_changes_nothing() -> None:
    clip = Clip(ClipId("c"), "Clip", Ticks(0), Ticks(960), (Note(NoteId("n"), 120, Ticks(0), Ticks(240)),))
    assert operations.transposed(clip, frozenset(), 12) == NoteEdit()


def test_legato_fills_the_gaps_and_leaves_chords_together() -> None:
    notes = tuple(Note(NoteId(f"n{n}"), 60 + n, Ticks(n // 2 * 960), Ticks(240)) for n in range(4))
    clip = Clip(ClipId("c"), "Clip", Ticks(0), Ticks(3840), notes)
    assert [note.end for note in after(clip, operations.legato(clip, frozenset())).notes] == [960, 960, 1200, 1200]


@given(clips(), st.sampled_from([Key("C"), Key("F#", "dorian"), Key("Bb", "harmonic_minor")]))
def test_notes_brought_into_a_scale_belong_to_it(clip: Clip, key: Key) -> None:
    now = after(clip, operations.brought_into(clip, frozenset(), key))
    assert all(in_scale(key, note.pitch) for note in now.notes)


METERS = st.sampled_from([
    [MeterChange(Ticks(0))], [MeterChange(Ticks(0), 7, 8)],
    [MeterChange(Ticks(0), 3, 4), MeterChange(Ticks(2880 * 3), 5, 8)],
])


@given(METERS, st.sampled_from(SNAPS), st.integers(0, 40_000))
def test_the_grid_begins_anew_with_each_bar(meters: list[MeterChange], snap: str, at: int) -> None:
    bars, step = BarMap(meters), step_of(snap)  # type: ignore[arg-type]
    near, before = snapped(bars, at, step), floored(bars, at, step)
    assert before <= at
    assert abs(near - at) <= max(step, 0)
    if step:
        start = bars.start_of(bars.bar_at(near))
        assert near == start or (near - start) % step == 0
        assert stepped(bars, before, 1, step) > at
        assert stepped(bars, stepped(bars, before, 1, step), -1, step) == before
    else:
        assert near == at


@given(METERS, st.sampled_from(SNAPS), st.floats(0.05, 400), st.integers(0, 20_000))
def test_lines_go_forward_and_stand_apart(meters: list[MeterChange], snap: str, per_beat: float, start: int) -> None:
    bars = BarMap(meters)
    lines = list(lines_between(bars, start, start + 8000, step_of(snap), per_beat))  # type: ignore[arg-type]
    places = [line.at for line in lines]
    assert places == sorted(set(places))
    assert all(line.at == bars.start_of(line.bar) for line in lines if line.bar is not None)
