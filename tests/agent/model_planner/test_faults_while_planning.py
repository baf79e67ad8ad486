"""Every fault × every provider while a model plans: a plan where nothing is missing, else one clear error."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TypeAlias

import pytest
from model_plan_faults import STALLS, check_told, plan_fault
from model_plans import Planned, a_brief, pad_rows, planned, the_prompts, the_registry, written
from model_providers import provider_for
from model_server import FORMS, Form, ModelServer, Text, model_server
from model_wire_faults import FAULTS, FaultName
from patience import PATIENCE

from agent.errors import BandleaderError
from agent.model_planner.planner import ModelPlanner
from agent.model_planner.rounds.errors import NoPlan
from agent.plan.errors import PlanError
from agent.plan.planning import Brief, DraftReady
from agent.providers.errors import ProviderError
from agent.providers.retrying import RetryingProvider
from agent.song.song import Song

_PLAN = written(pad_rows())
_HARMLESS = ("unknown_event", "nameless_events", "huge_chunk", "no_usage", "text_cut_by_limit", "context_full")
"""Odd, but the plan is there to its last brace."""
_NO_PLAN = (
    "malformed_arguments", "arguments_no_object", "empty_arguments", "call_cut_by_limit", "unknown_tool", "refusal",
    "content_filter", "pause", "nothing_said",
)
"""The server does its part, the model none of its own."""
End: TypeAlias = Planned | BandleaderError


async def _no_wait(_: float) -> None:
    await asyncio.sleep(0)


def _brief() -> Brief:
    return a_brief(song=Song())


class Bench:
    """One server and one planner that lives through all faults of one form."""

    def __init__(self, form: Form, server: ModelServer, elsewhere: ModelServer, runner: asyncio.Runner) -> None:
        self.form, self.server, self.elsewhere, self.runner = form, server, elsewhere, runner
        self.provider = RetryingProvider(provider_for(form, server.url(form)), sleep=_no_wait)
        # Short only where silence is the fault, so that a busy machine is no other one.
        self.hasty = RetryingProvider(provider_for(form, server.url(form), idle=0.3), tries=2, sleep=_no_wait)

    def planner(self, *, hasty: bool = False) -> ModelPlanner:
        """A planner with a memory of its own."""
        return ModelPlanner(self.hasty if hasty else self.provider, the_prompts(), the_registry())

    def end(self, planner: ModelPlanner) -> End:
        """How planning ends: only a plan and errors of ours are ends."""
        try:
            return self.runner.run(planned(planner, _brief()))
        except BandleaderError as error:
            return error


@pytest.fixture(scope="module", params=FORMS)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    fine = Text(_PLAN)
    with asyncio.Runner() as runner, model_server(fine) as elsewhere, model_server(fine, size=97) as server:
        made = Bench(request.param, server, elsewhere, runner)
        yield made
        runner.run(made.provider.close())
        runner.run(made.hasty.close())


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "refused_connection"])
def test_a_fault_ends_in_a_plan_or_one_clear_error_and_asking_again_works(fault: FaultName, bench: Bench) -> None:
    bench.server.script = plan_fault(fault, _PLAN, bench.elsewhere.origin)
    planner = bench.planner(hasty=fault in STALLS)
    end = bench.end(planner)
    if fault in _HARMLESS:
        check_plan(end)
    else:
        assert isinstance(end, BandleaderError), "a plan was made of an answer that is not whole"
        # Only one of the APIs knows a pause; to the others it is no known end.
        other = fault == "pause" and bench.form != "anthropic"
        assert isinstance(end, NoPlan if fault in _NO_PLAN and not other else ProviderError), repr(end)
        check_told(end)
    assert not bench.elsewhere.requests, "a prompt never goes to another origin"
    before = len(bench.server.requests)
    bench.server.script = Text(_PLAN)
    check_plan(bench.end(planner))
    assert len(bench.server.requests) == before + (fault not in _HARMLESS), "only a plan is remembered"


def check_plan(end: End) -> None:
    assert isinstance(end, Planned), repr(end)
    assert [(step.id, step.tool, step.inputs) for step in end.draft.steps] == [
        (one["id"], one["tool"], one["inputs"]) for one in pad_rows()
    ]
    assert end.shown == list(end.draft.steps)


@pytest.mark.parametrize(
    "fault", ["rate_limit_1_s", "overloaded", "cut_mid_text_closed", "no_stop_reason", "reset_mid_text"]
)
def test_what_passes_is_passed_over_and_rows_of_the_broken_answer_are_taken_back(
    fault: FaultName, bench: Bench
) -> None:
    bench.server.script = [plan_fault(fault, _PLAN, ""), plan_fault(fault, _PLAN, ""), Text(_PLAN)]
    end = bench.end(bench.planner())
    check_plan(end)
    assert isinstance(end, Planned)
    assert [type(event) for event in end.events].count(DraftReady) == 1


@pytest.mark.parametrize("form", FORMS)
def test_planning_where_no_server_is_says_so_and_works_once_there_is_one(form: Form) -> None:
    async def journey() -> tuple[BandleaderError, Planned]:
        with model_server(plan_fault("refused_connection", _PLAN, "")) as absent:
            provider = RetryingProvider(provider_for(form, absent.url(form)), sleep=_no_wait)
            planner = ModelPlanner(provider, the_prompts(), the_registry())
            with pytest.raises(ProviderError) as caught:
                await planned(planner, _brief())
        with model_server(Text(_PLAN), port=absent.port):
            after = await planned(planner, _brief())
        await provider.close()
        return caught.value, after

    error, after = asyncio.run(journey())
    check_told(error)
    check_plan(after)


@pytest.mark.parametrize("form", FORMS)
def test_cutting_a_plan_anywhere_never_makes_a_shorter_one(form: Form) -> None:
    """The stream ends as if it were done, after each tenth of a plan and after each of its rows."""
    places = {len(_PLAN) * tenth // 10 for tenth in range(1, 10)}
    places |= {place + 1 for place, sign in enumerate(_PLAN) if sign in "}]" and place % 3 == 0}

    async def journey(server: ModelServer) -> None:
        provider = provider_for(form, server.url(form))
        planner = ModelPlanner(provider, the_prompts(), the_registry())
        for place in sorted(places - {len(_PLAN)}):
            server.script = Text(_PLAN[:place])
            with pytest.raises(PlanError):
                await planned(planner, _brief())
        await provider.close()

    with model_server([], size=499) as server:
        asyncio.run(asyncio.wait_for(journey(server), PATIENCE))
