"""The looks of last time in a small file, so that the first frame is right before the database is open."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from app.paths import Paths
from app.ui.shell.looks import Looks
from app.whole_files import write_whole


def read_looks(paths: Paths) -> Looks:
    """What was written last; the defaults for a file that is missing or not ours."""
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return msgspec.json.decode(_file(paths).read_bytes(), type=Looks)
    return Looks()


def write_looks(paths: Paths, looks: Looks) -> None:
    """Write them for the next start; a folder that refuses costs only that."""
    with suppress(OSError):
        paths.cache.mkdir(parents=True, exist_ok=True)
        write_whole(_file(paths), lambda file: file.write(msgspec.json.encode(looks)))


def _file(paths: Paths) -> Path:
    return paths.cache / "window.json"
