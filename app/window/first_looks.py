"""The looks of last time in a small file, so that the first frame is right before the database is open."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, fields, replace
from pathlib import Path

from agent.errors import BandleaderError, Blame
from agent.message import msg
from app.atomic_write import read_whole, write_whole
from app.paths import Paths
from app.private_files import make_private_folder
from app.ui.shell.looks import Looks, to_bytes

_LARGEST = 256 * 1024
_FIX = "nothing: it is written anew when the window is closed"


class LooksError(BandleaderError):
    """The stored appearance of the window cannot be used; `what` names the file."""

    blame = Blame.MACHINE


def read_looks(paths: Paths, tell: Callable[[BandleaderError], object]) -> Looks:
    """The appearance stored last; the defaults if there is none, or if the file cannot be used, which is reported to
    `tell`."""
    file = _file(paths)
    try:
        return _places(_looks(json.loads(read_whole(file, _LARGEST))), file, tell)
    except FileNotFoundError:
        pass
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror or "" if isinstance(error, OSError) else str(error)
        tell(LooksError(msg("cannot use {file}", file=file), why=why, fix=_FIX))
    return Looks()


def _looks(found: object) -> Looks:
    if not isinstance(found, dict):
        raise ValueError("it is no table")
    known = {field.name: found[field.name] for field in fields(Looks) if field.name in found}
    for name, value in known.items():
        if not isinstance(value, str):
            raise ValueError(f"{name} is no text")
    return Looks(**known)


def _places(looks: Looks, file: Path, tell: Callable[[BandleaderError], object]) -> Looks:
    """The looks without a geometry or layout that was changed since it was written."""
    for name in ("geometry", "layout"):
        text: str = getattr(looks, name)
        if text and to_bytes(text).isEmpty():
            tell(LooksError(
                msg("cannot use {file}: {name}", file=file, name=name), why=msg("it is not as the window was left"),
                fix=_FIX,
            ))
            looks = replace(looks, **{name: ""})
    return looks


def write_looks(paths: Paths, looks: Looks) -> None:
    """Store the appearance for the next start; a failure is ignored."""
    with suppress(OSError):
        make_private_folder(paths.cache)
        write_whole(_file(paths), lambda file: file.write(json.dumps(asdict(looks)).encode()), private=True)


def _file(paths: Paths) -> Path:
    return paths.cache / "window.json"
