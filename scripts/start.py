"""`make run`: the window where there is a display; else the main job without one, and pictures of the window."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

SCRIPTS = Path(__file__).parent
BANDLEADER = Path(sysconfig.get_path("scripts")) / "bandleader"


def main() -> int:
    """The exit status of what was started."""
    if _display():
        return subprocess.run([str(BANDLEADER)], check=False).returncode
    print("There is no display here, so Bandleader does its main job at the command line.", flush=True)
    status = subprocess.run([sys.executable, str(SCRIPTS / "demo.py")], check=False).returncode
    if status:
        return status
    from app.paths import find_paths

    folder = find_paths().data / "pictures"
    print(f"\nPictures of the window: {folder}", flush=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    pictures = [sys.executable, str(SCRIPTS / "screenshots.py"), str(folder)]
    return subprocess.run(pictures, check=False, env=environment).returncode


def _display() -> bool:
    """Whether a window can be shown; macOS and Windows always have a display."""
    if os.environ.get("QT_QPA_PLATFORM") in ("offscreen", "minimal"):
        return False
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


if __name__ == "__main__":
    raise SystemExit(main())
