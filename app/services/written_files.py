"""Which files hold what Bandleader last wrote there: those alone are replaced unasked."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from agent.errors import BandleaderError
from agent.fixes import FixKind
from agent.message import msg
from app.storage import written_files
from app.storage.database import Database
from app.storage.errors import StorageError


class NotReplaced(BandleaderError):
    """A file that another program wrote or a person has changed; it was not replaced."""


def not_replaced(path: Path) -> NotReplaced:
    """The error for a file that must not be replaced."""
    return NotReplaced(
        msg("{path} was not replaced", path=path), why=msg("it holds something that Bandleader did not write there"),
        fix=FixKind.KEEP_FILE(),
    )


class WrittenFiles:
    """Remembers the contents written to files that a person named. Uses disk and database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def refuse_others(self, paths: Iterable[Path]) -> None:
        """Raise `NotReplaced` for the first path that exists with other bytes than were last written there."""
        for path in paths:
            self.refuse_other(path)

    def refuse_other(self, path: Path) -> None:
        """Raise `NotReplaced` if the path exists with other bytes than were last written there."""
        if os.path.lexists(path) and not self._is_own(path):
            raise not_replaced(path)

    def remember(self, paths: Iterable[Path]) -> None:
        """Store the digests of these files; if that fails, they will not be replaced without asking."""
        with suppress(OSError, StorageError):
            told = {_name(path): _digest(path) for path in paths}
            self._database.write_now(lambda transaction: written_files.put(transaction, told))

    def _is_own(self, path: Path) -> bool:
        if path.is_symlink() or not path.is_file():
            return False
        known = self._database.read_now(lambda transaction: written_files.digest_of(transaction, _name(path)))
        try:
            return known is not None and _digest(path) == known
        except OSError:
            return False


def _name(path: Path) -> str:
    """The whole path; a name that is no text is written with escapes."""
    whole = path.parent.resolve() / path.name
    return os.fsencode(whole).decode("utf-8", "backslashreplace")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
