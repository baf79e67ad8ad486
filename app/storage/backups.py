"""Copies of the database: made by SQLite's backup, found when the original is damaged, thinned."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agent.message import msg
from app.private_files import private_opener
from app.storage.errors import StorageError

_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"^bandleader-(\d{8}T\d{6}Z)(-schema-\w+)?\.db$")
_NEWEST = 3
_DAYS = 7
_SCHEMAS = 3
_HALF = ".half"
_AGE = timedelta(days=1)


class Backups:
    """The copies in one folder, named by the UTC time at which they were made.

    Kept are the three newest, the newest of each of the last seven days that have one, and the copies from
    before the last three migrations. Copies from the future are let go first.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def files(self) -> list[Path]:
        """All copies, oldest first."""
        with suppress(OSError):
            return sorted(file for file in self.folder.iterdir() if _NAME.match(file.name))
        return []

    def newest_good(self) -> Path | None:
        """The newest copy that passes SQLite's quick check; None if there is none."""
        return next((file for file in reversed(self._by_age(datetime.now(UTC))) if _is_sound(file)), None)

    def due(self, now: datetime) -> bool:
        """Whether a new copy should be made: the newest one is older than a day, or there is none. Copies dated after
        `now` do not count."""
        times = [time for file in self.files() if (time := _time(file)) <= now]
        return not times or now - max(times) > _AGE

    def make(self, source: sqlite3.Connection, now: datetime, schema: str | None = None) -> Path:
        """Copy an open database into a new file and return its path; older copies are then deleted by `thin`. `schema`
        is the version before a migration, which the file's name then tells.

        Raises `OSError` or `sqlite3.Error`; no half-made copy stays.
        """
        mark = f"-schema-{schema}" if schema else ""
        file = self.folder / f"bandleader-{now.strftime(_STAMP)}{mark}.db"
        # Two programs may make a copy in the same second.
        half = file.with_suffix(f".{os.getpid()}{_HALF}")
        try:
            _copy(source, half)
            os.replace(half, file)
        finally:
            half.unlink(missing_ok=True)
        self.thin(now)
        return file

    def thin(self, now: datetime) -> None:
        """Delete all copies but the three newest, the newest of each of the last seven days that have one, and those
        from before the last three migrations. Copies dated after `now` count as the oldest, as their clock was
        wrong."""
        files = self._by_age(now)
        keep = set(_choose([file for file in files if "-schema-" not in file.name]))
        keep.update([file for file in files if "-schema-" in file.name][-_SCHEMAS:])
        for file in files:
            if file not in keep:
                with suppress(OSError):
                    file.unlink()
        self._sweep()

    def _by_age(self, now: datetime) -> list[Path]:
        """All copies, oldest first; those from the future come of a clock that was wrong, and say nothing of age."""
        return sorted(self.files(), key=lambda file: (_time(file) <= now, file.name))

    def _sweep(self) -> None:
        """Delete what a killed program left half made."""
        for half in self.folder.glob(f"bandleader-*{_HALF}"):
            with suppress(OSError):
                if time.time() - half.stat().st_mtime > _AGE.total_seconds():
                    half.unlink()

    def advice(self) -> str:
        """What to do when the database is damaged, in words."""
        good = self.newest_good()
        if good is None:
            return "there is no backup: keep the file and set BANDLEADER_HOME to a new folder to start anew"
        return f"move the file away and copy the newest good backup to its place: {good}"


def restore_point(error: OSError | sqlite3.Error, folder: Path) -> StorageError:
    """The error of a backup that could not be made."""
    return StorageError(
        msg("no backup could be made in {folder}", folder=folder),
        why=str(error),
        fix=msg("free some space there or check its permissions"),
    )


def _copy(source: sqlite3.Connection, to: Path) -> None:
    to.unlink(missing_ok=True)
    open(to, "xb", opener=private_opener).close()
    with closing(sqlite3.connect(to)) as target:
        source.backup(target)
        # A copy in WAL mode would need a writable folder to be read.
        target.execute("PRAGMA journal_mode = DELETE")
    with to.open("r+b") as written:
        os.fsync(written.fileno())


def _choose(files: list[Path]) -> list[Path]:
    days = {file.name.split("T", 1)[0]: file for file in files}
    return files[-_NEWEST:] + list(days.values())[-_DAYS:]


def _time(file: Path) -> datetime:
    found = _NAME.match(file.name)
    assert found is not None, "files() lists only names of this form"
    return datetime.strptime(found[1], _STAMP).replace(tzinfo=UTC)


def _is_sound(file: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
            return bool(copy.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.Error:
        return False
