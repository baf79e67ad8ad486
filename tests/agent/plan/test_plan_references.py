"""The grammar of references: what it reads, what it refuses, and that it never scans a result again."""

from __future__ import annotations

from contextlib import suppress

import pytest
from examples import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.plan.errors import PlanError
from agent.plan.references import Unresolved, is_reference, parse_reference, references_in, resolve

RESULTS = {
    "s1": {"track_id": "tbass", "volume": -9.5, "loud": True, "none": None, "items": [{"id": "a"}, {"id": "b"}]},
    "s2": "text",
    "item": {"n": 60},
}
SCRAPS = st.lists(
    st.sampled_from(
        [
            "{{",
            "}}",
            "{",
            "}",
            "s1",
            "s2",
            "item",
            ".",
            "track_id",
            "items",
            "[0]",
            "[7]",
            "[",
            "]",
            " ",
            "\n",
            "a",
            "__class__",
            "'",
            "|",
            "%",
            "٣",
            "\x00",
            "ä",
        ]
    ),
    max_size=12,
).map("".join)


@settings(max_examples=examples(10_000))
@given(st.one_of(SCRAPS, st.text(max_size=40)))
@example("{{" * 2000)
@example("{{s1.track_id}} {{" + "{{" * 2000)
def test_any_text_resolves_or_is_a_plan_error(text: str) -> None:
    with suppress(PlanError):
        resolved = resolve(text, RESULTS)
        assert is_reference(text) or resolved == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{{s1.track_id}}", "tbass"),
        (" {{ s1.track_id }} ", "tbass"),
        ("{{s1.volume}}", -9.5),
        ("{{s1.loud}}", True),
        ("{{s1.none}}", None),
        ("{{s1.items}}", RESULTS["s1"]["items"]),
        ("{{s1.items[1].id}}", "b"),
        ("{{s2}}", "text"),  # type: ignore[index]
        ("{{item.n}}", 60),
    ],
)
@pytest.mark.semantics("2.1")
def test_a_reference_alone_keeps_its_type(text: str, value: object) -> None:
    assert resolve({"x": [text]}, RESULTS) == {"x": [value]}


@pytest.mark.semantics("2.1")
def test_references_inside_text_become_words() -> None:
    assert resolve("{{s1.track_id}} and {{s1.volume}} and {{s1.loud}}", RESULTS) == "tbass and -9.5 and true"
    assert resolve("{{s1.track_id}}{{s2}}", RESULTS) == "tbasstext"
    for text in ("x {{s1.items}}", "x {{s1.none}}"):
        with pytest.raises(Unresolved, match="cannot stand inside text"):
            resolve(text, RESULTS)


@pytest.mark.semantics("2.3")
def test_a_result_is_never_scanned_again() -> None:
    hostile = {"s1": {"name": "{{s2.secret}}"}, "s2": {"secret": "hunter2"}}
    assert resolve("{{s1.name}}", hostile) == "{{s2.secret}}"
    assert resolve("a {{s1.name}} b", hostile) == "a {{s2.secret}} b"
    split = {"s1": {"a": "{{s2.", "b": "secret}}"}, "s2": {"secret": "hunter2"}}
    assert resolve("{{s1.a}}{{s1.b}}", split) == "{{s2.secret}}"


@pytest.mark.parametrize(
    "text",
    [
        "{{s1.nope}}",
        "{{s9.x}}",
        "{{s1.items[2]}}",
        "{{s1.items.id}}",
        "{{s1.track_id[0]}}",
        "{{s2.upper}}",
        "{{s1[0]}}",
    ],
)
@pytest.mark.semantics("2.2")
def test_what_is_not_there_is_unresolved_and_never_empty(text: str) -> None:
    with pytest.raises(Unresolved):
        resolve(text, RESULTS)


@pytest.mark.parametrize(
    "text",
    [
        "{{}}",
        "{{s1.a b}}",
        "{{s1 | upper}}",
        "{{1 + 1}}",
        "{{s1.__class__()}}",
        "{{S1.x}}",
        "{{s1['x']}}",
        "{{s1.x}",
        "s1.x",
        "{{s1.x}} {{s1.y}}",
        "{{{s1.x}}}",
    ],
)
def test_nothing_else_is_a_reference(text: str) -> None:
    with pytest.raises(PlanError):
        parse_reference(text)


def test_megabytes_of_braces_are_read_at_once() -> None:
    text = "{{" * 1_000_000
    assert not is_reference(text)
    assert resolve(text, RESULTS) == text
    long = "x" * 1_000_000 + "{{s1.track_id}}"
    assert resolve(long, RESULTS) == "x" * 1_000_000 + "tbass"


def test_references_are_found_wherever_they_stand() -> None:
    found = [str(one) for one in references_in({"a": ["{{s1.x}} {{item.n}}", {"b": "{{s2.y[0]}}"}], "c": 1})]
    assert found == ["{{s1.x}}", "{{item.n}}", "{{s2.y[0]}}"]
