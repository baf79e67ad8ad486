"""Servers at an address: the same promises over HTTP, and nothing sent where the user did not say."""

from __future__ import annotations

import asyncio
import gzip
import json
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from awaiting import awaited
from certificates import Wrong, certificates
from mcp_servers import asking, connection, service

from agent.services.service import InDoubt, ServiceError
from app.services.mcp_servers.address import Http
from app.services.mcp_servers.errors import ServerFault
from app.services.mcp_servers.opening import Patience

WEB = Path(__file__).parents[3] / "support" / "mcp_web_server.py"
TOKEN = "token-canary-5b1e"


@pytest.fixture(scope="module", params=[(), ("json", "stateless")], ids=["streams", "json"])
def web(request: pytest.FixtureRequest) -> Iterator[tuple[str, bool]]:
    """A server made with the protocol's own library, in a process of its own."""
    with subprocess.Popen(
        [sys.executable, str(WEB), *request.param], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/mcp", not request.param
        process.communicate()


def test_a_call_over_http_and_one_that_is_cancelled(web: tuple[str, bool], tmp_path: Path) -> None:
    url, streams = web

    @awaited
    async def talk() -> None:
        async with service(tmp_path, address=Http(url)) as there:
            assert (await there.call(asking("add", a=1, b=2))).result == {"total": 3}
            before = (await there.call(asking("stopped"))).result["result"]
            slow = asyncio.create_task(there.call(asking("slow")))
            await asyncio.sleep(0.3)
            slow.cancel()
            await asyncio.gather(slow, return_exceptions=True)
            # A server that answers in one piece looks for the end of a call only when it answers.
            while streams and (await there.call(asking("stopped"))).result["result"] == before:
                await asyncio.sleep(0.02)
            assert (await there.call(asking("add", a=2, b=2))).result == {"total": 4}
            with pytest.raises(ServiceError):
                await there.call(asking("add", a="one"))

    talk()


class Raw(BaseHTTPRequestHandler):
    """Speaks just enough of the protocol, until the way that it is to go wrong in."""

    way = ""
    other = ""
    session = ""
    seen: list[tuple[str, str | None]]
    called: int

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append((message["method"], self.headers.get("Authorization")))
        method = message["method"]
        if method == "tools/call":
            self.call(message)
        elif method == "initialize":
            me = {"capabilities": {"tools": {}}, "serverInfo": {"name": "raw", "version": "1"}}
            self.answer(message, {"protocolVersion": message["params"]["protocolVersion"], **me})
        elif method == "tools/list":
            tool = {"name": "say", "description": "Says it.", "inputSchema": {"type": "object"}}
            self.answer(message, {"tools": [tool]})
        elif "id" in message:
            self.body(json.dumps({"jsonrpc": "2.0", "id": message["id"],
                                  "error": {"code": -32601, "message": "none"}}).encode())
        else:
            self.body(b"", 202)

    def do_GET(self) -> None:
        self.body(b"", 405)

    def do_DELETE(self) -> None:
        self.body(b"", 405)

    def call(self, message: dict[str, Any]) -> None:
        match type(self).way:
            case "redirects":
                self.send_response(307)
                self.send_header("Location", f"{type(self).other}/mcp")
                self.send_header("Content-Length", "0")
                self.end_headers()
            case "breaks":
                self.body(b"no", 500, "text/plain")
            case "is huge":
                self.body(b'{"a": "' + b"x" * 20_000_000 + b'"}')
            case "is a bomb":
                self.body(gzip.compress(b" " * 40_000_000), coding="gzip")
            case "is crowded":
                part = b'{"type": "text", "text": "x"}'
                self.body(b'{"jsonrpc": "2.0", "id": %d, "result": {"content": [%s]}}'
                          % (message["id"], b",".join([part] * 400_000)))
            case "has many parts":
                self.answer(message, {"content": [{"type": "text", "text": "x"}] * 1001})
            case "hangs up":
                self.connection.close()
            case "floods":
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                try:
                    while True:
                        self.wfile.write(b"data: " + b"x" * 1_000_000)
                except OSError:
                    return
            case _:
                self.answer(message, {"content": [{"type": "text", "text": f"heard {TOKEN}"}]})

    def answer(self, message: dict[str, Any], result: dict[str, Any]) -> None:
        self.body(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())

    def body(self, body: bytes, status: int = 200, kind: str = "application/json", coding: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if coding:
            self.send_header("Content-Encoding", coding)
        if self.session:
            self.send_header("Mcp-Session-Id", self.session)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            return

    def log_message(self, *_: Any) -> None:
        return


@contextmanager
def raw(
    way: str = "", other: str = "", tls: ssl.SSLContext | None = None
) -> Iterator[tuple[str, type[Raw]]]:
    """The address of such a server, and what it saw."""
    handler = type("Handler", (Raw,), {"way": way, "other": other, "seen": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http{'s' if tls else ''}://127.0.0.1:{server.server_address[1]}", handler
        server.shutdown()


@pytest.mark.parametrize(
    "way", ["breaks", "is huge", "is a bomb", "hangs up", "floods", "is crowded", "has many parts"]
)
def test_an_answer_that_cannot_be_used_leaves_the_row_in_doubt_and_the_connection_alive(
    way: str, tmp_path: Path
) -> None:
    with raw(way) as (url, handler):
        @awaited
        async def talk() -> None:
            async with service(tmp_path, address=Http(url)) as there:
                with pytest.raises(InDoubt) as doubt:
                    await there.call(asking("say"))
                assert ("more than 16 MB" in doubt.value.why) == ("huge" in way or "bomb" in way)
                assert ("too many values" in doubt.value.why) == ("crowded" in way or "many" in way)
                handler.way = ""
                assert (await there.call(asking("say"))).result["text"].startswith("heard")

        talk()
        methods = [method for method, _ in handler.seen]
        assert (methods.count("initialize"), methods.count("tools/call")) == (1, 2)


def test_no_redirect_leads_to_another_origin_and_the_token_stays_with_its_own(tmp_path: Path) -> None:
    with raw() as (elsewhere, other), raw("redirects", elsewhere) as (url, handler):
        @awaited
        async def talk() -> None:
            async with service(tmp_path, address=Http(url, token=True), secrets={"": TOKEN}) as there:
                with pytest.raises(ServiceError):
                    await there.call(asking("say"))

        talk()
        assert {key for _, key in handler.seen} == {f"Bearer {TOKEN}"}
        assert other.seen == []


@pytest.mark.parametrize("session", ["\x1b[31m", "caf\xe9", "a" * 1001, "two words"], ids=repr)
def test_a_session_id_that_is_none_is_not_sent_back(session: str, tmp_path: Path) -> None:
    with raw() as (url, handler):
        handler.session = session

        @awaited
        async def talk() -> None:
            to = connection(tmp_path, Http(url))
            with pytest.raises(ServerFault) as fault:
                await to.tools()
            assert fault.value.why == "its session id is none"
            await to.close()

        talk()


def test_a_token_that_a_server_gives_back_is_taken_out(tmp_path: Path) -> None:
    with raw() as (url, _):
        @awaited
        async def talk() -> None:
            async with service(tmp_path, address=Http(url, token=True), secrets={"": TOKEN}) as there:
                assert (await there.call(asking("say"))).result == {"text": "heard •••"}

        talk()


def test_one_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with raw() as (url, _):
        pass

    @awaited
    async def talk() -> None:
        to = connection(tmp_path, Http(url), patience=Patience(begin=5.0))
        with pytest.raises(ServerFault, match="cannot be reached") as fault:
            await to.tools()
        assert "connect" in fault.value.why.lower()
        assert "declined" not in fault.value.why
        await to.close()

    talk()


@pytest.mark.parametrize(("wrong", "said", "fix"), [
    ("wrong host", "its certificate is for another host", "check the address"),
    ("expired", "its certificate has expired", "set the clock"),
    ("not yet valid", "its certificate is not valid yet", "set the clock"),
    ("self-signed", "its certificate is signed by itself", "SSL_CERT_FILE"),
    ("unknown authority", "this computer does not know who signed its certificate", "SSL_CERT_FILE"),
])
def test_a_server_that_nobody_can_know_is_sent_no_token(
    wrong: Wrong, said: str, fix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = certificates(tmp_path / "certificates")
    monkeypatch.setenv("SSL_CERT_FILE", str(made.authority))
    with raw(tls=made.serving(wrong)) as (url, handler):
        @awaited
        async def talk() -> None:
            to = connection(tmp_path, Http(url, token=True), {"": TOKEN})
            with pytest.raises(ServerFault, match="cannot be reached") as fault:
                await to.tools()
            assert fault.value.why == said
            assert fix in fault.value.advice
            assert not fault.value.transient
            await to.close()

        talk()
        assert handler.seen == []


def test_an_authority_of_ones_own_is_trusted_once_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = certificates(tmp_path / "certificates")
    monkeypatch.setenv("SSL_CERT_FILE", str(made.authority))
    with raw(tls=made.serving()) as (url, _):
        @awaited
        async def talk() -> None:
            async with service(tmp_path, address=Http(url)) as there:
                assert (await there.call(asking("say"))).result["text"].startswith("heard")

        talk()


def test_no_proxy_stands_before_what_is_near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with raw() as (elsewhere, other), raw() as (url, _):
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, elsewhere)

        @awaited
        async def talk() -> None:
            async with service(tmp_path, address=Http(url, token=True), secrets={"": TOKEN}) as there:
                assert (await there.call(asking("say"))).result == {"text": "heard •••"}

        talk()
        assert other.seen == []


def test_a_proxy_that_cannot_be_used_is_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://user:hunter2@127.0.0.1:9")

    @awaited
    async def talk() -> None:
        to = connection(tmp_path, Http("https://tools.example/mcp"))
        with pytest.raises(ServerFault) as fault:
            await to.tools()
        assert fault.value.why.startswith("the proxy of the environment cannot be used: it speaks SOCKS")
        assert "HTTPS_PROXY" in fault.value.advice
        await to.close()

    talk()
