"""The main job through the command line, offline: compose a song, recompose it, say where everything is.

The song goes to your own data folder (`BANDLEADER_HOME` moves it), so that it is there afterwards. Every
command is printed before it runs and its output is shown as it is: type the same and the same happens.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import Any, Never

from app.paths import Paths, find_paths

COMPOSE = "A calm lo-fi song in D minor at 82 bpm with drums, bass, electric piano and a soft lead, 24 bars"
RECOMPOSE = "Recompose this sequence to be more ambient and atmospheric"
BANDLEADER = Path(sysconfig.get_path("scripts")) / "bandleader"
KINDS = {".mid": "MIDI", ".wav": "WAV", ".json": "plan"}


def main() -> int:
    """Run both requests; the exit status is that of the first command that failed, else 0."""
    paths = find_paths()
    print(f"Bandleader, offline: a song from one sentence, then changed by a second. Data: {paths.data}")
    began = time.time()
    before = _project_ids()
    _run("compose", COMPOSE, "--provider", "local", "--yes")
    project = _the_new_one(before)
    _run("compose", RECOMPOSE, "--provider", "local", "--yes", "--project", project)
    _run("history", "--project", project)
    _summary(paths, project, began)
    return 0


def _run(*arguments: str) -> None:
    """One command as a person types it, its output straight to the terminal."""
    print(f"\n$ {_typed(*arguments)}", flush=True)
    status = subprocess.run([str(BANDLEADER), *arguments], check=False).returncode
    if status:
        _stop(status, f"bandleader {arguments[0]} ended with {status}; its own message is above")


def _typed(*arguments: str) -> str:
    """The command as it can be typed in this folder."""
    return shlex.join([os.path.relpath(BANDLEADER), *arguments])


def _ask(*arguments: str) -> dict[str, Any]:
    """The one JSON document that a command prints."""
    answer = subprocess.run([str(BANDLEADER), *arguments, "--json"], check=False, stdout=subprocess.PIPE)
    if answer.returncode:
        _stop(answer.returncode, f"bandleader {shlex.join(arguments)} ended with {answer.returncode}")
    document = json.loads(answer.stdout)
    assert isinstance(document, dict)
    return document


def _project_ids() -> set[str]:
    return {str(project["id"]) for project in _ask("projects")["projects"]}


def _the_new_one(before: set[str]) -> str:
    new = _project_ids() - before
    if len(new) != 1:
        _stop(1, f"expected one new project, found {len(new)}")
    return new.pop()


def _summary(paths: Paths, project: str, began: float) -> None:
    """Where song, files and plans are, and what to try next."""
    iterations = _ask("history", "--project", project)["iterations"]
    print("\nWhere everything is")
    print(f"  song and versions  {paths.database}  (project {project}, {len(iterations)} iterations)")
    for path in _files_since(paths.exports, began):
        print(f"  {KINDS[path.suffix]:<17}  {path}")
    for run in reversed([str(row["run"]) for row in iterations if row.get("run")]):
        print(f"  {'plan and ledger':<17}  {_typed('runs', 'show', run)}")
    print("\nNext")
    print(f"  {_typed('compose', 'Make it brighter and keep the bass', '--project', project)}")
    print(f"  {_typed('restore', str(iterations[-1]['id']), '--project', project)}   (the first version again)")
    print(f"  {_typed('doctor')}")


def _files_since(folder: Path, began: float) -> list[Path]:
    """Files of the known kinds that were written since `began`, oldest first."""
    files = [path for path in folder.rglob("*") if path.suffix in KINDS and path.stat().st_mtime >= began - 1]
    return sorted(files, key=lambda path: path.stat().st_mtime)


def _stop(status: int, what: str) -> Never:
    print(f"\ndemo: {what}", file=sys.stderr)
    raise SystemExit(status)


if __name__ == "__main__":
    raise SystemExit(main())
