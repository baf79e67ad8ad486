"""The same brief is answered from memory, and a brief that differs in anything that counts is not."""

from __future__ import annotations

from typing import Any

import pytest
from model_plans import Scripted, a_brief, in_process, over_the_wire, pad_rows, written
from model_server import Text
from msgspec.structs import replace
from studio_parts import PAD, a_song, step

from agent.model_planner.memory import AnswerMemory, memory_key
from agent.model_planner.rounds.errors import NoPlan
from agent.plan.plan import Draft
from agent.plan.planning import ConversationLine, Spent, Verdict
from agent.song.locks import TrackLock

REJECTED = Verdict("a warm pad", step("s1", "set_tempo", {"bpm": 60}), "rejected", "too slow")


def test_the_same_brief_costs_nothing_the_second_time() -> None:
    script = [Text(written(pad_rows())), Text(written(pad_rows(4)))]
    brief = a_brief("a warm pad")
    again = a_brief(
        " a warm  pad ", said=(ConversationLine("you", "a warm pad"), ConversationLine("bandleader", "2 rows"))
    )
    (first, second, fresh), server = over_the_wire(script, brief, again, replace(brief, fresh=True))
    assert second.draft == first.draft
    assert second.shown == list(first.draft.steps)
    assert not any(isinstance(event, Spent) for event in second.events)
    assert "asked before" in second.thoughts[0]
    assert fresh.draft != first.draft
    assert len(server.requests) == 2


def test_a_fresh_answer_is_remembered_in_place_of_the_old_one() -> None:
    provider = Scripted([written(pad_rows()), written(pad_rows(4))])
    brief = a_brief()
    _, fresh, third = in_process(provider, brief, replace(brief, fresh=True), brief)
    assert third.draft == fresh.draft


@pytest.mark.parametrize(
    "other",
    [
        {"request": "a cold pad"},
        {"seed": 8},
        {"locks": (TrackLock(PAD),)},
        {"song": replace(a_song(), name="Other")},
        {"verdicts": (REJECTED,)},
        {"said": (ConversationLine("you", "make it blue"),)},
        {"tools": a_brief().tools[:4]},
    ],
)
def test_a_brief_that_differs_is_asked_anew(other: dict[str, Any]) -> None:
    assert memory_key("a/b", a_brief(**other), "") != memory_key("a/b", a_brief(), "")
    assert memory_key("a/c", a_brief(), "") != memory_key("a/b", a_brief(), "")
    assert memory_key("a/b", a_brief(), "other prompts") != memory_key("a/b", a_brief(), "")


def test_the_least_used_answer_is_forgotten() -> None:
    memory = AnswerMemory(2)
    drafts = {name: Draft((step(name, "set_tempo", {"bpm": 90}),)) for name in ("a", "b", "c")}
    memory.keep("a", drafts["a"])
    memory.keep("b", drafts["b"])
    assert memory.recall("a") == drafts["a"]
    memory.keep("c", drafts["c"])
    assert [memory.recall(name) for name in ("a", "b", "c")] == [drafts["a"], None, drafts["c"]]


def test_what_failed_is_not_remembered() -> None:
    provider = Scripted(["I can't.", written(pad_rows())])
    with pytest.raises(NoPlan):
        in_process(provider, a_brief())
    assert len(in_process(provider, a_brief())[0].draft.steps) == 2
