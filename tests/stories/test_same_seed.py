"""The same request and seed give the same plan, song and MIDI file, whatever order a process hashes texts in."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import CommandLine

REQUEST = "a bright pop song in G major with drums, 8 bars"
CHANGE = "make it more ambient and atmospheric, but keep the bass"


def _made(home: Path, hash_seed: str) -> tuple[bytes, list[object]]:
    bandleader = CommandLine(home, environment={"PYTHONHASHSEED": hash_seed})
    first = bandleader.ask("compose", REQUEST, "--yes", "--seed", "7")
    again = bandleader.ask("plan", CHANGE, "--seed", "7")
    rows = [(row["tool"], row["inputs"]) for row in first["plan"]["steps"]]
    return Path(first["files"]["mid"]).read_bytes(), [rows, [row["tool"] for row in again["steps"]]]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[object]]:
    """What it makes with one seed of hashes."""
    return _made(tmp_path_factory.mktemp("first"), "0")


@pytest.mark.parametrize("hash_seed", ["1", "77"])
def test_a_seed_fixes_plan_and_song(first: tuple[bytes, list[object]], hash_seed: str, tmp_path: Path) -> None:
    assert _made(tmp_path, hash_seed) == first
