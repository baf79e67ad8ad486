"""Projects, leases and versions."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection

from agent.song.ids import IterationId, ProjectId, RunId
from agent.song.revision import ContentHash
from agent.song.song import Song
from app.storage import iterations, leases, projects
from app.storage.database import Database
from app.storage.driver import raw
from app.storage.errors import Busy, Damaged, Stale, StorageError
from app.storage.objects import SongObjects
from app.storage.records import Iteration, Lease


def put(database: Database, name: str) -> ContentHash:
    return database.write_now(lambda c: SongObjects().put(c, Song(name=name)))


def version(database: Database, owner: ProjectId, name: str, **more: object) -> Iteration:
    root = put(database, name)
    made = replace(Iteration(IterationId(f"i{name}"), owner, root, "edit", "me"), **more)
    return database.write_now(lambda c: iterations.append(c, made))


def test_versions_are_numbered_and_listed_newest_first(database: Database, project: ProjectId) -> None:
    first = version(database, project, "a")
    second = version(
        database, project, "b", parent=first.id, source="ai_iteration", message="calmer", label="take 2",
        actions=14, run=RunId("r1"), planner="local", tokens=7, cost=0.1, seconds=2,
    )  # fmt: skip
    database.write_now(lambda c: projects.create(c, ProjectId("ptwo"), "Two"))
    other = version(database, ProjectId("ptwo"), "c")
    assert [first.number, second.number, other.number] == [1, 2, 1]
    assert first.created <= second.created
    assert first.created.endswith("Z")
    found = database.read_now(lambda c: iterations.history(c, project))
    assert found.iterations == (second, first)
    assert found.damaged == ()
    assert database.read_now(lambda c: iterations.find(c, second.id)) == second
    assert database.read_now(lambda c: iterations.find(c, IterationId("nobody"))) is None


COLUMNS = {
    "message": "'something else'", "author": "'you'", "actions": 99, "cost": 1.5, "number": 7, "label": "'final'",
    "created": "'2020-01-01T00:00:00Z'", "run": "'r9'", "digest": "'" + "0" * 64 + "'", "source": "'merge'",
    "planner": "'other'", "tokens": 3, "seconds": 0.5, "parent": "'ib'",
}  # fmt: skip


@pytest.mark.parametrize("column", COLUMNS)
def test_a_version_whose_row_was_altered_is_named_and_hides_no_other(
    database: Database, project: ProjectId, column: str
) -> None:
    bad, good = version(database, project, "a"), version(database, project, "b")

    def alter(connection: Connection) -> None:
        raw(connection).execute("DROP TRIGGER iteration_UPDATE")
        raw(connection).execute(f"UPDATE iteration SET {column} = {COLUMNS[column]} WHERE id = ?", (bad.id,))

    database.write_now(alter)
    with pytest.raises(Damaged, match=bad.id):
        database.read_now(lambda c: iterations.find(c, bad.id))
    found = database.read_now(lambda c: iterations.history(c, project))
    assert found.iterations == (good,)
    [sentence] = found.damaged
    assert bad.id in sentence


@pytest.mark.parametrize("statement", ["UPDATE iteration SET label = 'x'", "DELETE FROM iteration"])
def test_versions_cannot_be_changed_or_deleted(database: Database, project: ProjectId, statement: str) -> None:
    made = version(database, project, "a")
    with pytest.raises(StorageError, match="never changed or deleted"):
        database.write_now(lambda c: raw(c).execute(statement))
    assert database.read_now(lambda c: iterations.find(c, made.id)) == made


@pytest.mark.parametrize(
    "more",
    [{"source": "magic"}, {"actions": -1}, {"root": "0" * 64}, {"parent": "nobody"}, {"project": "nobody"}],
    ids=str,
)
def test_a_version_that_cannot_be_true_is_refused(
    database: Database, project: ProjectId, more: dict[str, object]
) -> None:
    with pytest.raises(StorageError):
        version(database, project, "a", **more)
    assert database.read_now(lambda c: iterations.history(c, project)).iterations == ()


def lease(database: Database, project: ProjectId, owner: str, seconds: float = 20) -> Lease:
    return database.write_now(lambda c: leases.acquire(c, project, owner, seconds))


def test_a_project_moves_only_from_the_song_that_was_read(database: Database, project: ProjectId) -> None:
    mine, made = lease(database, project, "me"), version(database, project, "a")
    database.write_now(lambda c: projects.move(c, mine, None, made.root, made.id))
    found = database.read_now(lambda c: projects.find(c, project))
    assert found
    assert (found.working, found.head) == (made.root, made.id)
    other = put(database, "b")
    for stale in (None, other):
        with pytest.raises(Stale):
            database.write_now(lambda c, s=stale: projects.move(c, mine, s, other))
    database.write_now(lambda c: projects.move(c, mine, made.root, other))
    found = database.read_now(lambda c: projects.find(c, project))
    assert found
    assert (found.working, found.head) == (other, made.id)


def test_one_program_at_a_time_holds_a_project(database: Database, project: ProjectId) -> None:
    mine = lease(database, project, "me")
    with pytest.raises(Busy, match=project):
        lease(database, project, "you")
    assert lease(database, project, "me").fence == mine.fence
    database.write_now(lambda c: leases.release(c, mine))
    assert lease(database, project, "you").fence == mine.fence + 1


def test_who_was_taken_over_cannot_write_any_more(database: Database, project: ProjectId) -> None:
    mine = lease(database, project, "me", seconds=-1)
    mine_again = database.write_now(lambda c: leases.renew(c, mine, -1))
    yours = lease(database, project, "you")
    root = put(database, "a")
    with pytest.raises(Busy):
        database.write_now(lambda c: leases.renew(c, mine_again))
    with pytest.raises(Busy):
        database.write_now(lambda c: projects.move(c, mine_again, None, root))
    database.write_now(lambda c: leases.release(c, mine_again))
    database.write_now(lambda c: projects.move(c, yours, None, root))
    found = database.read_now(lambda c: projects.find(c, project))
    assert found
    assert found.working == root


def test_a_lease_from_a_clock_that_jumped_does_not_last_for_years(database: Database, project: ProjectId) -> None:
    mine = lease(database, project, "me")
    far = mine.until + 10 * 365 * 86_400_000
    database.write_now(lambda c: raw(c).execute("UPDATE project SET lease_until = ?", (far,)))
    assert lease(database, project, "you").fence == mine.fence + 1


def test_a_lease_never_lasts_longer_than_the_longest(database: Database, project: ProjectId) -> None:
    short, long = lease(database, project, "me", 1), lease(database, project, "me", 1e9)
    assert long.until - short.until <= leases.LONGEST * 1000
    assert long.until - short.until > 50_000


def test_two_programs_agree_on_who_holds_a_project(
    database: Database, project: ProjectId, file: Path, backups: Path
) -> None:
    other = Database.open(file, backups, synchronous="NORMAL")
    mine = lease(database, project, "me")
    with pytest.raises(Busy):
        lease(other, project, "you")
    database.write_now(lambda c: leases.release(c, mine))
    assert lease(other, project, "you").fence == mine.fence + 1
    other.close()


def test_a_lease_on_nothing_is_refused(database: Database) -> None:
    with pytest.raises(StorageError, match="nobody"):
        lease(database, ProjectId("nobody"), "me")


@pytest.mark.usefixtures("project")
def test_projects_are_listed_in_the_order_they_were_made(database: Database) -> None:
    for number in range(3):
        database.write_now(lambda c, n=number: projects.create(c, ProjectId(f"p{9 - n}"), f"Same {n // 2}"))
    assert [found.name for found in database.read_now(projects.all_of)] == ["One", "Same 0", "Same 0", "Same 1"]
    assert database.read_now(lambda c: projects.find(c, ProjectId("nobody"))) is None
