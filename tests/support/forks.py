"""Commands as processes that start at once; `fork_server` says how and why."""

from __future__ import annotations

import atexit
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from patience import PATIENCE

ROOT = Path(__file__).parents[2]
POSSIBLE = hasattr(os, "pidfd_open")
_USUAL: dict[str, Any] = {
    "naive": False, "careless": False, "die_at": None, "count_to": "", "point": "statement", "largest_file": None,
}


class Forked:
    """A command on its way, with what `subprocess.Popen` has of use here."""

    def __init__(self, told: socket.socket, stdout: int, stderr: int) -> None:
        self._told = told
        self.stdout = os.fdopen(stdout, encoding="utf-8")
        self.stderr = os.fdopen(stderr, encoding="utf-8")
        self.returncode: int | None = None
        self._lines = b""
        self.pid = self._next(PATIENCE)

    def poll(self) -> int | None:
        """The status if it has ended; negative the signal that ended it."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """The status in the end."""
        if self.returncode is None:
            self.returncode = self._next(timeout)
            self._told.close()
        return self.returncode

    def _next(self, timeout: float | None) -> int:
        until = None if timeout is None else time.monotonic() + timeout
        while b"\n" not in self._lines:
            self._told.settimeout(None if until is None else max(0.0, until - time.monotonic()))
            try:
                more = self._told.recv(64)
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired("a forked command", timeout or 0) from None
            if not more:
                raise RuntimeError("the server of forked commands has ended")
            self._lines += more
        line, _, self._lines = self._lines.partition(b"\n")
        return int(line)

    def send_signal(self, number: int) -> None:
        """Signal it if it has not ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """End it in order."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """All that it says until its end."""
        until = None if timeout is None else time.monotonic() + timeout
        said = {stream.fileno(): b"" for stream in (self.stdout, self.stderr)}
        with selectors.DefaultSelector() as reading:
            for descriptor in said:
                reading.register(descriptor, selectors.EVENT_READ)
            while reading.get_map():
                left = None if until is None else until - time.monotonic()
                if left is not None and left <= 0:
                    raise subprocess.TimeoutExpired("a forked command", timeout or 0)
                for key, _ in reading.select(left):
                    more = os.read(key.fd, 2**16)
                    said[key.fd] += more
                    if not more:
                        reading.unregister(key.fd)
        for stream in (self.stdout, self.stderr):
            stream.close()
        self.wait(None if until is None else max(0.0, until - time.monotonic()))
        out, err = (text.decode("utf-8").replace("\r\n", "\n") for text in said.values())
        return out, err


def forked(words: Sequence[str], environment: Mapping[str, str], stdin: int, **job: Any) -> Forked:
    """Begin a command with exactly this environment.

    `job` may hold: `largest_file`, the bytes that a file may have; `die_at`, the number of the `point` before which
    the process kills itself, a "statement" of the database or a "touch" of the file system; `naive`, to store every
    write by itself; `careless`, to repeat what was broken off without asking; `count_to`, a file that gets a byte for
    each point.
    """
    told = json.dumps({"words": words, "environment": dict(environment), **_USUAL, **job})
    ours, theirs = socket.socketpair()
    out, out_end = os.pipe()
    err, err_end = os.pipe()
    nothing = os.open(os.devnull, os.O_RDONLY)
    given = nothing if stdin == subprocess.DEVNULL else stdin
    with closing(theirs):
        socket.send_fds(_server(), [told.encode()], [theirs.fileno(), given, out_end, err_end])
    for ours_no_more in (out_end, err_end, nothing):
        os.close(ours_no_more)
    return Forked(ours, out, err)


@cache
def _server() -> socket.socket:
    """The one server of this process; it ends when its socket is closed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("fork_server.py")], stdin=theirs, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
    )
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours
