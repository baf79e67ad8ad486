"""Machines on which something is wrong: the disk fails, is full or cannot be written, the database is held, the clock
jumps. Each needs what the system gives, and says so."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_DISK_FAULTS = (("rw/pwrite", 0.01), ("sync/fsync", 0.02), ("sync/fdatasync", 0.02), ("rw/pread", 0.002))


@cache
def fails_on_demand() -> bool:
    """Whether libfiu is there, which makes calls of the system fail at random."""
    return shutil.which("fiu-run") is not None


def failing_disk() -> tuple[str, ...]:
    """What a command begins with to have random faults of the disk, about one in a hundred writes."""
    commands = [f"enable_random name=posix/io/{name},probability={share}" for name, share in _DISK_FAULTS]
    return ("fiu-run", "-x", "-f", "", *(word for command in commands for word in ("-c", command)))


@cache
def disks_can_be_made() -> bool:
    """Whether this user may mount a small disk of memory."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    place = Path("/tmp") / f"disk-{os.getpid()}"
    place.mkdir()
    try:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True).returncode:
            return False
        subprocess.run(["umount", place], check=True)
        return True
    finally:
        place.rmdir()


class SmallDisk:
    """A disk of memory, mounted at a folder."""

    def __init__(self, place: Path) -> None:
        self.place = place

    @classmethod
    @contextmanager
    def at(cls, place: Path) -> Iterator[SmallDisk]:
        """Make it, with room to spare, and take it away in the end."""
        place.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", place], check=True)
        try:
            yield cls(place)
        finally:
            subprocess.run(["umount", place], check=True)

    def leave(self, room: int) -> None:
        """Let so many bytes be free, in whole pages."""
        used = shutil.disk_usage(self.place).used
        self._again(f"size={used + room}")

    def widen(self) -> None:
        """Let there be enough room again."""
        self._again("size=64m")

    def only_reads(self, reads: bool) -> None:
        """Let it be written no more, or again."""
        self._again("ro" if reads else "rw")

    def _again(self, option: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{option}", self.place], check=True)


@contextmanager
def held(database: Path, seconds: float) -> Iterator[None]:
    """Another process, this one, holds the write lock for so long, from now on; in the end it is waited for."""
    taken = threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(database, isolation_level=None, timeout=20)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            taken.set()
            time.sleep(seconds)
            connection.execute("ROLLBACK")

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait(30)
    try:
        yield
    finally:
        thread.join()


@cache
def clock_library() -> str:
    """The library that tells a process another time, or nothing."""
    if shutil.which("faketime") is None:
        return ""
    words = ["faketime", "-f", "+0", "sh", "-c", 'echo "$LD_PRELOAD"']
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


@dataclass(frozen=True)
class Clock:
    """A clock that can be set while a process looks at it; only the time of day, as on a real machine."""

    file: Path

    def set(self, words: str) -> None:
        """To an offset as `-1h`, or from a time on as `@2026-10-25 02:59:58`; what is read is always whole."""
        draft = self.file.with_suffix(".new")
        draft.write_text(words, encoding="utf-8")
        draft.replace(self.file)

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process needs to look at it."""
        return {
            "LD_PRELOAD": clock_library(), "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
        }
