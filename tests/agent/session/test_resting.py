"""A run that is asked to rest: what is under way ends, nothing begins, and it is taken up exactly."""

from __future__ import annotations

import asyncio
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
    a_registry,
    a_song,
    run,
    step,
    the_palette,
)
from worlds import World, WorldService

from agent.plan.plan import Step
from agent.services.service import Call, Outcome
from agent.session.ports import Report, RowReport
from agent.session.run_state import RunState
from agent.session.session import Ended, Session


class Holding(Studio):
    """Asks for rest, or for an end, once so many reports are kept."""

    def __init__(self, cancellation: FastCancellation, hold_at: int, cancel_at: int = -1) -> None:
        super().__init__(a_song())
        self._cancellation = cancellation
        self._hold_at, self._cancel_at = hold_at, cancel_at

    async def note(self, report: Report) -> None:
        await super().note(report)
        if self.transactions == self._hold_at:
            self._cancellation.hold()
        if self.transactions == self._cancel_at:
            self._cancellation.cancel()


def held(rows: tuple[Step, ...], at: int, *services: Any, cancel_at: int = -1) -> Ran:
    cancellation = FastCancellation()
    return run(a_plan(*rows), *services, studio=Holding(cancellation, at, cancel_at), cancellation=cancellation)


def taken_up(rows: tuple[Step, ...], ran: Ran, *services: Any) -> Ran:
    studio = Studio(ran.studio.song)
    studio.rows = dict(ran.studio.rows)
    return run(a_plan(*rows), *services, studio=studio, past=list(ran.studio.rows.values()))


def tempo(name: str, bpm: float) -> Step:
    return step(name, "set_tempo", {"bpm": bpm})


LOOP = (
    step("list", "list", {"items": [BASS, PAD, DRUMS]}),
    step("loop", "update_track", {"track_id": "{{item}}", "volume_db": -9}, for_each="{{list.items}}"),
    tempo("after", 90),
)


@pytest.mark.semantics("7.4", "7.5")
def test_rows_that_were_not_reached_wait_and_are_run_when_it_is_taken_up() -> None:
    rows = (tempo("a", 90), tempo("b", 91), tempo("c", 92))
    ran = held(rows, 1)
    assert ran.states == ["done", "waiting", "waiting"]
    assert set(ran.studio.rows) == {("a", -1)}, "nothing is stored of what waits"
    again = taken_up(rows, ran)
    assert again.states == ["done"] * 3
    assert again["a"] == ran["a"]


@pytest.mark.semantics("7.4", "7.5")
def test_no_further_item_of_a_loop_begins_and_it_goes_on_with_the_missing_ones() -> None:
    ran = held(LOOP, 2, Bench())
    assert ran.states == ["done", "running", "waiting"]
    assert [item.state.value for item in ran.items("loop")] == ["done"]
    again = taken_up(LOOP, ran, Bench())
    assert again.states == ["done"] * 3
    assert [track.volume_db for track in again.studio.song.tracks] == [-9.0] * 3
    assert [event.item for event in again.studio.events if type(event).__name__ == "StepStarted"] == [1, 2, -1]


@pytest.mark.semantics("7.4")
def test_what_is_under_way_comes_to_its_end() -> None:
    class Asked(WorldService):
        async def call(self, call: Call) -> Outcome:
            cancellation.hold()
            return await super().call(call)

    cancellation, world = FastCancellation(), World()
    rows = (step("a", "send", {"mode": "busy"}, retry=1), step("b", "send", after=["a"]))
    ran = run(a_plan(*rows), Asked(world), cancellation=cancellation)
    assert ran.states == ["done", "waiting"]
    assert (world.of("a"), world.of("b")) == (1, 0)


@pytest.mark.semantics("7.4")
def test_items_side_by_side_end_and_the_others_wait() -> None:
    class Asked(WorldService):
        async def call(self, call: Call) -> Outcome:
            if call.tool == "send":
                cancellation.hold()
            return await super().call(call)

    cancellation, world = FastCancellation(), World()
    rows = (
        step("l", "ask", {"items": [1, 2, 3, 4, 5]}),
        step("f", "send", {"what": "{{item}}"}, for_each="{{l.items}}"),
    )
    ran = run(a_plan(*rows), Asked(world, limit=2), cancellation=cancellation)
    assert ran["f"].state == "running"
    assert [item.item for item in ran.items("f")] == [0, 1]
    again = taken_up(rows, ran, WorldService(world))
    assert again["f"].result == {"items": [{"sent": n} for n in (1, 2, 3, 4, 5)]}
    assert set(world.effects.values()) == {1}


