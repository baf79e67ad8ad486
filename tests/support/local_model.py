"""A very small real model behind llama.cpp's server, where `make local-model` has built both."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

VARIABLE = "BANDLEADER_LOCAL_MODEL"
"""Names the folder that was built."""
CONTEXT = 8192
_PATIENCE = 120.0


@dataclass(frozen=True)
class LocalModel:
    """A running server. `plain` is the model as it is, `calls` the same one held to calling tools."""

    url: str
    plain: str = "plain"
    calls: str = "calls"


@contextmanager
def local_model(folder: Path) -> Iterator[LocalModel]:
    """The server of a folder, on a free port of the loopback."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    formats = {"plain": "gemma", "calls": "chatml-function-calling"}
    models = [
        {"model": str(folder / "model.gguf"), "model_alias": name, "chat_format": chat, "n_ctx": CONTEXT, "seed": 2,
         "n_threads": os.cpu_count() or 1, "verbose": False}
        for name, chat in formats.items()
    ]
    settings = folder / "server.json"
    settings.write_text(json.dumps({"host": "127.0.0.1", "port": port, "models": models}))
    command = [str(folder / "venv" / "bin" / "python"), "-m", "llama_cpp.server", "--config_file", str(settings)]
    environment = {**os.environ, "LLAMA_CPP_LIB_PATH": str(folder / "llama" / "bin")}
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        found = LocalModel(f"http://127.0.0.1:{port}/v1")
        _until_it_answers(found.url, process, folder / "server.log")
        yield found
    finally:
        process.terminate()
        process.wait(timeout=_PATIENCE)


def _until_it_answers(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text(errors="replace")
        try:
            with urlopen(f"{url}/models", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(f"the server does not answer; its log is {log}")
