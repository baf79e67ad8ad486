"""The executor: every approved row is run or has its reason."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from studio_parts import (
    BASS,
    DRUMS,
    PAD,
    Bench,
    FastCancellation,
    Ran,
    Studio,
    a_plan,
    a_song,
    execute,
    run,
    small_rows,
    step,
)

from agent.errors import BandleaderError
from agent.plan.plan import Step
from agent.session.cancellation import Cancellation
from agent.session.events import StepStarted
from agent.session.run_state import RunState, end_of


def tempo(step_id: str, bpm: float = 100, **fields: Any) -> Step:
    return step(step_id, "set_tempo", {"bpm": bpm}, **fields)


def failing(step_id: str, **fields: Any) -> Step:
    """An edit that cannot be made."""
    return step(step_id, "delete_clip", {"clip_id": "cgone"}, **fields)


def flaky(step_id: str, times: int, **fields: Any) -> Step:
    inputs = {"times": times, "key": step_id, **fields.pop("inputs", {})}
    return step(step_id, "flaky", inputs, **fields)


@pytest.mark.semantics("1.7", "6.1")
def test_a_small_plan_runs_to_its_end_in_order() -> None:
    ran = run(a_plan(*small_rows()))
    assert ran.states == ["done"] * 3
    track = ran.studio.song.tracks[-1]
    assert (track.name, len(track.clips[0].notes), track.effects[0].name) == ("Keys", 2, "reverb")
    assert ran["s2"].inputs["track_id"] == ran["s1"].result["track_id"], "stored inputs are the resolved ones"
    assert ran.studio.transactions == 3, "one transaction for each step"
    assert [ran.studio.kinds(name) for name in ("s1", "s2")] == [["StepStarted", "StepDone"]] * 2


@pytest.mark.semantics("3.6", "5.1")
def test_a_failing_edit_stops_the_run_and_every_other_row_says_why_it_was_not_run() -> None:
    ran = run(
        a_plan(
            tempo("a"),
            failing("b"),
            tempo("c"),
            step("d", "echo", {}, after=["b"]),
            step("e", "echo", {}, after=["c"]),
        ),
        Bench(),
    )
    assert ran.states == ["done", "failed", "not_run", "not_run", "not_run"]
    assert ran["b"].reason.startswith("there is no clip 'cgone'")
    assert ran["c"].reason == "row b stopped the run"
    assert ran["d"].reason == "blocked by row b, which is failed"
    assert ran["e"].reason == "row b stopped the run"
    assert ran.ledger.balanced
    assert ran.studio.song.tempos[0].bpm == 100


@pytest.mark.semantics("3.6", "5.1")
def test_continue_lets_independent_rows_go_on() -> None:
    ran = run(a_plan(failing("a", on_error="continue"), tempo("b"), step("c", "echo", {}, after=["a"])), Bench())
    assert ran.states == ["failed", "done", "not_run"]
    assert ran["c"].reason == "blocked by row a, which is failed"


@pytest.mark.semantics("5.1")
def test_a_failing_read_lets_the_run_go_on_by_itself() -> None:
    assert run(a_plan(flaky("a", 1), tempo("b")), Bench()).states == ["failed", "done"]


@pytest.mark.semantics("5.1")
def test_rows_that_wait_for_a_place_do_not_begin_after_the_run_was_stopped() -> None:
    bench = Bench(limit=1)
    ran = run(a_plan(flaky("a", 9, on_error="stop"), *(step(f"r{n}", "echo") for n in range(5))), bench)
    assert ran.states == ["failed", *["not_run"] * 5]
    assert len(bench.calls) == 1


@pytest.mark.semantics("3.4", "3.5")
def test_conditions_skip_and_what_reads_a_skipped_row_is_blocked_but_what_comes_after_it_is_not() -> None:
    ran = run(
        a_plan(
            step("a", "find_tracks", {"name": "nobody"}),
            tempo("b", when={"left": "{{a.items}}", "op": "not_empty"}),
            tempo("c", when={"left": "{{a.items}}", "op": "empty"}),
            step("d", "echo", {}, after=["b"]),
            step("e", "echo", {"x": "{{b.y}}"}),
            step("f", "echo", {}, when={"left": "{{b.y}}", "op": "exists"}),
        ),
        Bench(),
    )
    assert ran.states == ["done", "skipped", "done", "done", "not_run", "skipped"]
    assert "{{a.items}} not_empty" in ran["b"].reason
    assert ran["e"].reason == "blocked by row b, which is skipped"
    assert (
        end_of(
            run(a_plan(step("a", "find_tracks"), tempo("b", when={"left": "{{a.items}}", "op": "empty"}))).ledger,
            cancelled=False,
        )
        is RunState.COMPLETED
    )


@pytest.mark.semantics("2.2")
def test_a_missing_result_at_run_time_fails_the_row() -> None:
    ran = run(a_plan(step("a", "echo", {"x": 1}), step("b", "echo", {"y": "{{a.nope}}"})), Bench())
    assert ran.states == ["done", "failed"]
    assert "{{a.nope}} has no value" in ran["b"].reason


# Fan-out


def looped(
    items: list[Any], tool: str = "echo", inputs: dict[str, Any] | None = None, **fields: Any
) -> tuple[Step, Step]:
    return (
        step("list", "list", {"items": items}),
        step("loop", tool, inputs or {"x": "{{item}}"}, for_each="{{list.items}}", **fields),
    )


@pytest.mark.semantics("4.4", "4.5")
def test_results_of_a_loop_stand_in_input_order_whatever_ends_first() -> None:
    waits = [0.05, 0.0, 0.03, 0.01]
    ran = run(a_plan(*looped(waits, "wait", {"seconds": "{{item}}"})), Bench())
    assert [one["seconds"] for one in ran["loop"].result["items"]] == waits
    assert [row.item for row in ran.items("loop")] == [0, 1, 2, 3]


@pytest.mark.semantics("3.3", "4.6")
def test_no_more_calls_at_once_than_the_service_allows() -> None:
    bench = Bench(limit=3)
    run(
        a_plan(
            *looped([0.02] * 12, "wait", {"seconds": "{{item}}"}),
            *(step(f"w{n}", "wait", {"seconds": 0.02}) for n in range(6)),
        ),
        bench,
    )
    assert bench.most == 3


@pytest.mark.semantics("4.2")
def test_a_loop_over_nothing_is_done_and_says_so() -> None:
    ran = run(a_plan(*looped([]), step("after", "echo", {"x": "{{loop.items}}"})), Bench())
    assert (ran["loop"].state, ran["loop"].reason, ran["after"].result) == ("done", "0 items", {"x": []})


@pytest.mark.semantics("4.1")
def test_200_items_are_run_and_201_are_not() -> None:
    assert run(a_plan(*looped(list(range(200)))), Bench())["loop"].state == "done"
    ran = run(a_plan(*looped(list(range(201)))), Bench())
    assert (ran["loop"].state, "201 items" in ran["loop"].reason) == ("failed", True)


@pytest.mark.semantics("4.7")
def test_more_items_than_were_approved_wait_for_a_person() -> None:
    ran = run(a_plan(*looped([1, 2, 3], max_edits=2)), Bench())
    assert ran["loop"].state == "needs_review"
    assert "at most 2 were approved" in ran["loop"].reason
    assert run(a_plan(*looped([1, 2], max_edits=2)), Bench())["loop"].state == "done"


@pytest.mark.semantics("4.6", "6.1")
def test_edits_of_a_loop_are_made_in_turn_each_in_its_own_transaction() -> None:
    ran = run(
        a_plan(
            step("f", "find_tracks"),
            step("u", "update_track", {"track_id": "{{item.track_id}}", "volume_db": -9}, for_each="{{f.items}}"),
        )
    )
    assert {track.volume_db for track in ran.studio.song.tracks} == {-9.0}
    assert [row.item for row in ran.items("u")] == [0, 1, 2]
    assert ran.studio.transactions == 1 + 3 + 1


PARTS = [BASS, "tgone", PAD, DRUMS]


def mixed(**fields: Any) -> Ran:
    rows = looped(PARTS, "update_track", {"track_id": "{{item}}", "volume_db": -9}, **fields)
    return run(a_plan(*rows, step("after", "echo", {"x": "{{loop.items}}"}), tempo("other")), Bench())


@pytest.mark.semantics("4.8", "4.9")
def test_stop_ends_a_loop_at_the_item_that_failed_and_accounts_for_the_rest() -> None:
    ran = mixed()
    assert [row.state.value for row in ran.items("loop")] == ["done", "failed", "not_run", "not_run"]
    assert ran["loop"].state == "partial"
    assert "1 of 4 items failed, 2 not run" in ran["loop"].reason
    assert ran["after"].reason == "blocked by row loop, which is partial"
    assert ran["other"].reason == "row loop stopped the run"
    assert end_of(ran.ledger, cancelled=False) is RunState.PARTIAL


@pytest.mark.semantics("3.7", "4.8")
def test_continue_goes_through_all_items_and_partial_blocks_unless_accepted() -> None:
    ran = mixed(on_error="continue")
    assert [row.state.value for row in ran.items("loop")] == ["done", "failed", "done", "done"]
    assert [ran["after"].state, ran["other"].state] == ["not_run", "done"]
    rows = looped(PARTS, "update_track", {"track_id": "{{item}}", "volume_db": -9}, on_error="continue")
    accepted = run(a_plan(*rows, step("after", "echo", {"x": "{{loop.items}}"}, accept_partial=True)), Bench())
    assert accepted["after"].result == {"x": [{}, {}, {}]}, "only what succeeded is seen"


@pytest.mark.parametrize(
    ("allowed", "state", "items", "other"),
    [
        (1, "done", ["done", "failed", "done", "done"], "done"),
        (0, "partial", ["done", "failed", "not_run", "not_run"], "not_run"),
    ],
)
@pytest.mark.semantics("4.8", "4.9")
def test_a_threshold_must_be_exceeded(allowed: int, state: str, items: list[str], other: str) -> None:
    ran = mixed(on_error={"failures": allowed})
    assert (ran["loop"].state, [row.state.value for row in ran.items("loop")], ran["other"].state) == (
        state,
        items,
        other,
    )
    assert "1 of 4 items failed" in ran["loop"].reason


# Retry, time, faults


@pytest.mark.semantics("5.2")
def test_a_transient_failure_is_tried_again_after_1_2_and_4_seconds() -> None:
    cancellation = FastCancellation()
    ran = run(a_plan(flaky("a", 3, retry=3)), Bench(), cancellation=cancellation)
    assert ran.states == ["done"]
    assert [int(pause) for pause in cancellation.pauses] == [1, 2, 4]
    assert all(base <= pause <= base * 1.25 for base, pause in zip((1, 2, 4), cancellation.pauses, strict=True))
    assert ran.studio.kinds("a") == ["StepStarted", "Retrying", "Retrying", "Retrying", "StepDone"]


@pytest.mark.parametrize(
    ("row", "calls", "reason"),
    [
        (flaky("a", 3, retry=2), 3, "the line is busy"),
        (flaky("a", 1), 1, "the line is busy"),
        (flaky("a", 1, retry=3, inputs={"transient": False}), 1, "the line is busy"),
        (step("a", "crash", retry=3), 1, "crash broke within the service bench"),
        (failing("a", retry=3), 0, "no clip"),
        (step("a", "wait", {"seconds": 5}, timeout=0.05), 1, "took longer than 0.05 s"),
        (step("a", "stubborn", {"seconds": 5}, timeout=0.05, retry=1), 2, "took longer than 0.05 s"),
        (step("a", "echo", by="model", goal="warmer"), 0, "left to a model"),
    ],
)
@pytest.mark.semantics("5.2", "5.3")
def test_what_ends_in_failure_ends_with_its_reason_and_no_further_attempt(row: Step, calls: int, reason: str) -> None:
    bench = Bench()
    ran = run(a_plan(row), bench)
    assert ran.states == ["failed"]
    assert reason in ran["a"].reason
    assert len(bench.calls) == calls
    assert ran.studio.kinds("a")[-1] == "StepFailed"


@pytest.mark.semantics("1.6")
def test_a_fault_of_a_service_fails_its_row_and_no_other() -> None:
    ran = run(a_plan(step("a", "crash"), tempo("b")), Bench())
    assert ran.states == ["failed", "done"]
    assert "KeyError" in ran["a"].reason


def test_an_act_on_the_world_that_ran_out_of_time_is_in_doubt_and_never_repeated() -> None:
    bench = Bench()
    ran = run(
        a_plan(step("a", "publish", {"what": "x", "seconds": 5}, timeout=0.05, retry=3), tempo("b", after=["a"])), bench
    )
    assert ran.states == ["needs_review", "not_run"]
    assert bench.world == ["x"]
    assert "may or may not have happened" in ran["a"].reason
    assert end_of(ran.ledger, cancelled=False) is RunState.NEEDS_REVIEW


@pytest.mark.semantics("6.2")
def test_an_act_on_the_world_is_announced_before_it_is_done() -> None:
    ran = run(a_plan(step("a", "publish", {"what": "x"})), Bench())
    assert ran.studio.transactions == 2
    assert ran.studio.kinds("a") == ["StepStarted", "StepDone"]


@pytest.mark.semantics("6.10")
def test_a_disk_that_is_full_ends_the_run_at_once_and_what_is_stored_can_be_taken_up() -> None:
    for at in range(1, 7):
        studio = Studio(a_song())
        studio.fails_at = at
        rows = (tempo("a"), *looped([1, 2, 3]), tempo("b", 90))
        with pytest.raises(BandleaderError, match="disk is full"):
            run(a_plan(*rows), Bench(), studio=studio)
        studio.fails_at = -1
        again = run(a_plan(*rows), Bench(), studio=studio, past=list(studio.rows.values()))
        assert again.states == ["done"] * 4


# Cancel


async def cancel_after(seconds: float, _studio: Studio, cancellation: Cancellation) -> None:
    await asyncio.sleep(seconds)
    cancellation.cancel()


def cancelled_after(seconds: float, *rows: Step, limit: int = 4, bench: Bench | None = None) -> tuple[Ran, float]:
    async def carried_out() -> tuple[Ran, float]:
        ran = await execute(
            a_plan(*rows),
            bench or Bench(limit),
            cancellation=Cancellation(),
            meanwhile=lambda studio, cancellation: cancel_after(seconds, studio, cancellation),
        )
        return ran, time.monotonic()

    began = time.monotonic()
    ran, ended = asyncio.run(carried_out())
    return ran, ended - began - seconds


@pytest.mark.parametrize(
    ("rows", "states"),
    [
        ((step("a", "wait", {"seconds": 30}), tempo("b")), ["not_run", "done"]),
        ((step("a", "stubborn", {"seconds": 30}), tempo("b", after=["a"])), ["not_run", "not_run"]),
        ((tempo("t"), *looped([30] * 9, "stubborn", {"seconds": "{{item}}"})), ["done", "done", "not_run"]),
        (
            (tempo("t"), *looped([0.01, 30, 30, 30, 30, 30], "stubborn", {"seconds": "{{item}}"})),
            ["done", "done", "partial"],
        ),
        ((flaky("a", 9, retry=3), tempo("b")), ["not_run", "done"]),
        ((step("a", "publish", {"seconds": 30}), tempo("b")), ["needs_review", "done"]),
        ((step("a", "publish_safely", {"seconds": 30}), tempo("b")), ["not_run", "done"]),
    ],
)
@pytest.mark.semantics("7.1", "7.2")
def test_a_cancel_takes_effect_soon_whatever_is_under_way(rows: tuple[Step, ...], states: list[str]) -> None:
    ran, seconds = cancelled_after(0.1, *rows)
    assert ran.states == states
    assert seconds < 15, "far less than the 30 s that the rows would take; a loaded machine may need a while"
    assert ran.ledger.balanced
    assert all(report.reason == "cancelled" for report in ran.reports if report.state == "not_run")


@pytest.mark.semantics("7.2")
def test_a_cancel_of_a_long_plan_is_stored_at_once() -> None:
    cancellation = FastCancellation()
    cancellation.cancel()
    ran = run(a_plan(*(tempo(f"s{n}", 60 + n) for n in range(150))), cancellation=cancellation)
    assert ran.states == ["not_run"] * 150
    assert ran.studio.transactions == 1
    assert all(ran.studio.kinds(f"s{n}") == ["StepNotRun"] for n in range(150))


def test_a_cancel_before_the_start_runs_nothing() -> None:
    cancellation = FastCancellation()
    cancellation.cancel()
    ran = run(a_plan(*small_rows()), cancellation=cancellation)
    assert ran.states == ["not_run"] * 3
    assert ran.studio.song == a_song()
    assert {report.reason for report in ran.reports} == {"cancelled"}


# Resume


def past_of(ran: Ran, **states: str) -> list[Any]:
    """The stored reports, some of them set back."""
    import msgspec

    from agent.plan.ledger import StepState

    return [
        msgspec.structs.replace(row, state=StepState(states[name])) if name in states and item == -1 else row
        for (name, item), row in ran.studio.rows.items()
    ]


@pytest.mark.semantics("6.4")
def test_what_is_done_stays_done_and_what_was_left_is_done_now() -> None:
    bench = Bench()
    rows = (step("a", "echo", {"x": 1}), step("b", "echo", {"x": "{{a.x}}"}), step("c", "echo", {"x": "{{b.x}}"}))
    first = run(a_plan(*rows), bench)
    bench.calls.clear()
    studio = Studio(first.studio.song)
    again = run(a_plan(*rows), bench, studio=studio, past=[row for row in past_of(first) if row.step in ("a", "b")])
    assert again.states == ["done"] * 3
    assert again.reports == first.reports
    assert bench.calls == [("echo", {"x": 1})], "only the last row was called"


@pytest.mark.parametrize(
    ("tool", "state", "world"), [("publish", "needs_review", []), ("publish_safely", "done", ["x"])]
)
@pytest.mark.semantics("6.5")
def test_a_row_left_running_is_repeated_only_if_that_is_safe(tool: str, state: str, world: list[str]) -> None:
    rows = (step("a", tool, {"what": "x"}), step("b", "echo", {}, after=["a"]))
    first = run(a_plan(*rows), Bench())
    bench = Bench()
    again = run(a_plan(*rows), bench, past=[row for row in past_of(first, a="running") if row.step == "a"])
    assert again["a"].state == state
    assert bench.world == world
    assert again["b"].state == ("done" if state == "done" else "not_run")


@pytest.mark.semantics("7.3")
def test_a_doubt_is_not_hidden_by_a_cancel() -> None:
    rows = (step("a", "publish", {"what": "x"}),)
    past = [row for row in past_of(run(a_plan(*rows), Bench()), a="running") if row.step == "a"]
    cancellation = FastCancellation()
    cancellation.cancel()
    assert run(a_plan(*rows), Bench(), past=past, cancellation=cancellation).states == ["needs_review"]


@pytest.mark.semantics("4.10")
def test_a_loop_is_taken_up_at_the_items_that_are_missing() -> None:
    bench = Bench()
    rows = looped(["a", "b", "c"])
    first = run(a_plan(*rows), bench)
    bench.calls.clear()
    past = [row for row in past_of(first) if row.step == "list" or row.item in (0, 2)]
    again = run(a_plan(*rows), bench, past=past)
    assert again["loop"].result == first["loop"].result
    assert bench.calls == [("echo", {"x": "b"})]


@pytest.mark.parametrize("kept", range(6))
@pytest.mark.semantics("6.3", "6.4")
def test_a_run_that_was_broken_off_reaches_the_same_song(kept: int) -> None:
    rows = (
        *small_rows(),
        step("f", "find_tracks"),
        step("u", "duplicate_track", {"track_id": "{{item.track_id}}"}, for_each="{{f.items}}"),
        tempo("t", 77),
    )
    whole = run(a_plan(*rows))
    studio = Studio(a_song())
    studio.fails_at = kept + 1
    with pytest.raises(BandleaderError):
        run(a_plan(*rows), studio=studio)
    studio.fails_at = -1
    again = run(a_plan(*rows), studio=studio, past=list(studio.rows.values()))
    assert again.states == ["done"] * 6
    assert again.studio.song == whole.studio.song


# Reading, moving


@pytest.mark.semantics("2.6")
def test_a_pure_read_of_the_same_song_is_asked_once_and_of_a_changed_song_again() -> None:
    bench = Bench()
    ran = run(
        a_plan(
            step("a", "look"),
            step("b", "look", {}, after=["a"]),
            step("t", "add_section", {"name": "x", "start_time": 0, "duration": 4}),
            step("c", "look"),
            step("d", "look", {"other": 1}),
        ),
        bench,
    )
    assert ran.states == ["done"] * 5
    assert [tool for tool, _ in bench.calls] == ["look"] * 3


@pytest.mark.semantics("5.5")
def test_a_song_that_someone_else_changed_puts_the_row_and_the_rest_in_doubt() -> None:
    studio = Studio(a_song())
    studio.someone_else_commits_before = "b"
    ran = run(a_plan(tempo("a"), tempo("b", 90, on_error="continue"), tempo("c", 80)), studio=studio)
    assert ran.states == ["done", "needs_review", "not_run"]
    assert studio.song.tempos[0].bpm == 100


@pytest.mark.semantics("2.3")
def test_a_result_that_looks_like_a_reference_is_only_text() -> None:
    ran = run(
        a_plan(step("a", "echo", {"name": "{{zz.secret}}"[:2] + " "}), step("b", "echo", {"x": "{{a.name}}"})), Bench()
    )
    assert ran.states == ["done", "done"]


# Size


def test_a_chain_of_a_thousand_rows() -> None:
    rows = [tempo("r0")]
    rows += [
        step(f"r{n}", "echo" if n % 2 else "set_tempo", {"bpm": 60 + n % 100}, after=[f"r{n - 1}"])
        for n in range(1, 1000)
    ]
    assert set(run(a_plan(*rows), Bench()).states) == {"done"}


def test_two_hundred_rows_side_by_side_between_two() -> None:
    middle = [step(f"m{n}", "echo", {"x": "{{top.x}}", "n": n}) for n in range(200)]
    bottom = step("bottom", "echo", {"sum": [f"{{{{m{n}.n}}}}" for n in range(200)]})
    ran = run(a_plan(step("top", "echo", {"x": 1}), *middle, bottom), Bench())
    assert ran["bottom"].result == {"sum": list(range(200))}


# Any plan


@st.composite
def any_rows(draw: st.DrawFn) -> tuple[Step, ...]:
    made: list[Step] = []
    for number in range(draw(st.integers(1, 10))):
        earlier = [one.id for one in made]
        needs = draw(st.lists(st.sampled_from(earlier), max_size=3, unique=True)) if earlier else []
        kind = draw(
            st.sampled_from(["echo", "edit", "fail", "flaky", "crash", "publish", "look", "loop", "skip", "read"])
        )
        fields: dict[str, Any] = {
            "after": needs,
            "retry": draw(st.integers(0, 2)),
            "accept_partial": draw(st.booleans()),
        }
        rule = draw(st.sampled_from([None, "stop", "continue", {"failures": 1}]))
        if rule is not None:
            fields["on_error"] = rule
        name = f"r{number}"
        match kind:
            case "edit":
                made.append(tempo(name, 60 + number, **fields))
            case "fail":
                made.append(failing(name, **fields))
            case "flaky":
                made.append(flaky(name, draw(st.integers(1, 3)), **fields))
            case "loop":
                parts = draw(st.lists(st.sampled_from([BASS, PAD, "tgone"]), max_size=4))
                made.append(step(f"{name}l", "list", {"items": parts}))
                inputs = {"track_id": "{{item}}", "pan": number / 10}
                made.append(step(name, "update_track", inputs, for_each="{{" + f"{name}l.items" + "}}", **fields))
            case "skip":
                made.append(step(f"{name}c", "echo", {"x": 1}))
                made.append(
                    step(name, "echo", when={"left": "{{" + f"{name}c.x" + "}}", "op": "eq", "right": 2}, **fields)
                )
            case "read" if earlier:
                made.append(step(name, "echo", {"x": "{{" + draw(st.sampled_from(earlier)) + "}}"}, **fields))
            case _:
                made.append(step(name, "echo" if kind == "read" else kind, **fields))
    return tuple(made)


@settings(max_examples=examples(250), suppress_health_check=list(HealthCheck))
@given(any_rows(), st.integers(-1, 30))
@pytest.mark.semantics("8.1")
def test_any_plan_with_any_failures_and_a_cancel_at_any_time_is_accounted_for(
    rows: tuple[Step, ...], cancel_at: int
) -> None:
    class Watched(Studio):
        async def note(self, report: Any) -> None:
            await super().note(report)
            if self.transactions == cancel_at:
                cancellation.cancel()

    cancellation = FastCancellation()
    ran = run(a_plan(*rows), Bench(), studio=Watched(a_song()), cancellation=cancellation)
    assert [report.step for report in ran.reports] == [row.id for row in rows]
    assert ran.ledger.balanced
    assert ran.ledger.approved == len(rows)
    assert all(report.state.ended and (report.reason or report.state == "done") for report in ran.reports)
    for report in ran.reports:
        assert ran.studio.rows[report.step, -1] == report, "what is told is what is stored"
    starts = [(event.step, event.item) for event in ran.studio.events if isinstance(event, StepStarted)]
    assert len(starts) == len(set(starts)), "nothing begins twice"
    end = end_of(ran.ledger, cancelled=cancellation.requested())
    assert (end is RunState.COMPLETED) == all(report.state in ("done", "skipped") for report in ran.reports)
