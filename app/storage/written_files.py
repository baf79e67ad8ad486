"""What this program last wrote to each file that a person named."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection

from app.storage.driver import raw
from app.storage.records import stamp

_PUT = """INSERT INTO written_file (path, digest, created) VALUES (?, ?, ?)
    ON CONFLICT (path) DO UPDATE SET digest = excluded.digest, created = excluded.created"""


def put(connection: Connection, digests: Mapping[str, str]) -> None:
    """Store the SHA-256, in hexadecimal, of what was written to each of these whole paths."""
    now = stamp()
    raw(connection).executemany(_PUT, [(path, digest, now) for path, digest in digests.items()])


def digest_of(connection: Connection, path: str) -> str | None:
    """The digest of what was last written to that path; None if nothing was."""
    found = raw(connection).execute("SELECT digest FROM written_file WHERE path = ?", (path,)).fetchone()
    return str(found[0]) if found else None
