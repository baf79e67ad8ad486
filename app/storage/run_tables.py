"""The tables of runs: SQLModel classes as in tables.py.

Steps and events have keys of run_keys.py; the other numbers of such a row are read out of its key. `digest` is that of
checksums.py over the rest of a row; a run has another one over what every step changes, which is quick to renew.
"""

from __future__ import annotations

from sqlalchemy import Computed, Index, Integer, Text
from sqlmodel import Field

from app.storage.run_keys import EVENT_BITS, EVENT_MASK, ITEM_BITS, ITEM_MASK, PLACE_MASK, RUN_SHIFT
from app.storage.tables import STRICT, Number, TableRow, Word, check


def _read(part_of_key: str) -> tuple[Computed]:
    return (Computed(part_of_key, persisted=False),)


class RunRow(TableRow, table=True):
    """A request and its run. Its steps and events refer to its `number`, all other tables to its `id`."""

    __tablename__ = "run"
    __table_args__ = (
        Index("run_project", "project", "created"),
        Index("run_state", "state"),
        check("run_state_named", "length(state) BETWEEN 1 AND 40"),
        STRICT,
    )
    number: int | None = Field(default=None, sa_type=Integer, primary_key=True)
    id: str = Field(sa_type=Text, unique=True)
    project: str = Field(sa_type=Text, foreign_key="project.id")
    request: Word
    state: Word
    plan: str | None = Field(default=None, sa_type=Text, foreign_key="object.hash")
    approval: str | None = Field(default=None, sa_type=Text)
    base_iteration: str | None = Field(default=None, sa_type=Text, foreign_key="iteration.id")
    base_revision: Word
    revision: Word
    seed: Number
    planner: Word
    created: Word
    updated: Word
    iteration: str | None = Field(default=None, sa_type=Text, foreign_key="iteration.id")
    answer: str | None = Field(default=None, sa_type=Text)
    digest: int | None = Field(default=None, sa_type=Integer)
    progress_digest: int | None = Field(default=None, sa_type=Integer)


class StepRow(TableRow, table=True):
    """A row of a run's plan (item -1) or one item of its fan-out."""

    __tablename__ = "step"
    __table_args__ = (
        check("step_named", "length(step) > 0 AND length(state) BETWEEN 1 AND 40 AND length(key) > 0"),
        STRICT,
    )
    id: int = Field(sa_type=Integer, primary_key=True)
    run: int = Field(sa_type=Integer, foreign_key="run.number", sa_column_args=_read(f"id >> {RUN_SHIFT}"))
    place: int = Field(sa_type=Integer, sa_column_args=_read(f"(id >> {ITEM_BITS}) & {PLACE_MASK}"))
    item: int = Field(sa_type=Integer, sa_column_args=_read(f"(id & {ITEM_MASK}) - 1"))
    step: Word
    state: Word
    tool: Word
    inputs: Word
    result: str | None = Field(default=None, sa_type=Text)
    reason: Word
    key: Word
    intent_at: str | None = Field(default=None, sa_type=Text)
    done_at: str | None = Field(default=None, sa_type=Text)
    digest: int | None = Field(default=None, sa_type=Integer)


class EventRow(TableRow, table=True):
    """What happened in a run, numbered from 1."""

    __tablename__ = "event"
    __table_args__ = (
        check("event_number", "number > 0"),
        check("event_kind", "length(kind) BETWEEN 1 AND 60"),
        STRICT,
    )
    id: int = Field(sa_type=Integer, primary_key=True)
    run: int = Field(sa_type=Integer, foreign_key="run.number", sa_column_args=_read(f"id >> {EVENT_BITS}"))
    number: int = Field(sa_type=Integer, sa_column_args=_read(f"id & {EVENT_MASK}"))
    kind: Word
    at: Word
    body: Word
    digest: int | None = Field(default=None, sa_type=Integer)


class WishRow(TableRow, table=True):
    """The options of a queued request that is not planned yet; `body` is JSON."""

    __tablename__ = "wish"
    __table_args__ = (STRICT,)
    run: str = Field(sa_type=Text, foreign_key="run.id", primary_key=True)
    body: Word
