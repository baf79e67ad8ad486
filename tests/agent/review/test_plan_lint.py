"""Marks on rows, and that a click on their fix really takes them away."""

from __future__ import annotations

from typing import Any

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from studio_parts import BASS, PAD, REVERB, RIFF, a_plan, a_song, judged, small_rows, step, the_palette

from agent.plan.document import Finding, Plan
from agent.plan.plan import Ask, Step
from agent.review.decide import decided, fix_for
from agent.review.review import Review
from agent.song.ids import TrackId
from agent.song.locks import BarsLock, TrackLock


def clip(step_id: str, notes: list[dict[str, Any]], **inputs: Any) -> Step:
    return step(
        step_id, "create_midi_clip", {"track_id": BASS, "start_time": 16, "duration": 8, "notes": notes, **inputs}
    )


def marks(review: Review) -> list[tuple[str, str]]:
    return [(finding.step, finding.rule) for finding in review.plan.lint]


def the_mark(review: Review, rule: str) -> Finding:
    [finding] = [one for one in review.plan.lint if one.rule == rule]
    return finding


GOOD = [{"n": 40, "s": 0, "d": 2}]


def test_a_good_plan_has_no_marks() -> None:
    assert marks(judged(a_plan(*small_rows()))) == []


@pytest.mark.parametrize(
    ("rule", "row", "rows"),
    [
        ("track without clip", "s1", (step("s1", "create_track", {"name": "x", "instrument": "piano_grand"}),)),
        ("empty clip", "s1", (clip("s1", []),)),
        ("past section", "s1", (clip("s1", GOOD, start_time=30),)),
        ("overlap", "s1", (clip("s1", [{"n": 40, "s": 0, "d": 4}, {"n": 40, "s": 2, "d": 2}]),)),
        ("range", "s1", (clip("s1", [{"n": 100, "s": 0, "d": 1}]),)),
        ("no effect", "s1", (step("s1", "update_track", {"track_id": BASS, "name": "Bass"}),)),
        (
            "duplicate",
            "s2",
            (
                step("s1", "add_effect", {"track_id": BASS, "effect_name": "delay"}),
                step("s2", "add_effect", {"effect_name": "delay", "track_id": BASS}),
            ),
        ),
        ("would fail", "s1", (step("s1", "add_effect", {"track_id": "tgone", "effect_name": "delay"}),)),
        ("would fail", "s1", (step("s1", "create_track", {"name": "x", "instrument": "kazoo"}),)),
        ("locked", "s1", (step("s1", "update_track", {"track_id": PAD, "volume_db": -3}),)),
    ],
)
def test_every_mark_and_its_fix(rule: str, row: str, rows: tuple[Step, ...]) -> None:
    plan = a_plan(*rows, step("s9", "set_tempo", {"bpm": 90}), locks=(TrackLock(PAD),))
    review = judged(plan)
    mark = the_mark(review, rule)
    assert (mark.step, mark.level) == (row, "error" if rule in ("would fail", "locked") else "warning")
    decision = fix_for(mark, review.plan, the_palette().instrument("bass_finger"))
    if rule == "past section":
        assert decision is None
        return
    assert decision is not None
    again = judged(decided(review.plan, [decision]))
    assert rule not in [one.rule for one in again.plan.lint]
    assert again.errors == ()
    assert again.plan.hash != review.plan.hash
    assert "s9" in [one.id for one in again.plan.steps]


