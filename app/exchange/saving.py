"""Saving what a format's writer made."""

from __future__ import annotations

from pathlib import Path

from agent.errors import Blame
from agent.message import msg
from app.atomic_write import Permit, write_whole
from app.exchange.errors import ExchangeError


def save(path: Path, data: bytes, permit: Permit | None = None) -> None:
    """Write `data` to `path`, whole or not at all; replaces a file of that name if `permit` lets it.

    The folder must exist. `ExchangeError` when it does not, is closed to the user, or the disk is full.
    """
    try:
        write_whole(path, lambda file: file.write(data), permit=permit)
    except OSError as error:
        raise ExchangeError(
            msg("cannot write {path}", path=path),
            why=(error.strerror or str(error)).lower(),
            fix=msg("free some space or choose another folder"),
            blame=Blame.MACHINE,
        ) from error
