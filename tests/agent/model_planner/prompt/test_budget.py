"""Talks stay within the model's window, and what must be told is never cut."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_plans import Scripted, a_brief, in_process, pad_rows, the_prompts, written
from studio_parts import PAD

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult, UserTurn
from agent.model_planner.prompt.budget import first_words, fitted, least_tokens, tokens, tokens_of
from agent.model_planner.prompt.context import talk_text
from agent.plan.errors import PlanError
from agent.plan.planning import ConversationLine
from agent.providers.provider import Abilities, Reply
from agent.song.locks import BarsLock, TrackLock

LONG = "the drums should be softer and the bass a little warmer in the second half, please " * 40


def a_talk(messages: int, words: str = LONG) -> tuple[ConversationLine, ...]:
    by = ("you", "bandleader")
    return tuple(
        ConversationLine(by[number % 2], f"message {number}: {words}") for number in range(messages)
    )  # type: ignore[arg-type]


@given(st.text(max_size=2000))
def test_the_estimates_stand_on_both_sides(text: str) -> None:
    assert least_tokens([text]) <= tokens(text)


def test_results_are_cut_before_anything_else_the_oldest_first() -> None:
    call = ToolCall("1", "get_track", {})
    turns = (
        UserTurn("ask" * 100), ModelTurn("", (call,)), ResultsTurn((ToolResult("1", "old " * 3000),)),
        ModelTurn("", (call,)), ResultsTurn((ToolResult("1", "new " * 300),)), ModelTurn("the plan " * 100),
    )
    kept = fitted(turns, tokens_of(turns) - 3000)
    assert tokens_of(kept) <= tokens_of(turns) - 3000
    assert [turn for turn in kept if not isinstance(turn, ResultsTurn)] == [turns[0], turns[1], turns[3], turns[5]]
    assert kept[4] == turns[4]
    assert isinstance(kept[2], ResultsTurn)
    assert "characters left out" in kept[2].results[0].text


def test_what_cannot_fit_is_refused_with_advice() -> None:
    with pytest.raises(PlanError, match="does not fit") as caught:
        fitted((UserTurn(LONG),), 100)
    assert "larger context" in caught.value.advice


@pytest.mark.parametrize("messages", [1, 5, 15, 60])
@pytest.mark.parametrize("room", [120, 400, 2000])
def test_a_talk_keeps_to_its_room_and_ends_with_the_last_words(messages: int, room: int) -> None:
    told = talk_text(a_talk(messages), the_prompts(), room)
    assert tokens(told) <= room + 40
    assert f"message {messages - 1}" in told


def test_a_short_talk_is_told_in_full() -> None:
    told = talk_text(a_talk(15, "louder"), the_prompts(), 2000)
    assert all(f"message {number}: louder" in told for number in range(15))
    assert "shortened" not in told


@pytest.mark.parametrize("context", [8_192, 16_384, 32_000, 200_000])
def test_fifteen_messages_stay_under_budget_and_keep_locks_and_request(context: int) -> None:
    provider = Scripted([written(pad_rows())], Abilities(forms="strict", context=context))
    locks = (TrackLock(PAD), BarsLock(5, 8))
    brief = a_brief("make the bass warmer", said=a_talk(15), locks=locks)
    in_process(provider, brief)
    [query] = provider.queries
    told = query.turns[0]
    assert isinstance(told, UserTurn)
    used = tokens(query.system) + tokens_of(query.turns) + sum(tokens(json.dumps(tool.schema)) for tool in query.tools)
    assert used + query.max_tokens <= context
    for must in (f"track Pad ({PAD})", "bars 5-8", "make the bass warmer", "message 14", "Bass"):
        assert must in told.text


def test_long_results_do_not_push_the_request_out() -> None:
    reads = [Reply("", "tools", (ToolCall(f"c{n}", "list_instruments", {}),)) for n in range(6)]
    provider = Scripted([*reads, written(pad_rows())], Abilities(forms="strict", context=24_000))
    [result] = in_process(provider, a_brief())
    assert len(result.draft.steps) == 2
    for query in provider.queries:
        assert tokens(query.system) + tokens_of(query.turns) + query.max_tokens <= 24_000
        first = query.turns[0]
        assert isinstance(first, UserTurn)
        assert "a warm pad" in first.text


def test_a_request_that_fits_nowhere_is_refused_before_anything_is_sent() -> None:
    provider = Scripted([written(pad_rows())], Abilities(context=4_000))
    with pytest.raises(PlanError, match="does not fit"):
        in_process(provider, a_brief(LONG * 20))
    assert provider.queries == []


def test_first_words_mark_what_is_missing() -> None:
    assert first_words("a  b\nc", 10) == "a b c"
    assert first_words("abcdefgh", 5) == "abcd…"
