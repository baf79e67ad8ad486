"""Judging a plan is stopped where nobody waits for it any more, also in the middle of one long row."""

from __future__ import annotations

import asyncio
import threading

import pytest
from studio_parts import Bench, a_plan, a_registry, a_song, step, the_palette

from agent.plan.document import Plan
from agent.plan.in_thread import in_thread
from agent.plan.watch import Stopped, Watch
from agent.review.review import review

NOTE = {"n": 60, "s": 0, "d": 1, "v": 100}
TRACK = step("t", "create_track", {"name": "A", "instrument": "piano_grand"})


def clip(notes: int) -> Plan:
    """One clip of so many notes."""
    place = {"track_id": "{{t.track_id}}", "start_time": 0, "duration": notes}
    return a_plan(TRACK, step("c", "create_midi_clip", {
        **place, "notes": [{**NOTE, "s": number} for number in range(notes)],
    }))  # fmt: skip


MANY = a_plan(*(step(f"s{number}", "set_tempo", {"bpm": 60 + number}) for number in range(30)))


def looks_of(plan: Plan) -> int:
    """How often judging it looks whether it is still wanted."""
    looks = 0

    def count() -> bool:
        nonlocal looks
        looks += 1
        return False

    assert review(plan, a_song(), a_registry(Bench()), the_palette(), Watch(count)).preview is not None
    return looks


def test_it_is_stopped_at_every_look() -> None:
    for stop_at in range(looks_of(MANY)):
        left = iter([False] * stop_at)
        with pytest.raises(Stopped):
            review(MANY, a_song(), a_registry(Bench()), the_palette(), Watch(lambda left=left: next(left, True)))


def test_each_row_and_each_few_thousand_notes_are_a_look_in_every_part() -> None:
    few, many = looks_of(clip(10)), looks_of(clip(40_010))
    assert many - few >= 3 * 8, "check, preview and the making of notes look every five thousand"
    assert looks_of(MANY) > 5 * 30


def test_it_tells_how_far_it_is() -> None:
    told: list[float] = []
    review(MANY, a_song(), a_registry(Bench()), the_palette(), Watch(progress=told.append))
    assert told == sorted(told)
    assert told[0] < 0.1
    assert 0.9 < told[-1] < 1


def test_work_in_a_thread_ends_with_who_waits_for_it() -> None:
    began, ended = threading.Event(), threading.Event()

    def work(watch: Watch) -> None:
        began.set()
        try:
            while True:
                watch.look()
        except Stopped:
            ended.set()
            raise

    async def story() -> None:
        waiting = asyncio.create_task(in_thread(work))
        await asyncio.to_thread(began.wait)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(story())
    assert ended.wait(30)
