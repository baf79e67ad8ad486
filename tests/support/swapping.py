"""A folder that another process swaps for a link that leads outside, as fast as it can, while doors are tried."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from app.services.files.door import Door, read_whole
from app.services.files.errors import FileError
from app.services.files.places import Grant, Place

_NUMBERS = count()
SECRET, PLAIN = b"secret", b"plain"
_SWAP = """
import os, sys
os.chdir(sys.argv[1])
print("swapping", flush=True)
try:
    while os.getppid() != 1:
        os.rename("sub", "real"); os.rename("link", "sub")
        os.rename("sub", "link"); os.rename("real", "sub")
except OSError as error:
    sys.exit(str(error))
"""


@dataclass
class Tries:
    """How tries ended: inside, refused, or outside where nothing may ever be read or written."""

    inside: int = 0
    refused: int = 0
    escaped: int = 0


@contextmanager
def swapped(folder: Path) -> Iterator[Path]:
    """An allowed folder whose `sub` is now a folder, now a link to `outside` beside it."""
    root, outside = folder / "allowed", folder / "outside"
    for made, content in ((root / "sub", PLAIN), (outside, SECRET)):
        made.mkdir(parents=True)
        (made / "song.txt").write_bytes(content)
    (root / "link").symlink_to(outside, target_is_directory=True)
    process = subprocess.Popen([sys.executable, "-c", _SWAP, str(root)], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield root
    finally:
        process.kill()
        process.wait()


def reads(door: Door, root: Path, tries: int) -> Tries:
    """Read the file in the swapped folder again and again."""
    place = Place(Grant(str(root)), ("sub", "song.txt"))
    told = Tries()
    for _ in range(tries):
        try:
            content = read_whole(door, place, 100)
        except (FileError, OSError):
            told.refused += 1
        else:
            told.inside += content == PLAIN
            told.escaped += content == SECRET
    return told


def writes(door: Door, root: Path, tries: int) -> Tries:
    """Write new files into the swapped folder again and again; those that came to lie outside are counted."""
    told = Tries()
    for _ in range(tries):
        place = Place(Grant(str(root), write=True), ("sub", f"{next(_NUMBERS)}.txt"))
        try:
            door.write(place, lambda file: file.write(PLAIN), replace=False)
        except (FileError, OSError):
            told.refused += 1
        else:
            told.inside += 1
    told.escaped = sum(name != "song.txt" for name in os.listdir(root.parent / "outside"))
    return told


def both_ways(work: Callable[[int], Tries], tries: int) -> Tries:
    """At least so many tries, and more until some ended inside and some were refused: a busy machine may leave the
    swapping process no time for a while."""
    told, begun = Tries(), time.monotonic()
    done = 0
    while done < tries or (not (told.inside and told.refused) and time.monotonic() - begun < 60):
        more = work(min(tries, 500))
        done += min(tries, 500)
        told.inside, told.refused = told.inside + more.inside, told.refused + more.refused
        told.escaped += more.escaped
    return told


class NaiveDoor:
    """The door that many programs have: resolve the path, look whether it is inside, open it."""

    @contextmanager
    def reading(self, place: Place) -> Iterator[object]:
        path = self._path(place)
        with path.open("rb") as file:
            yield file

    def write(self, place: Place, fill: object, *, replace: bool) -> int:
        path = self._path(place)
        assert callable(fill)
        with path.open("wb") as file:
            fill(file)
        return 0

    def _path(self, place: Place) -> Path:
        path, root = Path(place.path), Path(place.grant.path).resolve()
        if not path.resolve().is_relative_to(root):
            raise FileError("outside")
        with suppress(AttributeError):
            # Between the look and the opening others may run, as they do on a busy machine.
            os.sched_yield()
        return path
