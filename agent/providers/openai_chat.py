"""The Chat Completions API at any address as a provider: Ollama, llama.cpp, LM Studio, OpenRouter and others."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from agent.conversation.mending import mended
from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult, Turn, UserTurn
from agent.plan.plan import Json
from agent.providers.adapter import Adapter
from agent.providers.answer import ReplyBuilder
from agent.providers.connection import http_client, patience
from agent.providers.dialect import Dialect
from agent.providers.errors import ProviderError
from agent.providers.event_stream import DONE, stream_events
from agent.providers.faults import Faults
from agent.providers.opaque_parts import OpaquePart, TextPiece, pieces, to_keep
from agent.providers.provider import Abilities, Finish, Query, Reply, Usage
from agent.providers.streaming import LONGEST, Outlet

if TYPE_CHECKING:
    import httpx2
    import openai

_FINISHES: dict[str, Finish] = {
    "stop": "end", "tool_calls": "tools", "length": "length", "content_filter": "refused",
}
_THOUGHTS = ("reasoning_content", "reasoning_details")
_OPENAI_ONLY = ("OpenAI-Organization", "OpenAI-Project")


class OpenAIChatProvider(Adapter["openai.AsyncOpenAI"]):
    """A model behind the Chat Completions API. `base_url` often ends in `/v1`; a local server needs no key.

    What a server refuses (an output form, usage, a field's name) is sent in another variant at once and from then on;
    `abilities` follow. `idle` is how many seconds the server may be silent, `longest` how many one answer may take."""

    def __init__(
        self, model: str, base_url: str, key: str | None = None, name: str = "openai-chat", *, idle: float = 60.0,
        longest: float = LONGEST,
    ) -> None:
        super().__init__(model, key, base_url, name, idle, longest)
        self._name = name
        self._dialect = Dialect()

    @property
    def name(self) -> str:
        """The name that it was given."""
        return self._name

    @property
    def abilities(self) -> Abilities:
        """The abilities that the server has not refused so far."""
        dialect = self._dialect
        return Abilities(dialect.tools, dialect.form, dialect.temperature, self._context)

    async def _reply(self, query: Query, outlet: Outlet) -> Reply:
        self._faults.check_key(needed=False)
        client = await self._connection.client()
        while True:
            reading = _Reading(ReplyBuilder(outlet), self._faults)
            try:
                return await self._ask(client, query, reading)
            except Exception as error:
                refusal = self._faults.of(error)
                if reading.begun or not self._learnt(query, refusal):
                    raise

    def _learnt(self, query: Query, refusal: ProviderError) -> bool:
        """Whether the query can be said otherwise now. Each try gives up something, so that there is an end."""
        if query.tools and self._dialect.refuses_tools(refusal):
            self._dialect = replace(self._dialect, tools=False)
            return False
        following = self._dialect.without(query, refusal)
        if following is None:
            return False
        self._dialect = following
        return True

    async def _ask(self, client: openai.AsyncOpenAI, query: Query, reading: _Reading) -> Reply:
        owner = f"{self._base_url} {self._model}"
        request = {**_request(self._model, query, owner), **self._dialect.fields(query)}
        async with (
            client.chat.completions.with_streaming_response.create(
                **request, stream=True, extra_headers=self._withheld()
            ) as response,
            aclosing(stream_events(
                response.http_response, self._faults, idle=self._idle, is_last=lambda event: event.get("type") == DONE
            )) as events,
        ):
            try:
                async for event in events:
                    reading.take(event)
            except Exception:
                # Some servers say why they end and then just hang up, or wait.
                if not reading.complete:
                    raise
        return reading.reply(owner)

    async def _list(self) -> httpx2.Response:
        self._faults.check_key(needed=False)
        client = await self._connection.client()
        return (await client.models.with_raw_response.list(extra_headers=self._withheld())).http_response

    def _make(self) -> openai.AsyncOpenAI:
        import openai

        client = openai.AsyncOpenAI(
            # Without one the SDK would look for a key of its own; what stands here is never sent.
            api_key=self._secret.reveal() or "none", base_url=self._base_url, max_retries=0,
            timeout=patience(self._idle), http_client=http_client(self._base_url, self._idle),
        )
        # Loads the API's types, here in the thread rather than at the first call.
        _ = client.chat.completions.with_streaming_response
        return client

    def _withheld(self) -> dict[str, Any]:
        """Headers that are not sent: what the environment holds for OpenAI is not for this server."""
        import openai

        headers = _OPENAI_ONLY if self._secret else (*_OPENAI_ONLY, "Authorization")
        return dict.fromkeys(headers, openai.Omit())


def _request(model: str, query: Query, owner: str) -> dict[str, Any]:
    messages: list[Json] = [{"role": "system", "content": query.system}] if query.system.strip() else []
    turns = mended(query.turns)
    asked = max((at for at, turn in enumerate(turns) if isinstance(turn, UserTurn)), default=-1)
    for at, turn in enumerate(turns):
        messages += _messages(turn, owner, current=at > asked)
    request: dict[str, Any] = {"model": model, "messages": messages}
    if query.tools:
        request["tools"] = [
            {"type": "function", "function": {
                "name": tool.name, "description": tool.about, "parameters": tool.schema,
            }}
            for tool in query.tools
        ]
        request["tool_choice"] = _choice(query)
    return request


def _choice(query: Query) -> Json:
    """Some servers (llama-cpp-python) take "required" as "auto", but all heed the name of the one tool."""
    if query.tool_choice != "any":
        return query.tool_choice
    return {"type": "function", "function": {"name": query.tools[0].name}} if len(query.tools) == 1 else "required"


def _messages(turn: Turn, owner: str, *, current: bool) -> list[Json]:
    match turn:
        case UserTurn(text=text):
            return [{"role": "user", "content": text}]
        case ResultsTurn(results=results):
            return [_result(result) for result in results]
        case ModelTurn(text=text, calls=calls):
            message: dict[str, Json] = {"role": "assistant", "content": text}
            if calls:
                message["tool_calls"] = [_call(call) for call in calls]
            # Servers want the thoughts of a round of tools back, and refuse those of rounds before.
            for piece in pieces(owner, turn) if current else ():
                if isinstance(piece, OpaquePart):
                    message.update(piece.part)
            return [message] if text or calls else []


def _call(call: ToolCall) -> Json:
    raw = json.dumps(call.arguments, ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": raw}}


def _result(result: ToolResult) -> Json:
    """The API has no sign for a failed call, so that the words say it."""
    text = f"The call failed: {result.text}" if result.failed else result.text
    return {"role": "tool", "tool_call_id": result.id, "content": text}


class _Reading:
    """Reads the chunks of one completion, and a completion that came whole."""

    def __init__(self, answer: ReplyBuilder, faults: Faults) -> None:
        self.begun = False
        self._known = False
        self._answer = answer
        self._faults = faults
        self._calls: dict[Json, int] = {}
        self._ids: dict[int, str] = {}
        self._stop: Json = None
        self._refused = False
        self._usage: Json = None
        self._model: Json = ""
        self._text: list[str] = []
        self._thoughts: dict[str, Any] = {}

    @property
    def complete(self) -> bool:
        """Whether the server said why the reply ends."""
        return self._stop in _FINISHES if isinstance(self._stop, str) else False

    def take(self, event: dict[str, Json]) -> None:
        if event.get("error") or event.get("type") == "error":
            raise self._faults.told(event.get("error") or event)
        self._model = event.get("model") or self._model
        self._usage = event.get("usage") or self._usage
        choices = event.get("choices")
        self._known |= choices is not None
        for choice in (choices or [])[:1]:
            self._choose(choice)

    def reply(self, owner: str) -> Reply:
        """The whole completion. Raises `ProviderError` where the server did not say why it ended."""
        if not self.complete and not self._known:
            raise self._faults.make("not_a_model", "it sent nothing that this API knows")
        if not self.complete:
            why = f"it ended for a reason that is not known: {self._stop}" if self._stop else "its end is missing"
            raise self._faults.make("cut_off", why)
        finish: Finish = "refused" if self._refused else _FINISHES[self._stop]
        kept = to_keep(owner, [OpaquePart(self._thoughts), TextPiece("".join(self._text))]) if self._thoughts else ()
        return self._answer.reply(finish, _usage(self._usage), self._model, kept)

    def _choose(self, choice: dict[str, Json]) -> None:
        delta = choice.get("delta") or choice.get("message") or {}
        self.begun = self.begun or any(delta.get(name) for name in ("content", "refusal", "tool_calls"))
        for name in ("content", "refusal"):
            if piece := delta.get(name):
                self._refused |= name == "refusal"
                self._answer.text(piece)
                self._text.append(piece)
        for name in _THOUGHTS:
            if piece := delta.get(name):
                self._thoughts[name] = self._thoughts[name] + piece if name in self._thoughts else piece
        for call in delta.get("tool_calls") or ():
            self._call(call)
        self._stop = choice.get("finish_reason") or self._stop

    def _call(self, delta: dict[str, Json]) -> None:
        """A piece of a call. Servers pair pieces by index, by id or not at all; some count every call as 0."""
        function = delta.get("function") or {}
        id_, place = delta.get("id"), delta.get("index")
        index = self._calls.get(place) if place is not None else self._calls.get(id_ or "last")
        other = index is not None and id_ and self._ids.get(index) not in ("", id_)
        unplaced = place is None and not id_ and function.get("name")
        if index is None or other or unplaced:
            index = self._answer.begin(function.get("name"), id_)
            self._ids[index] = id_ or ""
        self._calls.update({key: index for key in (place, id_) if key is not None} | {"last": index})
        arguments = function.get("arguments")
        whole = isinstance(arguments, dict)
        self._answer.arguments(index, json.dumps(arguments, ensure_ascii=False) if whole else arguments)


def _usage(usage: Json) -> Usage:
    if not isinstance(usage, dict) or "prompt_tokens" not in usage:
        return Usage(calls=1, known=False)
    details = usage.get("prompt_tokens_details") or {}
    return Usage(
        int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0),
        int(details.get("cached_tokens") or 0), 0, calls=1,
    )
