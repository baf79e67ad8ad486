"""Which programs are alive: each holds a file locked while it runs, and the system lets go when it dies."""

from __future__ import annotations

import os
import re
import secrets
import time
from contextlib import suppress
from pathlib import Path

from app.atomic_write import write_whole
from app.private_files import make_private_folder
from app.storage.explain import unwritable
from app.storage.file_locks import lock

_NAME = re.compile(r"bandleader-[0-9a-f]{12}")
_NEW = 60.0
"""Seconds in which a file may not be locked yet by the program that has made it."""


class ProgramPresence:
    """Shows this program to others that use the same data folder, by a locked file; `name` is its unique random
    name."""

    def __init__(self, folder: Path, name: str, file: int | None) -> None:
        self.name = name
        self._folder = folder
        self._file = file

    @classmethod
    def begin(cls, folder: Path) -> ProgramPresence:
        """Make this program visible to others until `end`, or until this process dies. Raises `StorageError`."""
        name = f"bandleader-{secrets.token_hex(6)}"
        try:
            make_private_folder(folder)
            file = os.open(folder / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise unwritable(folder, error.strerror or str(error)) from error
        with suppress(OSError):
            lock(file)
        presence = cls(folder, name, file)
        presence._sweep()
        return presence

    @classmethod
    def unseen(cls, folder: Path) -> ProgramPresence:
        """A presence that others cannot see, for a folder that cannot be written; others are still seen."""
        return cls(folder, f"bandleader-{secrets.token_hex(6)}", None)

    def end(self) -> None:
        """Make this program invisible and remove its files; a second call does nothing."""
        file, self._file = self._file, None
        if file is None:
            return
        with suppress(OSError):
            os.close(file)
            (self._folder / f"{self.name}.lock").unlink()
        self.hush()

    def tell(self, words: bytes) -> None:
        """Publish a text about what this program does, in place of the one before. Raises `StorageError`."""
        if self._file is None:
            return
        try:
            write_whole(self._told(self.name), lambda file: file.write(words), private=True)
        except OSError as error:
            raise unwritable(self._folder, error.strerror or str(error)) from error

    def hush(self) -> None:
        """Remove the published text, if there is one."""
        with suppress(OSError):
            self._told(self.name).unlink()

    def told(self) -> dict[str, bytes]:
        """The texts published by programs that are alive, this one included, by the program's name."""
        found = {}
        for file in sorted(self._folder.glob("bandleader-*.json")):
            with suppress(OSError):
                if not self.gone(file.stem):
                    found[file.stem] = file.read_bytes()
        return found

    def _told(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def gone(self, name: str) -> bool:
        """Whether the program of that name has ended; False where the system cannot tell."""
        return name != self.name and (_NAME.fullmatch(name) is None or _is_free(self._folder / f"{name}.lock"))

    def _sweep(self) -> None:
        """Delete what programs that died have left."""
        for file in self._folder.glob("bandleader-*.lock"):
            with suppress(OSError):
                if time.time() - file.stat().st_mtime > _NEW and self.gone(file.stem):
                    file.unlink()
                    self._told(file.stem).unlink(missing_ok=True)


def _is_free(path: Path) -> bool:
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        return not path.exists()
    try:
        # Shared, so that two that look at the same time do not take each other for the owner.
        lock(file, shared=True)
        return True
    except OSError:
        return False
    finally:
        os.close(file)
