"""A transcript is mended before it is sent, whatever was left open in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.conversation.mending import mended
from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult, Turn, UserTurn

_IDS = st.sampled_from(["a", "b", "c", "a-2"])
_CALLS = st.builds(ToolCall, _IDS, st.sampled_from(["set_tempo", "create_track"]), st.just({}))
_TURNS = st.lists(
    st.one_of(
        st.builds(UserTurn, st.text(max_size=3)),
        st.builds(ModelTurn, st.text(max_size=3), st.lists(_CALLS, max_size=3).map(tuple)),
        st.builds(ResultsTurn, st.lists(st.builds(ToolResult, _IDS, st.text(max_size=3)), max_size=4).map(tuple)),
    ),
    max_size=9,
)


def call(id_: str) -> ToolCall:
    return ToolCall(id_, "set_tempo", {})


@given(_TURNS)
def test_each_call_has_its_one_result_right_behind_it(turns: list[Turn]) -> None:
    talk = mended(turns)
    for at, turn in enumerate(talk):
        if isinstance(turn, ModelTurn) and turn.calls:
            behind = talk[at + 1]
            assert isinstance(behind, ResultsTurn)
            assert [one.id for one in behind.results] == [one.id for one in turn.calls]
        if isinstance(turn, ResultsTurn):
            before = talk[at - 1]
            assert at > 0
            assert isinstance(before, ModelTurn)
            assert before.calls


@given(_TURNS)
def test_no_id_comes_twice_and_no_word_is_lost(turns: list[Turn]) -> None:
    talk = mended(turns)
    ids = [one.id for turn in talk if isinstance(turn, ModelTurn) for one in turn.calls]
    assert len(ids) == len(set(ids))
    assert [t.text for t in talk if not isinstance(t, ResultsTurn)] == [
        t.text for t in turns if not isinstance(t, ResultsTurn)
    ]


@given(_TURNS)
def test_a_mended_talk_stays_as_it_is(turns: list[Turn]) -> None:
    talk = mended(turns)
    assert mended(talk) == talk


def test_a_call_that_was_never_answered_is_told_as_not_carried_out() -> None:
    talk = mended([UserTurn("go"), ModelTurn("", (call("a"), call("b"))), ResultsTurn((ToolResult("b", "done"),))])
    assert talk[2] == ResultsTurn((ToolResult("a", "This call was not carried out.", True), ToolResult("b", "done")))


def test_results_come_before_the_words_that_were_typed_meanwhile() -> None:
    results = ResultsTurn((ToolResult("a", "done"),))
    assert mended([ModelTurn("", (call("a"),)), UserTurn("wait"), results]) == (
        ModelTurn("", (call("a"),)), results, UserTurn("wait"),
    )


def test_a_second_result_and_a_strangers_are_dropped() -> None:
    talk = mended([
        ResultsTurn((ToolResult("z", "whose?"),)), ModelTurn("", (call("a"),)),
        ResultsTurn((ToolResult("a", "first"), ToolResult("x", "whose?"), ToolResult("a", "second"))),
    ])
    assert talk == (ModelTurn("", (call("a"),)), ResultsTurn((ToolResult("a", "first"),)))


def test_an_id_that_comes_again_keeps_its_own_result() -> None:
    talk = mended([
        ModelTurn("", (call("call_0"),)), ResultsTurn((ToolResult("call_0", "one"),)),
        ModelTurn("", (call("call_0"),)), ResultsTurn((ToolResult("call_0", "two"),)),
    ])
    assert talk[2:] == (ModelTurn("", (call("call_0-2"),)), ResultsTurn((ToolResult("call_0-2", "two"),)))
