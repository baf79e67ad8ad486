"""The tables of the database, as SQLModel classes; their rows are read and written by Core statements. Those of runs
are in run_tables.py.

Every table is STRICT, because these classes do not validate and SQLite alone stores any type anywhere.
Times are ISO 8601 UTC text. JSON columns hold text that the caller encodes.
"""

from __future__ import annotations

from typing import Annotated

from sqlalchemy import REAL, CheckConstraint, Index, Integer, Table, Text, literal_column
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel


class TableRow(SQLModel, registry=registry()):
    """The base of the tables, with a metadata of its own."""

    # Nobody validates a row with these classes, and building what could takes a fifth of their import.
    model_config = {"defer_build": True}


Word = Annotated[str, Field(sa_type=Text)]
Id = Annotated[str, Field(sa_type=Text, primary_key=True)]
Number = Annotated[int, Field(sa_type=Integer)]
Real = Annotated[float, Field(sa_type=REAL)]

STRICT = {"sqlite_strict": True}

BY_AGE = literal_column("rowid", Integer)
"""Orders rows by when they were first stored, whatever the clock did."""


def check(name: str, rule: str) -> CheckConstraint:
    """A check constraint called `name` with the SQL condition `rule`, which every row of a table must meet."""
    return CheckConstraint(rule, name=name)


class ObjectRow(TableRow, table=True):
    """A content-addressed value: clip, track, song or text; `bytes` is zstd of what `hash` names."""

    __tablename__ = "object"
    __table_args__ = (
        check("object_hash", "length(hash) = 64"),
        check("object_kind", "kind IN ('clip', 'track', 'song', 'text')"),
        STRICT,
    )
    hash: Id
    kind: Word
    bytes: bytes


class ProjectRow(TableRow, table=True):
    """A project: its head iteration, its working song, and who may write it."""

    __tablename__ = "project"
    __table_args__ = (check("project_name", "length(name) BETWEEN 1 AND 200"), STRICT)
    id: Id
    name: Word
    created: Word
    head: str | None = Field(default=None, sa_type=Text, foreign_key="iteration.id")
    working: str | None = Field(default=None, sa_type=Text, foreign_key="object.hash")
    lease_owner: str | None = Field(default=None, sa_type=Text)
    lease_fence: Number = 0
    lease_until: Number = 0


class IterationRow(TableRow, table=True):
    """A version of a song; never changed, never deleted."""

    __tablename__ = "iteration"
    __table_args__ = (
        Index("iteration_number", "project", "number", unique=True),
        check("iteration_source", "source IN ('ai_iteration', 'edit', 'import', 'restore', 'merge')"),
        check("iteration_number_counts", "number > 0 AND actions >= 0"),
        check("iteration_usage", "tokens >= 0 AND cost >= 0 AND seconds >= 0"),
        check("iteration_digest", "length(digest) = 64"),
        STRICT,
    )
    id: Id
    project: str = Field(sa_type=Text, foreign_key="project.id")
    number: Number
    parent: str | None = Field(default=None, sa_type=Text, foreign_key="iteration.id")
    root: str = Field(sa_type=Text, foreign_key="object.hash")
    source: Word
    author: Word
    message: Word
    label: Word
    plan: str | None = Field(default=None, sa_type=Text, foreign_key="object.hash")
    actions: Number
    run: str | None = Field(default=None, sa_type=Text)
    created: Word
    planner: Word
    tokens: Number
    cost: Real
    seconds: Real
    digest: Word


class IterationNameRow(TableRow, table=True):
    """The name that a person gave to an iteration."""

    __tablename__ = "iteration_name"
    __table_args__ = (check("iteration_name_length", "length(name) BETWEEN 1 AND 120"), STRICT)
    iteration: str = Field(sa_type=Text, foreign_key="iteration.id", primary_key=True)
    name: Word


class MessageRow(TableRow, table=True):
    """A line of a project's chat; the full-text index follows by triggers."""

    __tablename__ = "message"
    __table_args__ = (
        Index("message_project", "project", "id"),
        check("message_role", "role IN ('user', 'assistant', 'system')"),
        STRICT,
    )
    id: int | None = Field(default=None, sa_type=Integer, primary_key=True)
    project: str = Field(sa_type=Text, foreign_key="project.id")
    run: str | None = Field(default=None, sa_type=Text)
    role: Word
    text: Word
    created: Word
    digest: int | None = Field(default=None, sa_type=Integer)


class MessageClausesRow(TableRow, table=True):
    """How the planner dealt with each clause of a message, added once it was planned; `body` is a JSON list of
    `Clause`."""

    __tablename__ = "message_clauses"
    __table_args__ = (STRICT,)
    message: int = Field(sa_type=Integer, foreign_key="message.id", primary_key=True)
    body: Word


class PreferenceRow(TableRow, table=True):
    """A setting of this installation."""

    __tablename__ = "preference"
    __table_args__ = (check("preference_key", "length(key) BETWEEN 1 AND 200"), STRICT)
    key: Id
    value: Word


