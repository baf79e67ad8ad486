"""The first frame: Bandleader's window against a bare Qt window, each in a process of its own.

Time runs from the start of the process to the first paint. Both ways are warm and take turns, so that what the
machine does meanwhile meets both; the ratio of the medians is the figure.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 5
BARE = """
import os, sys, time
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.clock_gettime(time.CLOCK_MONOTONIC), flush=True)
        os._exit(0)
app = QApplication(sys.argv[:1])
window = Window()
window.resize(1600, 1000)
window.show()
app.exec()
"""
OURS = """
import os, sys, time
from app.window import entry
def watched():
    from app.window import front
    from PySide6.QtCore import QEvent
    class Frame(front._FirstFrame):
        def eventFilter(self, watched, event):
            found = super().eventFilter(watched, event)
            if event.type() is QEvent.Type.Paint:
                print(time.clock_gettime(time.CLOCK_MONOTONIC), flush=True)
                os._exit(0)
            return found
    front._FirstFrame = Frame
refuse = entry.refuse_without_display
def refuse_and_watch(*said):
    refuse(*said)
    watched()
entry.refuse_without_display = refuse_and_watch
entry.open_window()
"""
_FOLDERS = ("BANDLEADER_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")


def first_frame(program: str, home: str) -> float:
    """Milliseconds from the start of a process to its first paint."""
    # Folders are found as for a person, and not by a short cut.
    known = {name: value for name, value in os.environ.items() if name not in _FOLDERS}
    environment = {"QT_QPA_PLATFORM": "offscreen", **known, "HOME": home}
    began = time.clock_gettime(time.CLOCK_MONOTONIC)
    said = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    lines = said.stdout.split()
    if not lines:
        raise SystemExit(f"no frame was painted:\n{said.stderr}")
    return (float(lines[0]) - began) * 1000


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        for program in (BARE, OURS):
            first_frame(program, str(Path(folder) / "warm"))
        times: dict[str, list[float]] = {"bare": [], "ours": []}
        for turn in range(RUNS):
            times["bare"].append(first_frame(BARE, str(Path(folder) / str(turn))))
            times["ours"].append(first_frame(OURS, str(Path(folder) / str(turn))))
    bare, ours = (statistics.median(times[name]) for name in ("bare", "ours"))
    print(f"bare PySide6 window   {bare:6.0f} ms to the first frame (median of {RUNS})")
    print(f"Bandleader's window   {ours:6.0f} ms")
    print(f"ratio                 {ours / bare:6.2f} x   (target: at most 1.5)")


if __name__ == "__main__":
    main()
