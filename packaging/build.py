"""Builds dist/bandleader with PyInstaller and proves that the program works alone, away from its source."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from models_proof import prove_models

ROOT = Path(__file__).resolve().parent.parent
BUNDLE = ROOT / "dist" / "bandleader"
_PATIENCE = 60.0
_LOOK = 3.0
"""Seconds that the window stays open."""
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
    subprocess.run([sys.executable, "scripts/learn.py"], cwd=ROOT, check=True)
    spec = str(ROOT / "packaging" / "bandleader.spec")
    folders = ["--distpath", str(BUNDLE.parent), "--workpath", str(ROOT / "build" / "pyinstaller")]
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *folders, spec]
    subprocess.run(command, cwd=ROOT, check=True)


def prove() -> int:
    """Run a copy of the bundle in an empty folder with an empty environment; 0 when it sounds, asks models and shows
    its window."""
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
        models = prove_models(program, away, environment)
        return _show_window(program, away, environment) if models else 1


def _show_window(program: Path, folder: Path, environment: dict[str, str]) -> int:
    """Open the window, on an X server of its own where there is one, and close it again; 0 when both went well."""
    with _display() as display:
        began = time.monotonic()
        window = subprocess.Popen([str(program)], cwd=folder, env={**environment, **display}, stderr=subprocess.PIPE)
        running = Path(folder) / "window" / "running"
        while window.poll() is None and not any(running.glob("*")) and time.monotonic() - began < _PATIENCE:
            time.sleep(0.05)
        opened = window.poll() is None and any(running.glob("*"))
        took = time.monotonic() - began
        time.sleep(_LOOK)
        window.terminate()
        _, said = window.communicate(timeout=_PATIENCE)
    good = opened and window.returncode == 0
    print(f"  {'ok ' if good else 'no '} window: {display}, open after {took:.1f} s, ended with {window.returncode}")
    if not good:
        print(said.decode(errors="replace"), file=sys.stderr)
    return 0 if good else 1


@contextmanager
def _display() -> Iterator[dict[str, str]]:
    """Where the window is shown: a virtual X server, else nowhere."""
    home = {"BANDLEADER_HOME": "window"}
    server = shutil.which("Xvfb")
    if server is None:
        yield {**home, "QT_QPA_PLATFORM": "offscreen"}
        return
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [server, "-displayfd", str(writer), "-screen", "0", "1600x1000x24"], pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as numbers:
            yield {**home, "DISPLAY": f":{numbers.readline().strip()}"}
    finally:
        process.terminate()
        process.wait()


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
