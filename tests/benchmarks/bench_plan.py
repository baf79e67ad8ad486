"""An offline request to its shown plan, and to a finished WAV, against ark-audio's offline mode in one run.

The peer is the program `ark-audio` (PyPI: ark-audio-agent), taken from PATH or from the variable ARK_AUDIO;
without it only our own figures are printed.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from agent.review.review import Review
from app.bootstrap import open_studio
from app.paths import Paths, find_paths
from app.studio.studio import Studio

_REQUESTS = (
    "a calm lofi beat in D minor at 82 bpm, 16 bars",
    "dark techno at 132 bpm, 32 bars",
    "a bright pop song in G major with piano and strings",
    "drum and bass at 174 bpm in F minor",
    "slow ambient piece without drums",
)
_ROUNDS = 3


def main() -> None:
    """Print medians and their ratio to the peer's."""
    with tempfile.TemporaryDirectory() as folder:
        planned = asyncio.run(_planned(Path(folder)))
        shown = [_command(Path(folder), "plan", request) for request in _REQUESTS]
        heard = [_command(Path(folder), "compose", request, "--yes") for request in _REQUESTS[:_ROUNDS]]
        peer = [seconds for request in _REQUESTS[:_ROUNDS] if (seconds := _peer(Path(folder), request))]
    base = statistics.median(peer) if peer else None
    rows = (
        ("request → plan, open studio", planned),
        ("request → plan, as a new process", shown),
        ("request → MIDI and WAV, as a new process", heard),
        ("ark-audio --offline, request → MIDI and WAV", peer),
    )
    for name, times in rows:
        if times:
            middle = statistics.median(times)
            ratio = f"{middle / base:7.3f} x ark-audio" if base else "ark-audio is not installed"
            print(f"{name:48} median {middle:6.3f} s  worst {max(times):6.3f} s  {ratio}")


async def _planned(folder: Path) -> list[float]:
    resources = find_paths().resources
    studio = open_studio(Paths(folder / "inner", folder / "cache", folder / "logs", resources))
    try:
        await _plan(studio, _REQUESTS[0])
        return [await _plan(studio, request) for request in _REQUESTS for _ in range(_ROUNDS)]
    finally:
        await studio.close()


async def _plan(studio: Studio, request: str) -> float:
    stage = await studio.planning.stage(await studio.projects.draft("bench"))
    began = time.perf_counter()
    judged = await studio.planning.propose(request, stage, seed=1)
    assert isinstance(judged, Review)
    assert judged.plan.hash
    return time.perf_counter() - began


def _command(folder: Path, verb: str, *words: str) -> float:
    environment = {**os.environ, "BANDLEADER_HOME": str(folder / "home")}
    if verb == "plan" and not (folder / "home").exists():
        _run([sys.executable, "-m", "app", "projects", "new", "bench"], environment)
    return _run([sys.executable, "-m", "app", verb, *words], environment)


def _peer(folder: Path, request: str) -> float | None:
    program = os.environ.get("ARK_AUDIO") or shutil.which("ark-audio")
    if program is None:
        return None
    return _run([program, request, "--offline", "--no-mp3", "-o", str(folder / "peer")], dict(os.environ))


def _run(command: list[str], environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
