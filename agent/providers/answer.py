"""Put a reply together from its pieces, and decide which of its calls count."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from msgspec import Struct

from agent.conversation.messages import ToolCall
from agent.plan.plan import Json
from agent.providers.provider import BadCall, Finish, Reply, Usage
from agent.providers.streaming import Outlet, paired

_STRANGE = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_ID = 48
"""Length of a call's id that every provider accepts, with room for a suffix."""


class _Call(Struct):
    id: str
    name: str
    pieces: list[str]


class ReplyBuilder:
    """A reply being streamed: pieces are passed on to the outlet at once and joined at the end."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet
        self._text: list[str] = []
        self._calls: list[_Call] = []

    def text(self, piece: Json) -> None:
        """Add the next piece of the text; None is ignored. Raises `TypeError` for anything but text."""
        if words := _words(piece):
            self._text.append(words)
            self._outlet.text(words)

    def begin(self, name: Json, id_: Json) -> int:
        """Begin a call of the tool `name` and return its index, from 0. The server's `id_` is made unique and
        acceptable to every provider; None gets a new one."""
        index = len(self._calls)
        self._calls.append(_Call(self._unused(_words(id_), index), _words(name), []))
        self._outlet.begin(index, self._calls[index].name)
        return index

    def arguments(self, index: int, piece: Json) -> None:
        """Add the next piece of the arguments, as raw JSON text, to the call at `index`."""
        if words := _words(piece):
            self._calls[index].pieces.append(words)
            self._outlet.arguments(index, words)

    def all_arguments(self, index: int, whole: Json) -> None:
        """Set the `whole` arguments of the call at `index`, as the server repeats them at the end, in place of the
        pieces."""
        words = _words(whole)
        came = "".join(self._calls[index].pieces)
        if words and words != came:
            self._outlet.arguments(index, words.removeprefix(came))
            self._calls[index].pieces = [words]

    def id_of(self, index: int) -> str:
        """The id of the call at an index."""
        return self._calls[index].id

    def reply(self, finish: Finish, usage: Usage, model: Json, kept: tuple[Json, ...] = ()) -> Reply:
        """The whole reply; `model` is the server's name of the model, `kept` are parts to be returned unchanged in a
        later turn. Only a reply that ended by itself or for its tools has calls; otherwise they are dropped."""
        calls: list[ToolCall] = []
        bad: list[BadCall] = []
        for call in self._calls if finish in ("end", "tools") else ():
            read = _read(call)
            if isinstance(read, BadCall):
                bad.append(read)
            else:
                calls.append(read)
        if finish in ("end", "tools"):
            finish = "tools" if calls or bad else "end"
        return Reply(
            paired("".join(self._text)), finish, tuple(calls), tuple(bad), usage,
            model if isinstance(model, str) else "", kept,
        )

    def _unused(self, id_: str, index: int) -> str:
        used = {call.id for call in self._calls}
        wanted = unused = _STRANGE.sub("_", id_)[:_LONGEST_ID] or f"call_{index + 1}"
        while unused in used:
            index += 1
            unused = f"{wanted}_{index}"
        return unused


def _words(value: Json) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"text was expected, {type(value).__name__} came")
    return value


def _read(call: _Call) -> ToolCall | BadCall:
    """The call with its arguments, read strictly; nothing at all means that it has none."""
    raw = paired("".join(call.pieces))
    try:
        arguments = json.loads(raw, parse_constant=_no_number) if raw.strip() else {}
        # A half character written as \ud83d passes the parser, and no file or server takes it later.
        json.dumps(arguments, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        return BadCall(call.id, call.name, raw, f"its arguments are no JSON: {error}")
    if not isinstance(arguments, dict):
        return BadCall(call.id, call.name, raw, "its arguments are no JSON object")
    if not call.name:
        return BadCall(call.id, call.name, raw, "it names no tool")
    return ToolCall(call.id, call.name, arguments)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")
