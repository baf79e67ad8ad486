"""A program that ends with ours, however ours ends: the system sees to it where it can (Linux)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_SECONDS = 2.0
"""Time limit for the test of the launcher."""


def mortal(argv: Sequence[str], folder: str, environment: Mapping[str, str]) -> list[str]:
    """The command, wrapped so that its program is killed when the thread that started it ends, even if our process is
    killed. `folder` and `environment` are those that it will be started with.

    Unchanged on systems that cannot do so, and for a program that does not exist, so that its own error appears.
    Processes that the program starts are not killed. Tests the launcher, which blocks.
    """
    launcher = shutil.which("setpriv") if sys.platform == "linux" else None
    if launcher is None or not _is_there(argv[0], folder, environment) or not _can(launcher):
        return list(argv)
    return [launcher, "--pdeathsig", "KILL", "--", *argv]


def _is_there(program: str, folder: str, environment: Mapping[str, str]) -> bool:
    if os.sep in program:
        program = str(Path(folder, program))
    return shutil.which(program, path=environment.get("PATH", os.defpath)) is not None


def _can(launcher: str) -> bool:
    """Whether the launcher knows how: small systems have one of that name that does not."""
    try:
        said = subprocess.run(
            [launcher, "--pdeathsig", "clear", "--", launcher, "--version"], stdin=subprocess.DEVNULL,
            capture_output=True, timeout=_SECONDS, check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return said.returncode == 0
