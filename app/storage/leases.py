"""Leases: one program at a time writes a project, and one that was thought dead cannot write any more.

Whether a lease has run out is judged by the database's clock, so a clock that jumps may let another program
take over early or late. It never lets two write: every take-over raises the fence, every write checks it.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from agent.message import msg
from agent.song.ids import ProjectId
from app.storage.driver import raw
from app.storage.errors import Busy, StorageError
from app.storage.records import Lease

LONGEST: Final = 60.0
"""Seconds that a lease may last; an end further away than this was written by a clock that jumped."""

_NOW = "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
_READ = "SELECT lease_owner, lease_fence, lease_until FROM project WHERE id = ?"
_HELD = "SELECT 1 FROM project WHERE id = ? AND lease_owner = ? AND lease_fence = ?"
_TAKE = "UPDATE project SET lease_owner = ?, lease_fence = ?, lease_until = ? WHERE id = ?"
_RENEW = "UPDATE project SET lease_until = ? WHERE id = ? AND lease_owner = ? AND lease_fence = ?"
_RELEASE = """UPDATE project SET lease_owner = NULL, lease_until = 0
    WHERE id = ? AND lease_owner = ? AND lease_fence = ?"""


def acquire(connection: Connection, project: ProjectId, owner: str, seconds: float = 20.0) -> Lease:
    """The lease for `owner`, a name unique to this process, for at most `LONGEST` seconds.

    Takes over a lease that has run out; the same owner gets its own again. Raises `Busy` while another
    holds it.
    """
    driver = raw(connection)
    row = driver.execute(_READ, (project,)).fetchone()
    if row is None:
        raise StorageError(msg("there is no project {project}", project=project))
    holder, fence, until = row
    now = _now(connection)
    alive = holder is not None and now < until <= now + LONGEST * 1000
    if alive and holder != owner:
        raise _held(project, holder)
    if holder != owner:
        fence += 1
    lease = Lease(project, owner, fence, _end(now, seconds))
    driver.execute(_TAKE, (owner, lease.fence, lease.until, project))
    return lease


def renew(connection: Connection, lease: Lease, seconds: float = 20.0) -> Lease:
    """The lease with an end `seconds` from now, even if it had expired and nobody took it. Raises `Busy` if another
    owner has."""
    until = _end(_now(connection), seconds)
    if raw(connection).execute(_RENEW, (until, lease.project, lease.owner, lease.fence)).rowcount != 1:
        row = raw(connection).execute(_READ, (lease.project,)).fetchone()
        raise _held(lease.project, row[0] if row else None)
    return Lease(lease.project, lease.owner, lease.fence, until)


def verify(connection: Connection, lease: Lease) -> None:
    """Raise `Busy` if another owner has taken the lease over; then the caller must not store anything."""
    if raw(connection).execute(_HELD, (lease.project, lease.owner, lease.fence)).fetchone() is None:
        held = holder(connection, lease.project)
        raise _held(lease.project, held.owner if held else None)


def holder(connection: Connection, project: ProjectId) -> Lease | None:
    """The lease that was taken last and not released, even if it has expired; None if there is none."""
    row = raw(connection).execute(_READ, (project,)).fetchone()
    return Lease(project, *row) if row and row[0] else None


def alive(connection: Connection, project: ProjectId) -> Lease | None:
    """The lease that is held and has not expired; None if there is none."""
    held, now = holder(connection, project), _now(connection)
    return held if held is not None and now < held.until <= now + LONGEST * 1000 else None


def release(connection: Connection, lease: Lease) -> None:
    """Release the lease; does nothing if another owner has taken it over."""
    raw(connection).execute(_RELEASE, (lease.project, lease.owner, lease.fence))


def _now(connection: Connection) -> int:
    return int(raw(connection).execute(_NOW).fetchone()[0])


def _end(now: int, seconds: float) -> int:
    return now + int(min(seconds, LONGEST) * 1000)


def _held(project: ProjectId, holder: str | None) -> Busy:
    return Busy(
        msg("project {project} is being changed by another program", project=project),
        why=msg("{holder} holds it", holder=holder or "another program"),
        fix=msg("close the other one, or wait until it is done"),
    )
