"""Bandleader's window as a process of its own, without a display."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from select import select

from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
_APP = ("-m", "app")


class WindowProcess:
    """`python -m app`, or another program, over a home; ended, if the test has not, when the block is left."""

    def __init__(self, home: Path, program: tuple[str, ...] = _APP, **environment: str) -> None:
        self.home = home
        self._log = home.parent / f"{home.name}-{time.monotonic_ns()}.log"
        self.process = subprocess.Popen(
            [sys.executable, *program], cwd=ROOT, stdout=subprocess.PIPE, stderr=self._log.open("wb"),
            env=surroundings(home, **environment),
        )

    def __enter__(self) -> WindowProcess:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.communicate()

    @property
    def said(self) -> str:
        """What is on stderr so far."""
        return self._log.read_text(encoding="utf-8")

    def until_said(self, words: str) -> None:
        """Wait for words on stderr."""
        self._until(lambda: words in self.said)

    def next_line(self) -> str:
        """What it says next on stdout; empty if it ends before."""
        assert self.process.stdout is not None
        assert select([self.process.stdout], [], [], PATIENCE)[0], self.said
        return self.process.stdout.readline().decode().strip()

    def until_open(self) -> None:
        """Wait until the database is there; the window is shown before."""
        self._until(lambda: (self.home / "bandleader.db").exists() and any(self.home.glob("running/bandleader-*")))

    def send(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def ended(self) -> int:
        """The exit status; what was said is shown where a test fails."""
        status = self.process.wait(PATIENCE)
        sys.stderr.write(self.said)
        return status

    def _until(self, holds: object) -> None:
        until = time.monotonic() + PATIENCE
        while not holds():  # type: ignore[operator]
            assert self.process.poll() is None, f"ended with {self.process.returncode}: {self.said}"
            assert time.monotonic() < until, self.said
            time.sleep(0.05)


def started(home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A start that ends by itself."""
    return subprocess.run(
        [sys.executable, "-m", "app"], cwd=ROOT, env=surroundings(home, **environment), capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )


def surroundings(home: Path, **more: str) -> dict[str, str]:
    """The environment of a window without a display; empty values are taken away."""
    made = {**os.environ, "BANDLEADER_HOME": str(home), "QT_QPA_PLATFORM": "offscreen", **more}
    return {name: value for name, value in made.items() if value}
