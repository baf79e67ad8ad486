"""What a fault of the database means for a person."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.storage.backups import Backups
from app.storage.explain import explain


@pytest.mark.parametrize(("fault", "free", "full"), [
    ("SQLITE_FULL", 10**9, True), ("SQLITE_IOERR_SHMSIZE", 0, True), ("SQLITE_IOERR_WRITE", 4096, True),
    ("SQLITE_IOERR_WRITE", 10**9, False), ("SQLITE_CANTOPEN", 0, False),
])
def test_a_full_disk_is_called_so_whatever_sqlite_calls_it(
    fault: str, free: int, full: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = fault
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=10**9, used=0, free=free))
    told = explain(error, tmp_path / "some.db", Backups(tmp_path))
    assert told.what.endswith("is full") == full
