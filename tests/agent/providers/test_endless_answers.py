"""An answer that comes and comes without an end has one, which is told and not tried again."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from awaiting import awaited
from model_providers import asking, heard, provider_for
from model_server import FORMS, Form, Text, model_server

from agent.providers.errors import ProviderError
from agent.providers.retrying import RetryingProvider

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n"
_DRIPS = {
    "the head": (b"HTTP/1.1 200 OK\r\nX-", b"x"),
    "informational heads": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "a line": (_HEAD % b"text/event-stream" + b"data: ", b"x"),
    "comments": (_HEAD % b"text/event-stream", b": still there\n\n"),
    "whole JSON": (_HEAD % b"application/json" + b'{"a": "', b"x"),
    "an error": (b"HTTP/1.1 500 No\r\nContent-Type: text/plain\r\n\r\n", b"x"),
}
"""What comes at once, and then again and again."""


@pytest.fixture(autouse=True, scope="module")
def sdks_are_read() -> None:
    """The first request of each kind reads its library, which may take longer than the answers that end here."""
    for form in FORMS:
        with model_server(Text("a warm bar")) as server:
            @awaited
            async def talk(form: Form = form, url: str = server.url(form)) -> None:
                provider = RetryingProvider(provider_for(form, url))
                await heard(provider, asking("make a beat"))
                await provider.close()

            talk()


@contextmanager
def dripping(begin: bytes, drop: bytes) -> Iterator[str]:
    """The address of a server that answers so, a hundred times a second."""
    listening, ending = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def answer(client: socket.socket) -> None:
        with suppress(OSError), client:
            client.sendall(begin)
            while not ending.wait(0.01):
                client.sendall(drop)

    def serve() -> None:
        with suppress(OSError):
            while True:
                threads.append(threading.Thread(target=answer, args=(listening.accept()[0],)))
                threads[-1].start()

    threads = [threading.Thread(target=serve)]
    threads[0].start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        ending.set()
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("form", FORMS)
def test_words_that_drip_without_an_end_are_not_listened_to_for_ever(form: Form) -> None:
    with model_server(Text("a warm bar " * 10_000), size=1, pause=0.01) as server:
        @awaited
        async def talk() -> None:
            provider = RetryingProvider(provider_for(form, server.url(form), longest=2.0))
            with pytest.raises(ProviderError) as told:
                await heard(provider, asking("make a beat"))
            assert (told.value.fault, told.value.why) == ("endless", "its answer had no end after 2 s")
            assert told.value.advice
            await provider.close()

        talk()
        assert len(server.requests) == 1, "it is not tried again"


@pytest.mark.parametrize(("begin", "drop"), _DRIPS.values(), ids=_DRIPS.keys())
@pytest.mark.parametrize("form", FORMS)
def test_no_part_of_an_answer_may_drip_for_ever(form: Form, begin: bytes, drop: bytes) -> None:
    with dripping(begin, drop) as url:
        @awaited
        async def talk() -> None:
            provider = RetryingProvider(provider_for(form, url, longest=0.6))
            with pytest.raises(ProviderError) as told:
                await heard(provider, asking("make a beat"))
            assert told.value.fault == "endless"
            await provider.close()

        talk()
