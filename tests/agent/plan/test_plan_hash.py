"""What an approval is bound to, and what it is not."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from studio_parts import ANYTHING, Bench, a_plan, a_registry, a_tool, small_rows, step, with_input

from agent.plan.document import Plan, read_plan, write_plan
from agent.plan.errors import PlanError
from agent.plan.plan import Ask, Step, Threshold, When
from agent.plan.plan_hash import plan_hash
from agent.song.ids import ClipId, TrackId
from agent.song.locks import BarsLock, ClipLock, TrackLock

TOOLS = a_registry(Bench()).tools
ROWS = (*small_rows(), step("s4", "echo", {"a": 1, "b": [0.5, {"c": "x"}]}))
PLAN = a_plan(*ROWS)
HASH = plan_hash(PLAN, TOOLS)


def changed(number: int, row: Step) -> Plan:
    return replace(PLAN, steps=(*ROWS[:number], row, *ROWS[number + 1 :]))


def shuffled(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: shuffled(value[name]) for name in reversed(value)}
    return [shuffled(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "same",
    [
        changed(0, replace(ROWS[0], title="Other", group="Else", why="Because")),
        replace(PLAN, request="x", analysis="y", musical_reasoning="z", hash="0", provider="p", normalised=("n",)),
        replace(PLAN, steps=tuple(replace(row, inputs=shuffled(row.inputs)) for row in ROWS)),
        changed(0, with_input(ROWS[0], type="midi", volume_db=0, pan=0.0, mute=False, color=None, position=None)),
        changed(0, with_input(ROWS[0], volume_db=-0.0)),
        changed(1, with_input(ROWS[1], start_time=0.0, duration=16.0)),
        changed(1, with_input(ROWS[1], duration=16.0001)),
        changed(2, with_input(ROWS[2], params={}, enabled=True)),
        changed(3, with_input(ROWS[3], a=1.0)),
        changed(0, replace(ROWS[0], on_error="stop", timeout=600.0, when=None, for_each=None)),
        changed(0, replace(ROWS[0], timeout=600)),
    ],
)
def test_the_same_work_has_the_same_hash(same: Plan) -> None:
    assert plan_hash(same, TOOLS) == HASH


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAN, project="pother"),
        replace(PLAN, song_revision="0" * 64),
        replace(PLAN, seed=1),
        replace(PLAN, asks=(Ask("warmer"),)),
        replace(PLAN, locks=(BarsLock(1, 2),)),
        replace(PLAN, locks=(TrackLock(TrackId("tbass")),)),
        replace(PLAN, locks=(ClipLock(ClipId("tbass")),)),
        replace(PLAN, steps=ROWS[:-1]),
        replace(PLAN, steps=(*ROWS[:2], ROWS[3], ROWS[2])),
        changed(0, with_input(ROWS[0], volume_db=-0.1)),
        changed(0, with_input(ROWS[0], name="keys")),
        changed(1, with_input(ROWS[1], duration=17)),
        changed(1, with_input(ROWS[1], notes=[{"n": 60, "s": 0, "d": 8, "v": 70}, {"n": 64, "s": 8, "d": 8, "v": 71}])),
        changed(3, with_input(ROWS[3], a="1")),
        changed(3, with_input(ROWS[3], a=True)),
        changed(3, with_input(ROWS[3], b=["=0.5", {"c": "x"}])),
        changed(3, with_input(ROWS[3], b=["0.5", {"c": "x"}])),
        changed(0, replace(ROWS[0], id="s0")),
        changed(3, replace(ROWS[3], tool="list")),
        changed(3, replace(ROWS[3], on_error="stop")),
        changed(3, replace(ROWS[3], on_error=Threshold(2))),
        changed(3, replace(ROWS[3], retry=1)),
        changed(3, replace(ROWS[3], timeout=3.0)),
        changed(3, replace(ROWS[3], after=("s1",))),
        changed(3, replace(ROWS[3], accept_partial=True)),
        changed(3, replace(ROWS[3], for_each="{{s1.items}}")),
        changed(3, replace(ROWS[3], when=When("{{s1.x}}", "eq", 1))),
        changed(3, replace(ROWS[3], by="model", goal="warmer")),
        changed(3, replace(ROWS[3], max_edits=3)),
    ],
)
@pytest.mark.semantics("1.3")
def test_everything_that_runs_and_what_it_runs_on_is_bound(other: Plan) -> None:
    assert plan_hash(other, TOOLS) != HASH


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.booleans(),
            st.integers(),
            st.floats(allow_nan=False, allow_infinity=False),
            st.text(max_size=4),
            st.sampled_from(["=1", "1", "==1", "=0.5", 0.5, 1, 1.0, 2**53, float(2**53), 2**70, 2**70 + 1]),
        ),
        min_size=2,
        max_size=2,
    )
)
def test_different_open_values_never_share_a_hash(pair: list[Any]) -> None:
    def key(value: Any) -> str:
        return plan_hash(a_plan(step("s1", "echo", {"x": 0})).__class__((Step("s1", "echo", {"x": value}),)), TOOLS)

    a, b = pair
    same = (isinstance(a, bool) == isinstance(b, bool)) and a == b
    assert (key(a) == key(b)) == same


@pytest.mark.semantics("1.3")
def test_another_version_of_a_tool_is_another_plan() -> None:
    def hashed(version: str) -> str:
        return plan_hash(a_plan(step("s1", "t")), {"t": a_tool("t", "x", version=version, inputs=ANYTHING)})

    assert hashed("1") != hashed("2")


def test_a_plan_of_an_unknown_tool_or_wrong_inputs_has_no_hash() -> None:
    for row in (step("s1", "nope"), step("s1", "create_track", {"name": 3})):
        with pytest.raises(PlanError):
            plan_hash(a_plan(row), TOOLS)


@pytest.mark.parametrize("row", [
    step("s1", "echo", {"a": [10**400]}),
    replace(step("s1", "echo"), when=When("{{s1.x}}", "lt", -(10**400))),
])
def test_a_number_that_cannot_be_counted_with_is_refused(row: Step) -> None:
    with pytest.raises(PlanError, match="no number that a plan can hold"):
        plan_hash(a_plan(row), TOOLS)


def test_a_plan_survives_its_file() -> None:
    locks = (BarsLock(1, 2), TrackLock(TrackId("tbass")), ClipLock(ClipId("cx")))
    plan = replace(PLAN, locks=locks, seed=7, request="ä\u202e")
    again = read_plan(write_plan(plan), "plan.json")
    assert again == plan
    assert plan_hash(again, TOOLS) == plan_hash(plan, TOOLS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[]", "is not a plan"),
        (b"{}", "is not a plan"),
        (b"null", "is not a plan"),
        (b'{"steps": 3}', "is not a plan"),
        (b'{"steps": [], "extra": 1}', "is not a plan"),
        (b'{"steps": [{"id": "s1"}]}', "is not a plan"),
        (b'{"steps": [{"id": "s1", "tool": "x", "input": {}}]}', "is not a plan"),
        (b'{"steps": [{"id": "S 1", "tool": "x"}]}', "is not a plan"),
        (b'{"steps": [{"id": "s1\\n", "tool": "x"}]}', "is not a plan"),
        (b'{"steps": [{"id": "s1", "tool": "x", "retry": 9}]}', "is not a plan"),
        (b'{"steps": [{"id": "s1", "tool": "x", "when": {"left": "a", "op": "eval"}}]}', "is not a plan"),
        (b'{"steps": [], "locks": [{"lock": "bars", "first": 0, "last": 2}]}', "is not a plan"),
        (b'{"steps": [], "version": 3}', "is not a plan"),
        (b'{"steps": ' + b"[" * 100_000, "is not"),
        (b"[" * 5_000_000, "is not"),
    ],
)
def test_a_broken_plan_file_is_one_clear_error_that_names_it(text: bytes, words: str) -> None:
    with pytest.raises(PlanError) as refusal:
        read_plan(text, "song.plan.json")
    assert refusal.value.what.startswith("song.plan.json")
    assert words in refusal.value.what
    assert refusal.value.why


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_no_bytes_bring_anything_but_a_plan_error(data: bytes) -> None:
    for text in (data, b'{"steps": [' + data + b"]}"):
        with suppress(PlanError):
            assert isinstance(read_plan(text, "x"), Plan)


@given(st.data())
def test_a_plan_file_with_one_byte_changed_is_refused_or_is_another_plan(data: st.DataObject) -> None:
    text = bytearray(write_plan(PLAN))
    place = data.draw(st.integers(0, len(text) - 1))
    text[place] = data.draw(st.integers(0, 255))
    try:
        plan = read_plan(bytes(text), "x")
        hashed = plan_hash(plan, TOOLS)
    except PlanError:
        return
    bound = [replace(row, title="", group="", why="") for row in plan.steps]
    fields = (plan.project, plan.song_revision, plan.seed, plan.locks)
    same = bound == list(ROWS) and fields == (PLAN.project, PLAN.song_revision, PLAN.seed, PLAN.locks)
    assert not same or hashed == HASH
    assert msgspec.json.encode(plan)
