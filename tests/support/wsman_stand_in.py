"""A stand-in for a Windows machine with WinRM: WSMan and PowerShell remoting over TLS, as far as one script needs them.

It is not Windows: there is no NTLM, no Kerberos and no encryption of messages, it knows no PowerShell, and it answers
a script with what the test gave it. The PowerShell protocol is that of psrpcore's server side.
"""

from __future__ import annotations

import base64
import ipaddress
import ssl
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from psrpcore import CreatePipelineEvent, PSRPPayload, ServerPipeline, ServerRunspacePool, StreamType
from psrpcore.types import ErrorCategoryInfo, NETException

USER, PASSWORD = "studio", "Übung macht: 9c1d7e5b"
_RSP = "http://schemas.microsoft.com/wbem/wsman/1/windows/shell"
_NAMES = {
    "s": "http://www.w3.org/2003/05/soap-envelope", "wsa": "http://schemas.xmlsoap.org/ws/2004/08/addressing",
    "rsp": _RSP, "ps": "http://schemas.microsoft.com/powershell",
    "wst": "http://schemas.xmlsoap.org/ws/2004/09/transfer",
    "wsman": "http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd",
}
_SHELL = "http://schemas.microsoft.com/powershell/Microsoft.PowerShell"
_FAULT = (
    '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Detail>'
    '<f:WSManFault xmlns:f="http://schemas.microsoft.com/wbem/wsman/1/wsmanfault" Code="2150859046" Machine="x">'
    "<f:Message>secret words of the other side</f:Message></f:WSManFault></s:Detail></s:Fault></s:Body></s:Envelope>"
)


@dataclass
class Windows:
    """A running stand-in. `answer` gives the lines of output for a script; `error` is written as an error record."""

    port: int
    certificate: Path
    answer: Callable[[str], list[str]]
    error: str = ""
    status: int = 200
    """Of HTTP; 500 is a fault of WSMan, anything else a page."""
    scripts: list[str] = field(default_factory=list)
    asked: int = 0
    hangs: threading.Event | None = None
    """Set by the test when a machine that hangs may go on."""
    pools: dict[str, ServerRunspacePool] = field(default_factory=dict)


@contextmanager
def windows(folder: Path, answer: Callable[[str], list[str]], **more: Any) -> Iterator[Windows]:
    """A stand-in on a port of the loopback, with a certificate of its own."""
    certificate, key = _certificate(folder)
    machine = Windows(0, certificate, answer, **more)

    class Handler(_Handler):
        windows = machine

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    machine.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield machine
    finally:
        if machine.hangs is not None:
            machine.hangs.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    windows: Windows
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""

    def do_POST(self) -> None:
        """One message."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.windows.asked += 1
        wanted = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode("latin-1")).decode()
        if self.headers.get("Authorization") != wanted:
            self._reply(401, "", "WWW-Authenticate", 'Basic realm="WSMAN"')
            return
        if self.windows.hangs is not None:
            self.windows.hangs.wait(30)
        if self.windows.status != 200:
            self._reply(self.windows.status, _FAULT if self.windows.status == 500 else "<html>no")
            return
        self._reply(200, _answered(self.windows, ElementTree.fromstring(body)))

    def _reply(self, status: int, text: str, *header: str) -> None:
        data = text.encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/soap+xml;charset=UTF-8")
            self.send_header("Content-Length", str(len(data)))
            if header:
                self.send_header(*header)
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            self.close_connection = True  # the client has gone


def _answered(machine: Windows, envelope: ElementTree.Element) -> str:
    message = _text(envelope, "s:Header/wsa:MessageID")
    action = _text(envelope, "s:Header/wsa:Action").rsplit("/", 1)[-1]
    body = _BODIES[action](machine, envelope)
    spaces = " ".join(f'xmlns:{name}="{address}"' for name, address in _NAMES.items())
    return (
        f"<s:Envelope {spaces}><s:Header><wsa:RelatesTo>{escape(message)}</wsa:RelatesTo></s:Header>"
        f"<s:Body>{body}</s:Body></s:Envelope>"
    )


def _create(machine: Windows, envelope: ElementTree.Element) -> str:
    shell = envelope.find("s:Body/rsp:Shell", _NAMES)
    assert shell is not None
    name = shell.attrib["ShellId"]
    pool = machine.pools[name] = ServerRunspacePool()
    _heard(pool, base64.b64decode(_text(shell, "ps:creationXml")), None)
    selector = f'<wsman:SelectorSet><wsman:Selector Name="ShellId">{name}</wsman:Selector></wsman:SelectorSet>'
    return (
        f"<wst:ResourceCreated><wsa:ReferenceParameters>{selector}</wsa:ReferenceParameters></wst:ResourceCreated>"
        f"<rsp:Shell><rsp:ShellId>{name}</rsp:ShellId><rsp:ResourceUri>{_SHELL}</rsp:ResourceUri></rsp:Shell>"
    )


def _command(machine: Windows, envelope: ElementTree.Element) -> str:
    line = envelope.find("s:Body/rsp:CommandLine", _NAMES)
    assert line is not None
    pool, command = _pool(machine, envelope), line.attrib["CommandId"]
    pipeline = ServerPipeline(pool, uuid.UUID(command))
    for event in _heard(pool, base64.b64decode(_text(line, "rsp:Arguments")), uuid.UUID(command)):
        if isinstance(event, CreatePipelineEvent):
            script = event.pipeline.commands[0].command_text
            machine.scripts.append(script)
            pipeline.start()
            for said in machine.answer(script):
                pipeline.write_output(said)
            if machine.error:
                pipeline.write_error(
                    NETException(machine.error), ErrorCategoryInfo(), fully_qualified_error_id="NotThere\u202e"
                )
            # As Windows does where an error does not end a script: the pipeline counts as completed.
            pipeline.complete()
    return f"<rsp:CommandResponse><rsp:CommandId>{command}</rsp:CommandId></rsp:CommandResponse>"


def _receive(machine: Windows, envelope: ElementTree.Element) -> str:
    stream = envelope.find("s:Body/rsp:Receive/rsp:DesiredStream", _NAMES)
    assert stream is not None
    command = stream.attrib.get("CommandId")
    attribute = f' CommandId="{command}"' if command else ""
    pieces, pool = "", _pool(machine, envelope)
    while (payload := pool.data_to_send(8192)) is not None:
        pieces += f'<rsp:Stream Name="stdout"{attribute}>{base64.b64encode(payload.data).decode()}</rsp:Stream>'
    return f"<rsp:ReceiveResponse>{pieces}</rsp:ReceiveResponse>"


def _nothing(machine: Windows, envelope: ElementTree.Element) -> str:
    return ""


_BODIES: dict[str, Callable[[Windows, ElementTree.Element], str]] = {
    "Create": _create, "Command": _command, "Receive": _receive, "Signal": _nothing, "Delete": _nothing,
}


def _pool(machine: Windows, envelope: ElementTree.Element) -> ServerRunspacePool:
    return machine.pools[_text(envelope, "s:Header/wsman:SelectorSet/wsman:Selector")]


def _heard(pool: ServerRunspacePool, data: bytes, pipeline: uuid.UUID | None) -> list[Any]:
    pool.receive_data(PSRPPayload(data, StreamType.default, pipeline))
    events = []
    while (event := pool.next_event()) is not None:
        events.append(event)
    return events


def _text(element: ElementTree.Element, path: str) -> str:
    found = element.find(path, _NAMES)
    assert found is not None, path
    return found.text or ""


def _certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that trusts itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "stand-in")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, private = folder / "windows.pem", folder / "windows.key"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ))
    return certificate, private
