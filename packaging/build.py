"""Builds dist/bandleader with PyInstaller and proves that the program works alone, away from its source."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUNDLE = ROOT / "dist" / "bandleader"
REQUEST = "A short ambient piece in A minor, 8 bars"


def main() -> int:
    """Build, prove, tell the size; a failed proof is a failed build."""
    began = time.monotonic()
    build()
    print(f"built in {time.monotonic() - began:.0f} s, {_megabytes(BUNDLE):.0f} MB: {BUNDLE}")
    return prove()


def build() -> None:
    """One folder with the program and everything that it needs."""
    shutil.rmtree(BUNDLE, ignore_errors=True)
    spec = str(ROOT / "packaging" / "bandleader.spec")
    folders = ["--distpath", str(BUNDLE.parent), "--workpath", str(ROOT / "build" / "pyinstaller")]
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *folders, spec]
    subprocess.run(command, cwd=ROOT, check=True)


def prove() -> int:
    """Run a copy of the bundle in an empty folder with an empty environment; 0 when it sounds."""
    with tempfile.TemporaryDirectory() as folder:
        away = Path(folder)
        program = away / "program" / "bandleader"
        shutil.copytree(BUNDLE, program.parent, symlinks=True)
        environment = {"HOME": folder, "PATH": os.defpath, "LANG": "C.UTF-8"}
        doctor = _ask(program, away, environment, "doctor")
        for check in doctor["checks"]:
            print(f"  {'ok ' if check['ok'] else 'no '} {check['name']}: {check['detail']}")
        song = _ask(program, away, environment, "compose", REQUEST, "--seed", "1", "--yes")
        for kind, path in song["files"].items():
            size = Path(path).stat().st_size
            print(f"  ok  {kind}: {size} bytes")
    return 0


def _ask(program: Path, folder: Path, environment: dict[str, str], *arguments: str) -> dict[str, Any]:
    answer = subprocess.run(
        [str(program), *arguments, "--json"], cwd=folder, env=environment, stdout=subprocess.PIPE, check=True
    )
    document = json.loads(answer.stdout)
    assert isinstance(document, dict)
    return document


def _megabytes(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


if __name__ == "__main__":
    raise SystemExit(main())
