"""Rows that are left to a model, through the real SDKs over HTTP: a whole talk, and every fault within one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from model_providers import KEY, provider_for
from model_server import FORMS, Answer, Asked, Calls, Form, ModelServer, Text, model_server
from model_wire_faults import FAULTS, FaultName, answer_of
from scripted_model import goal, worked
from studio_parts import PAD, Ran, a_song, the_palette

from agent.plan.plan import Step
from agent.session.events import SubStepDone
from agent.session.ports import RowReport
from agent.session.spending import Spending
from agent.session.tool_loop import ModelWorker

_STALLS = ("stall_at_start", "stall_mid_text", "stall_mid_call")
_ENDS = ("unknown_event", "nameless_events", "huge_chunk", "no_usage", "nothing_said")
"""Odd, but the model ends by itself."""
_GOES_ON = (
    "malformed_arguments", "arguments_no_object", "empty_arguments", "call_cut_by_limit", "unknown_tool",
    "text_cut_by_limit", "context_full",
)
"""The model never comes to an end: what it did before waits for a person."""
_FIRST = Calls(("update_track", {"track_id": PAD, "volume_db": -3}))
_ROW = goal(tools=("update_track", "create_track"), max_edits=20)


class Bench:
    """One server and one provider for all talks of one form."""

    def __init__(self, form: Form, server: ModelServer, elsewhere: ModelServer, runner: asyncio.Runner) -> None:
        self.form, self.server, self.elsewhere, self.runner = form, server, elsewhere, runner
        self.provider = provider_for(form, server.url(form))
        # Short only where silence is the fault, so that a busy machine is no other one.
        self.hasty = provider_for(form, server.url(form), idle=0.7)

    def work(self, row: Step, *, hasty: bool = False) -> tuple[Ran, Spending]:
        spending = Spending()
        worker = ModelWorker(self.hasty if hasty else self.provider, "Do what the goal says.", the_palette())
        return self.runner.run(worked(worker, row, spending=spending)), spending


@pytest.fixture(scope="module", params=FORMS)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    with asyncio.Runner() as runner, model_server(Text("no")) as elsewhere, model_server(Text("no")) as server:
        made = Bench(request.param, server, elsewhere, runner)
        yield made
        runner.run(made.provider.close())
        runner.run(made.hasty.close())


def test_a_talk_of_several_turns_with_several_calls_each(bench: Bench) -> None:
    before = len(bench.server.requests)
    bench.server.script = [
        Calls(("get_track", {"track_id": PAD}), ("update_track", {"track_id": PAD, "volume_db": -3}),
              ("update_track", {"track_id": "tbass", "pan": 1}), text="I look first."),
        Calls(("create_track", {"name": "Air", "instrument": "pad_warm"})),
        Text("The pads are softer."),
    ]
    ran, spending = bench.work(_ROW)
    assert ran.states == ["done"]
    assert ran["g"].result["words"] == "The pads are softer."
    assert [one["ok"] for one in ran["g"].result["calls"]] == [True, True, False, True]
    assert ran.studio.song.track(PAD).volume_db == -3
    first, second, third = bench.server.requests[before:]
    assert {"update_track", "create_track", "get_song"} <= set(first.tools)
    assert "delete_track" not in first.tools
    assert "Do what the goal says." in first.system
    assert "make it softer" in first.last_words
    assert len(second.results) == 3
    assert "Chords" in second.results[0]
    assert "Bass (tbass)" in second.results[2]
    assert len(third.results) == 4
    assert spending.usage.calls == 3
    assert spending.usage.total > 0


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "refused_connection"])
def test_a_fault_in_the_middle_of_a_goal_ends_it_with_one_line_and_nothing_half(fault: FaultName, bench: Bench) -> None:
    row, ran = broken(fault, bench)
    done = [one.tool for one in ran.studio.events if isinstance(one, SubStepDone) and one.ok]
    # What the first turn did on the ghost is there; of the broken reply nothing is, though its calls would fit.
    assert [tool for tool in done if tool != "get_song"] == ["update_track"]
    # Only one of the APIs knows a pause.
    goes_on = fault in _GOES_ON or (fault == "pause" and bench.form == "anthropic")
    assert row.state.value == ("done" if fault in _ENDS else "needs_review" if goes_on else "failed")
    assert (ran.studio.song is a_song()) == (fault not in _ENDS)
    assert fault in _ENDS or row.reason
    assert "\n" not in row.reason
    assert len(row.reason) < 500
    assert KEY[:12] not in row.reason
    assert ran.ledger.balanced
    assert not bench.elsewhere.requests


@pytest.mark.parametrize("fault", ["rate_limit", "reset_mid_text", "cut_mid_call_closed", "refusal", "wrong_key"])
def test_after_a_fault_a_retry_does_it(fault: FaultName, bench: Bench) -> None:
    assert broken(fault, bench)[0].state.value == "failed"
    bench.server.script = [_FIRST, Text("Done.")]
    again, _ = bench.work(_ROW)
    assert again.states == ["done"]


def broken(fault: FaultName, bench: Bench) -> tuple[RowReport, Ran]:
    """A goal whose model makes one good turn, and then nothing but this fault."""
    answers: list[Answer] = [_FIRST]

    def script(_: Asked) -> Answer:
        return answers.pop() if answers else answer_of(fault, bench.elsewhere.origin)

    bench.server.script = script
    ran, _ = bench.work(_ROW, hasty=fault in _STALLS)
    return ran["g"], ran
