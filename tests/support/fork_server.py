"""Carries out commands of the program, each in a process of its own that is forked from this one.

Reading the program takes most of a second and the libraries of sound another, which hundreds of commands and a
thousand kills cannot wait for. A forked child goes on as `python -m app` would: words, environment and streams of
its own, the program's own entry, and an end after its threads, exit functions and streams as the interpreter's;
`kill -9` ends it like any other process. Each request is a JSON job with four file descriptors: a socket, which is
told the process id and later the status, and stdin, stdout and stderr of the command.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import resource
import selectors
import signal
import socket
import sys
import tempfile
import threading
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import dying
import read_once

PRELOADED = (
    "app.cli.main", "app.cli.in_studio", "app.bootstrap", "app.cli.output",
    "app.storage.migrations", "sqlalchemy.dialects.sqlite.pysqlite", "keyring",
    "anthropic", "openai", "openai.resources.responses", "openai.resources.chat", "genai_prices", "mido",
    "pedalboard", "soundfile", "fluidsynth", "numpy", "app.sound.renderer", "app.exchange.midi_out",
)
LONGEST = 2**20


@dataclass
class _Server:
    control: socket.socket
    watch: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    asked: dict[int, socket.socket] = field(default_factory=dict)
    """Who wants the status of a child, by the child's process id."""

    def serve(self) -> dict[str, Any] | None:
        """Fork children until nobody asks any more (None); in a child, its job."""
        self.watch.register(self.control, selectors.EVENT_READ, None)
        while True:
            for key, _ in self.watch.select():
                if key.data is not None:
                    key.data()
                    continue
                message, descriptors, _, _ = socket.recv_fds(self.control, LONGEST, 4)
                if not message:
                    return None
                job = self._forked(json.loads(message), descriptors)
                if job is not None:
                    return job

    def _forked(self, job: dict[str, Any], descriptors: list[int]) -> dict[str, Any] | None:
        teller, *streams = descriptors
        child = os.fork()
        if child == 0:
            self._leave()
            os.close(teller)
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            return job
        for stream in streams:
            os.close(stream)
        self.asked[child] = socket.socket(fileno=teller)
        ending = os.pidfd_open(child)
        self.watch.register(ending, selectors.EVENT_READ, partial(self._ended, ending, child))
        self._tell(child, child)
        return None

    def _leave(self) -> None:
        """Close in a child what is the server's."""
        endings = [key.fileobj for key in self.watch.get_map().values() if isinstance(key.fileobj, int)]
        self.watch.close()
        for ending in endings:
            os.close(ending)
        for one in (self.control, *self.asked.values()):
            one.close()

    def _ended(self, descriptor: int, child: int) -> None:
        self.watch.unregister(descriptor)
        os.close(descriptor)
        found = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        assert found is not None
        self._tell(child, found.si_status if found.si_code == os.CLD_EXITED else -found.si_status)
        # Its id stays its own until whoever may kill it knows that it has ended, and hangs up.
        self.watch.register(self.asked[child], selectors.EVENT_READ, partial(self._reap, child))

    def _reap(self, child: int) -> None:
        teller = self.asked.pop(child)
        self.watch.unregister(teller)
        teller.close()
        os.waitpid(child, 0)

    def _tell(self, child: int, number: int) -> None:
        with suppress(OSError):  # whoever began the command may have gone
            self.asked[child].sendall(f"{number}\n".encode())


def begin(job: dict[str, Any]) -> int:
    """In the child: the command, as the program's entry begins it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(job["environment"])
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as the process lives
    sys.stdout, sys.stderr = (_written(number) for number in (1, 2))
    if job["largest_file"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["largest_file"], job["largest_file"]))
    if job["naive"]:
        dying.commit_every_write()
    if job["careless"]:
        dying.ask_nothing()
    if job["die_at"] is not None:
        dying.die_at(job["point"], job["die_at"])
    if job["count_to"]:
        dying.count(job["point"], job["count_to"])
    # Workers of the program begin from its own entry, as they always do.
    entry = sys.modules["__main__"] = importlib.import_module("app.__main__")
    sys.argv = ["app", *job["words"]]
    status: int = entry.main()
    return status


def _written(number: int) -> io.TextIOWrapper:
    """A stream with the buffer that the interpreter would give it."""
    made = open(number, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as the process lives
    made.reconfigure(line_buffering=number == 2 or made.isatty())
    return made


def warm() -> None:
    """Plan and ask in a home of its own: what is prepared at the first use is prepared for every child."""
    from app.cli.main import run

    with tempfile.TemporaryDirectory() as home, open(os.devnull, "w", encoding="utf-8") as nothing:
        os.environ["BANDLEADER_HOME"] = home
        with redirect_stdout(nothing), redirect_stderr(nothing):
            for words in (("projects", "new", "one"), ("plan", "8 bars of lo-fi"), ("ask", "what key is it in?")):
                assert run([*words, "--json"]) == 0, words
        del os.environ["BANDLEADER_HOME"]
    assert threading.active_count() == 1, "a thread does not outlive a fork"


def end(status: int) -> int:
    """End a child in the interpreter's order, but let the system take back memory that it shares with the server."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return status  # the interpreter says so in its own way
    os._exit(status)


def main() -> int:
    """Serve until stdin, a socket, is closed; in a child, the status of its command."""
    sys.path[0] = str(Path(__file__).parents[2])
    read_once.remember()
    from app.cli.commands import COMMANDS

    for name in (*PRELOADED, *{f"app.cli.{one.module}" for one in COMMANDS.values()}):
        importlib.import_module(name)
    warm()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    job = _Server(socket.socket(fileno=os.dup(0))).serve()
    return 0 if job is None else end(begin(job))


if __name__ == "__main__":
    sys.exit(main())
