"""Keys of what runs store, and the way to them from a file of an older Bandleader."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.song.ids import ProjectId, RunId
from app.storage import database as door
from app.storage import projects, runs, schema
from app.storage.database import Database
from app.storage.driver import raw
from app.storage.errors import StorageError
from app.storage.objects import put_text
from app.storage.records import ROW, Event, RunUpdate, StepRecord
from app.storage.run_keys import ITEM_MASK, PLACE_MASK, events_of, step_key, steps_of

PLANNED, DRAFT = RunId("rplanned"), RunId("rdraft")
NAMES = ("drums", "bass", "each", "pad")
RUNS = st.integers(1, 2**22)
PLACES = st.tuples(RUNS, st.integers(0, PLACE_MASK), st.integers(ROW, ITEM_MASK - 1))


@given(one=PLACES, other=PLACES)
def test_keys_come_as_runs_places_and_items_do(one: tuple[int, int, int], other: tuple[int, int, int]) -> None:
    assert (step_key(*one) < step_key(*other)) == (one < other)
    least, most = steps_of(one[0])
    assert (least <= step_key(*other) <= most) == (one[0] == other[0])


@given(run=RUNS, number=st.integers(1, 2**31))
def test_a_runs_events_are_its_own(run: int, number: int) -> None:
    before, last = events_of(run)
    assert before < before + number <= last < events_of(run + 1)[0]
    assert events_of(run, number)[0] == before + number


def older(file: Path, backups: Path, monkeypatch: pytest.MonkeyPatch, fill: Callable[[door.Transaction], None]) -> None:
    """A file of schema 0005."""
    with monkeypatch.context() as before:
        before.setattr(schema, "SCHEMA", "0005")
        before.setattr(door, "SCHEMA", "0005")
        database = Database.open(file, backups)
        database.write_now(lambda c: projects.create(c, ProjectId("pone"), "One"))
        database.write_now(fill)
        database.close()


def two_runs(connection: door.Transaction) -> None:
    """One with a plan and rows that began in another order, one without anything."""
    plan = put_text(connection, json.dumps({"steps": [{"id": name} for name in NAMES[:3]]}))
    driver = raw(connection)
    for run, text in ((PLANNED, plan), (DRAFT, None)):
        driver.execute(
            "INSERT INTO run VALUES (?, 'pone', 'beat', 'FAILED', ?, NULL, NULL, '', '', 7, '', 't', 't', NULL, NULL)",
            (run, text),
        )
    driver.execute("INSERT INTO wish VALUES (?, '{}')", (DRAFT,))
    for step, item in (("pad", ROW), ("each", ROW), ("each", 1), ("each", 0), ("drums", ROW)):
        driver.execute(
            "INSERT INTO step VALUES (?, ?, ?, 'failed', 'tool', '{}', NULL, 'why', ?, NULL, NULL)",
            (PLANNED, step, item, f"{step} {item}"),
        )
    driver.executemany(
        "INSERT INTO event VALUES (?, ?, ?, 't', '{}')",
        [(DRAFT, 1, "A"), (PLANNED, 1, "B"), (PLANNED, 2, "C")],
    )


def test_runs_of_an_older_file_go_on_as_they_were(file: Path, backups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older(file, backups, monkeypatch, two_runs)
    database = Database.open(file, backups)
    steps = database.read_now(lambda c: runs.steps(c, PLANNED))
    assert [(one.step, one.place, one.item, one.key) for one in steps] == [
        ("drums", 0, ROW, "drums -1"), ("each", 2, ROW, "each -1"), ("each", 2, 0, "each 0"), ("each", 2, 1, "each 1"),
        ("pad", 3, ROW, "pad -1"),
    ]
    assert {(one.state, one.tool, one.reason) for one in steps} == {("failed", "tool", "why")}
    told = [[(one.number, one.kind) for one in database.read_now(lambda c, run=run: runs.events(c, run))]
            for run in (PLANNED, DRAFT)]
    assert told == [[(1, "B"), (2, "C")], [(1, "A")]]
    assert [run.id for run in database.read_now(lambda c: runs.all_of(c, ProjectId("pone")))] == [DRAFT, PLANNED]
    bass = StepRecord("bass", 1, ROW, "done", "tool", "bass -1", done_at="t")
    database.write_now(lambda c: runs.record(c, RunUpdate(PLANNED, (bass,), (Event("D"),))))
    assert bass in database.read_now(lambda c: runs.steps(c, PLANNED))
    assert database.read_now(lambda c: runs.last_number(c, PLANNED)) == 3
    assert database.read_now(lambda c: c.exec_driver_sql("SELECT run FROM wish").scalar()) == DRAFT
    database.close()


def test_rows_of_no_run_keep_an_older_file_as_it_was(
    file: Path, backups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older(file, backups, monkeypatch, two_runs)
    with closing(sqlite3.connect(file)) as outside, outside:
        outside.execute("INSERT INTO event VALUES ('nobody', 1, 'A', 't', '{}')")
    with pytest.raises(StorageError, match="1 rows of the table event belong to no run"):
        Database.open(file, backups)
    with closing(sqlite3.connect(file)) as outside:
        assert schema.schema_of(outside) == "0005"
        assert outside.execute("SELECT count(*) FROM event").fetchone() == (4,)
