"""Access to files where folders cannot be held open, as on Windows: every part of the path is looked at.

No part may be a link, a junction or another reparse point, and once the file is open the system is asked where it
really lies. Reading is safe against swapping, since the file that is open is what is asked about; writing has a
moment between the look and the renaming in which a part of the path could be swapped by another program of the same
user. This way has only been tested on Linux, where it is not used; nobody has tried it on Windows yet.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from agent.message import msg
from app.services.files.door import Fill, FolderEntry
from app.services.files.errors import ExistsAlready, FileError, NotThere, fault
from app.services.files.names import check_name
from app.services.files.places import Place

_REPARSE = 0x400
"""The file attribute of links, junctions and cloud placeholders."""


class PathDoor:
    """File access by paths, which are checked before and after opening."""

    def look(self, place: Place) -> FolderEntry | None:
        """The entry at a place; None if there is none."""
        path = _checked(place, whole=not place.parts)
        try:
            return _entry(path.name, os.lstat(path))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise fault(f"cannot look at {place.shown}", error) from None

    def entries(self, place: Place) -> list[FolderEntry]:
        """The entries of a folder, sorted by name."""
        path = _checked(place, whole=True)
        try:
            return [_seen(path / name) for name in sorted(os.listdir(path))]
        except OSError as error:
            raise fault(f"cannot list {place.shown}", error) from None

    @contextmanager
    def reading(self, place: Place) -> Iterator[IO[bytes]]:
        """Context with a regular file opened for reading. Raises `FileError` for anything else."""
        path = _checked(place, whole=True)
        if _entry(path.name, os.lstat(path)).kind != "file":
            raise FileError(msg("cannot use {shown}", shown=place.shown), why=msg("it is not an ordinary file"))
        try:
            file = path.open("rb")
        except OSError as error:
            raise fault(f"cannot read {place.shown}", error) from None
        with file:
            _refuse_moved(place, path, file)
            yield file

    def write(self, place: Place, fill: Fill, *, replace: bool) -> int:
        """Write a file as a whole or not at all and sync it to the disk: `fill` writes its content into a temporary
        file beside it, which is then renamed. Returns its size in bytes. Raises `ExistsAlready` for an existing file
        without `replace`."""
        check_name(place.name if place.parts else "")
        path = _checked(place, whole=False)
        old = self.look(place)
        if old is not None and old.kind != "file":
            raise FileError(msg("cannot use {shown}", shown=place.shown), why=msg("it is not an ordinary file"))
        if old is not None and not replace:
            raise ExistsAlready(
                msg("cannot write {shown}", shown=place.shown), why=msg("it exists already"),
                fix=msg("choose another name, or say replace: true"),
            )
        draft = path.with_name(f".bandleader-{secrets.token_hex(8)}.part")
        try:
            with draft.open("x+b") as file:
                _refuse_moved(place, draft, file)
                fill(file)
                file.flush()
                os.fsync(file.fileno())
                size = os.fstat(file.fileno()).st_size
            _name(draft, path, replace)
        except OSError as error:
            raise fault(f"cannot write {place.shown}", error) from None
        finally:
            with suppress(OSError):
                draft.unlink()
        return size


def _name(draft: Path, path: Path, replace: bool) -> None:
    if replace:
        os.replace(draft, path)
    elif os.name == "nt":
        # Renaming to a name that is taken fails there.
        os.rename(draft, path)
    else:
        os.link(draft, path)


def _checked(place: Place, *, whole: bool) -> Path:
    """The path of a place, none of whose folders is a link; `whole` if its last name must be none either."""
    path = Path(place.grant.path)
    steps = [path, *(path := path / part for part in place.parts)]
    for number, step in enumerate(steps, 1):
        if number == len(steps) and not whole:
            break
        try:
            status = os.lstat(step)
        except FileNotFoundError:
            raise NotThere(
                msg("cannot open {shown}", shown=place.shown), why=msg("there is no such file or folder"),
                fix=msg("list the folder to see what is there"),
            ) from None
        except OSError as error:
            raise fault(f"cannot open {place.shown}", error) from None
        if stat.S_ISLNK(status.st_mode) or getattr(status, "st_file_attributes", 0) & _REPARSE:
            raise FileError(
                msg("cannot open {shown}", shown=place.shown),
                why=msg("a part of the path is a link; links are not followed"),
            )
    return steps[-1]


def _refuse_moved(place: Place, path: Path, file: IO[bytes]) -> None:
    """Refuse a file that is open and is not the one that lies below the allowed folder now."""
    root = os.path.normcase(os.path.realpath(place.grant.path))
    real = os.path.normcase(os.path.realpath(path))
    opened, there = os.fstat(file.fileno()), os.lstat(path)
    inside = real.startswith(root.rstrip(os.sep) + os.sep)
    if not stat.S_ISREG(opened.st_mode) or not os.path.samestat(opened, there) or not inside:
        raise FileError(
            msg("cannot open {shown}", shown=place.shown), why=msg("it was swapped while it was being opened"),
        )


def _seen(path: Path) -> FolderEntry:
    try:
        return _entry(path.name, os.lstat(path))
    except OSError:
        return FolderEntry(path.name, "other")


def _entry(name: str, status: os.stat_result) -> FolderEntry:
    mode = status.st_mode
    if stat.S_ISLNK(mode) or getattr(status, "st_file_attributes", 0) & _REPARSE:
        return FolderEntry(name, "link")
    if stat.S_ISREG(mode):
        return FolderEntry(name, "file", status.st_size, status.st_mtime_ns)
    return FolderEntry(name, "folder" if stat.S_ISDIR(mode) else "other", 0, status.st_mtime_ns)