@pytest.mark.semantics("7.6")
def test_a_cancel_while_it_rests_wins() -> None:
    for cancel_at in (1, 2):
        ran = held(LOOP, 2, Bench(), cancel_at=cancel_at)
        assert ran.states == ["done", "not_run" if cancel_at == 1 else "partial", "not_run"]
        assert ran.ledger.balanced


@pytest.mark.semantics("7.6")
def test_a_cancel_that_comes_while_the_last_call_ends_leaves_no_row_waiting() -> None:
    class Late(Studio):
        async def settled(self) -> None:
            if cancellation.held():
                cancellation.cancel()

    cancellation = FastCancellation()
    cancellation.hold()
    ran = run(a_plan(*LOOP), Bench(), studio=Late(a_song()), cancellation=cancellation)
    assert ran.states == ["not_run"] * 3
    assert {report.reason for report in ran.reports} == {"cancelled"}


@pytest.mark.semantics("7.4")
def test_a_row_that_stopped_the_run_does_so_again_when_it_is_taken_up() -> None:
    rows = (step("a", "delete_clip", {"clip_id": "cgone"}), tempo("b", 90))
    ran = held(rows, 1)
    assert ran.states == ["failed", "waiting"]
    again = taken_up(rows, ran)
    assert again.states == ["failed", "not_run"]
    assert again.studio.kinds("a") == [], "the failed row is not tried again"


@pytest.mark.semantics("4.10")
def test_an_item_that_failed_before_is_not_tried_again_by_itself() -> None:
    parts = [BASS, "tgone", PAD, DRUMS]
    rows = (
        step("list", "list", {"items": parts}),
        step("loop", "update_track", {"track_id": "{{item}}", "pan": 0.5}, for_each="{{list.items}}",
             on_error="continue"),
    )
    ran = held(rows, 3, Bench())
    assert [item.state.value for item in ran.items("loop")] == ["done", "failed"]
    again = taken_up(rows, ran, Bench())
    assert again["loop"].state == "partial"
    started = [event.item for event in again.studio.events if type(event).__name__ == "StepStarted"]
    assert started == [2, 3]


async def ended(cancellation: FastCancellation, studio: Studio, past: list[RowReport]) -> Ended:
    session = Session(None, a_registry(Bench()), the_palette())  # type: ignore[arg-type]
    return await session.run("r", a_plan(*LOOP), a_song(), studio, studio, cancellation, past)


@pytest.mark.semantics("7.4", "8.5")
def test_the_run_rests_in_waiting_user_and_says_so() -> None:
    async def story() -> None:
        cancellation = FastCancellation()
        studio = Holding(cancellation, 3)
        rests = await ended(cancellation, studio, [])
        assert rests.state is RunState.WAITING_USER
        assert rests.state.holds_song
        assert "The run rests" in rests.answer.text
        assert "1 have ended, 2 wait" in rests.answer.text
        whole = await ended(FastCancellation(), studio, list(studio.rows.values()))
        assert whole.state is RunState.COMPLETED

    asyncio.run(story())


@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(st.lists(st.integers(1, 4), max_size=6))
@pytest.mark.semantics("7.5")
def test_any_number_of_rests_leads_to_the_same_song(holds: list[int]) -> None:
    rows = (*LOOP, step("copy", "duplicate_track", {"track_id": BASS}), step("say", "echo", {"x": "{{copy.track_id}}"}))
    straight = run(a_plan(*rows), Bench())
    studio: Studio = Studio(a_song())
    for at in (*holds, 10**6):
        cancellation = FastCancellation()
        part = Holding(cancellation, at)
        part.song, part.rows = studio.song, dict(studio.rows)
        ran = run(a_plan(*rows), Bench(), studio=part, cancellation=cancellation, past=list(studio.rows.values()))
        studio = part
    assert ran.states == ["done"] * len(rows)
    assert ran.studio.song == straight.studio.song
    assert ran["say"].result == straight["say"].result
