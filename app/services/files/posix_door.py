"""Access to files on POSIX systems: every folder on the way is opened from the one above it, without links.

Since each name is opened relative to a folder that is held open already, it does not matter who renames or swaps
what meanwhile: the walk either ends below the allowed folder or fails. Hard links are ordinary files and are read;
writing never changes a file in place, so the other name of a hard link keeps its content.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from agent.message import msg
from agent.services.service import InDoubt
from app.services.files.door import Fill, FolderEntry
from app.services.files.errors import FileError, fault
from app.services.files.names import check_name
from app.services.files.places import Place

_ALWAYS = os.O_CLOEXEC | os.O_NOFOLLOW
_LIST = os.O_RDONLY | os.O_DIRECTORY | _ALWAYS
_PASS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | _ALWAYS
"""Flags to open a folder on the way, which needs no right to list it where the system distinguishes that."""
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | _ALWAYS
"""Flags to open a file; without waiting, so that a pipe cannot block before it is refused."""
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | _ALWAYS
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


class PosixDoor:
    """File access by a chain of open folder descriptors."""

    def look(self, place: Place) -> FolderEntry | None:
        """The entry at a place; None if there is none."""
        if not place.parts:
            with _folder(place, place.parts, _PASS) as folder:
                return _entry(place.name, os.fstat(folder))
        with _folder(place, place.parts[:-1], _PASS) as folder:
            try:
                return _entry(place.name, os.stat(place.name, dir_fd=folder, follow_symlinks=False))
            except FileNotFoundError:
                return None
            except OSError as error:
                raise fault(f"cannot look at {place.shown}", error) from None

    def entries(self, place: Place) -> list[FolderEntry]:
        """The entries of a folder, sorted by name."""
        with _folder(place, place.parts, _LIST) as folder:
            try:
                return [_seen(folder, name) for name in sorted(os.listdir(folder))]
            except OSError as error:
                raise fault(f"cannot list {place.shown}", error) from None

    @contextmanager
    def reading(self, place: Place) -> Iterator[IO[bytes]]:
        """Context with a regular file opened for reading. Raises `FileError` for anything else."""
        with _folder(place, place.parts[:-1], _PASS) as folder:
            file = os.fdopen(_opened(place, folder), "rb")
        with file:
            yield file

    def write(self, place: Place, fill: Fill, *, replace: bool) -> int:
        """Write a file as a whole or not at all and sync it to the disk: `fill` writes its content into a temporary
        file beside it, which is then renamed. Returns its size in bytes. Raises `ExistsAlready` for an existing file
        without `replace`."""
        check_name(place.name if place.parts else "")
        with _folder(place, place.parts[:-1], _LIST) as folder:
            mode = _refuse_taken(place, folder, replace)
            draft = f".bandleader-{secrets.token_hex(8)}.part"
            try:
                size = _fill(draft, folder, fill, mode)
                _name(draft, place.name, folder, replace)
            except OSError as error:
                raise fault(f"cannot write {place.shown}", error) from None
            finally:
                with suppress(OSError):
                    os.unlink(draft, dir_fd=folder)
            _force_names(place, folder)
        return size


@contextmanager
def _folder(place: Place, parts: Sequence[str], last: int) -> Iterator[int]:
    """A folder below the allowed one, held open; `last` are the flags it is opened with."""
    names = [*place.grant.path.strip("/").split("/"), *parts]
    folder = os.open("/", _PASS)
    try:
        for number, name in enumerate(names, 1):
            try:
                inner = os.open(name, last if number == len(names) else _PASS, dir_fd=folder)
            except OSError as error:
                raise fault(f"cannot open the folder of {place.shown}", error) from None
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _opened(place: Place, folder: int) -> int:
    if not place.parts:
        raise FileError(msg("{shown} is a folder", shown=place.shown))
    try:
        # Opening a device can already do something, so it is looked at before; what counts is the look after.
        _refuse_odd(place, os.stat(place.name, dir_fd=folder, follow_symlinks=False))
        file = os.open(place.name, _READ, dir_fd=folder)
    except OSError as error:
        raise fault(f"cannot read {place.shown}", error) from None
    try:
        _refuse_odd(place, os.fstat(file))
    except BaseException:
        os.close(file)
        raise
    return file


def _refuse_odd(place: Place, status: os.stat_result) -> None:
    kind = _entry(place.name, status).kind
    if kind != "file":
        why = {"folder": "it is a folder", "link": "it is a link; links are not followed"}
        raise FileError(
            msg("cannot use {shown}", shown=place.shown), why=why.get(kind, "it is a device, a pipe or a socket"),
        )


def _refuse_taken(place: Place, folder: int, replace: bool) -> int | None:
    """The rights of the file that is to be replaced, or None; what may not be replaced is refused."""
    try:
        old = os.stat(place.name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise fault(f"cannot write {place.shown}", error) from None
    _refuse_odd(place, old)
    if not replace:
        raise fault(f"cannot write {place.shown}", FileExistsError(errno.EEXIST, ""))
    return stat.S_IMODE(old.st_mode) & 0o777


def _fill(draft: str, folder: int, fill: Fill, mode: int | None) -> int:
    with os.fdopen(os.open(draft, _NEW, 0o666, dir_fd=folder), "w+b") as file:
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        fill(file)
        file.flush()
        os.fsync(file.fileno())
        return os.fstat(file.fileno()).st_size


def _name(draft: str, name: str, folder: int, replace: bool) -> None:
    if replace:
        os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
        return
    try:
        # Unlike renaming, this fails if the name was taken meanwhile.
        os.link(draft, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # Disks without hard links: the name is reserved first.
        os.close(os.open(name, _NEW, 0o666, dir_fd=folder))
        try:
            os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            os.unlink(name, dir_fd=folder)
            raise


def _force_names(place: Place, folder: int) -> None:
    """Force a new name to the disk. Raises `InDoubt` where the disk refuses: the file is there all the same."""
    try:
        os.fsync(folder)
    except OSError as error:
        what = f"{place.shown} was written, but the disk does not say that it keeps it"
        raise InDoubt(what, why=fault(what, error).why, fix=msg("look whether it is there")) from None


def _seen(folder: int, name: str) -> FolderEntry:
    try:
        return _entry(name, os.stat(name, dir_fd=folder, follow_symlinks=False))
    except OSError:
        return FolderEntry(name, "other")


def _entry(name: str, status: os.stat_result) -> FolderEntry:
    mode = status.st_mode
    if stat.S_ISREG(mode):
        return FolderEntry(name, "file", status.st_size, status.st_mtime_ns)
    if stat.S_ISDIR(mode):
        return FolderEntry(name, "folder", 0, status.st_mtime_ns)
    return FolderEntry(name, "link" if stat.S_ISLNK(mode) else "other")
