"""Anthropic's Messages API as a provider."""

from __future__ import annotations

import json
from collections.abc import Sequence
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
from agent.providers.kinds import ANTHROPIC_HOME
from agent.providers.opaque_parts import CallPlace, OpaquePart, Placed, TextPiece, pieces, to_keep
from agent.providers.provider import Abilities, Finish, Query, Reply, Usage
from agent.providers.schemas import for_anthropic
from agent.providers.streaming import LONGEST, Outlet

if TYPE_CHECKING:
    import anthropic
    import httpx2

_CACHED = {"type": "ephemeral"}
_LONGEST_LIST = 1000
_FINISHES: dict[str, Finish] = {
    "end_turn": "end", "stop_sequence": "end", "tool_use": "tools", "max_tokens": "length",
    "model_context_window_exceeded": "context", "pause_turn": "paused", "refusal": "refused",
}


class AnthropicProvider(Adapter["anthropic.AsyncAnthropic"]):
    """A model behind the Messages API. The server may be silent for `idle` seconds, and one answer take `longest`."""

    def __init__(
        self, model: str, key: str | None, base_url: str | None = None, *, idle: float = 60.0, longest: float = LONGEST
    ) -> None:
        super().__init__(model, key, base_url or ANTHROPIC_HOME, "Anthropic", idle, longest)

    @property
    def name(self) -> str:
        """`anthropic`."""
        return "anthropic"

    @property
    def abilities(self) -> Abilities:
        """Tools, strict forms, no temperature; the context is known once `models` was asked."""
        return Abilities(tools=True, forms="strict", context=self._context)

    async def _reply(self, query: Query, outlet: Outlet) -> Reply:
        self._faults.check_key(needed=True)
        client = await self._connection.client()
        owner = f"anthropic/{self._model}"
        request = _request(self._model, query, owner)
        reading = _Reading(ReplyBuilder(outlet), self._faults)
        async with (
            client.messages.with_streaming_response.create(**request, stream=True) as response,
            aclosing(stream_events(
                response.http_response, self._faults, idle=self._idle, is_last=lambda _: reading.ended
            )) as events,
        ):
            async for event in events:
                reading.take(event)
        return reading.reply(owner)

    async def _list(self) -> httpx2.Response:
        self._faults.check_key(needed=True)
        client = await self._connection.client()
        return (await client.models.with_raw_response.list(limit=_LONGEST_LIST)).http_response

    def _make(self) -> anthropic.AsyncAnthropic:
        import anthropic

        client = anthropic.AsyncAnthropic(
            api_key=self._secret.reveal(), base_url=self._base_url, max_retries=0,
            timeout=patience(self._idle), http_client=http_client(self._base_url, self._idle),
        )
        # Loads the API's types, here in the thread rather than at the first call.
        _ = client.messages.with_streaming_response
        return client


