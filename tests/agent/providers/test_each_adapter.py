"""What holds for each provider, over its real SDK: text, tools, talks, cuts, cancelling, and where the key goes."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import traceback

import pytest
from asking import KEY, asked_of, error_of, events_of, provider_at, query, ran, raw_stream, reply_of
from model_server import (
    FORMS,
    Asked,
    Calls,
    Fails,
    Form,
    Insert,
    Page,
    Redirect,
    Says,
    Stall,
    Text,
    Tokens,
    model_server,
)
from model_wire_script import Answer

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult
from agent.providers.closing import closing
from agent.providers.errors import Fault, ProviderError
from agent.providers.making import make_provider
from agent.providers.provider import CallBegun, CallPart, Finished, Provider, TextPart, Usage
from agent.providers.retrying import RetryingProvider
from agent.providers.secret import Secret

each_form = pytest.mark.parametrize("form", FORMS)


@each_form
def test_words_come_in_parts_and_whole(form: Form) -> None:
    with model_server(Text("Four warm bars — für dich 🎹.", tokens=Tokens(40, 9, 30)), pause=0.03) as server:
        events = ran(events_of(provider_at(form, server.url(form))))
    end = events[-1]
    assert isinstance(end, Finished)
    assert end.reply.text == "Four warm bars — für dich 🎹."
    parts = [event.text for event in events if isinstance(event, TextPart)]
    assert len(parts) > 1
    assert "".join(parts) == end.reply.text
    assert (end.reply.finish, end.reply.model, end.reply.calls) == ("end", "model-one", ())
    assert end.reply.usage == Usage(40, 9, 30, 0, 1)


@each_form
def test_the_request_carries_the_words_the_tools_and_the_key(form: Form) -> None:
    with model_server(Text("ok")) as server:
        reply_of(provider_at(form, server.url(form)), query("make a beat", max_tokens=900, tool_choice="any"))
        asked = server.requests[0]
    assert (asked.system, asked.last_words, asked.key) == ("You plan music.", "make a beat", KEY)
    assert asked.tools == ["create_track", "set_tempo"]
    assert 900 in asked.body.values()
    assert asked.body["tool_choice"] in ({"type": "any"}, "required")
    assert asked.body["stream"] is True
    assert "temperature" not in asked.body


@each_form
def test_several_calls_of_one_turn_stay_apart(form: Form) -> None:
    wanted = (("create_track", {"name": "Pad é"}), ("create_track", {"name": "Bass"}), ("set_tempo", {"bpm": 84}))
    with model_server(Calls(*wanted, text="Three steps.")) as server:
        events = ran(events_of(provider_at(form, server.url(form))))
    reply = next(event.reply for event in events if isinstance(event, Finished))
    assert [(call.name, call.arguments) for call in reply.calls] == list(wanted)
    assert len({call.id for call in reply.calls}) == 3
    assert (reply.finish, reply.text, reply.bad_calls) == ("tools", "Three steps.", ())
    assert [event for event in events if isinstance(event, CallBegun)] == [
        CallBegun(0, "create_track"), CallBegun(1, "create_track"), CallBegun(2, "set_tempo"),
    ]
    raw = "".join(event.text for event in events if isinstance(event, CallPart) and event.index == 2)
    assert raw == '{"bpm": 84}'


@each_form
def test_results_go_back_with_the_calls_they_belong_to(form: Form) -> None:
    async def talk(url: str) -> None:
        provider = provider_at(form, url)
        first = (await events_of(provider))[-1]
        assert isinstance(first, Finished)
        calls = first.reply.calls
        turn = ModelTurn(first.reply.text, calls, first.reply.kept)
        results = ResultsTurn((ToolResult(calls[0].id, "track 7"), ToolResult(calls[1].id, "too fast", failed=True)))
        await asked_of(provider, query("make a beat", turn, results, "and faster"))

    script = [Calls(("create_track", {"name": "Pad"}), ("set_tempo", {"bpm": 900}), text="Now."), Text("done")]
    with model_server(script) as server:
        ran(talk(server.url(form)))
        asked = server.requests[1]
    assert asked.last_words.endswith("and faster")
    assert asked.results[0] == "track 7"
    assert asked.results[1].endswith("too fast")
    assert _paired(asked) == [("create_track", "track 7"), ("set_tempo", asked.results[1])]


def _paired(asked: Asked) -> list[tuple[str, str]]:
    """The tools' names with the results that carry their ids, in any provider's form."""
    tools: dict[str, str] = {}
    results: list[tuple[str, str]] = []
    for message in asked.messages:
        content = message.get("content")
        for part in [message, *(content if isinstance(content, list) else []), *message.get("tool_calls", [])]:
            if part.get("type") in ("tool_use", "function_call", "function"):
                name = part.get("name") or part["function"]["name"]
                tools[part.get("call_id") or part["id"]] = name
            owner = part.get("tool_use_id") or part.get("tool_call_id")
            if part.get("type") == "function_call_output":
                owner = part["call_id"]
            if owner:
                results.append((tools[owner], part.get("output") or part["content"]))
    return results


@each_form
def test_a_call_left_open_is_closed_before_the_talk_is_sent(form: Form) -> None:
    turn = ModelTurn("", (ToolCall("c1", "create_track", {"name": "Pad"}), ToolCall("c2", "set_tempo", {})))
    with model_server(Text("ok")) as server:
        reply_of(provider_at(form, server.url(form)), query("go", turn, "never mind"))
        asked = server.requests[0]
    assert len(asked.results) == 2
    assert all("not carried out" in text for text in asked.results)


@each_form
def test_a_reply_cut_by_its_limit_has_no_calls(form: Form) -> None:
    cut = Says("Here it is", (("create_track", '{"name": "Pad"}'), ("set_tempo", '{"bpm": 1')), "length")
    with model_server(cut) as server:
        reply = reply_of(provider_at(form, server.url(form)))
    assert reply.truncated
    assert (reply.text, reply.calls, reply.bad_calls) == ("Here it is", (), ())


@each_form
@pytest.mark.parametrize("raw", [
    '{"bpm": 9', '["bpm"]', '{"bpm": NaN}', '"90"', '{"name": "\\ud83d"}', "[" * 100_000, '{"bpm": 1} and so on',
])
def test_a_call_that_cannot_be_read_strictly_is_told_apart(form: Form, raw: str) -> None:
    with model_server(Calls(("set_tempo", raw), ("create_track", {"name": "Pad"})), size=4096) as server:
        reply = reply_of(provider_at(form, server.url(form)))
    assert [(bad.name, bad.raw) for bad in reply.bad_calls] == [("set_tempo", raw)]
    assert reply.bad_calls[0].why
    assert [call.arguments for call in reply.calls] == [{"name": "Pad"}]


@each_form
def test_no_arguments_at_all_are_an_empty_object(form: Form) -> None:
    with model_server(Calls(("get_song", ""))) as server:
        assert reply_of(provider_at(form, server.url(form))).calls[0].arguments == {}


@each_form
def test_a_refusal_is_a_reply_that_says_so(form: Form) -> None:
    with model_server(Text("I will not.", "refused")) as server:
        reply = reply_of(provider_at(form, server.url(form)))
    assert (reply.finish, reply.text) == ("refused", "I will not.")


@each_form
def test_many_small_pieces_reach_the_reader_in_few_parts(form: Form) -> None:
    notes = [{"pitch": 60, "start": at * 240, "length": 240} for at in range(1000)]
    with model_server(Calls(("create_midi_clip", {"notes": notes}))) as server:
        events = ran(events_of(provider_at(form, server.url(form))))
    end = events[-1]
    assert isinstance(end, Finished)
    assert end.reply.calls[0].arguments == {"notes": notes}
    assert len(events) < 1000  # of 6,000 pieces


@each_form
def test_cancelled_in_the_middle_it_hangs_up_and_can_be_used_again(form: Form) -> None:
    async def cancel(url: str) -> str:
        provider = provider_at(form, url)
        heard = asyncio.Event()

        async def read() -> None:
            async for _ in provider.reply(query()):
                heard.set()

        reading = asyncio.create_task(read())
        await heard.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert await asyncio.to_thread(server.requests[0].left.wait, 20)
        return (await asked_of(provider))[0].text

    with model_server([Stall(Text("never to be whole"), 5), Text("again")]) as server:
        assert ran(cancel(server.url(form))) == "again"


@each_form
def test_a_stream_that_is_left_early_hangs_up(form: Form) -> None:
    async def leave(url: str) -> None:
        before = asyncio.all_tasks()
        provider = provider_at(form, url)
        async with closing(provider.reply(query())) as stream:
            async for _ in stream:
                break
        assert await asyncio.to_thread(server.requests[0].left.wait, 20)
        await provider.close()
        while asyncio.all_tasks() != before:
            await asyncio.sleep(0.01)

    with model_server(Stall(Text("never to be whole"), 5)) as server:
        ran(leave(server.url(form)))


@each_form
def test_one_provider_serves_one_event_loop_after_another(form: Form) -> None:
    with model_server(Text("hello")) as server:
        provider = provider_at(form, server.url(form))
        for _ in range(2):
            events = ran(events_of(provider))
            assert isinstance(events[-1], Finished)
        ran(provider.close())
        assert len(server.requests) == 2


@each_form
def test_several_replies_may_stream_at_once(form: Form) -> None:
    async def together(url: str) -> list[str]:
        provider = provider_at(form, url)
        streams = await asyncio.gather(*(events_of(provider, query(f"part {n}")) for n in range(3)))
        await provider.close()
        return [event.reply.text for stream in streams for event in stream if isinstance(event, Finished)]

    with model_server(lambda asked: Text(f"{asked.last_words} is planned")) as server:
        assert ran(together(server.url(form))) == [f"part {n} is planned" for n in range(3)]


@each_form
def test_nothing_is_sent_on_to_another_origin(form: Form) -> None:
    with model_server(Text("caught")) as other, model_server(Redirect(other.origin)) as server:
        error = error_of(provider_at(form, server.url(form)))
        assert error.fault == "not_a_model"
        assert f"127.0.0.1:{other.port}" in error.why
        assert other.requests == []
        assert len(server.requests) == 1


def _leaking(raw: str) -> Insert:
    return Insert(Text("Here it comes"), 5, dict.fromkeys(FORMS, raw.encode()), last=True)


def traced(error: BaseException) -> str:
    """The longest report that a program may make of an error: each frame with all its locals."""
    return "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())


def shows_the_key(text: str) -> bool:
    return any(KEY[at : at + 8] in text for at in range(len(KEY) - 7))


@each_form
@pytest.mark.parametrize(("answer", "fault"), [
    (Fails(401, "Incorrect key:", echo=True), "authentication"),
    (Fails(400, f"got {KEY[:12]} and {KEY[8:]}", code=KEY), "bad_request"),
    (Fails(500, "x" * 290 + KEY), "server"),
    (Page(f"<html>{KEY}</html>".encode()), "not_a_model"),
    (Page(KEY.encode(), status=502), "server"),
    (Redirect(f"http://{KEY}.example.com"), "not_a_model"),
    (_leaking(f'data: {{"key": "{KEY}", \n\n'), "malformed"),
    (_leaking(f'data: "{KEY}"\n\n'), "malformed"),
    (_leaking(f'data: {{"type": "error", "error": {{"type": "{KEY}", "message": "{KEY}"}}}}\n\n'), "server"),
    (Page(KEY.encode() + b"\xff", "text/event-stream"), "malformed"),
    (Text(f"Your key is {KEY}, is it not?"), "repeats_key"),
    (Calls(("create_track", json.dumps({"name": KEY}))), "repeats_key"),
])
def test_the_key_is_in_no_error(form: Form, answer: Answer, fault: Fault) -> None:
    with model_server(answer) as server:
        provider = provider_at(form, server.url(form))
        error = error_of(provider)
    assert error.__cause__ is None
    assert error.__context__ is None
    assert not shows_the_key(traced(error) + repr(error.__dict__) + repr(vars(provider)))
    assert error.fault == fault
    assert error.advice


@each_form
def test_the_key_is_in_no_error_of_a_call_that_was_sent_again(form: Form) -> None:
    async def no_wait(_: float) -> None:
        await asyncio.sleep(0)

    with model_server(Fails(503, f"busy with {KEY}", echo=True)) as server:
        error = error_of(RetryingProvider(provider_at(form, server.url(form)), sleep=no_wait))
        assert len(server.requests) == 4
    assert not shows_the_key(traced(error))


@each_form
@pytest.mark.parametrize("key", ["sk-with space", "sk-ünsinn", "sk-two\nlines"])
def test_a_key_that_cannot_be_one_is_never_sent(form: Form, key: str) -> None:
    with model_server(Text("ok")) as server:
        error = error_of(provider_at(form, server.url(form), key=key))
        assert server.requests == []
    assert error.fault == "authentication"
    assert key not in f"{error} {error.advice}"


@pytest.mark.parametrize("form", ["anthropic", "openai"])
def test_without_a_key_nothing_is_sent_whatever_the_environment_holds(
    form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with model_server(Text("ok")) as server:
        error = error_of(provider_at(form, server.url(form), key=None))
        assert (error.fault, server.requests) == ("authentication", [])


@each_form
def test_the_models_come_sorted_from_the_server(form: Form) -> None:
    with model_server(Text("ok"), models=("zeta", "alpha", "mid")) as server:
        assert ran(provider_at(form, server.url(form)).models()) == ("alpha", "mid", "zeta")


@each_form
@pytest.mark.parametrize(("answer", "fault"), [
    (Fails(401, "no", echo=True), "authentication"),
    (Page(b"<html></html>"), "not_a_model"),
    (Page(b'{"data": "' + KEY.encode() + b'"}', "application/json"), "not_a_model"),
    (Page(b"[]", "application/json"), "not_a_model"),
    (Page(json.dumps({"data": [{"id": f"model-{KEY}"}]}).encode(), "application/json"), "repeats_key"),
])
def test_a_list_of_models_that_does_not_come_is_an_error(form: Form, answer: Answer, fault: Fault) -> None:
    with model_server(Text("ok"), models=answer) as server:
        error = listing_error(provider_at(form, server.url(form)))
    assert error.fault == fault
    assert not shows_the_key(traced(error))


def listing_error(provider: Provider) -> ProviderError:
    """What asking for the models ends in."""
    with pytest.raises(ProviderError) as caught:
        ran(provider.models())
    return caught.value


def test_a_server_that_only_says_that_it_lives_has_stalled() -> None:
    async def ping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n")
        while not writer.is_closing():
            writer.write(b'event: ping\ndata: {"type": "ping"}\n\n: still here\n\n')
            await asyncio.sleep(0.05)

    async def wait_for_it() -> Fault:
        async with await asyncio.start_server(ping, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            provider = provider_at("anthropic", f"http://127.0.0.1:{port}", idle=0.25)
            with pytest.raises(ProviderError) as caught:
                await events_of(provider)
            await provider.close()
            return caught.value.fault

    assert ran(wait_for_it()) == "stalled"


@pytest.mark.parametrize("address", ["not an address", "ftp://127.0.0.1/v1", "http://", "http://[::1", "127.0.0.1:9"])
@each_form
def test_an_address_that_is_none_is_met_with_advice(form: Form, address: str) -> None:
    error = error_of(make_provider(form, "m", key=KEY, base_url=address))
    assert error.fault in ("not_a_model", "network", "bad_request")
    assert error.advice


def test_no_sdk_is_loaded_before_the_first_call() -> None:
    made = "; ".join(f"make_provider('{form}', 'm', key='k', base_url='http://127.0.0.1:9')" for form in FORMS)
    code = f"import sys; from agent.providers.making import make_provider; {made}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"anthropic", "openai", "httpx2"} & set(loaded)


def test_a_chat_server_needs_an_address() -> None:
    with pytest.raises(ProviderError, match="no address"):
        make_provider("openai-chat", "m", key=None, base_url=None)


def test_a_half_character_is_joined_with_its_other_half() -> None:
    halves = [{"choices": [{"delta": {"content": half}}]} for half in ("a \ud83c", "\udfb9 b \ud83d")]
    script = raw_stream(*halves, {"choices": [{"delta": {}, "finish_reason": "stop"}]}, "[DONE]")
    with model_server(script) as server:
        reply = reply_of(provider_at("openai-chat", server.url("openai-chat")))
    assert reply.text == "a 🎹 b �"


def test_a_secret_shows_itself_to_no_one() -> None:
    secret = Secret(f" {KEY}\n")
    assert secret.reveal() == KEY
    assert KEY not in repr(secret)
    assert secret.scrub(f"<{KEY}> {KEY[3:15]} {KEY[:7]}") == f"<***> *** {KEY[:7]}"
    assert not hasattr(secret, "__dict__")
    with pytest.raises(TypeError, match="never written"):
        __import__("pickle").dumps(secret)
