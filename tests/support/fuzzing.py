"""Has odd cases judged in a process that is watched: no death, no hang, bounds for time and memory, one error class."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
HANG = 120.0
"""Seconds without a line, on however busy a machine."""
CPU_SECONDS = 10.0
MEMORY_MB = 1_500


@dataclass
class Fuzzed:
    """What became of the cases. `faults` name each case that went wrong, and how."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0
    """Processor seconds of one case."""
    largest: int = 0
    """MB of a process."""

    def heard(self, number: int, outcome: str, used: float, most: int) -> None:
        """A case has been judged."""
        self.outcomes["faults" if outcome.startswith("Traceback") else outcome] += 1
        self.slowest, self.largest = max(self.slowest, used), max(self.largest, most)
        if outcome.startswith("Traceback"):
            self.faults.append(f"case {number}: {outcome}")
        if used > CPU_SECONDS:
            self.faults.append(f"case {number} took {used:.1f} s")
        if most > MEMORY_MB:
            self.faults.append(f"case {number} or one before it took {most} MB")


def fuzz(kind: str, first: int, last: int) -> Fuzzed:
    """Judge cases of a kind; after a death or a hang the next case is taken up by a new process."""
    found = Fuzzed()
    while first <= last:
        process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("fuzz_worker.py"), kind, str(first), str(last)], cwd=ROOT,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": f"{ROOT}"},
        )
        reached, hung = _watched(process, found)
        if reached == last and process.returncode == 0:
            break
        first = max(first, reached + 1)
        if first <= last or process.returncode:
            found.faults.append(f"case {first} {'hung' if hung else f'ended the process: {process.returncode}'}")
        first += 1
    return found


def _watched(process: subprocess.Popen[bytes], found: Fuzzed) -> tuple[int, bool]:
    """The last case that was judged, and whether the next one hung; the process has ended."""
    assert process.stdout is not None
    reached, hung, text = -1, False, b""
    with selectors.DefaultSelector() as ready, process.stdout as lines:
        ready.register(lines, selectors.EVENT_READ)
        silent_since = time.monotonic()
        while True:
            if not ready.select(1.0):
                if time.monotonic() - silent_since < HANG:
                    continue
                hung = True
                process.kill()
                break
            more = os.read(lines.fileno(), 2**16)
            if not more:
                break
            silent_since = time.monotonic()
            *whole, text = (text + more).split(b"\n")
            for line in whole:
                number, outcome, used, most = json.loads(line)
                found.heard(number, outcome, used, most)
                reached = number
    process.wait()
    return reached, hung
