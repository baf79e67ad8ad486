"""What a service gives back is checked before anyone uses it."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from studio_parts import Bench, a_plan, a_registry, a_tool, judged, run, step

from agent.services.results import MAX_DEPTH, checked
from agent.services.service import Call, Outcome, ServiceError
from agent.song.edits import SetTempo

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)
ANY = a_tool("t", "s", result={})


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


class Point(msgspec.Struct):
    x: int


UNUSABLE: list[Any] = [
    b"x", {"a": b"x"}, {"a": {1, 2}}, math.nan, [math.inf], {1: 2}, Point(1), object(), datetime.now(UTC), "\ud800", 1j,
    nested(MAX_DEPTH + 1), nested(100_000), "x" * 1_000_001, {"a": ["x" * 500_000, "x" * 500_001]}, bytearray(b"x"),
]  # fmt: skip


@given(PLAIN)
@pytest.mark.semantics("2.4")
def test_plain_json_passes_as_it_is(value: Any) -> None:
    result = checked(ANY, Outcome(value)).result
    assert msgspec.json.encode(result) == msgspec.json.encode(value)
    assert result == value


@pytest.mark.semantics("2.4")
@pytest.mark.parametrize("value", UNUSABLE, ids=lambda value: type(value).__name__)
def test_anything_else_is_an_error_of_the_call(value: Any) -> None:
    with pytest.raises(ServiceError, match="the result of t cannot be used") as caught:
        checked(ANY, Outcome(value))
    assert caught.value.why
    assert not caught.value.transient


@pytest.mark.semantics("2.4")
def test_a_later_row_sees_what_the_store_would_give_it() -> None:
    assert checked(ANY, Outcome({"a": (1, (2,))})).result == {"a": [1, [2]]}
    assert checked(ANY, Outcome(nested(MAX_DEPTH))).result == nested(MAX_DEPTH)


SCHEMA = {
    "type": "object", "required": ["items"],
    "properties": {
        "items": {"type": "array", "items": {"type": "object", "required": ["id"], "properties": {
            "id": {"type": "string"}, "n": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        }}},
        "ok": {"type": ["boolean", "null"]}, "bpm": {"type": "number"},
    },
}  # fmt: skip


@pytest.mark.semantics("2.4")
@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"items": []}, ""),
        ({"items": [{"id": "a", "n": 1}, {"id": "b", "n": None}], "ok": None, "bpm": 1, "more": object}, "type"),
        ({"items": [{"id": "a", "n": 1.0}], "ok": True, "more": 1}, ""),
        ([], "it is [], it must be an object"),
        ({}, "it has no 'items'"),
        ({"items": None}, "it.items is None"),
        ({"items": [{"id": "a"}, {}]}, "it.items[1] has no 'id'"),
        ({"items": [{"id": 1}]}, "it.items[0].id is 1, it must be a text"),
        ({"items": [{"id": "a", "n": "1"}]}, "it.items[0].n"),
        ({"items": [], "ok": 1}, "it.ok is 1"),
        ({"items": [], "bpm": True}, "it.bpm is True"),
    ],
)
def test_a_result_fits_the_schema_of_its_tool(value: Any, problem: str) -> None:
    tool = a_tool("t", "s", result=SCHEMA)
    if not problem:
        assert checked(tool, Outcome(value)).result == value
        return
    with pytest.raises(ServiceError) as caught:
        checked(tool, Outcome(value))
    assert problem in caught.value.why


@pytest.mark.semantics("2.4")
@pytest.mark.parametrize(
    "schema", [True, {}, {"type": "strange"}, {"anyOf": []}, {"properties": None}, {"type": 5}, None]
)
def test_a_schema_that_says_nothing_refuses_nothing(schema: Any) -> None:
    assert checked(a_tool("t", "s", result=schema), Outcome({"a": 1})).result == {"a": 1}


@pytest.mark.semantics("2.4")
@pytest.mark.parametrize(
    "outcome", [None, {"result": 1}, Outcome(1, (SetTempo(bpm=90),)), Outcome(1, ("edit",)), Outcome(1, [])]  # type: ignore[arg-type]
)
def test_edits_come_only_from_tools_that_change_the_song(outcome: Any) -> None:
    with pytest.raises(ServiceError):
        checked(ANY, outcome)
    changing = a_tool("t", "s", changes_song=True, result={})
    assert checked(changing, Outcome(1, (SetTempo(bpm=90),))).edits


class Foreign(Bench):
    """A service of somebody who did not read the contract."""

    name = "foreign"

    def __init__(self, outcome: Any) -> None:
        super().__init__()
        self._outcome = outcome
        self.tools = (a_tool("odd", self.name, changes_song=True),)

    async def call(self, call: Call) -> Outcome:
        return self._outcome


@pytest.mark.semantics("2.4", "1.6")
@pytest.mark.parametrize("result", UNUSABLE, ids=lambda value: type(value).__name__)
def test_an_unusable_result_fails_its_row_and_no_other(result: Any) -> None:
    rows = (step("a", "odd", on_error="continue"), step("b", "set_tempo", {"bpm": 90}))
    ran = run(a_plan(*rows), Foreign(Outcome({"x": result})))
    assert ran.states == ["failed", "done"]


@pytest.mark.semantics("2.4", "5.4")
@pytest.mark.parametrize("edit", [SetTempo(bpm="fast"), SetTempo(bpm=None), SetTempo(bpm=0)])  # type: ignore[arg-type]
def test_edits_that_cannot_be_applied_fail_their_row(edit: SetTempo) -> None:
    rows = (step("a", "odd", on_error="continue"), step("b", "set_tempo", {"bpm": 90}))
    ran = run(a_plan(*rows), Foreign(Outcome({}, (edit,))))
    assert ran.states == ["failed", "done"]
    assert ran.studio.song.tempos[0].bpm == 90


def test_a_preview_says_that_edits_cannot_be_applied() -> None:
    class Foreseeing(Foreign):
        def foresee(self, call: Call) -> Outcome:
            return Outcome({}, (SetTempo(bpm="fast"),))  # type: ignore[arg-type]

    seen = judged(a_plan(step("a", "odd")), Foreseeing(None)).preview
    assert seen is not None
    assert "the edits of odd cannot be applied" in str(seen.row("a").problem)


def test_a_service_that_allows_no_call_is_not_taken_in() -> None:
    with pytest.raises(Exception, match="allows 0 calls at once"):
        a_registry(Bench(limit=0))
