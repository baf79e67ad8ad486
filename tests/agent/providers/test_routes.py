"""The way to a server: who is trusted within TLS, and what goes through a proxy."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from awaiting import awaited
from certificates import WRONGS, Certificates, Wrong, certificates
from model_providers import KEY, asking, heard, provider_for
from model_server import FORMS, Form, Text, model_server
from model_wire_faults import answer_of

from agent.providers.errors import ProviderError
from agent.providers.private_network import is_private_host
from agent.providers.retrying import RetryingProvider

SAID: dict[Wrong, tuple[str, str]] = {
    "wrong host": ("its certificate is for another host", "check the address"),
    "expired": ("its certificate has expired", "set the clock of this computer"),
    "not yet valid": ("its certificate is not valid yet", "set the clock of this computer"),
    "self-signed": ("its certificate is signed by itself", "SSL_CERT_FILE"),
    "unknown authority": ("this computer does not know who signed its certificate", "SSL_CERT_FILE"),
}
"""By what is wrong, what is said of it and what to do."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("wrong", WRONGS)
def test_a_server_that_nobody_can_know_is_told_once_and_sent_nothing(
    form: Form, wrong: Wrong, made: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(made.authority))
    with model_server(Text("hello"), tls=made.serving(wrong)) as server:
        @awaited
        async def talk() -> None:
            provider = RetryingProvider(provider_for(form, server.url(form)))
            with pytest.raises(ProviderError) as told:
                await heard(provider, asking("make a beat"))
            why, fix = SAID[wrong]
            assert (told.value.fault, told.value.why) == ("untrusted", why), "and no second try"
            assert fix in told.value.advice
            await provider.close()

        talk()
        assert server.requests == []


@pytest.mark.parametrize("form", FORMS)
def test_an_authority_of_ones_own_is_trusted_once_it_is_named(
    form: Form, made: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    with model_server([Text("hello")], tls=made.serving()) as server:
        @awaited
        async def talk() -> None:
            stranger = provider_for(form, server.url(form))
            with pytest.raises(ProviderError, match="nobody can tell who it is"):
                await heard(stranger, asking("make a beat"))
            await stranger.close()
            monkeypatch.setenv("SSL_CERT_FILE", str(made.authority))
            provider = provider_for(form, server.url(form))
            assert (await heard(provider, asking("make a beat")))[1].text == "hello"
            await provider.close()

        talk()


@pytest.mark.parametrize("fault", ["cut_mid_text_chunked", "cut_mid_text_closed", "reset_mid_text"])
@pytest.mark.parametrize("form", FORMS)
def test_a_connection_within_tls_that_dies_in_the_middle_is_no_whole_answer(
    form: Form, fault: str, made: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(made.authority))
    with model_server(answer_of(fault), tls=made.serving()) as server:  # type: ignore[arg-type]
        @awaited
        async def talk() -> None:
            provider = provider_for(form, server.url(form))
            with pytest.raises(ProviderError) as told:
                await heard(provider, asking("make a beat"))
            assert told.value.fault in ("network", "cut_off")
            await provider.close()

        talk()


def test_https_asked_of_a_server_without_it_says_so() -> None:
    with hanging_up(b"HTTP/1.1 400 Bad Request\r\n\r\n") as (url, _):
        @awaited
        async def talk() -> None:
            provider = provider_for("openai-chat", url.replace("http:", "https:"))
            with pytest.raises(ProviderError) as told:
                await heard(provider, asking("make a beat"))
            assert (told.value.fault, told.value.why) == ("untrusted", "what answers there does not speak TLS")
            await provider.close()

        talk()


@contextmanager
def hanging_up(answer: bytes = b"") -> Iterator[tuple[str, list[bytes]]]:
    """The address of a server that answers and hangs up, and the first that each of its clients said."""
    heard_there: list[bytes] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                client = listening.accept()[0]
                heard_there.append(client.recv(65536))
                client.sendall(answer)
                client.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", heard_there
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


@pytest.mark.parametrize("form", FORMS)
def test_what_is_near_is_never_asked_through_a_proxy(form: Form, monkeypatch: pytest.MonkeyPatch) -> None:
    with hanging_up() as (url, heard_there), model_server([Text("hello")]) as server:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, url)

        @awaited
        async def talk() -> None:
            provider = provider_for(form, server.url(form))
            assert (await heard(provider, asking("make a beat")))[1].text == "hello"
            await provider.close()

        talk()
    assert heard_there == []


@pytest.mark.parametrize("form", FORMS)
def test_what_is_far_is_asked_through_the_proxy_of_the_system_which_reads_neither_key_nor_words(
    form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hanging_up() as (url, heard_there):
        monkeypatch.setenv("HTTPS_PROXY", url)

        @awaited
        async def talk() -> None:
            provider = provider_for(form, "https://models.example/v1")
            with pytest.raises(ProviderError):
                await heard(provider, asking("make a beat"))
            await provider.close()

        talk()
    [head] = heard_there
    assert head.startswith(b"CONNECT models.example:443 ")
    assert KEY.encode() not in head
    assert b"beat" not in head


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ALL_PROXY", "socks5://user:hunter2@127.0.0.1:9", "it speaks SOCKS"),
        ("HTTPS_PROXY", "gopher://user:hunter2@127.0.0.1:9", "its address is none"),
        ("SSL_CERT_FILE", "/no/such/file", "SSL_CERT_FILE or SSL_CERT_DIR names what holds none"),
        ("SSL_CERT_FILE", __file__, "SSL_CERT_FILE or SSL_CERT_DIR names what holds none"),
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_an_environment_that_leads_nowhere_is_said_without_its_password(
    form: Form, name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    @awaited
    async def talk() -> None:
        provider = provider_for(form, "https://models.example/v1")
        with pytest.raises(ProviderError) as told:
            await heard(provider, asking("make a beat"))
        assert told.value.fault == "route"
        assert said in told.value.why
        assert "hunter2" not in f"{told.value.why} {told.value.advice}"
        await provider.close()

    talk()


def test_which_hosts_are_near() -> None:
    near = ("127.0.0.1", "localhost", "::1", "192.168.1.4", "fe80::1", "nas", "booth.local", "::ffff:10.0.0.1")
    far = ("8.8.8.8", "::ffff:8.8.8.8", "models.example", "", "2001:4860:4860::8888", "64:ff9b::808:808")
    assert [host for host in near if not is_private_host(host)] == []
    assert [host for host in far if is_private_host(host)] == []
