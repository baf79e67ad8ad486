"""Share done and seconds left, from events and their times alone."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from studio_parts import Bench, Studio, a_plan, a_song, run, step

from agent.session import events as ev
from agent.session.pace import Pace, ProgressEstimate
from agent.session.ports import Report

STEPS = (step("a", "echo"), step("b", "echo"), step("c", "wait"))


@pytest.mark.semantics("13.2")
def test_nothing_is_told_before_anything_is_known() -> None:
    pace = Pace(STEPS)
    assert pace.whole(0.0) == ProgressEstimate(0.0)
    pace.hear(ev.StepStarted("a", "echo"), 1.0)
    assert pace.row("a", 5.0) == ProgressEstimate(0.0)
    assert pace.whole(5.0).seconds_left is None


@pytest.mark.semantics("13.2")
def test_a_row_that_tells_its_share_tells_its_end() -> None:
    pace = Pace(STEPS)
    pace.hear(ev.StepStarted("a", "echo"), 10.0)
    pace.hear(ev.StepProgress("a", 0.25), 14.0)
    assert pace.row("a", 14.0) == ProgressEstimate(0.25, 12.0)


@pytest.mark.semantics("13.2")
def test_rows_that_have_ended_tell_of_those_to_come() -> None:
    pace = Pace(STEPS)
    pace.hear(ev.StepStarted("a", "echo"), 0.0)
    pace.hear(ev.StepDone("a"), 4.0)
    assert pace.row("b", 4.0).seconds_left == 4.0
    assert pace.whole(4.0) == ProgressEstimate(1 / 3, 8.0)
    pace.hear(ev.StepStarted("b", "echo"), 4.0)
    assert pace.row("b", 5.0).seconds_left == 3.0
    pace.hear(ev.StepFailed("b", "no"), 6.0)
    pace.hear(ev.StepNotRun("c", "stopped"), 6.0)
    assert pace.whole(6.0) == ProgressEstimate(1.0, 0.0)


@pytest.mark.semantics("13.2")
def test_items_are_counted_and_weighed_with_how_many_run_at_once() -> None:
    pace = Pace((step("f", "echo", for_each="{{a.items}}"),))
    for item, at in ((0, 0.0), (1, 0.0)):
        pace.hear(ev.StepStarted("f", "echo", item, of=6), at)
    assert pace.row("f", 1.0) == ProgressEstimate(0.0, None, 0, 6)
    pace.hear(ev.StepDone("f", 0), 2.0)
    pace.hear(ev.StepStarted("f", "echo", 2, of=6), 2.0)
    # Three wait with 2 s each, one has 2 s left and one nothing: two at once.
    assert pace.row("f", 2.0) == ProgressEstimate(1 / 6, (3 * 2 + 2 + 0) / 2, 1, 6)
    pace.hear(ev.StepProgress("f", 0.5, item=1), 2.5)
    assert pace.row("f", 2.5).share == pytest.approx(1.5 / 6)
    pace.hear(ev.StepDone("f"), 9.0)
    assert pace.row("f", 9.0) == ProgressEstimate(1.0, 0.0, 6, 6)


@pytest.mark.semantics("13.2")
def test_a_run_that_is_taken_up_counts_what_was_done_before() -> None:
    pace = Pace((*STEPS, step("f", "echo", for_each="{{a.items}}")), ended=("a", "b"), items={"f": 3})
    pace.hear(ev.StepStarted("f", "echo", 3, of=4), 0.0)
    assert pace.row("f", 0.0) == ProgressEstimate(0.75, None, 3, 4)
    assert pace.whole(0.0).share == pytest.approx((1 + 1 + 0.75) / 4)


@pytest.mark.semantics("13.1", "13.2")
def test_a_real_run_is_heard_to_its_end() -> None:
    class Heard(Studio):
        now = 0.0

        async def note(self, report: Report) -> None:
            await super().note(report)
            for event in report.events:
                self.now += 1
                pace.hear(event, self.now)
                seen.append(pace.whole(self.now).share)

        def tell(self, event: ev.Event) -> None:
            super().tell(event)
            pace.hear(event, self.now)

    rows = (
        step("l", "list", {"items": [0, 0.02, 0]}),
        step("w", "wait", {"seconds": "{{item}}"}, for_each="{{l.items}}"),
        step("x", "echo", when={"left": "{{l.items}}", "op": "empty"}),
    )
    pace, seen = Pace(rows), [0.0]
    studio = Heard(a_song())
    run(a_plan(*rows), Bench(), studio=studio)
    assert pace.whole(99.0) == ProgressEstimate(1.0, 0.0)
    assert seen == sorted(seen), "it never goes back"
    told = [event for event in studio.told if isinstance(event, ev.StepProgress) and event.item < 0]
    assert [event.text for event in told] == ["1 of 3 items", "2 of 3 items", "3 of 3 items"]


@pytest.mark.semantics("13.1")
def test_what_a_service_says_of_its_progress_is_kept_within_bounds() -> None:
    class Telling(Bench):
        async def _done(self, call: object) -> object:
            for share in (-3.0, 0.5, 7.0, float("nan")):
                call.progress(share, "line\nbreak" + "x" * 500)  # type: ignore[attr-defined]
            await asyncio.sleep(0)
            return {}

    ran = run(a_plan(step("a", "echo")), Telling())
    told = [event for event in ran.studio.told if isinstance(event, ev.StepProgress)]
    assert [event.share for event in told] == [0.0, 0.5, 1.0, 0.0]
    assert all("\n" not in event.text and len(event.text) <= 200 for event in told)


EVENTS = st.one_of(
    st.builds(ev.StepStarted, st.sampled_from("abf"), st.just("echo"), st.integers(-1, 3), of=st.integers(0, 5)),
    st.builds(ev.StepProgress, st.sampled_from("abf"), st.floats(0, 1), item=st.integers(-1, 3)),
    st.builds(ev.StepDone, st.sampled_from("abfz"), st.integers(-1, 3)),
    st.builds(ev.StepFailed, st.sampled_from("abf"), st.just("no"), st.integers(-1, 3)),
)


@given(st.lists(st.tuples(EVENTS, st.floats(0, 5)), max_size=40))
@pytest.mark.semantics("13.2")
def test_any_events_give_shares_and_seconds_that_can_be_shown(events: list[tuple[ev.Event, float]]) -> None:
    pace, now = Pace((step("a", "echo"), step("b", "echo"), step("f", "echo", for_each="{{a.items}}"))), 0.0
    for event, passed in events:
        now += passed
        pace.hear(event, now)
        for standing in (pace.whole(now), *(pace.row(name, now) for name in "abf")):
            assert 0 <= standing.share <= 1
            assert standing.seconds_left is None or standing.seconds_left >= 0
