"""Model servers that others wrote, started for the tests: aimock (node) and llm-mock-api (Python)."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from model_wire_script import Form

ROOT = Path(__file__).parents[2]
_AIMOCK = ROOT / ".venv" / "aimock" / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
_LISTENING = re.compile(r"listening on (http://\S+)")


@dataclass(frozen=True)
class Other:
    """A server of somebody else."""

    name: str
    origin: str

    def url(self, form: Form) -> str:
        """The base URL that the provider's SDK takes."""
        return self.origin if form == "anthropic" else f"{self.origin}/v1"

    def journal(self) -> list[dict[str, Any]]:
        """aimock's record of requests, oldest first."""
        with urlopen(f"{self.origin}/__aimock/journal", timeout=30) as answer:
            entries: list[dict[str, Any]] = json.load(answer)
        return entries


@contextmanager
def aimock(fixtures: Path) -> Iterator[Other]:
    """aimock with the fixtures of a JSON file. Skips the test where it is not installed."""
    node = shutil.which("node")
    if node is None or not _AIMOCK.exists():
        pytest.skip("needs node 20 and npm: install them, then make setup again")
    command = [node, str(_AIMOCK), "-p", "0", "-f", str(fixtures), "-c", "7", "--strict"]
    # Its own log goes nowhere after the line that is waited for: a full pipe would stop it.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            said = ""
            while not (found := _LISTENING.search(said)):
                line = process.stdout.readline()
                assert line, f"aimock did not start: {said}"
                said += line
            threading.Thread(target=process.stdout.read, daemon=True).start()
            yield Other("aimock", found[1])
        finally:
            process.kill()


@contextmanager
def llm_mock_api(configure: Callable[[Any], None]) -> Iterator[Other]:
    """llm-mock-api with the rules that `configure` gives its `MockServer`. Skips the test where it is not installed."""
    api = pytest.importorskip("llm_mock_api", reason="llm-mock-api is not installed: `make setup` does that")
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="llm-mock-api", daemon=True)
    thread.start()

    def wait(work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(60)

    server = api.MockServer(api.MockServerOptions(default_latency=0, default_chunk_size=7))
    configure(server)
    try:
        wait(server.start())
        yield Other("llm-mock-api", server.url)
        wait(server.stop())
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()
