"""Every fault × every provider at the first call of a goal and of a repair: one end with a reason, and then a retry."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from model_plan_faults import STALLS, check_told, plan_fault
from model_providers import KEY, provider_for
from model_server import FORMS, Calls, Form, ModelServer, Text, model_server
from model_wire_faults import FAULTS, FaultName, answer_of
from scripted_model import goal, worked
from studio_parts import PAD, Ran, a_plan, a_registry, a_song, step, the_palette

from agent.errors import BandleaderError
from agent.plan.ledger import StepState
from agent.providers.provider import Provider
from agent.providers.retrying import RetryingProvider
from agent.session.events import SubStepDone
from agent.session.repairing import Repair, propose_repair
from agent.session.tool_loop import ModelWorker

_MENDED = '{"track_id": "tpad", "volume_db": -9}'
_HARMLESS = ("unknown_event", "nameless_events", "huge_chunk", "no_usage")
# How a server refuses is the provider's matter; here it is about text that may look whole.
_AT_A_REPAIR: tuple[FaultName, ...] = (
    *_HARMLESS, "wrong_key", "rate_limit", "reset_at_once", "empty_body", "cut_mid_text_chunked", "cut_mid_text_closed",
    "no_stop_reason", "call_without_stop_reason", "stall_mid_text", "overloaded_mid_stream", "bad_json",
    "unknown_stop_reason", "malformed_arguments", "call_cut_by_limit", "unknown_tool", "text_cut_by_limit",
    "context_full", "refusal", "content_filter", "pause", "nothing_said",
)
_FAULTS = [fault for fault in FAULTS if fault != "refused_connection"]
# The calls of the broken answers would fit this goal: what is carried out of them shows in the song.
_ROW = goal(tools=("update_track", "create_track"), max_edits=20)


async def _no_wait(_: float) -> None:
    await asyncio.sleep(0)


class Bench:
    """One server and one provider for all goals of one form."""

    def __init__(self, form: Form, server: ModelServer, elsewhere: ModelServer, runner: asyncio.Runner) -> None:
        self.form, self.server, self.elsewhere, self.runner = form, server, elsewhere, runner
        self.patient = RetryingProvider(provider_for(form, server.url(form)), sleep=_no_wait)
        # Short only where silence is the fault, so that a busy machine is no other one.
        self.hasty = RetryingProvider(provider_for(form, server.url(form), idle=0.3), tries=2, sleep=_no_wait)

    def provider(self, fault: FaultName) -> Provider:
        return self.hasty if fault in STALLS else self.patient

    def work(self, provider: Provider) -> Ran:
        return self.runner.run(worked(ModelWorker(provider, "Do what the goal says.", the_palette()), _ROW))

    def repair(self, provider: Provider) -> Repair | BandleaderError:
        plan = a_plan(step("s1", "update_track", {"track_id": "tgone", "volume_db": -9}), request="softer")
        asked = propose_repair(provider, "mend it", plan, "s1", "no such track", a_song(), a_registry())
        try:
            return self.runner.run(asked)
        except BandleaderError as error:
            return error


@pytest.fixture(scope="module", params=FORMS)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    with asyncio.Runner() as runner, model_server(Text("no")) as elsewhere, model_server(Text("no")) as server:
        made = Bench(request.param, server, elsewhere, runner)
        yield made
        runner.run(made.patient.close())
        runner.run(made.hasty.close())


@pytest.mark.parametrize("fault", _FAULTS)
def test_a_fault_at_the_first_call_changes_nothing_and_a_retry_does_it(fault: FaultName, bench: Bench) -> None:
    bench.server.script = answer_of(fault, bench.elsewhere.origin)
    ran = bench.work(bench.provider(fault))
    row = ran["g"]
    assert row.state is StepState.FAILED
    assert ran.ledger.balanced
    assert ran.studio.song is a_song()
    assert not [one for one in ran.studio.events if isinstance(one, SubStepDone) and one.ok and one.tool != "get_song"]
    assert row.reason
    assert row.reason.isprintable()
    assert len(row.reason) < 500
    assert KEY[:12] not in repr(ran)
    assert not bench.elsewhere.requests
    bench.server.script = [Calls(("update_track", {"track_id": PAD, "volume_db": -3})), Text("Softer.")]
    again = bench.work(bench.patient)
    assert again.states == ["done"]
    assert again.studio.song.track(PAD).volume_db == -3


@pytest.mark.parametrize("fault", ["overloaded", "reset_mid_text", "cut_mid_call_closed", "call_without_stop_reason"])
def test_what_passes_in_the_middle_of_a_goal_is_passed_over_and_nothing_is_done_twice(
    fault: FaultName, bench: Bench
) -> None:
    louder = Calls(("create_track", {"name": "Air", "instrument": "pad_warm"}))
    bench.server.script = [answer_of(fault), louder, answer_of(fault), answer_of(fault), Text("There is air.")]
    ran = bench.work(bench.patient)
    assert ran.states == ["done"]
    assert [track.name for track in ran.studio.song.tracks] == ["Bass", "Pad", "Drums", "Air"]
    assert len([one for one in ran.studio.events if isinstance(one, SubStepDone)]) == 1


@pytest.mark.parametrize("fault", _AT_A_REPAIR)
def test_a_fault_while_a_repair_is_asked_for_gives_no_inputs_and_asking_again_does(
    fault: FaultName, bench: Bench
) -> None:
    bench.server.script = plan_fault(fault, _MENDED, bench.elsewhere.origin)
    end = bench.repair(bench.provider(fault))
    if fault in _HARMLESS:
        assert isinstance(end, Repair), repr(end)
    else:
        assert isinstance(end, BandleaderError), "inputs were made of an answer that is not whole"
        check_told(end)
    bench.server.script = Text(_MENDED)
    again = bench.repair(bench.patient)
    assert isinstance(again, Repair), repr(again)
    assert again.inputs == {"track_id": PAD, "volume_db": -9}
