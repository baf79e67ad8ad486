"""How each answer of a script goes over the wire, in the form that the request came in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from types import ModuleType
from typing import Any

import model_wire_anthropic
import model_wire_chat
import model_wire_responses
from model_wire_events import Frame
from model_wire_http import Body, Sender
from model_wire_script import Answer, Asked, Cut, Drop, Fails, Form, Insert, Nameless, Page, Redirect, Says, Stall

_STREAMS: dict[Form, ModuleType] = {
    "anthropic": model_wire_anthropic, "openai": model_wire_responses, "openai-chat": model_wire_chat,
}
_EVENTS = [("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-cache")]
_LOOK = 0.01
"""Seconds between looks whether a stall has ended."""


def frames_of(form: Form, reply: Says, model: str, size: int, number: int) -> Iterator[Frame]:
    """The events of a whole reply, with so many characters in each; `number` makes ids unique."""
    frames: Iterator[Frame] = _STREAMS[form].frames(reply, model, size, number)
    return frames


@dataclass(frozen=True)
class Speech:
    """Answers one request. `size` characters in an event, `pause` seconds after each; `number` makes ids unique."""

    asked: Asked
    sender: Sender
    size: int
    pause: float
    number: int

    async def answer(self, answer: Answer) -> bool:
        """Send it. True: it is whole, and the connection can take the next request."""
        match answer:
            case Says():
                return await self._stream(self._wires(answer))
            case Nameless(reply):
                return await self._stream(self._wires(reply, named=False))
            case Insert():
                return await self._stream(self._inserted(answer))
            case Cut():
                return await self._cut(answer)
            case Stall():
                return await self._stall(answer)
            case Fails():
                return await self._fail(answer)
            case Page(body, kind, status, headers):
                return await self.sender.whole(status, kind, body, headers)
            case Redirect(origin):
                return await self.sender.whole(307, "text/plain", b"", [("Location", origin + self.asked.path)])
            case Drop(raw) if raw:
                self.sender.bare(raw)
            case _:
                self.sender.reset()
        return False

    def _frames(self, reply: Says) -> Iterator[Frame]:
        size = reply.delta or self.size
        return frames_of(self.asked.form, reply, self.asked.model, size, self.number)

    def _wires(self, reply: Says, named: bool = True) -> Iterator[bytes]:
        return (frame.wire(named) for frame in self._frames(reply))

    def _parted(self, reply: Says, at: int) -> tuple[list[bytes], list[bytes]]:
        """The events until `at` characters of content are out, and the rest."""
        before: list[bytes] = []
        frames = self._frames(reply)
        while at > 0 and (frame := next(frames, None)) is not None:
            before.append(frame.wire())
            at -= frame.content
        return before, [frame.wire() for frame in frames]

    def _inserted(self, answer: Insert) -> Iterable[bytes]:
        before, after = self._parted(answer.reply, answer.at)
        return chain(before, [answer.raw[self.asked.form]], [] if answer.last else after)

    async def _stream(self, events: Iterable[bytes], how: Body = "chunked", length: int = 0) -> bool:
        await self.sender.head(200, _EVENTS, how, length)
        await self._send(events)
        return await self.sender.end()

    async def _send(self, events: Iterable[bytes]) -> None:
        for event in events:
            await self.sender.send(event)
            if self.pause:
                await asyncio.sleep(self.pause)

    async def _cut(self, answer: Cut) -> bool:
        before, after = self._parted(answer.reply, answer.at)
        how: Body = "closed" if answer.how == "closed" else "declared" if answer.how == "declared" else "chunked"
        await self.sender.head(200, _EVENTS, how, sum(map(len, [*before, *after])))
        await self._send(before)
        if answer.how == "reset":
            # A reset throws away what the client has not read yet: let it read.
            await asyncio.sleep(5 * _LOOK)
            self.sender.reset()
        return False

    async def _stall(self, answer: Stall) -> bool:
        before, after = self._parted(answer.reply, answer.at)
        if before:
            await self.sender.head(200, _EVENTS, "chunked")
            await self._send(before)
        while answer.until is None or not answer.until.is_set():
            if self.sender.gone:
                raise ConnectionResetError
            await asyncio.sleep(_LOOK)
        if not before:
            await self.sender.head(200, _EVENTS, "chunked")
        await self._send(after)
        return await self.sender.end()

    async def _fail(self, answer: Fails) -> bool:
        message = f"{answer.message} {self.asked.key}" if answer.echo else answer.message
        body = error_body(self.asked.form, answer.kind, message, answer.code)
        return await self.sender.json(answer.status, body, answer.headers)


def error_body(form: Form, kind: str, message: str, code: str | None = None) -> dict[str, Any]:
    """A refusal in the provider's own form."""
    told: ModuleType = model_wire_anthropic if form == "anthropic" else model_wire_chat
    body: dict[str, Any] = told.error(kind, message, code)
    return body


def model_list(form: Form, names: tuple[str, ...]) -> dict[str, Any]:
    """The models that the server offers, in the provider's own form."""
    told: ModuleType = model_wire_anthropic if form == "anthropic" else model_wire_chat
    body: dict[str, Any] = told.model_list(names)
    return body