class LockRow(TableRow, table=True):
    """A part of a project's song that no step may change."""

    __tablename__ = "lock"
    __table_args__ = (STRICT,)
    project: str = Field(sa_type=Text, foreign_key="project.id", primary_key=True)
    place: int = Field(sa_type=Integer, primary_key=True)
    target: Word


class UsageRow(TableRow, table=True):
    """What a call of a model used; `cost` is null where the price is unknown.

    Money is spent also for a project that is only a draft, so `project` points at nothing.
    """

    __tablename__ = "usage_entry"
    __table_args__ = (
        Index("usage_created", "created"),
        Index("usage_run", "run"),
        Index("usage_planning", "planning"),
        check("usage_purpose", "purpose IN ('plan', 'run', 'test')"),
        check("usage_counts", "input >= 0 AND output >= 0 AND cached >= 0 AND cost >= 0"),
        STRICT,
    )
    id: int | None = Field(default=None, sa_type=Integer, primary_key=True)
    project: str | None = Field(default=None, sa_type=Text)
    run: str | None = Field(default=None, sa_type=Text)
    planning: str | None = Field(default=None, sa_type=Text)
    provider: Word
    model: Word
    purpose: Word
    input: Number
    output: Number
    cached: Number
    cost: float | None = Field(default=None, sa_type=REAL)
    created: Word


class VerdictRow(TableRow, table=True):
    """What a person did with a proposed row, perhaps of a draft; `step` and `changed` are JSON."""

    __tablename__ = "verdict"
    __table_args__ = (
        Index("verdict_project", "project", "id"),
        check("verdict_deed", "deed IN ('rejected', 'changed')"),
        STRICT,
    )
    id: int | None = Field(default=None, sa_type=Integer, primary_key=True)
    project: Word
    request: Word
    step: Word
    deed: Word
    reason: Word
    changed: str | None = Field(default=None, sa_type=Text)
    created: Word


class AllowedFolderRow(TableRow, table=True):
    """A folder that the steps of a project may read, or read and write."""

    __tablename__ = "allowed_folder"
    __table_args__ = (check("allowed_folder_access", "access IN ('read', 'write')"), STRICT)
    project: str = Field(sa_type=Text, foreign_key="project.id", primary_key=True)
    path: Id
    access: Word
    created: Word


class LibraryFolderRow(TableRow, table=True):
    """A folder of the user's own MIDI files and samples; `indexed` is when it was last looked through."""

    __tablename__ = "library_folder"
    __table_args__ = (STRICT,)
    path: Id
    created: Word
    indexed: str | None = Field(default=None, sa_type=Text)


class LibraryFileRow(TableRow, table=True):
    """What is known of one file of the library; `modified` in nanoseconds, `tags` is JSON, `fault` why it is unread."""

    __tablename__ = "library_file"
    __table_args__ = (
        Index("library_file_folder", "folder"),
        check("library_file_kind", "kind IN ('midi', 'sample')"),
        STRICT,
    )
    path: Id
    folder: str = Field(sa_type=Text, foreign_key="library_folder.path")
    kind: Word
    name: Word
    size: Number
    modified: Number
    tags: Word
    tempo: float | None = Field(default=None, sa_type=REAL)
    key: str | None = Field(default=None, sa_type=Text)
    meter: str | None = Field(default=None, sa_type=Text)
    seconds: float | None = Field(default=None, sa_type=REAL)
    notes: int | None = Field(default=None, sa_type=Integer)
    fault: Word


class LibraryTagRow(TableRow, table=True):
    """A tag that a person gave to a file of the library; it stays when the file is read anew."""

    __tablename__ = "library_tag"
    __table_args__ = (STRICT,)
    path: Id
    tag: Id


class WrittenFileRow(TableRow, table=True):
    """A file that a person named, and the SHA-256 of what was last written there."""

    __tablename__ = "written_file"
    __table_args__ = (check("written_file_digest", "length(digest) = 64"), STRICT)
    path: Id
    digest: Word
    created: Word


class MachineRow(TableRow, table=True):
    """A studio machine: how it is reached, and the key by which it is known. Passwords are in the keyring alone."""

    __tablename__ = "machine"
    __table_args__ = (
        check("machine_way", "way IN ('ssh', 'winrm')"),
        check("machine_port", "port BETWEEN 1 AND 65535"),
        STRICT,
    )
    name: Id
    address: Word
    port: Number
    user: Word
    way: Word
    system: Word
    tags: Word
    host_key: str | None = Field(default=None, sa_type=Text)
    details: Word
    created: Word


class McpServerRow(TableRow, table=True):
    """A server of tools that the user added; `tools` is what was shown and approved, with its digests."""

    __tablename__ = "mcp_server"
    __table_args__ = (check("mcp_server_way", "way IN ('stdio', 'http')"), STRICT)
    name: Id
    way: Word
    address: Word
    tools: Word
    created: Word
    approved: str | None = Field(default=None, sa_type=Text)


def table(row: type[TableRow]) -> Table:
    """The Core table of a class."""
    found: Table = TableRow.metadata.tables[str(row.__tablename__)]
    return found
