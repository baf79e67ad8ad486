"""Every text, list and number of a plan has a bound, and what is beyond it is one error that names the field."""

from __future__ import annotations

from types import UnionType
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import Struct
from msgspec.structs import fields, replace
from studio_parts import a_plan, step

from agent.errors import LONGEST_PART
from agent.plan import bounds
from agent.plan.bounds import refuse_many_notes, refuse_unbounded, some_of
from agent.plan.document import NOT_FROM_FILES, Estimate, Plan, read_plan, read_plan_text, write_plan
from agent.plan.errors import PlanError
from agent.plan.plan import Ask, Step, When
from agent.song.ids import TrackId
from agent.song.locks import BarsLock, TrackLock

ROW = step("s1", "set_tempo", {"bpm": 91})
LONG = "x" * (bounds.MAX_TEXT + 1)
TYPED = {"id", "tool", "inputs", "by", "when", "on_error", "retry", "timeout", "after", "accept_partial", "max_edits"}
"""Fields of a row that are bounded by their types, or looked at as values."""


def texts_of(kind: type[Struct]) -> list[str]:
    """The fields that hold a text, or may."""
    hints = get_type_hints(kind)
    named = [one.name for one in fields(kind) if one.name not in NOT_FROM_FILES]
    return [
        name for name in named
        if hints[name] is str or (isinstance(hints[name], UnionType) and str in get_args(hints[name]))
    ]


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


BEYOND = {
    **{f"{name} of the plan": replace(a_plan(ROW), **{name: LONG}) for name in texts_of(Plan)},
    **{f"{name} of row 1": a_plan(replace(ROW, **{name: LONG})) for name in texts_of(Step) if name not in TYPED},
    **{f"{name} of ask 1": a_plan(ROW, asks=(replace(Ask("a"), **{name: LONG}),)) for name in texts_of(Ask)
       if name != "goal"},
    **{f"entry 2 of {name}": a_plan(ROW, **{name: ("a", LONG)}) for name in ("understood", "ignored", "normalised")},
    **{f"{name} has 1,001 entries": a_plan(ROW, **{name: ("a",) * 1001})
       for name in ("understood", "ignored", "normalised")},
    "value of ask 1": a_plan(ROW, asks=(Ask("a", value=1e308),)),
    "value of ask 1 is": a_plan(ROW, asks=(Ask("a", value=float("nan")),)),
    "bars of ask 1": a_plan(ROW, asks=(Ask("a", bars=(1, 2**63)),)),
    "now_bars of ask 1": a_plan(ROW, asks=(Ask("a", now_bars=(0, 1)),)),
    "ask 1 names 2,001 rows": a_plan(ROW, asks=(Ask("a", ("s1",) * 2001),)),
    "1,001 asks": a_plan(ROW, asks=(Ask("a"),) * 1001),
    "10,001 locks": a_plan(ROW, locks=(BarsLock(1, 2),) * 10_001),
    "lock 1": a_plan(ROW, locks=(TrackLock(TrackId(LONG)),)),
    "used.tokens": a_plan(ROW, used=Estimate(-5)),
    "used.tokens is 9.22337e+18": a_plan(ROW, used=Estimate(2**63)),
    "used.tokens is beyond": a_plan(ROW, used=Estimate(10**5000)),
    "used.cost": a_plan(ROW, used=Estimate(0, -1e300)),
    "used.cost is": a_plan(ROW, used=Estimate(0, float("nan"))),
    "2,001 rows": a_plan(*(replace(ROW, id=f"s{n}") for n in range(2001))),
    "200,001 notes": a_plan(
        step("c", "create_midi_clip", {"notes": [0] * 100_000}), step("m", "modify_clip", {"add_notes": [0] * 100_001}),
    ),
    "too many values": a_plan(step("s1", "echo", {"x": [0] * 1_500_001})),
    "too many values in its inputs": a_plan(replace(ROW, after=("s1",) * 1_500_001)),
    "a text in the inputs of row 1 (s1)": a_plan(step("s1", "echo", {"x": {"y": [LONG]}})),
    "the name of an input of row 1 (s1)": a_plan(step("s1", "echo", {"x" * 1001: 1})),
    "row 1 (s1) is nested too deeply": a_plan(step("s1", "echo", {"x": deep(300)})),
    "row 2 (s2) is nested too deeply": a_plan(ROW, replace(ROW, id="s2", when=When("{{s1}}", "eq", deep(300)))),
    "is no text": a_plan(step("s1", "echo", {}), request="\ud800"),
    "in the inputs of row 1 (s1) is no text": a_plan(Step("s1", "echo", {"x": ["\udfff"]})),
}


@pytest.mark.parametrize("field", BEYOND)
def test_what_is_beyond_a_bound_is_refused_by_its_name(field: str) -> None:
    with pytest.raises(PlanError) as refusal:
        refuse_unbounded(BEYOND[field])
    assert field in refusal.value.what
    assert refusal.value.why
    assert len(str(refusal.value)) < 400


def test_the_largest_plan_is_within_its_bounds() -> None:
    note = {"n": 60, "s": 0, "d": 1, "v": 100}
    rows = [step(f"s{n}", "create_midi_clip", {"notes": [note] * 100}) for n in range(2000)]
    refuse_unbounded(a_plan(*rows, request="x" * 20_000, understood=("x" * 20_000,) * 1000, asks=(Ask("a"),) * 1000))


def test_notes_are_counted_without_being_looked_at() -> None:
    class Unread(list[Any]):
        def __iter__(self) -> Any:
            raise AssertionError("a note is read")

    with pytest.raises(PlanError, match="200,001 notes"):
        refuse_many_notes([{"notes": Unread([0] * 200_001)}])


def test_sentences_beyond_the_bound_are_counted() -> None:
    said = tuple(some_of([str(number) for number in range(5000)]))
    assert len(said) == bounds.MAX_SENTENCES
    assert said[-1] == "and 4,001 more of the kind"
    assert tuple(some_of(("a", "b"))) == ("a", "b")


def test_a_file_says_nothing_that_is_not_its_own() -> None:
    told = replace(
        read_plan(write_plan(a_plan(ROW)), "x"), hash="h", used=Estimate(7, 8.0), planning="another", pins={"s1": "p"},
        estimate=Estimate(1),
    )
    assert read_plan(write_plan(told), "x") == told
    read = read_plan_text(write_plan(told), "x")
    assert all(getattr(read, name) == getattr(Plan(()), name) for name in NOT_FROM_FILES)
    assert read == a_plan(ROW)


def test_a_file_of_more_bytes_is_not_read() -> None:
    with pytest.raises(PlanError, match=r"song\.json is too large for a plan"):
        read_plan_text(b" " * (32 * 1024 * 1024 + 1), "song.json")


def test_a_long_value_in_the_wrong_place_is_told_in_short() -> None:
    text = b'{"steps": [{"id": "s1", "tool": "x", "by": "' + b"x" * 30_000 + b'"}]}'
    with pytest.raises(PlanError, match=r"song is not a plan") as refusal:
        read_plan_text(text, "song")
    assert refusal.value.why.endswith("- at `$.steps[0].by`")
    assert len(refusal.value.why) == LONGEST_PART
