"""The ghost: it touches nothing, and the run gives exactly what it showed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from studio_parts import (
    BASS,
    BEAT,
    CHORDS,
    DRUMS,
    PAD,
    REVERB,
    RIFF,
    Bench,
    a_plan,
    a_song,
    a_tool,
    judged,
    run,
    small_rows,
    step,
)

from agent.plan.errors import PlanError
from agent.plan.plan import OnError, Step
from agent.review import preview
from agent.services.service import Call, Outcome, Unforeseen
from agent.session.executor import Executor
from agent.song.locks import BarsLock, TrackLock
from agent.song.revision import song_revision

FORMS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("create_track", {"name": "New", "instrument": "pad_warm"}, {}),
    (
        "create_midi_clip",
        {"track_id": "{{made.track_id}}", "start_time": 0.3, "duration": 4, "notes": [{"n": 50, "s": 0, "d": 1 / 3}]},
        {},
    ),
    ("add_effect", {"track_id": "{{made.track_id}}", "effect_name": "delay"}, {}),
    ("modify_clip", {"clip_id": RIFF, "notes": [{"n": 40, "s": 0.1, "d": 1}]}, {}),
    ("transform_clip", {"clip_id": BEAT, "operation": "humanize", "timing": 0.02, "seed": 3}, {}),
    ("duplicate_track", {"track_id": PAD}, {}),
    ("duplicate_clip", {"clip_id": CHORDS}, {}),
    ("split_clip", {"clip_id": CHORDS, "at_time": 20}, {}),
    ("delete_track", {"track_id": DRUMS}, {}),
    ("set_tempo", {"bpm": 90}, {}),
    ("add_section", {"name": "B", "start_time": 32, "duration": 8}, {}),
    ("update_effect", {"effect_id": REVERB, "params": {"mix": 0.9}}, {}),
    ("set_automation", {"track_id": BASS, "target": "pan", "points": [{"at": 0, "value": 0.5}]}, {}),
    ("update_track", {"track_id": "{{item.track_id}}", "volume_db": -9}, {"for_each": "{{found.items}}"}),
    ("duplicate_track", {"track_id": "{{item.track_id}}"}, {"for_each": "{{found.items}}"}),
    ("describe_song", {}, {}),
    ("rename_song", {"name": "x"}, {"when": {"left": "{{found.items}}", "op": "empty"}}),
]


@st.composite
def rows(draw: st.DrawFn) -> tuple[Step, ...]:
    chosen = draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=6))
    first = (
        step("made", "create_track", {"name": "Made", "instrument": "piano_grand"}),
        step("found", "find_tracks", {"name": "a"}),
    )
    return (*first, *(step(f"r{number}", tool, inputs, **more) for number, (tool, inputs, more) in enumerate(chosen)))


@settings(max_examples=examples(80))
@given(rows())
def test_the_run_gives_the_ids_and_the_song_of_the_preview_and_the_preview_touches_nothing(
    steps: tuple[Step, ...],
) -> None:
    before = msgspec.json.encode(a_song())
    review = judged(a_plan(*steps))
    assert msgspec.json.encode(a_song()) == before
    assert review.preview is not None
    if review.errors:
        return
    ran = run_of(review.plan)
    assert set(ran.states) <= {"done", "skipped"}
    assert ran.studio.song == review.preview.song
    assert song_revision(ran.studio.song) == song_revision(review.preview.song)
    for report in ran.reports:
        assert report.result == review.preview.row(report.step).result


def run_of(plan: Any) -> Any:
    import asyncio

    from studio_parts import FastCancellation, Ran, Studio, a_registry

    async def carried_out() -> Ran:
        studio, cancellation = Studio(a_song()), FastCancellation()
        executor = Executor("rrun", plan, plan.hash, a_registry(Bench()), studio, studio, cancellation, {})
        return Ran(await executor.execute(), studio, cancellation)

    return asyncio.run(carried_out())


def test_judging_twice_gives_the_same() -> None:
    once = judged(a_plan(*small_rows()))
    twice = judged(once.plan)
    assert once.plan == twice.plan
    assert once.preview is not None
    assert twice.preview is not None
    assert once.preview.song == twice.preview.song


def test_each_row_shows_its_own_before_and_after() -> None:
    preview = judged(a_plan(*small_rows())).preview
    assert preview is not None
    first, second, third = preview.rows
    assert first.before == a_song()
    assert first.after == second.before
    assert len(third.after.tracks[-1].effects) == 1
    assert [track.change for track in preview.changes.tracks] == ["added"]


@pytest.mark.parametrize(
    ("lock", "row"),
    [
        (TrackLock(BASS), step("s1", "update_track", {"track_id": BASS, "volume_db": -1})),
        (BarsLock(5, 6), step("s1", "transform_clip", {"clip_id": CHORDS, "operation": "transpose", "semitones": 1})),
        (BarsLock(5, 6), step("s1", "set_time_signature", {"beats": 3, "unit": 4})),
    ],
)
def test_a_locked_target_is_refused_by_preview_and_by_the_run(lock: TrackLock | BarsLock, row: Step) -> None:
    plan = a_plan(row, locks=(lock,))
    review = judged(plan)
    assert review.preview is not None
    assert review.preview.song == a_song()
    assert review.preview.row("s1").locked
    assert [one.rule for one in review.errors] == ["locked"]
    ran = run(plan)
    assert ran.states == ["failed"]
    assert "which is locked" in ran["s1"].reason
    assert ran.studio.song == a_song()


def test_a_row_that_would_fail_leaves_the_ghost_as_it_was_and_the_others_go_on() -> None:
    review = judged(a_plan(step("s1", "delete_clip", {"clip_id": "cgone"}), step("s2", "set_tempo", {"bpm": 90})))
    assert review.preview is not None
    assert review.preview.song.tempos[0].bpm == 90
    assert [(one.step, one.rule) for one in review.errors] == [("s1", "would fail")]


def test_what_a_model_decides_later_is_unseen_with_all_that_needs_it() -> None:
    rows = (
        step("s1", "work_on", {"tools": ["create_track"]}, by="model", goal="a warm pad", max_edits=1),
        step("s2", "create_midi_clip", {"track_id": "{{s1.calls[0].result.track_id}}", "start_time": 0, "duration": 4}),
        step("s3", "set_tempo", {"bpm": 90}),
    )
    review = judged(a_plan(*rows))
    assert review.preview is not None
    assert [row.unseen for row in review.preview.rows] == [True, True, False]
    assert review.errors == ()
    assert [(one.step, one.rule) for one in review.plan.lint] == [("s1", "not heard yet"), ("s2", "not heard yet")]


class World:
    """A service that only the world can answer for."""

    name, limit = "world", 1

    def __init__(self) -> None:
        self.tools = (a_tool("ask", self.name, effect="outside"),)

    async def call(self, call: Call) -> Outcome:
        """Nobody calls it here."""
        raise AssertionError(call)

    def foresee(self, call: Call) -> Outcome:
        """Nothing can be foreseen."""
        raise Unforeseen("the world is not asked before the run")


def test_what_the_world_answers_is_known_when_it_runs_and_hides_nothing_else() -> None:
    rows = (
        step("s1", "ask"), step("s2", "set_tempo", {"bpm": "{{s1.value}}"}), step("s3", "set_tempo", {"bpm": 90}),
    )
    review = judged(a_plan(*rows), World())
    assert review.preview is not None
    assert review.errors == ()
    assert review.preview.song.tempos[0].bpm == 90
    said = {one.step: one.message for one in review.plan.lint if one.rule == "known when it runs"}
    assert said == {
        "s1": "ask (s1) is known only when it runs: it asks outside of the song",
        "s2": "set_tempo (s2) is known only when it runs: it needs row s1",
    }


def test_a_goal_for_a_track_that_is_not_there_cannot_be_approved() -> None:
    made = step("s1", "create_track", {"name": "Keys", "instrument": "pad_warm"})
    limits = {"tools": ["update_track"], "tracks": ["{{s1.track_id}}", "tbass", "master"]}
    fine = step("s2", "work_on", limits, by="model", goal="softer", max_edits=2)
    assert judged(a_plan(made, fine)).errors == ()
    gone = {**limits, "tracks": ["tgone"]}
    [wrong] = judged(a_plan(step("s1", "work_on", gone, by="model", goal="softer", max_edits=2))).errors
    assert (wrong.step, wrong.rule) == ("s1", "would fail")
    assert "tgone" in wrong.message


def test_a_plan_with_errors_of_form_has_neither_hash_nor_ghost() -> None:
    review = judged(a_plan(step("s1", "nope")))
    assert (review.plan.hash, review.preview) == ("", None)
    assert review.errors


def test_a_service_that_breaks_is_a_mark_and_no_crash() -> None:
    class Broken(Bench):
        def foresee(self, call: Call) -> Outcome:
            raise ZeroDivisionError

    review = judged(a_plan(step("s1", "echo"), step("s2", "set_tempo", {"bpm": 90})), Broken())
    assert [(one.step, one.rule) for one in review.errors] == [("s1", "would fail")]
    assert "bench" in review.errors[0].message


def test_endless_nesting_is_refused_as_bad_input() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = {"x": deep}
    with pytest.raises(PlanError, match="nested too deeply"):
        judged(replace(a_plan(), steps=(Step("s1", "echo", deep),)), Bench())


def test_a_plan_of_endless_calls_is_refused_before_it_takes_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview, "MAX_CALLS", 12)
    loop = {"for_each": "{{s0.items}}"}
    looks = [step(f"s{number}", "get_track", {"track_id": "{{item.track_id}}"}, **loop) for number in range(1, 6)]
    few, many = (judged(a_plan(step("s0", "find_tracks"), *looks[:rows])) for rows in (1, 5))
    assert not few.errors
    assert many.errors[0].rule == "would fail"
    assert "more than 12 calls" in many.errors[0].message


@pytest.mark.parametrize(("on_error", "fails"), [(None, True), ("stop", True), ("continue", False),
                                                 ({"failures": 1}, False), ({"failures": 0}, True)])
def test_an_item_that_would_fail_fails_the_row_only_where_the_row_says_so(on_error: Any, fails: bool) -> None:
    tracks = [{"track_id": BASS}, {"track_id": "tgone"}, {"track_id": PAD}]
    rows = (
        step("s1", "list", {"items": tracks}),
        step("s2", "update_track", {"track_id": "{{item.track_id}}", "pan": 0.5}, for_each="{{s1.items}}",
             on_error=msgspec.convert(on_error, OnError | None)),
    )
    review = judged(a_plan(*rows), Bench())
    assert review.preview is not None
    marks = [(one.step, one.rule) for one in review.plan.lint]
    assert marks == [("s2", "would fail" if fails else "items would fail")]
    changed = {track.id for track in review.preview.song.tracks if track.pan == 0.5}
    assert changed == (set() if fails else {BASS, PAD})
