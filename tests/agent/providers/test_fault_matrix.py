"""Every fault × every adapter, through the real SDKs over HTTP, ends in a reply that is whole or in one clear error."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from model_providers import KEY, OFFERS, asking, heard, provider_for
from model_server import FORMS, Answer, Asked, Form, ModelServer, Stall, Text, model_server
from model_wire_faults import FAULTS, FaultName, answer_of
from patience import PATIENCE

from agent.providers.errors import ProviderError
from agent.providers.provider import Provider, Reply, Restarted, RetryWait, TextPart
from agent.providers.retrying import RetryingProvider

Outcome: TypeAlias = str
"""`reply FINISH`, or the kind of the `ProviderError`."""

_CUT = {"network", "cut_off"}
EXPECTED: dict[FaultName, set[Outcome]] = {
    "bad_request": {"bad_request"}, "wrong_key": {"authentication"}, "forbidden": {"permission"},
    "no_such_model": {"no_such_model"}, "wrong_path": {"not_a_model"}, "too_large": {"too_large"},
    "prompt_too_long": {"context_full"}, "no_credit": {"quota"}, "key_echoed": {"authentication"},
    "rate_limit": {"rate_limit"}, "rate_limit_1_s": {"rate_limit"}, "rate_limit_90_s": {"rate_limit"},
    "rate_limit_date": {"rate_limit"}, "quota": {"quota"}, "request_timeout": {"server"}, "server_error": {"server"},
    "bad_gateway_page": {"server"}, "unavailable": {"overloaded"}, "overloaded": {"overloaded"},
    "refused_connection": {"network"}, "reset_at_once": {"network"}, "not_http": {"network", "not_a_model"},
    "redirect": {"not_a_model"}, "html_page": {"not_a_model"}, "empty_body": {"cut_off", "not_a_model"},
    "empty_stream": {"cut_off", "not_a_model"}, "whole_json": {"not_a_model"}, "broken_compression": {"malformed"},
    "cut_before_text": _CUT, "cut_mid_text_declared": _CUT, "cut_mid_text_chunked": _CUT, "reset_mid_text": _CUT,
    "cut_mid_call_chunked": _CUT, "cut_mid_text_closed": {"cut_off"}, "cut_mid_call_closed": {"cut_off"},
    "no_stop_reason": {"cut_off"}, "call_without_stop_reason": {"cut_off"}, "stall_at_start": {"stalled"},
    "stall_mid_text": {"stalled"}, "stall_mid_call": {"stalled"}, "overloaded_mid_stream": {"overloaded"},
    "error_mid_call": {"server"}, "bad_json": {"malformed"}, "bad_utf8": {"malformed"},
    "event_of_wrong_shape": {"malformed"}, "unknown_stop_reason": {"cut_off"}, "unknown_event": {"reply end"},
    "nameless_events": {"reply end"}, "huge_chunk": {"reply end"}, "no_usage": {"reply end"},
    "malformed_arguments": {"reply tools"}, "arguments_no_object": {"reply tools"},
    "empty_arguments": {"reply tools"}, "call_cut_by_limit": {"reply length"}, "unknown_tool": {"reply tools"},
    "text_cut_by_limit": {"reply length"}, "context_full": {"reply context", "reply length"},
    "refusal": {"reply refused"}, "content_filter": {"reply refused"}, "pause": {"reply paused", "cut_off"},
    "nothing_said": {"reply end"},
}

_STALLS: tuple[FaultName, ...] = ("stall_at_start", "stall_mid_text", "stall_mid_call")
_FINE = Text("All is well again.")


def first_then(answer: Answer, then: Answer = _FINE, times: int = 1) -> Callable[[Asked], Answer]:
    """A script that breaks the first calls."""
    left = [answer] * times

    def script(asked: Asked) -> Answer:
        return left.pop() if left else then

    return script


async def outcome(provider: Provider) -> ProviderError | Reply:
    """How a call ends; anything but these two fails the test."""
    try:
        return (await heard(provider, asking("make a beat", OFFERS)))[1]
    except ProviderError as error:
        return error


def named(end: ProviderError | Reply) -> Outcome:
    return end.fault if isinstance(end, ProviderError) else f"reply {end.finish}"


def check_error(error: ProviderError) -> None:
    """One line each of what, why and what to do; and the key in none of them."""
    for part in (error.what, error.why, error.advice):
        assert part
        assert "\n" not in part
        assert len(part) < 400
    shown = "".join(traceback.format_exception(error)) + repr(error) + str(vars(error)) + repr(error.args)
    assert KEY not in shown
    assert KEY[:12] not in shown, "nor a piece of it"


class Bench:
    """One server for all faults of one form, and one provider that lives through them all."""

    def __init__(self, form: Form, server: ModelServer, elsewhere: ModelServer, runner: asyncio.Runner) -> None:
        self._ends: dict[FaultName, ProviderError | Reply] = {}
        self.form = form
        self.server = server
        self.elsewhere = elsewhere
        self.run = runner.run
        self.provider = provider_for(form, server.url(form))
        # Short only where silence is the fault, so that a busy machine is no other one.
        self.hasty = provider_for(form, server.url(form), idle=0.7)

    def end(self, fault: FaultName) -> Any:
        """How a call with this fault ends, tried once. The same provider then goes on."""
        if fault not in self._ends:
            self.server.script = first_then(answer_of(fault, self.elsewhere.origin))
            provider = self.hasty if fault in _STALLS else self.provider
            self._ends[fault] = self.run(outcome(provider))
            after = self.run(heard(self.provider, asking("and now?")))[1]
            assert (after.text, after.finish) == ("All is well again.", "end")
        return self._ends[fault]


@pytest.fixture(scope="module", params=FORMS)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    form: Form = request.param
    with asyncio.Runner() as runner, model_server(_FINE) as elsewhere, model_server(_FINE) as server:
        made = Bench(form, server, elsewhere, runner)
        yield made
        runner.run(made.provider.close())
        runner.run(made.hasty.close())


def test_every_fault_has_an_expectation() -> None:
    assert set(EXPECTED) == set(FAULTS)
    assert len(FAULTS) >= 33


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "refused_connection"])
def test_a_fault_ends_as_it_should_and_the_provider_goes_on(fault: FaultName, bench: Bench) -> None:
    end = bench.end(fault)
    assert named(end) in EXPECTED[fault], end
    if isinstance(end, ProviderError):
        check_error(end)
    assert not bench.elsewhere.requests, "a prompt never goes to another origin"


@pytest.mark.parametrize("form", FORMS)
def test_a_server_that_is_not_there_is_said_and_used_once_it_is(form: Form) -> None:
    async def twice() -> tuple[ProviderError | Reply, Reply]:
        with model_server(answer_of("refused_connection")) as absent:
            provider = provider_for(form, absent.url(form))
            end = await outcome(provider)
        with model_server(_FINE, port=absent.port):
            after = (await heard(provider, asking("and now?")))[1]
        await provider.close()
        return end, after

    end, after = asyncio.run(twice())
    assert isinstance(end, ProviderError)
    assert end.fault == "network"
    check_error(end)
    assert after.finish == "end"


@pytest.mark.parametrize(
    ("fault", "low", "high"), [("rate_limit_1_s", 1, 1), ("rate_limit_90_s", 90, 90), ("rate_limit_date", 5, 20)]
)
def test_the_wait_that_a_server_asks_for_is_kept(fault: FaultName, low: float, high: float, bench: Bench) -> None:
    assert low <= bench.end(fault).wait <= high


@pytest.mark.parametrize("fault", ["malformed_arguments", "arguments_no_object"])
def test_a_call_that_cannot_be_read_is_kept_apart_and_is_no_call(fault: FaultName, bench: Bench) -> None:
    reply = bench.end(fault)
    assert reply.calls == ()
    assert [(call.name, bool(call.why)) for call in reply.bad_calls] == [("create_track", True)]


def test_a_call_that_was_cut_by_the_limit_is_not_there(bench: Bench) -> None:
    reply = bench.end("call_cut_by_limit")
    assert (reply.truncated, reply.calls, reply.bad_calls) == (True, (), ())


def test_calls_without_arguments_and_of_unknown_tools_come_as_they_are(bench: Bench) -> None:
    assert [(call.name, call.arguments) for call in bench.end("empty_arguments").calls] == [("get_song", {})]
    assert [call.name for call in bench.end("unknown_tool").calls] == ["format_disk"]


def test_a_reply_in_one_huge_piece_arrives_whole(bench: Bench) -> None:
    assert bench.end("huge_chunk").text == "A warm bar. " * 100_000


def test_usage_that_was_not_told_is_marked(bench: Bench) -> None:
    if bench.form != "anthropic":
        assert not bench.end("no_usage").usage.known


@pytest.mark.parametrize(
    "fault", ["rate_limit_1_s", "overloaded", "reset_at_once", "cut_mid_call_closed", "bad_gateway_page"]
)
def test_with_patience_what_passes_is_passed_over(fault: FaultName, bench: Bench) -> None:
    async def no_wait(seconds: float) -> None:
        await asyncio.sleep(0)

    before = len(bench.server.requests)
    bench.server.script = first_then(answer_of(fault), times=2)
    patient = RetryingProvider(bench.provider, sleep=no_wait)
    events, _ = bench.run(heard(patient, asking("make a beat", OFFERS)))
    assert len(bench.server.requests) == before + 3
    assert events.count(Restarted()) == 2
    assert {event.attempt for event in events if isinstance(event, RetryWait)} == {2, 3}
    last = len(events) - events[::-1].index(Restarted())
    assert "".join(event.text for event in events[last:] if isinstance(event, TextPart)) == "All is well again."


@pytest.mark.parametrize("fault", ["wrong_key", "rate_limit_90_s", "bad_request", "quota", "html_page"])
def test_with_patience_what_stays_is_told_after_one_request(fault: FaultName, bench: Bench) -> None:
    before = len(bench.server.requests)
    bench.server.script = answer_of(fault)
    end = bench.run(outcome(RetryingProvider(bench.provider)))
    assert len(bench.server.requests) == before + 1
    assert isinstance(end, ProviderError)
    check_error(end)
    assert fault != "rate_limit_90_s" or "90 seconds" in end.advice


def test_cancelling_mid_stream_hangs_up_and_the_provider_goes_on(bench: Bench) -> None:
    async def cancel() -> Reply:
        speaks = asyncio.Event()

        async def listen() -> None:
            async for event in bench.provider.reply(asking("make a beat")):
                assert isinstance(event, TextPart)
                speaks.set()

        task = asyncio.create_task(listen())
        await asyncio.wait_for(speaks.wait(), PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(bench.server.requests[-1].left.wait, 30)
        return (await heard(bench.provider, asking("and now?")))[1]

    bench.server.script = first_then(Stall(Text("a long way to go"), 5))
    assert bench.run(cancel()).text == "All is well again."


@pytest.mark.parametrize(
    "fault",
    ["wrong_key", "key_echoed", "server_error", "html_page", "empty_body", "whole_json", "redirect", "reset_at_once",
     "broken_compression", "wrong_path", "not_http"],
)
def test_a_list_of_models_that_cannot_be_had_is_one_clear_error(fault: FaultName, bench: Bench) -> None:
    bench.server.models = answer_of(fault, bench.elsewhere.origin)
    before = bench.server.asked_models
    with pytest.raises(ProviderError) as caught:
        bench.run(bench.provider.models())
    check_error(caught.value)
    assert bench.server.asked_models == before + 1
    assert bench.elsewhere.asked_models == 0
    bench.server.models = ("one", "two")
    assert bench.run(bench.provider.models()) == ("one", "two")
