"""Proves that the bundle plans and runs with each kind of model, over the loopback, and that TLS is checked."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_SERVER = ROOT / "tests" / "support" / "model_server_process.py"
_KEY = "sk-only-for-the-loopback"
_VARIABLES = {"anthropic": "ANTHROPIC", "openai": "OPENAI", "openai-chat": ""}
"""What the variables of each form's key and address begin with; a server of one's own has none."""
_PATIENCE = 180.0
_REQUEST = "a soft chord"
_NOTES = [{"n": 60, "s": 0, "d": 4, "v": 62}, {"n": 64, "s": 4, "d": 4, "v": 67}]
_STEPS = [
    ("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"}),
    ("s2", "create_midi_clip", {"track_id": "{{s1.track_id}}", "start_time": 0, "duration": 8, "notes": _NOTES}),
]
_PLAN = {
    "analysis": "as asked", "musical_reasoning": "held notes",
    "steps": [{"id": i, "tool": t, "title": t, "group": "", "why": "", "inputs": given} for i, t, given in _STEPS],
}


def prove_models(program: Path, folder: Path, environment: dict[str, str]) -> bool:
    """Tell how the bundle gets on with each provider; whether all went well."""
    command = [sys.executable, str(_SERVER)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(json.dumps(_PLAN)) + "\n")
        server.stdin.flush()
        urls = json.loads(server.stdout.readline())
        good = [_proves_form(program, folder, environment, form, urls[form]) for form in _VARIABLES]
        told, _ = server.communicate(timeout=_PATIENCE)
    asked = [json.loads(line) for line in told.splitlines()]
    wanted = [[form, _KEY if name else ""] for form, name in _VARIABLES.items()]
    if asked != wanted:
        print(f"  no  what was asked of the models: {asked}")
    return all(good) and asked == wanted and _proves_tls(program, folder, environment)


def _proves_form(program: Path, folder: Path, environment: dict[str, str], form: str, url: str) -> bool:
    """Keys are tested, and a request is planned and run."""
    name = _VARIABLES[form]
    provider = form if name else url
    keys = {f"{name}_API_KEY": _KEY, f"{name}_BASE_URL": url} if name else {}
    began = time.monotonic()
    tested = _run(program, folder, {**environment, **keys}, "keys", "test", provider)
    listed = time.monotonic() - began
    made = _run(
        program, folder, {**environment, **keys},
        "compose", _REQUEST, "--provider", provider, "--model", "any", "--seed", "1", "--yes",
    )
    took = time.monotonic() - began - listed
    good = tested.returncode == made.returncode == 0
    print(f"  {'ok ' if good else 'no '} {form}: keys tested in {listed:.1f} s, planned, run and saved in {took:.1f} s")
    if not good:
        print(tested.stderr, made.stdout, made.stderr, sep="\n", file=sys.stderr)
    return good


def _proves_tls(program: Path, folder: Path, environment: dict[str, str]) -> bool:
    """A certificate that nobody vouches for is refused; the same one is taken where the machine trusts it."""
    openssl = shutil.which("openssl")
    if openssl is None:
        print("  --  TLS: left out, there is no openssl to make a certificate with")
        return True
    with _secure_server(openssl, folder) as (url, certificate):
        refused = _run(program, folder, environment, "keys", "test", url)
        good = refused.returncode != 0 and "certificate" in refused.stderr.lower()
        trusted = None
        if sys.platform == "linux":
            trusting = {**environment, "SSL_CERT_FILE": str(certificate)}
            trusted = _run(program, folder, trusting, "keys", "test", url)
            good = good and trusted.returncode == 0
    print(f"  {'ok ' if good else 'no '} TLS: a strange certificate is refused, a trusted one is taken")
    if not good:
        print(refused.stderr, "" if trusted is None else trusted.stderr, sep="\n", file=sys.stderr)
    return good


class _Models(BaseHTTPRequestHandler):
    """Lists one model."""

    def do_GET(self) -> None:
        """Whatever is asked."""
        body = json.dumps({"object": "list", "data": [{"id": "any", "object": "model"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing is told."""


@contextmanager
def _secure_server(openssl: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """A server's base URL and its certificate, which it signed itself."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = [
        openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out", str(certificate),
        "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
    ]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Models) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"https://127.0.0.1:{server.server_port}/v1", certificate
        finally:
            server.shutdown()
            thread.join()


def _run(
    program: Path, folder: Path, environment: dict[str, str], *arguments: str
) -> subprocess.CompletedProcess[str]:
    command = [str(program), *arguments, "--json"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_PATIENCE)
