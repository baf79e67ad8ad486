"""A scripted model server on the loopback: Anthropic Messages, OpenAI Responses and Chat Completions on one port.

    with model_server([Text("hello"), Calls(("set_tempo", {"bpm": 90}))]) as server:
        provider = AnthropicProvider("any", "key", server.url("anthropic"))
        ...
        assert server.requests[0].last_words == "make a beat"

A script is one answer for all requests, a list with one for each, or a function of the request; what that raises, the
`with` raises at its end. Everything a script can hold is in `model_wire_script`, broken answers with a name in
`model_wire_faults`.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from model_wire_answers import Speech, error_body, model_list
from model_wire_http import Head, Sender, read_request
from model_wire_script import (
    FORMS,
    Absent,
    Answer,
    Asked,
    Calls,
    Cut,
    Drop,
    Fails,
    Form,
    Insert,
    Nameless,
    Page,
    Redirect,
    Says,
    Script,
    Stall,
    Text,
    Tokens,
)

__all__ = [
    "FORMS", "Absent", "Answer", "Asked", "Calls", "Cut", "Drop", "Fails", "Form", "Insert", "ModelServer", "Nameless",
    "Page", "Redirect", "Says", "Script", "Stall", "Text", "Tokens", "model_server",
]

_PREFIXES: dict[Form, str] = {"anthropic": "/anthropic", "openai": "/openai/v1", "openai-chat": "/chat/v1"}
_ENDPOINTS: dict[str, Form] = {"/messages": "anthropic", "/responses": "openai", "/chat/completions": "openai-chat"}


class ModelServer:
    """A running server. `requests` grows as requests for replies come; `asked_models` counts those for the list.

    `script` and `models` can be set anew between two requests.
    """

    def __init__(
        self, script: Script, models: tuple[str, ...] | Answer, size: int, pause: float,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._tls = tls
        self._script = script
        self._begun = 0
        self.models = models
        self._size = size
        self._pause = pause
        self._numbers = count(1)
        self._server: asyncio.Server | None = None
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self.port = 0
        self.requests: list[Asked] = []
        self.asked_models = 0
        self.failure: Exception | None = None

    @property
    def script(self) -> Script:
        """What is answered; a list begins with the request that comes next."""
        return self._script

    @script.setter
    def script(self, script: Script) -> None:
        self._script = script
        self._begun = len(self.requests)

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{'http' if self._tls is None else 'https'}://127.0.0.1:{self.port}"

    def url(self, form: Form) -> str:
        """The base URL that the provider's SDK takes."""
        return self.origin + _PREFIXES[form]

    async def open(self, port: int) -> None:
        """Listen on the port; on a free one for 0."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", port, limit=2**26, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        if isinstance(self._script, Absent):
            self._server.close()

    async def close(self) -> None:
        """End all connections."""
        assert self._server is not None
        self._server.close()
        tasks = list(self._connections)
        for writer in self._connections.values():
            writer.transport.abort()
        await asyncio.gather(*tasks)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        try:
            sender = Sender(reader, writer)
            while (head := await read_request(reader)) is not None and await self._serve(head, sender):
                pass
        except OSError:
            pass  # the client has gone
        finally:
            del self._connections[task]
            writer.close()

    async def _serve(self, head: Head, sender: Sender) -> bool:
        path = head.path.partition("?")[0]
        form = _form_of(path, head.headers)
        asked = Asked(form, head.method, path, head.headers, head.body)
        if path.endswith("/models") and head.method == "GET":
            self.asked_models += 1
            if isinstance(self.models, tuple):
                return await sender.json(200, model_list(form, self.models))
            return await self._speak(self.models, asked, sender)
        if head.method != "POST" or not any(path.endswith(end) for end in _ENDPOINTS):
            return await sender.json(404, error_body(form, "not_found_error", f"no such path: {path}"))
        self.requests.append(asked)
        return await self._speak(self._next(asked), asked, sender)

    def _next(self, asked: Asked) -> Answer:
        script = self._script
        if callable(script):
            try:
                return script(asked)
            except Exception as broken:
                self.failure = broken
                return Fails(400, f"the test's script failed: {broken}")
        if not isinstance(script, Sequence):
            return script
        place = len(self.requests) - self._begun - 1
        return script[place] if place < len(script) else Fails(400, "the test's script has no more replies")

    async def _speak(self, answer: Answer, asked: Asked, sender: Sender) -> bool:
        speech = Speech(asked, sender, self._size, self._pause, next(self._numbers))
        try:
            return await speech.answer(answer)
        except OSError:
            asked.left.set()
            raise
        finally:
            asked.done.set()


def _form_of(path: str, headers: dict[str, str]) -> Form:
    """By the endpoint; for the list of models, which two forms share, by the base URL and then the headers."""
    for end, form in _ENDPOINTS.items():
        if path.endswith(end):
            return form
    named = [form for form, prefix in _PREFIXES.items() if path.startswith(prefix)]
    return named[0] if named else "anthropic" if "anthropic-version" in headers else "openai"


@contextmanager
def model_server(
    script: Script,
    *,
    models: tuple[str, ...] | Answer = ("model-one", "model-two"),
    size: int = 7,
    pause: float = 0.0,
    port: int = 0,
    tls: ssl.SSLContext | None = None,
) -> Iterator[ModelServer]:
    """A server in a thread of its own. `size`: characters in one event; `pause`: seconds after each event.

    `models` is what the list of models holds, or how that request is answered instead. `port` 0: a free one.
    `tls`: the certificate that it shows.
    """
    server = ModelServer(script, models, size, pause, tls)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="model server", daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.open(port), loop).result(30)
        yield server
        if server.failure is not None:
            raise server.failure
    finally:
        asyncio.run_coroutine_threadsafe(server.close(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()
