"""Detects a server that repeats the API key in its answer; such an answer is dropped."""

from __future__ import annotations

import json

from agent.providers.provider import CallBegun, CallPart, Reply, ReplyEvent, TextPart
from agent.providers.secret import Secret


class KeyLeakGuard:
    """Detects the API key in a streamed reply, also split over pieces, and in the whole reply. It raises nothing: an
    exception from here would carry the key in its frames."""

    def __init__(self, secret: Secret) -> None:
        self._secret = secret
        self._tails: dict[int | None, str] = {}

    def heard(self, event: ReplyEvent) -> bool:
        """Whether the key is complete in the reply with this event."""
        match event:
            case TextPart(text):
                return self._part(None, text)
            case CallPart(index, text):
                return self._part(index, text)
            case CallBegun(_, name):
                return self._secret.is_in(name)
            case _:
                return False

    def heard_in(self, reply: Reply) -> bool:
        """Whether a whole reply contains the key, also where escape sequences hide it in the stream."""
        if not self._secret:
            return False
        calls = [(call.id, call.name, call.arguments) for call in reply.calls]
        bad = [(call.id, call.name, call.raw, call.why) for call in reply.bad_calls]
        return self._secret.is_in(json.dumps((reply.text, reply.model, calls, bad, reply.kept), default=str))

    def _part(self, index: int | None, text: str) -> bool:
        text = self._tails.get(index, "") + text
        self._tails[index] = self._secret.tail(text)
        return self._secret.is_in(text)