def _request(model: str, query: Query, owner: str) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": model, "max_tokens": query.max_tokens, "messages": _messages(mended(query.turns), owner),
    }
    if query.system.strip():
        request["system"] = [{"type": "text", "text": query.system, "cache_control": _CACHED}]
    if query.tools:
        tools: list[dict[str, Json]] = [
            {"name": tool.name, "description": tool.about, "input_schema": tool.schema} for tool in query.tools
        ]
        tools[-1]["cache_control"] = _CACHED
        request["tools"] = tools
        request["tool_choice"] = {"type": query.tool_choice}
    schema = for_anthropic(query.form.schema) if query.form is not None else None
    if schema is not None:
        request["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    return request


def _messages(turns: Sequence[Turn], owner: str) -> list[dict[str, Json]]:
    """The talk with roles in turn: the API wants results first in the message that follows their calls."""
    messages: list[dict[str, Json]] = []
    for turn in turns:
        role = "assistant" if isinstance(turn, ModelTurn) else "user"
        blocks = _blocks(turn, owner)
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += blocks
        elif blocks:
            messages.append({"role": role, "content": blocks})
    return messages


def _blocks(turn: Turn, owner: str) -> list[Json]:
    match turn:
        case UserTurn(text=text):
            return _text(text)
        case ResultsTurn(results=results):
            return [_result(result) for result in results]
        case ModelTurn():
            return [block for piece in pieces(owner, turn) for block in _piece(piece)]


def _piece(piece: TextPiece | ToolCall | OpaquePart) -> list[Json]:
    match piece:
        case TextPiece(text=text):
            return _text(text)
        case ToolCall(id=id_, name=name, arguments=arguments):
            return [{"type": "tool_use", "id": id_, "name": name, "input": arguments}]
        case OpaquePart(part=part):
            return [part]


def _text(text: str) -> list[Json]:
    """The API refuses a block of nothing but white space."""
    return [{"type": "text", "text": text}] if text.strip() else []


def _result(result: ToolResult) -> Json:
    block: dict[str, Json] = {"type": "tool_result", "tool_use_id": result.id, "content": result.text}
    return {**block, "is_error": True} if result.failed else block


class _Block:
    """One block as it comes. Of one that is kept, each field's pieces are joined at the end."""

    def __init__(self, body: dict[str, Json], call: int | None) -> None:
        self.body = body
        self.call = call
        self.fields: dict[str, list[str]] = {}

    def placed(self, answer: ReplyBuilder) -> Placed:
        joined = {name: "".join(parts) for name, parts in self.fields.items()}
        if self.call is not None:
            return CallPlace(answer.id_of(self.call))
        if self.body.get("type") == "text":
            return TextPiece(joined.get("text", ""))
        if raw := joined.pop("partial_json", ""):
            joined["input"] = json.loads(raw)
        return OpaquePart({**self.body, **joined})


class _Reading:
    """Reads the events of one message."""

    def __init__(self, answer: ReplyBuilder, faults: Faults) -> None:
        self.ended = False
        self._begun = False
        self._answer = answer
        self._faults = faults
        self._blocks: dict[int, _Block] = {}
        self._usage: dict[str, int] = {}
        self._stop: Json = None
        self._model: Json = ""

    def take(self, event: dict[str, Json]) -> None:
        match event.get("type"):
            case "message_start":
                self._begun, self._model = True, event["message"].get("model")
                self._count(event["message"].get("usage"))
            case "content_block_start":
                self._begin(event["index"], event["content_block"])
            case "content_block_delta":
                self._add(self._blocks[event["index"]], event["delta"])
            case "message_delta":
                self._stop = event["delta"].get("stop_reason") or self._stop
                self._count(event.get("usage"))
            case "message_stop":
                self.ended = True
            case "error":
                raise self._faults.told(event.get("error"))
            case _ if "error" in event:
                raise self._faults.told(event["error"])

    def reply(self, owner: str) -> Reply:
        """The whole message. Raises `ProviderError` where the server did not say that and why it ended."""
        if not self._begun:
            raise self._faults.make("not_a_model", "it sent nothing that this API knows")
        finish = _FINISHES.get(self._stop) if isinstance(self._stop, str) else None
        if not self.ended or finish is None:
            why = f"it ended for a reason that is not known: {self._stop}" if self.ended else "its end is missing"
            raise self._faults.make("cut_off", why)
        placed = [block.placed(self._answer) for _, block in sorted(self._blocks.items())]
        return self._answer.reply(finish, self._counted(), self._model, to_keep(owner, placed))

    def _begin(self, index: int, body: dict[str, Json]) -> None:
        if body["type"] == "tool_use":
            call = self._answer.begin(body.get("name"), body.get("id"))
            self._blocks[index] = _Block(body, call)
            if body.get("input"):
                self._answer.arguments(call, json.dumps(body["input"], ensure_ascii=False))
            return
        block = self._blocks[index] = _Block(body, None)
        if body["type"] == "text" and body.get("text"):
            self._add(block, {"type": "text_delta", "text": body["text"]})

    def _add(self, block: _Block, delta: dict[str, Json]) -> None:
        for name in ("text", "thinking", "signature", "partial_json"):
            if not (piece := delta.get(name)):
                continue
            if block.call is not None:
                self._answer.arguments(block.call, piece)
            elif name == "text":
                self._answer.text(piece)
            if block.call is None:
                block.fields.setdefault(name, []).append(piece)

    def _count(self, usage: Json) -> None:
        """Counts are totals so far, and later ones stand for earlier ones."""
        if isinstance(usage, dict):
            self._usage.update({name: count for name, count in usage.items() if isinstance(count, int)})

    def _counted(self) -> Usage:
        cached = self._usage.get("cache_read_input_tokens", 0)
        written = self._usage.get("cache_creation_input_tokens", 0)
        fresh = self._usage.get("input_tokens", 0)
        return Usage(
            fresh + cached + written, self._usage.get("output_tokens", 0), cached, written, calls=1,
            known="input_tokens" in self._usage and "output_tokens" in self._usage,
        )
