"""A server that repeats the key in its answer: nothing of such an answer goes on."""

from __future__ import annotations

import json

from agent.providers.faults import Faults
from agent.providers.provider import CallBegun, CallPart, Reply, ReplyEvent, TextPart


class Echo:
    """Listens for the key in what a reply streams, also where it comes in pieces, and in the whole reply."""

    def __init__(self, faults: Faults) -> None:
        self._secret = faults.secret
        self._faults = faults
        self._tails: dict[int | None, str] = {}

    def hear(self, event: ReplyEvent) -> None:
        """Raise `ProviderError` where the key has come."""
        match event:
            case TextPart(text):
                self._part(None, text)
            case CallPart(index, text):
                self._part(index, text)
            case CallBegun(_, name):
                self._refuse(name)
            case _:
                pass

    def hear_reply(self, reply: Reply) -> None:
        """The same for a whole reply: what was escaped in the stream is plain here."""
        if self._secret:
            calls = [(call.id, call.name, call.arguments) for call in reply.calls]
            bad = [(call.id, call.name, call.raw, call.why) for call in reply.bad_calls]
            self._refuse(json.dumps((reply.text, reply.model, calls, bad, reply.kept), default=str))

    def _part(self, index: int | None, text: str) -> None:
        text = self._tails.get(index, "") + text
        self._refuse(text)
        self._tails[index] = self._secret.tail(text)

    def _refuse(self, text: str) -> None:
        if self._secret.is_in(text):
            raise self._faults.make(
                "malformed", "it repeated the key that was sent to it, so nothing of its answer is used",
                fix="look at who runs this server, and change the key",
            )
