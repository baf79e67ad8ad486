"""Files that are either whole or not there."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from agent.errors import Blame
from app.exchange.errors import ExchangeError


def save(path: Path, data: bytes) -> None:
    """Write `data` to `path`, replacing a file of that name only once all of it is on the disk.

    The folder must exist. `ExchangeError` when it does not, is closed to the user, or the disk is full; the
    old file is then as it was and no part of the new one is left.
    """
    draft = path.with_name(f".{path.name[:80]}.{secrets.token_hex(6)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        with suppress(OSError):
            os.unlink(draft)
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> ExchangeError:
    return ExchangeError(
        f"cannot write {path}",
        why=(error.strerror or str(error)).lower(),
        fix="free some space or choose another folder",
        blame=Blame.MACHINE,
    )
