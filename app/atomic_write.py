"""Files that are written whole or not at all, and read whole or, beyond a size, not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from app.private_files import private_opener

_NO_FILE = "it is there already and is not a file"
_NOT_READ = "it is a folder or a device, not a file"


Permit = Callable[[Path], object]
"""Asked before what stands at a path is replaced; raises where it may not be."""


def write_whole(
    path: Path, fill: Callable[[IO[bytes]], object], *, private: bool = False, permit: Permit | None = None
) -> None:
    """Fill a new file beside `path`, force it to the disk, then let it take the place of `path`.

    The folder must exist. The `OSError` of the disk, or any error of `fill`, is passed on: the old file is then
    as it was, and no part of the new one is left. What is no file, as a device or a pipe, is never replaced.
    A `private` file is for the user alone, any other follows the umask. With `permit`, what stands at `path` when the
    new file is ready is replaced only if that lets it, also where it came while the file was filled.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EISDIR if path.is_dir() else errno.EINVAL, _NO_FILE, str(path))
    draft = path.with_name(f".bandleader-{os.urandom(8).hex()}.part")
    try:
        with open(draft, "x+b", opener=private_opener if private else None) as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        _put(draft, path, permit)
    finally:
        with suppress(OSError):
            draft.unlink()


def _put(draft: Path, path: Path, permit: Permit | None) -> None:
    if permit is None:
        os.replace(draft, path)
        return
    try:
        # Unlike a rename, a link never takes the place of another file.
        os.link(draft, path)
    except OSError:
        # Something is there; or the disk knows no links.
        if os.path.lexists(path):
            permit(path)
        os.replace(draft, path)


def read_whole(path: Path, most: int) -> bytes:
    """The bytes of a file of at most `most` bytes, for files that anyone may have put there.

    Raises `OSError`, whose `strerror` says why: also for a file that is larger, and for a folder, pipe or device,
    which is not opened, as a pipe would wait for its other end.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, _NOT_READ, str(path))
    with path.open("rb") as source:
        content = source.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most // 1024:,} KB", str(path))
    return content
