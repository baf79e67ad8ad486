"""Parts that come, go, change hands and are doubled: tasks done on the sample song, and what stays."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.composer.changing.change import ChangeWriter
from agent.composer.changing.hearing.near_style import nearest_style
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.operations import Add, Double, Remove, Replace, Solo
from agent.composer.understanding.tasks import Bars, Operation, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.plan.document import Plan
from agent.plan.planning import Brief
from agent.review.review import review
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import SectionId
from agent.song.locks import Lock, TrackLock
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from agent.theory.gate import findings
from agent.theory.sounding import sounding

DRUMS = Wish("drums", "drums", ("drums", "percussion"), whole_role=True)
LEAD = Wish("lead", "lead", ("lead",), whole_role=True)
CHORDS = Wish("piano", "chords", ("piano",))
BASS = Wish("bass", "bass", ("bass",), whole_role=True)
ORGAN = Wish("organ", "chords", ("organ",))
STRINGS = Wish("strings", "pad", ("strings",), ("strings_ensemble",))
HATS = Wish("hi-hats", "drums", ("drums",), pieces=("hat",))
WHOLE = Scope()
HERE = Scope((Bars(3, 4),))


def done(bench, song: Song, *tasks: Task, locks: tuple[Lock, ...] = ()) -> tuple[Song, dict[int, str]]:
    """The song after the tasks, which must pass the gate, and why some were not possible."""
    brief = Brief("", song, bench.palette, tuple(bench.registry.tools.values()), 1, locks)
    rows = Rows(song, Guard(song, locks))
    change = ChangeWriter(brief, Intent(goal="change", tasks=tasks), bench.styles, None, Dice(1, "test"))
    for _ in change.write(rows):
        pass
    judged = review(Plan(steps=tuple(rows.steps), project="p", locks=locks), song, bench.registry, bench.palette)
    assert not judged.errors, judged.errors
    assert judged.preview is not None
    assert findings(judged.preview.song, bench.palette) == ()
    return judged.preview.song, change.changed.blocked


def one(bench, song: Song, operation: Operation, scope: Scope = WHOLE) -> Song:
    """The song after an operation that must be possible."""
    after, blocked = done(bench, song, Task(operation, scope))
    assert blocked == {}
    return after


def named(song: Song, name: str) -> Track:
    return next(track for track in song.tracks if track.name == name)


def with_form(song: Song) -> Song:
    """The sample in four sections of two bars; drums and lead rest in the first."""
    edits: list[e.Edit] = []
    for number, name in enumerate(("Intro", "Verse", "Chorus", "Outro")):
        start, long = Ticks(number * 7680), Ticks(7680)
        edits.append(e.AddSection(section_id=SectionId(f"s{number}"), name=name, start_time=start, duration=long))
    song = apply_all(song, edits)
    tracks = []
    for track in song.tracks:
        clips = track.clips
        if track.name in ("Drums", "Lead"):
            clips = tuple(
                replace(clip, notes=tuple(n for n in clip.notes if clip.start + n.start >= 7680)) for clip in clips
            )
        tracks.append(replace(track, clips=clips))
    return replace(song, tracks=tuple(tracks))


def test_a_part_added_in_bars_plays_there_alone(bench, sample) -> None:
    after = one(bench, sample, Add(STRINGS), HERE)
    new = after.tracks[-1]
    bars = {after.bar_map.bar_at(note.start) for note in sounding(after, (new.id,))}
    assert bars
    assert bars <= {3, 4}
    assert after.tracks[:-1] == sample.tracks


def test_added_drums_rest_where_the_song_is_thin(bench, sample) -> None:
    song = with_form(sample)
    without = replace(song, tracks=tuple(track for track in song.tracks if track.name != "Drums"))
    # the intro has nothing but a held bass
    thin = tuple(
        replace(t, clips=tuple(replace(c, notes=c.notes if t.name == "Bass" else tuple(
            n for n in c.notes if c.start + n.start >= 7680)) for c in t.clips)) for t in without.tracks
    )
    after = one(bench, replace(without, tracks=thin), Add(DRUMS))
    assert min(note.start for note in sounding(after, (after.tracks[-1].id,))) >= 7680


def test_a_new_part_has_its_own_colour_place_and_a_reason(bench, sample) -> None:
    after = one(bench, sample, Add(STRINGS))
    new = after.tracks[-1]
    assert new.color not in {track.color for track in sample.tracks}
    assert new.pan != 0


def test_the_nearest_style_of_a_composed_piece_has_its_tempo_and_feel(bench) -> None:
    jazz = bench.compose("a jazz trio in F major at 130 bpm, 16 bars", seed=1)
    assert nearest_style(jazz, bench.palette, bench.styles).name in ("jazz", "swing")
    trance = bench.compose("trance at 138 bpm, 16 bars", seed=2)
    assert nearest_style(trance, bench.palette, bench.styles).name == "trance"


def test_what_is_removed_in_bars_stays_outside_of_them(bench, sample) -> None:
    after = one(bench, sample, Remove(BASS), HERE)
    bass = named(after, "Bass")
    assert {after.bar_map.bar_at(n.start) for n in sounding(after, (bass.id,))} == {1, 2, 5, 6, 7, 8}
    assert [t for t in after.tracks if t.name != "Bass"] == [t for t in sample.tracks if t.name != "Bass"]


def test_single_drums_go_and_the_kit_stays(bench, sample) -> None:
    after = one(bench, sample, Remove(HATS))
    assert {note.pitch for note in sounding(after, (named(after, "Drums").id,))} == {36, 38}


def test_solo_leaves_the_others_out(bench, sample) -> None:
    after = one(bench, sample, Solo((CHORDS, BASS)))
    assert [track.name for track in after.tracks] == ["Bass", "Chords"]


def test_a_replaced_instrument_plays_the_same_notes_longer(bench, sample) -> None:
    after = one(bench, sample, Replace(CHORDS, STRINGS))
    old, new = sounding(sample, (named(sample, "Chords").id,)), sounding(after, (named(sample, "Chords").id,))
    assert [(n.start, n.pitch % 12) for n in old] == [(n.start, n.pitch % 12) for n in new]
    assert sum(n.beats for n in new) > sum(n.beats for n in old)
    assert next(t for t in after.tracks if t.id == named(sample, "Chords").id).instrument == "strings_ensemble"


def test_a_line_moves_by_octaves_as_a_whole(bench, sample) -> None:
    cello = Wish("cello", "lead", ("strings",), ("strings_cello",))
    after = one(bench, sample, Replace(LEAD, cello))
    old, new = sounding(sample, (named(sample, "Lead").id,)), sounding(after, (named(sample, "Lead").id,))
    assert len({a.pitch - b.pitch for a, b in zip(old, new, strict=True)}) == 1


def test_replacing_in_bars_hands_over_and_back(bench, sample) -> None:
    after = one(bench, sample, Replace(CHORDS, ORGAN), HERE)
    assert named(after, "Chords").instrument == "piano_grand"
    assert {after.bar_map.bar_at(n.start) for n in sounding(after, (after.tracks[-1].id,))} == {3, 4}


def test_what_it_is_already_is_said(bench, sample) -> None:
    _, blocked = done(bench, sample, Task(Replace(CHORDS, Wish("piano", "chords", ("piano",)))))
    assert "already" in blocked[0]


@pytest.mark.parametrize("semitones", [12, -12])
def test_a_double_is_softer_and_apart(bench, sample, semitones: int) -> None:
    after = one(bench, sample, Double(LEAD, semitones=semitones))
    lead, double = named(after, "Lead"), after.tracks[-1]
    old, new = sounding(after, (lead.id,)), sounding(after, (double.id,))
    assert {b.pitch - a.pitch for a, b in zip(old, new, strict=True)} == {semitones}
    assert double.volume_db < lead.volume_db
    assert abs(double.pan - lead.pan) >= 0.3
    assert lead == named(sample, "Lead")


def test_drums_get_a_layer_instead_of_an_octave(bench, sample) -> None:
    after = one(bench, sample, Double(DRUMS))
    assert len(after.tracks) == 5
    assert named(after, "Drums") == named(sample, "Drums")


def test_a_locked_part_is_not_removed(bench, sample) -> None:
    lock = TrackLock(named(sample, "Bass").id)
    _, blocked = done(bench, sample, Task(Remove(BASS)), locks=(lock,))
    assert "locked" in blocked[0]
