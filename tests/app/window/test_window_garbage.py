"""In the window that a person opens, garbage is collected on the window's thread alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from windows import ROOT, surroundings

PROGRAM = """
import gc, os, signal, sys
from app.signals import StopSignals
from app.window import entry, garbage
made = garbage.Garbage.__init__
def init(self, parent, idle):
    made(self, parent, idle)
    print("collected by any thread:", gc.isenabled(), flush=True)
    os.kill(os.getpid(), signal.SIGTERM)
garbage.Garbage.__init__ = init
stop = StopSignals(0)
stop.take()
status = entry.open_window(stop)
print("afterwards:", gc.isenabled(), flush=True)
sys.exit(status)
"""


def test_the_interpreter_collects_nothing_while_the_window_is_open(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=surroundings(tmp_path / "home"), capture_output=True, text=True,
        timeout=60, check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["collected by any thread: False", "afterwards: True"]
