"""OpenAI's Responses API as a provider."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from agent.conversation.mending import mended
from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult, Turn, UserTurn
from agent.plan.plan import Json
from agent.providers.adapter import Adapter
from agent.providers.answer import ReplyBuilder
from agent.providers.connection import http_client, patience
from agent.providers.event_stream import stream_events
from agent.providers.faults import Faults
from agent.providers.kinds import OPENAI_HOME
from agent.providers.opaque_parts import CallPlace, OpaquePart, Placed, TextPiece, pieces, to_keep
from agent.providers.provider import Abilities, Finish, Query, Reply, Usage
from agent.providers.schemas import fits_strict
from agent.providers.streaming import LONGEST, Outlet

if TYPE_CHECKING:
    import httpx2
    import openai

_LEAST_TOKENS = 16
_SEALED = "reasoning.encrypted_content"
_NO_END = "its end is missing"
_COMPLETE: dict[str, Finish] = {"completed": "end"}
_INCOMPLETE: dict[Json, Finish] = {"max_output_tokens": "length", "content_filter": "refused"}
_LAST = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")


class OpenAIProvider(Adapter["openai.AsyncOpenAI"]):
    """A model behind the Responses API. `idle` is how many seconds the server may be silent, `longest` how many one
    answer may take. Nothing is stored at the server: reasoning is returned to it encrypted, if it provides that."""

    def __init__(
        self, model: str, key: str | None, base_url: str | None = None, *, idle: float = 60.0, longest: float = LONGEST
    ) -> None:
        super().__init__(model, key, base_url or OPENAI_HOME, "OpenAI", idle, longest)
        self._seals = True

    @property
    def name(self) -> str:
        """`openai`."""
        return "openai"

    @property
    def abilities(self) -> Abilities:
        """Tools, strict forms, no temperature: today's models refuse one."""
        return Abilities(tools=True, forms="strict", context=self._context)

    async def _reply(self, query: Query, outlet: Outlet) -> Reply:
        self._faults.check_key(needed=True)
        client = await self._connection.client()
        try:
            return await self._ask(client, query, outlet)
        except Exception as error:
            fault = self._faults.of(error)
            # A model that does not reason has nothing to seal, and some refuse to be asked for it.
            if not self._seals or fault.fault != "bad_request" or "encrypted" not in fault.why.lower():
                raise
            self._seals = False
        return await self._ask(client, query, outlet)

    async def _ask(self, client: openai.AsyncOpenAI, query: Query, outlet: Outlet) -> Reply:
        owner = f"openai/{self._model}"
        request = _request(self._model, query, owner)
        if self._seals:
            request["include"] = [_SEALED]
        reading = _Reading(ReplyBuilder(outlet), self._faults)
        async with (
            client.responses.with_streaming_response.create(**request, stream=True) as response,
            aclosing(stream_events(
                response.http_response, self._faults, idle=self._idle, is_last=lambda event: event.get("type") in _LAST
            )) as events,
        ):
            async for event in events:
                reading.take(event)
        return reading.reply(owner)

    async def _list(self) -> httpx2.Response:
        self._faults.check_key(needed=True)
        client = await self._connection.client()
        return (await client.models.with_raw_response.list()).http_response

    def _make(self) -> openai.AsyncOpenAI:
        import openai

        client = openai.AsyncOpenAI(
            api_key=self._secret.reveal(), base_url=self._base_url, max_retries=0,
            timeout=patience(self._idle), http_client=http_client(self._base_url, self._idle),
        )
        # Loads the API's types, here in the thread rather than at the first call.
        _ = client.responses.with_streaming_response
        return client


def _request(model: str, query: Query, owner: str) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": model, "store": False, "max_output_tokens": max(query.max_tokens, _LEAST_TOKENS),
        "input": [item for turn in mended(query.turns) for item in _items(turn, owner)],
    }
    if query.system.strip():
        request["instructions"] = query.system
    if query.tools:
        request["tools"] = [
            {
                "type": "function", "name": tool.name, "description": tool.about, "parameters": tool.schema,
                "strict": fits_strict(tool.schema),
            }
            for tool in query.tools
        ]
        request["tool_choice"] = "required" if query.tool_choice == "any" else query.tool_choice
    if query.form is not None:
        request["text"] = {"format": {
            "type": "json_schema", "name": query.form.name, "schema": query.form.schema,
            "strict": fits_strict(query.form.schema),
        }}
    return request


def _items(turn: Turn, owner: str) -> list[Json]:
    match turn:
        case UserTurn(text=text):
            return [{"role": "user", "content": text}]
        case ResultsTurn(results=results):
            return [_result(result) for result in results]
        case ModelTurn():
            return [item for piece in pieces(owner, turn) for item in _piece(piece)]


def _piece(piece: TextPiece | ToolCall | OpaquePart) -> list[Json]:
    match piece:
        case TextPiece(text=text, phase=phase):
            message = {"role": "assistant", "content": text, **({"phase": phase} if phase else {})}
            return [message] if text else []
        case ToolCall(id=id_, name=name, arguments=arguments):
            raw = json.dumps(arguments, ensure_ascii=False)
            return [{"type": "function_call", "call_id": id_, "name": name, "arguments": raw}]
        case OpaquePart(part=part):
            return [part]


