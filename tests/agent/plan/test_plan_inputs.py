"""Reading inputs by a tool's schema."""

from __future__ import annotations

from contextlib import suppress
from math import floor, inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from studio_parts import a_registry

from agent.plan.inputs import BadInput, read_inputs

TIME = {"type": "number", "unit": "beats", "minimum": 0}
LENGTH = {"type": "number", "unit": "beats", "exclusiveMinimum": 0}
CLIP = a_registry().tools["create_midi_clip"].inputs
TRACK = a_registry().tools["create_track"].inputs


def read(schema: dict[str, Any], value: Any, **options: bool) -> Any:
    return read_inputs(
        {"type": "object", "properties": {"x": schema}, "additionalProperties": False}, {"x": value}, **options
    )["x"]


@given(st.floats(0, 1e6))
def test_beats_become_ticks_by_rounding_half_up(beats: float) -> None:
    assert read(TIME, beats) == floor(beats * 960 + 0.5)
    if beats:
        assert read(LENGTH, beats) == max(1, floor(beats * 960 + 0.5)), "a length is never rounded to nothing"


@pytest.mark.parametrize("value", [-0.1, 1e8, nan, inf, True, "1", None, [1]])
def test_a_time_is_a_number_of_beats_that_a_song_can_have(value: object) -> None:
    with pytest.raises(BadInput, match=r"inputs\.x"):
        read(TIME, value)


def test_a_length_of_nothing_is_refused() -> None:
    with pytest.raises(BadInput, match="0 beats"):
        read(LENGTH, 0)


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 127}, [0, 127, 60.0], [-1, 128, 60.5, "60", True, None, 10**400]),
        ({"type": "number", "minimum": -96, "maximum": 24}, [-96, 24, 0.5], [-97, 25, "0", nan, inf, False, 10**400]),
        ({"type": "number", "exclusiveMinimum": 0}, [0.1], [0, -1]),
        ({"type": "string", "minLength": 1, "maxLength": 3}, ["a", "abc"], ["", "abcd", 1, None]),
        ({"type": "string", "pattern": "^[A-G]$"}, ["A"], ["H", "AB"]),
        ({"enum": ["major", "minor"]}, ["major"], ["dur", 1]),
        ({"enum": [1, 2, 4]}, [1, 4.0], [True, "1", 3]),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 2}, [[], [1, 2]], [[1, 2, 3], ["x"], "x", {}]),
        ({"type": "boolean"}, [True, False], [0, "true", None]),
        ({"type": "object"}, [{}], [[], "x"]),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, ["a", None], [1, []]),
        ({"anyOf": [{"type": "number", "minimum": 0}, {"type": "null"}]}, [1.5, None], [-1, "x"]),
        ({"type": ["string", "null"]}, ["a", None], [1]),
    ],
)
def test_types_and_bounds(schema: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    for value in good:
        assert read(schema, value) == value
    for value in bad:
        with pytest.raises(BadInput, match=r"inputs\.x"):
            read(schema, value)


def test_numbers_take_the_type_of_the_schema() -> None:
    assert isinstance(read({"type": "number"}, 1), float)
    assert isinstance(read({"type": "integer"}, 1.0), int)
    assert str(read({"type": "number"}, -0.0)) == "0.0"


def test_defaults_are_filled_and_stand_in_ticks() -> None:
    given_inputs = {"track_id": "t1", "start_time": 1, "duration": 4, "notes": [{"n": 60, "s": 0.5, "d": 1}]}
    filled = read_inputs(CLIP, given_inputs)
    assert filled == {
        "track_id": "t1",
        "start_time": 960,
        "duration": 3840,
        "name": None,
        "notes": [{"n": 60, "s": 480, "d": 960, "v": 100}],
    }
    assert given_inputs["notes"] == [{"n": 60, "s": 0.5, "d": 1}], "what was given is not touched"
    grid = read_inputs(a_registry().tools["transform_clip"].inputs, {"clip_id": "c", "operation": "quantize"})["grid"]
    assert grid == 240


def test_unknown_and_missing_fields_are_named_with_what_there_is() -> None:
    with pytest.raises(BadInput, match=r"inputs\.volume is unknown") as unknown:
        read_inputs(TRACK, {"name": "x", "instrument": "y", "volume": 1})
    assert "volume_db" in unknown.value.advice
    with pytest.raises(BadInput, match=r"inputs\.instrument is missing"):
        read_inputs(TRACK, {"name": "x"})
    with pytest.raises(BadInput, match=r"inputs\.notes\[1\]\.n"):
        read_inputs(
            CLIP,
            {
                "track_id": "t",
                "start_time": 0,
                "duration": 4,
                "notes": [{"n": 1, "s": 0, "d": 1}, {"n": 300, "s": 0, "d": 1}],
            },
        )


def test_the_id_of_what_is_made_cannot_be_given() -> None:
    with pytest.raises(BadInput, match="track_id is unknown"):
        read_inputs(TRACK, {"name": "x", "instrument": "y", "track_id": "tmine"})


@given(st.sampled_from(["{{s1.x}}", "a {{item.n}} b"]))
def test_a_reference_may_stand_anywhere_while_references_are_open(reference: str) -> None:
    for schema in (TIME, {"type": "integer"}, {"type": "array"}, {"enum": [1]}, {"anyOf": [{"type": "null"}]}):
        assert read(schema, reference, open_references=True) == reference
        with pytest.raises(BadInput):
            read(schema, reference)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    )
)
def test_whatever_is_given_is_read_or_refused_clearly(value: Any) -> None:
    for schema in (CLIP, TRACK):
        for inputs in (
            value,
            {"track_id": value, "start_time": value, "duration": value, "notes": value, "name": value},
        ):
            with suppress(BadInput):
                assert isinstance(read_inputs(schema, inputs), dict)
