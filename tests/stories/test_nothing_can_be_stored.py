"""A home that takes nothing more: what tells says it all the same, everything else says why not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from commandline import CommandLine
from stages import with_sample

TELL = (("history",), ("runs",), ("projects",), ("list", "styles"), ("machines", "list"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("made") / "home"
    return with_sample(home).home


@contextmanager
def small_disk(place: Path) -> Iterator[None]:
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("this machine mounts nothing")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def fill(home: Path) -> None:
    with (home.parent / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while filler.write(bytes(4096)):
            pass


def forbid(home: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", home.parent], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="small disks of memory are Linux's")
@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root may mount a disk")
@pytest.mark.parametrize("spoil", [fill, forbid])
def test_a_disk_that_takes_nothing(made: Path, tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    with small_disk(tmp_path / "disk"):
        home = tmp_path / "disk" / "home"
        shutil.copytree(made, home, ignore=shutil.ignore_patterns("cache"))
        spoil(home)
        line, expected = CommandLine(home), CommandLine(made)
        for words in TELL:
            assert line.ask(*words) == expected.ask(*words), words
        for words in (("projects", "new", "More"), ("folders", "allow", str(made)), ("compose", "calm lofi", "--yes")):
            assert line.refused(6, *words)["try"]
