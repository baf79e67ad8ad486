"""What is pinned, what it is called, and what of an answer is kept."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_servers import asking, connection, odd

from agent.services.registry import Registry
from app.services.mcp_servers.errors import BadServer
from app.services.mcp_servers.pins import check_pins, differences, is_whole, pin
from app.services.mcp_servers.plain_text import cleaned, cleaner, hides, revealed
from app.services.mcp_servers.results import GENERAL, MOST, CallResult, result_of
from app.services.mcp_servers.service import McpService
from app.services.mcp_servers.tool_names import offered_name

ONE = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
OTHER_ORDER = {"properties": {"b": {"type": "string"}, "a": {"type": "string"}}, "type": "object"}


def test_the_digest_is_over_what_is_said_whatever_its_order() -> None:
    said = pin("say", "Says.", ONE)
    assert said.digest == pin("say", "Says.", OTHER_ORDER).digest
    others = [
        pin("say", "Says. ", ONE), pin("tell", "Says.", ONE), pin("say", "Says.", {}), pin("say", "Says.", ONE, ONE),
        pin("say", "Says.", ONE, None, {"readOnlyHint": True}),
    ]
    assert len({said.digest, *(one.digest for one in others)}) == 6
    assert is_whole(said)
    assert not is_whole(msgspec.structs.replace(said, description="Deletes."))


def test_what_changed_went_and_came_is_told_apart() -> None:
    before = (pin("a", "A.", ONE), pin("b", "B.", ONE), pin("c", "C.", ONE))
    now = (pin("a", "A.", ONE), pin("b", "B!", ONE), pin("d", "D.", ONE))
    found = differences(before, now)
    assert [(old.name, new.description) for old, new in found.changed] == [("b", "B!")]
    assert ([one.name for one in found.gone], [one.name for one in found.new]) == (["c"], ["d"])
    assert found
    assert not differences(before, before)


@pytest.mark.parametrize("tools", [
    (), (pin("a", "", ONE), pin("a", "", {})), (pin("a", "x" * 70_000, ONE),), (pin("a\u200b", "", ONE),),
    (pin("a", "", None),), (pin("", "", ONE),), tuple(pin(f"a{n}", "", ONE) for n in range(201)),
    (pin("a", "", {"properties": {"to\u202e": {}}}),),
])
def test_tools_that_cannot_be_kept_apart_or_shown_are_refused(tools: tuple) -> None:
    with pytest.raises(BadServer):
        check_pins(tools)


@given(st.text(min_size=1, max_size=90), st.text(min_size=1, max_size=90))
def test_names_are_safe_for_every_model_and_never_the_same_for_two_tools(one: str, two: str) -> None:
    names = {offered_name("web", tool) for tool in (one, two)}
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in names)
    assert len(names) == len({one, two})


@given(st.text(max_size=60))
def test_nothing_hidden_is_left_and_all_of_it_can_be_shown(text: str) -> None:
    assert not hides(cleaned(text))
    assert not hides(revealed(text))


def test_tags_and_marks_that_no_one_sees_are_shown() -> None:
    assert revealed("add\u200b\U000e0041\u202e\ufe0f\x1b") == "add⟨U+200B⟩⟨U+E0041⟩⟨U+202E⟩⟨U+FE0F⟩⟨U+001B⟩"
    assert cleaned("a\u200b\x07b\r\nc") == "ab\nc"


def test_a_tool_cannot_take_the_name_of_another_service(tmp_path) -> None:  # type: ignore[no-untyped-def]
    to = connection(tmp_path, odd(tmp_path))
    service = McpService("web", (pin("create_track", "Makes a track.", ONE),), to)
    assert [tool.name for tool in service.tools] == ["web__create_track"]
    assert Registry((service,)).owner("web__create_track") is service
    assert asking("say").tool == "odd__say"


def test_what_a_server_says_of_itself_only_ever_warns(tmp_path) -> None:  # type: ignore[no-untyped-def]
    to = connection(tmp_path, odd(tmp_path))
    kind = {"readOnlyHint": True, "idempotentHint": True, "destructiveHint": True}
    (tool,) = McpService("web", (pin("wipe", "Wipes.\u200b\nAll.", ONE, None, kind),), to).tools
    assert (tool.effect, tool.pure, tool.safe_to_repeat) == ("outside", False, False)
    assert tool.about == "Wipes. All. (as the server web says) It says of itself that it may destroy things."


def test_long_answers_are_cut_and_say_so() -> None:
    plain = pin("a", "", ONE)
    long = result_of(CallResult(({"type": "text", "text": "\"ä" * 600_000},)), plain, cleaned)
    assert long["cut"] is True
    assert 0.9 * MOST < len(msgspec.json.encode(long)) < 1_000_000
    fat = result_of(CallResult((), {"a": "x" * 900_000}), plain, cleaned)
    assert fat == {"text": "", "cut": True}


def test_a_text_that_is_data_can_be_used_as_data() -> None:
    plain = pin("a", "", ONE)
    assert result_of(CallResult(({"type": "text", "text": '{"n": [1]}'},)), plain, cleaned)["structured"] == {"n": [1]}
    assert "structured" not in result_of(CallResult(({"type": "text", "text": "{not"},)), plain, cleaned)
    promised = pin("a", "", ONE, {"type": "object", "properties": {"n": {"type": "integer"}}})
    assert result_of(CallResult((), {"n": 3, "t\u200b": "\x07x"}), promised, cleaned) == {"n": 3, "t": "x"}
    assert GENERAL["required"] == ["text"]


def test_a_resource_is_told_by_kind_and_size() -> None:
    content = (
        {"type": "resource", "resource": {"uri": "file:///a", "mimeType": "audio/wav", "blob": "AAAAAA=="}},
        {"type": "resource_link", "uri": "file:///b", "name": "b"},
    )
    assert result_of(CallResult(content), pin("a", "", ONE), cleaned)["items"] == [
        {"kind": "resource", "type": "audio/wav", "bytes": 4, "name": "file:///a"},
        {"kind": "resource_link", "name": "file:///b"},
    ]


def test_a_secret_at_the_end_of_what_is_kept_is_not_kept_in_part() -> None:
    secret = "s" + "ecret-canary" * 8
    text = "x" * (MOST - 40) + secret + "y" * 20_000
    kept = result_of(CallResult(({"type": "text", "text": text},)), pin("a", "", ONE), cleaner((secret,)))
    assert "secret" not in kept["text"]