def _result(result: ToolResult) -> Json:
    """The API has no sign for a failed call, so that the words say it."""
    text = f"The call failed: {result.text}" if result.failed else result.text
    return {"type": "function_call_output", "call_id": result.id, "output": text}


class _Item:
    """One item of the output as it comes."""

    def __init__(self, call: int | None) -> None:
        self.call = call
        self.text: list[str] = []
        self.done: dict[str, Json] = {}


class _Reading:
    """Reads the events of one response."""

    def __init__(self, answer: ReplyBuilder, faults: Faults) -> None:
        self._answer = answer
        self._faults = faults
        self._items: dict[Json, _Item] = {}
        self._end: dict[str, Json] = {}
        self._status = ""
        self._begun = False
        self._refused = False

    def take(self, event: dict[str, Json]) -> None:
        kind = str(event.get("type"))
        self._begun |= kind.startswith("response.")
        place = event.get("output_index", event.get("item_id"))
        match kind:
            case "response.output_item.added":
                self._begin(place, event["item"])
            case "response.output_text.delta" | "response.refusal.delta":
                self._refused |= kind == "response.refusal.delta"
                self._say(self._at(place), event["delta"])
            case "response.function_call_arguments.delta":
                self._answer.arguments(self._call_at(place), event["delta"])
            case "response.function_call_arguments.done":
                self._answer.all_arguments(self._call_at(place), event.get("arguments"))
            case "response.output_item.done":
                self._settle(place, event["item"])
            case "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled":
                self._finish(kind.removeprefix("response."), event["response"])
            case "error":
                raise self._faults.told(event.get("error") or event)
            case _ if event.get("error"):
                raise self._faults.told(event["error"])

    def reply(self, owner: str) -> Reply:
        """The whole response. Raises `ProviderError` where the server did not say that and why it ended."""
        if not self._begun:
            raise self._faults.make("not_a_model", "it sent nothing that this API knows")
        reason = (self._end.get("incomplete_details") or {}).get("reason")
        finish = _INCOMPLETE.get(reason) if self._status == "incomplete" else _COMPLETE.get(self._status)
        if finish is None:
            why = f"it ended for a reason that is not known: {reason or self._status}" if self._status else _NO_END
            raise self._faults.make("cut_off", why)
        if self._refused:
            finish = "refused"
        placed = [one for item in self._items.values() for one in self._placed(item)]
        usage = _usage(self._end.get("usage"))
        return self._answer.reply(finish, usage, self._end.get("model"), to_keep(owner, placed))

    def _begin(self, place: Json, item: dict[str, Json]) -> _Item:
        call = None
        if item.get("type") == "function_call":
            call = self._answer.begin(item.get("name"), item.get("call_id"))
        self._items[place] = _Item(call)
        return self._items[place]

    def _at(self, place: Json) -> _Item:
        return self._items.get(place) or self._begin(place, {})

    def _call_at(self, place: Json) -> int:
        call = self._items[place].call
        if call is None:
            raise TypeError("arguments came for what is no call")
        return call

    def _say(self, item: _Item, piece: Json) -> None:
        self._answer.text(piece)
        item.text.append(piece or "")

    def _settle(self, place: Json, body: dict[str, Json]) -> None:
        """An item is whole; what a server did not stream of it comes now."""
        item = self._items.get(place) or self._begin(place, body)
        item.done = body
        if item.call is not None:
            self._answer.all_arguments(item.call, body.get("arguments"))
        elif body.get("type") == "message" and not item.text:
            for part in body.get("content") or ():
                self._refused |= part.get("type") == "refusal"
                self._say(item, part.get("text") or part.get("refusal"))

    def _finish(self, status: str, response: dict[str, Json]) -> None:
        if status == "failed":
            raise self._faults.told(response.get("error"))
        self._status, self._end = response.get("status") or status, response
        if not self._items:
            for place, body in enumerate(response.get("output") or ()):
                self._settle(place, body)

    def _placed(self, item: _Item) -> list[Placed]:
        if item.call is not None:
            return [CallPlace(self._answer.id_of(item.call))]
        kind = item.done.get("type")
        if kind == "reasoning":
            # Without its seal the server would look for it among what it stored, which is nothing.
            return [OpaquePart(item.done)] if item.done.get("encrypted_content") else []
        return [TextPiece("".join(item.text), str(item.done.get("phase") or ""))]


def _usage(usage: Json) -> Usage:
    if not isinstance(usage, dict):
        return Usage(calls=1, known=False)
    details = usage.get("input_tokens_details") or {}
    return Usage(
        int(usage.get("input_tokens") or 0), int(usage.get("output_tokens") or 0),
        int(details.get("cached_tokens") or 0), int(details.get("cache_write_tokens") or 0), calls=1,
    )
