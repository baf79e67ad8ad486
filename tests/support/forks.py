"""Commands as processes that start at once; `fork_server` says how and why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commandline import ROOT, CommandLine, Said

_USUAL: dict[str, Any] = {"naive": False, "die_at": None, "count_to": "", "largest_file": None}


class Forks:
    """The server that forks commands, to be used as a context."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[str] | None = None

    def __enter__(self) -> Forks:
        """Start it."""
        self._server = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("fork_server.py")], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        assert self._server is not None
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        self._server.stdout.close()
        self._server.wait()

    def carry_out(
        self, home: Path, *words: str, kill: Callable[[int], None] | None = None,
        environment: dict[str, str] | None = None, words_in: Path | None = None, **job: Any,
    ) -> Said:
        """Carry out a command; `kill` is given its process id as soon as it lives.

        What it says goes through files in `words_in`, else beside the home. `job` may hold: `largest_file`, the
        bytes that a file may have; `die_at`, the statement of the database before which the process kills
        itself; `naive`, to store every write by itself; `count_to`, a file that gets a byte for each statement.
        """
        assert self._server is not None
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        kept = words_in or home.parent
        out, err = kept / f"{home.name}.stdout", kept / f"{home.name}.stderr"
        settings = {**(environment or {}), "BANDLEADER_HOME": str(home)}
        told = {"words": words, "environment": settings, "stdout": str(out), "stderr": str(err), **_USUAL, **job}
        self._server.stdin.write(json.dumps(told) + "\n")
        self._server.stdin.flush()
        child = int(self._server.stdout.readline())
        if kill is not None:
            kill(child)
        assert self._server.stdout.readline() == "ended\n"
        self._server.stdin.write("\n")
        self._server.stdin.flush()
        status = int(self._server.stdout.readline())
        return Said(status, *(path.read_text("utf-8") if path.exists() else "" for path in (out, err)))


@dataclass(frozen=True)
class QuickCommandLine(CommandLine):
    """The command line without its start-up time."""

    forks: Forks | None = None

    def run(self, *words: str, **more: str) -> Said:
        """Run a command to its end; `more` are environment variables."""
        return self.job(*words, **more)

    def job(self, *words: str, largest_file: int | None = None, **more: str) -> Said:
        """The same, where no file may become larger than so many bytes."""
        assert self.forks is not None
        environment = {**self.environment, **more}
        return self.forks.carry_out(self.home, *words, environment=environment, largest_file=largest_file)
