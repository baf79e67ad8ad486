"""Rows that take music away are marked, unless the plan puts something in its place; `--yes` covers what was asked."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from studio_parts import BASS, BEAT, CHORDS, DRUMS, PAD, RIFF, a_plan, a_song, beats, judged, some_notes, step

from agent.plan.plan import Clause, Step
from agent.review.decide import fix_for
from agent.review.deletions import bar_words, unasked
from agent.review.review import Review
from agent.review.rule import Rule
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import ClipId, TrackId
from agent.song.song import Song

SECOND = TrackId("tsecond")


def removing(review: Review) -> dict[str, str]:
    return {mark.step: mark.message for mark in review.plan.lint if mark.rule == Rule.REMOVES}


def new_track(*, bars: int = 4) -> tuple[Step, ...]:
    notes: list[dict[str, Any]] = [{"n": 40, "s": 4 * bar, "d": 2} for bar in range(bars)]
    return (
        step("t", "create_track", {"name": "Cello", "instrument": "strings_cello"}),
        step(
            "c", "create_midi_clip",
            {"track_id": "{{t.track_id}}", "start_time": 0, "duration": 4 * bars, "notes": notes},
        ),
    )


GOING = {
    "a track": (step("s1", "delete_track", {"track_id": BASS}), "Bass sounds no longer in bars 1–4"),
    "a clip": (step("s1", "delete_clip", {"clip_id": BEAT}), "Drums sounds no longer in bars 1–4"),
    "all notes": (step("s1", "modify_clip", {"clip_id": CHORDS, "notes": []}), "Pad sounds no longer in bars 5 and 7"),
    "a bar of notes": (
        step("s1", "modify_clip", {"clip_id": RIFF, "notes": [{"n": 40, "s": 0, "d": 1}, {"n": 43, "s": 4, "d": 1}]}),
        "Bass sounds no longer in bars 3–4",
    ),
    "the sound of a track": (step("s1", "update_track", {"track_id": DRUMS, "mute": True}), "Drums sounds no longer"),
}


@pytest.mark.parametrize("what", GOING)
def test_what_sounds_no_longer_is_marked_with_its_bars(what: str) -> None:
    row, says = GOING[what]
    review = judged(a_plan(row))
    assert removing(review)["s1"].startswith(says)
    [mark] = [one for one in review.plan.lint if one.rule == Rule.REMOVES]
    decision = fix_for(mark, review.plan)
    assert decision is not None
    assert decision.step == "s1"


STAYING = {
    "another part takes its place": (*new_track(), step("s1", "delete_track", {"track_id": BASS})),
    "fewer notes in each bar": (
        step("s1", "modify_clip", {"clip_id": BEAT, "notes": [{"n": 36, "s": 4 * bar, "d": 1} for bar in range(4)]}),
    ),
    "notes that are held on": (step("s1", "modify_clip", {"clip_id": CHORDS, "notes": [{"n": 60, "s": 0, "d": 16}]}),),
    "another sound": (step("s1", "update_track", {"track_id": BASS, "instrument": "bass_synth"}),),
}


@pytest.mark.parametrize("why", STAYING)
def test_thinning_replacing_and_rewriting_take_nothing_away(why: str) -> None:
    assert removing(judged(a_plan(*STAYING[why]))) == {}


def test_a_part_that_comes_elsewhere_takes_no_place() -> None:
    review = judged(a_plan(*new_track(bars=2), step("s1", "delete_track", {"track_id": BASS})))
    assert removing(review) == {"s1": "Bass sounds no longer in bars 3–4, and nothing of its kind takes its place"}


def comes(name: str, instrument: str, *rows: tuple[int, float, float]) -> tuple[Step, ...]:
    notes = [{"n": pitch, "s": start, "d": length} for pitch, start, length in rows]
    return (
        step("t", "create_track", {"name": name, "instrument": instrument}),
        step("c", "create_midi_clip", {"track_id": "{{t.track_id}}", "start_time": 0, "duration": 16, "notes": notes}),
    )


OTHERWISE = {
    "one drum for a kit": (DRUMS, comes("Woodblock", "kit_standard", *((76, beat, 0.5) for beat in range(16)))),
    "pitches for drums": (DRUMS, comes("Cello", "strings_cello", *((40, beat, 1) for beat in range(16)))),
    "a high tune for the bass": (BASS, comes("Flute", "woodwind_flute", *((79, beat, 1) for beat in range(16)))),
    "drums for the bass": (BASS, comes("Beat", "kit_standard", *((36, beat, 1) for beat in range(16)))),
}


def with_hats() -> Song:
    """The song with a hi-hat and a snare beside its kick."""
    strokes = [(42, beat / 2, 0.25) for beat in range(32)] + [(38, beat, 0.5) for beat in range(1, 16, 2)]
    notes = some_notes(*strokes, salt="h")
    hats = e.CreateMidiClip(
        clip_id=ClipId("chats"), track_id=DRUMS, start_time=beats(0), duration=beats(16), name="Hats", notes=notes
    )
    return apply_all(a_song(), (hats,))


@pytest.mark.parametrize("what", OTHERWISE)
def test_music_of_another_kind_takes_no_place(what: str) -> None:
    track, rows = OTHERWISE[what]
    review = judged(a_plan(*rows, step("s1", "delete_track", {"track_id": track})), song=with_hats())
    assert "nothing of its kind takes its place" in removing(review)["s1"]


def test_what_comes_in_takes_the_place_of_one_part_alone() -> None:
    twice = apply_all(a_song(), (e.DuplicateTrack(track_id=BASS, new_track_id=SECOND),))
    gone = (step("s1", "delete_track", {"track_id": BASS}), step("s2", "delete_track", {"track_id": SECOND}))
    assert len(removing(judged(a_plan(*new_track(), *gone), song=twice))) == 1
    assert len(removing(judged(a_plan(*gone), song=twice))) == 2


GONE = step("s1", "delete_track", {"track_id": BASS})
KEPT = step("s2", "update_track", {"track_id": PAD, "volume_db": -3})


@pytest.mark.parametrize(
    ("clauses", "left_out"),
    [
        ((), ("s1",)),
        ((Clause("take the bass out", steps=("s1",), outcome="done", removes=True),), ()),
        ((Clause("make it calmer", steps=("s1", "s2"), outcome="done"),), ("s1",)),
        (
            (Clause("take the bass out", steps=("s1",), outcome="done", removes=True), Clause("frobnicate it")),
            ("s1",),
        ),
    ],
)
def test_only_plain_words_let_a_row_take_music_away(clauses: tuple[Clause, ...], left_out: tuple[str, ...]) -> None:
    review = judged(replace(a_plan(GONE, KEPT), clauses=clauses))
    assert unasked(review.plan) == left_out


@pytest.mark.parametrize(
    ("bars", "words"), [((3,), "bar 3"), ((1, 2, 3), "bars 1–3"), ((1, 3, 4, 9), "bars 1, 3–4 and 9")]
)
def test_bars_are_told_as_people_write_them(bars: tuple[int, ...], words: str) -> None:
    assert bar_words(bars) == words


THIN = step("s1", "modify_clip", {"clip_id": BEAT, "notes": [{"n": 36, "s": 4 * bar, "d": 1} for bar in range(4)]})
CALMER = Clause("make it calmer", steps=("s1",), outcome="done")
SIMPLER = Clause("simpler drums", steps=("s1",), outcome="done", thins=True)
STRANGE = Clause("frobnicate it")
AMBIENT = Clause("make it ambient", steps=("s1",), outcome="done", removes=True)


def thinning(review: Review) -> list[str]:
    return [mark.message for mark in review.plan.lint if mark.rule == Rule.THINS]


def test_a_row_that_takes_notes_nobody_spoke_of_says_how_many() -> None:
    assert thinning(judged(a_plan(THIN, clauses=(CALMER,)))) == ["takes 12 of 16 notes from Drums"]
    assert thinning(judged(a_plan(THIN, clauses=(SIMPLER,)))) == []


def test_another_style_may_play_other_notes_but_not_few_without_a_word() -> None:
    half = [{"n": 36, "s": beat, "d": 1} for beat in range(0, 16, 2)]
    about_as_many = step("s1", "modify_clip", {"clip_id": BEAT, "notes": half})
    assert thinning(judged(a_plan(THIN, clauses=(AMBIENT,)))) == ["takes 12 of 16 notes from Drums"]
    assert thinning(judged(a_plan(about_as_many, clauses=(AMBIENT,)))) == []


def test_notes_that_another_row_puts_in_their_place_are_not_lost() -> None:
    again = step("s2", "modify_clip", {"clip_id": BEAT, "notes": [{"n": 36, "s": beat, "d": 1} for beat in range(16)]})
    assert thinning(judged(a_plan(THIN, again, clauses=(CALMER,)))) == []


@pytest.mark.parametrize(
    ("clauses", "left_out"),
    [((CALMER,), ()), ((CALMER, STRANGE), ("s1",)), ((SIMPLER, STRANGE), ()), ((AMBIENT, STRANGE), ())],
)
def test_it_waits_where_something_of_the_request_was_not_understood(
    clauses: tuple[Clause, ...], left_out: tuple[str, ...]
) -> None:
    assert unasked(judged(a_plan(THIN, KEPT, clauses=clauses)).plan) == left_out
