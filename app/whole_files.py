"""Files that are either whole or not there."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

_NO_FILE = "it is there already and is not a file"


def write_whole(path: Path, fill: Callable[[IO[bytes]], object]) -> None:
    """Fill a new file beside `path`, force it to the disk, then let it take the place of `path`.

    The folder must exist. The `OSError` of the disk, or any error of `fill`, is passed on: the old file is then
    as it was, and no part of the new one is left. What is no file, as a device or a pipe, is never replaced.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EISDIR if path.is_dir() else errno.EINVAL, _NO_FILE, str(path))
    draft = path.with_name(f".bandleader-{secrets.token_hex(8)}.part")
    try:
        with draft.open("x+b") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink()