NOTES = st.lists(
    st.fixed_dictionaries(
        {
            "n": st.integers(0, 127),
            "s": st.floats(0, 7) | st.sampled_from([0, 1 / 3, 0.3334, 1, 2]),
            "d": st.floats(0.001, 8) | st.just(1),
        }
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=examples(100))
@given(NOTES)
def test_one_click_takes_overlaps_and_wrong_ranges_away_for_any_notes(notes: list[dict[str, Any]]) -> None:
    review = judged(a_plan(clip("s1", notes, duration=16)))
    before = the_palette().instrument("bass_finger")
    for rule in ("overlap", "range"):
        for mark in [one for one in review.plan.lint if one.rule == rule]:
            decision = fix_for(mark, review.plan, before)
            assert decision is not None
            review = judged(decided(review.plan, [decision]))
            assert rule not in [one.rule for one in review.plan.lint]
    [row] = review.plan.steps
    assert {note["n"] % 12 for note in row.inputs["notes"]} == {note["n"] % 12 for note in notes}


def test_reading_the_song_again_after_a_change_is_no_repetition() -> None:
    rows = (
        step("a", "describe_song"),
        step("b", "set_tempo", {"bpm": 90}),
        step("c", "describe_song"),
        step("d", "describe_song"),
    )
    assert marks(judged(a_plan(*rows))) == [("d", "duplicate")]


def test_a_fix_of_notes_that_come_from_elsewhere_is_left_to_a_person() -> None:
    rows = (
        step("f", "find_tracks", {"name": "Bass"}),
        clip("s1", [{"n": 120, "s": 0, "d": "{{f.items[0].clips[0].notes}}"}], duration=16),
    )
    review = judged(a_plan(*rows))
    assert fix_for(the_mark(review, "range"), review.plan, the_palette().instrument("bass_finger")) is None


@pytest.mark.parametrize(
    ("ask", "met"),
    [
        (Ask("90 BPM", ("s1",), "tempo", "equals", 90.0), True),
        (Ask("100 BPM", ("s1",), "tempo", "equals", 100.0), False),
        (Ask("something that cannot be measured", ("s1",)), True),
    ],
)
def test_a_plan_that_contradicts_the_words_is_marked(ask: Ask, met: bool) -> None:
    review = judged(a_plan(step("s1", "set_tempo", {"bpm": 90}), asks=(ask,)))
    assert marks(review) == ([] if met else [("s1", "request")])


@pytest.mark.parametrize("lock", [TrackLock(TrackId("tgone")), BarsLock(8, 5)])
def test_a_lock_that_protects_nothing_is_an_error(lock: TrackLock | BarsLock) -> None:
    review = judged(a_plan(*small_rows(), locks=(lock,)))
    assert [one.rule for one in review.errors] == ["lock"]
    assert fix_for(review.errors[0], review.plan) is None


def test_rejecting_a_row_drops_all_rows_that_need_it_and_frees_the_others() -> None:
    plan = replace(
        a_plan(
            *small_rows(),
            step("s4", "set_tempo", {"bpm": 90}, after=["s1"]),
            step("s5", "set_tempo", {"bpm": 91}, after=["s2"]),
            step("s6", "rename_song", {"name": "x"}),
        ),
        asks=(Ask("keys", ("s1", "s6")),),
    )
    left: Plan = decided(plan, [reject("s2")])
    assert [row.id for row in left.steps] == ["s1", "s3", "s4", "s6"]
    left = decided(plan, [reject("s1")])
    assert [row.id for row in left.steps] == ["s6"]
    assert (left.asks[0].steps, left.hash, left.lint) == (("s6",), "", ())


def test_a_row_that_makes_a_circle_can_be_rejected() -> None:
    plan = a_plan(
        step("a", "rename_song", {"name": "x"}, after=["b"]),
        step("b", "rename_song", {"name": "y"}, after=["a"]),
        step("c", "set_tempo", {"bpm": 90}),
    )
    assert [row.id for row in decided(plan, [reject("a")]).steps] == ["c"]


def reject(step_id: str) -> Any:
    return fix_for(Finding(step_id, "no effect", "because"), a_plan(step(step_id, "echo")))


def test_marks_stand_in_the_order_of_the_rows() -> None:
    rows = (
        clip("s1", []),
        step("s2", "update_effect", {"effect_id": REVERB}),
        clip("s3", []),
        step("s4", "delete_clip", {"clip_id": RIFF}),
    )
    assert [one for one, _ in marks(judged(a_plan(*rows)))] == sorted(one for one, _ in marks(judged(a_plan(*rows))))
    assert a_song() == a_song()
