"""Large shapes run correctly, and what they cost grows with their rows and not with the square of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from studio_parts import BASS, Bench, Ran, Studio, a_plan, a_song, run, step

from agent.plan.plan import Step


def chain(rows: int) -> tuple[Step, ...]:
    return tuple(step(f"r{n}", "echo", {"x": f"{{{{r{n - 1}.x}}}}" if n else 1}) for n in range(rows))


def diamond(rows: int) -> tuple[Step, ...]:
    middle = [step(f"m{n}", "echo", {"x": "{{top.x}}", "n": n}) for n in range(rows)]
    bottom = step("bottom", "echo", {"all": [f"{{{{m{n}.n}}}}" for n in range(rows)]})
    return (step("top", "echo", {"x": 1}), *middle, bottom)


def edits(rows: int) -> tuple[Step, ...]:
    return tuple(step(f"r{n}", "update_track", {"track_id": BASS, "volume_db": -(n % 60)}) for n in range(rows))


def fan_out(items: int, tool: str, inputs: dict[str, Any]) -> tuple[Step, ...]:
    return step("list", "list", {"items": list(range(items))}), step("f", tool, inputs, for_each="{{list.items}}")


def side_by_side(items: int) -> tuple[Step, ...]:
    return fan_out(items, "echo", {"x": "{{item}}"})


def in_turn(items: int) -> tuple[Step, ...]:
    return fan_out(items, "create_track", {"name": "T {{item}}", "instrument": "pad_warm"})


@pytest.mark.semantics("14.1")
def test_two_hundred_items_side_by_side() -> None:
    ran = run(a_plan(*side_by_side(200)), Bench())
    assert ran["f"].result == {"items": [{"x": n} for n in range(200)]}
    assert len(ran.items("f")) == 200


@pytest.mark.semantics("14.1", "4.6")
def test_two_hundred_items_in_turn() -> None:
    ran = run(a_plan(*in_turn(200)), Bench())
    assert [track.name for track in ran.studio.song.tracks[3:]] == [f"T {n}" for n in range(200)]
    made = [item["track_id"] for item in ran["f"].result["items"]]
    assert made == [track.id for track in ran.studio.song.tracks[3:]]


@pytest.mark.semantics("14.1")
def test_a_thousand_edits() -> None:
    ran = run(a_plan(*edits(1000)), Bench())
    assert set(ran.states) == {"done"}
    assert ran.studio.transactions == 1000
    assert ran.studio.song.tracks[0].volume_db == -(999 % 60)


@pytest.mark.semantics("14.1")
def test_a_chain_of_five_hundred_hands_its_value_down() -> None:
    ran = run(a_plan(*chain(500)), Bench())
    assert ran["r499"].result == {"x": 1}


@pytest.mark.semantics("14.1")
def test_a_diamond_of_two_hundred() -> None:
    ran = run(a_plan(*diamond(200)), Bench())
    assert ran["bottom"].result == {"all": list(range(200))}


def steps_of(work: Callable[[], Ran]) -> int:
    """How many functions Python calls for it: the same on every machine, unlike its time."""
    count = 0

    def seen(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def louder(items: int) -> tuple[Step, ...]:
    return fan_out(items, "update_track", {"track_id": BASS, "volume_db": -9})


@pytest.mark.semantics("14.2")
@pytest.mark.parametrize("shape", [chain, diamond, edits, side_by_side, louder])
def test_twice_the_rows_cost_about_twice_as_much(shape: Callable[[int], tuple[Step, ...]]) -> None:
    def cost(rows: int) -> tuple[int, int]:
        plan = a_plan(*shape(rows))
        first = run(plan, Bench())
        past = list(first.studio.rows.values())
        anew = steps_of(lambda: run(plan, Bench()))
        again = steps_of(lambda: run(plan, Bench(), studio=Studio(first.studio.song), past=past))
        return anew, again

    run(a_plan(*shape(2)), Bench(), studio=Studio(a_song()))
    costs = [cost(rows) for rows in (50, 100, 200)]
    for few, more, most in zip(*costs, strict=True):
        # What is the same for every plan falls out; with the square of the rows it would be four times as much.
        assert most - more < 2.6 * (more - few) + 500, costs
