"""The looks of last time in a small file, so that the first frame is right before the database is open."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path

from app.paths import Paths
from app.ui.shell.looks import Looks


def read_looks(paths: Paths) -> Looks:
    """What was written last; the defaults for a file that is missing or not ours."""
    with suppress(OSError, ValueError):
        found = json.loads(_file(paths).read_bytes())
        names = [field.name for field in fields(Looks)]
        if isinstance(found, dict) and all(isinstance(found.get(name, ""), str) for name in names):
            return Looks(**{name: found[name] for name in names if name in found})
    return Looks()


def write_looks(paths: Paths, looks: Looks) -> None:
    """Write them for the next start; a folder that refuses costs only that."""
    # The first frame only reads.
    from app.whole_files import write_whole

    with suppress(OSError):
        paths.cache.mkdir(parents=True, exist_ok=True)
        write_whole(_file(paths), lambda file: file.write(json.dumps(asdict(looks)).encode()))


def _file(paths: Paths) -> Path:
    return paths.cache / "window.json"
