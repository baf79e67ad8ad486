"""Allowed folders, the files of the library, servers of tools, studio machines, and requests that wait."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_STATEMENTS = (
    """
    CREATE TABLE allowed_folder (
        project TEXT NOT NULL,
        path TEXT NOT NULL,
        access TEXT NOT NULL,
        created TEXT NOT NULL,
        PRIMARY KEY (project, path),
        CONSTRAINT allowed_folder_access CHECK (access IN ('read', 'write')),
        FOREIGN KEY(project) REFERENCES project (id)
    )
     STRICT
    """,
    """
    CREATE TABLE library_folder (
        path TEXT NOT NULL,
        created TEXT NOT NULL,
        "indexed" TEXT,
        PRIMARY KEY (path)
    )
     STRICT
    """,
    """
    CREATE TABLE library_file (
        path TEXT NOT NULL,
        folder TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        size INTEGER NOT NULL,
        modified INTEGER NOT NULL,
        tags TEXT NOT NULL,
        tempo REAL,
        "key" TEXT,
        meter TEXT,
        seconds REAL,
        notes INTEGER,
        fault TEXT NOT NULL,
        PRIMARY KEY (path),
        CONSTRAINT library_file_kind CHECK (kind IN ('midi', 'sample')),
        FOREIGN KEY(folder) REFERENCES library_folder (path)
    )
     STRICT
    """,
    """
    CREATE TABLE library_tag (
        path TEXT NOT NULL,
        tag TEXT NOT NULL,
        PRIMARY KEY (path, tag)
    )
     STRICT
    """,
    """
    CREATE TABLE machine (
        name TEXT NOT NULL,
        address TEXT NOT NULL,
        port INTEGER NOT NULL,
        user TEXT NOT NULL,
        way TEXT NOT NULL,
        system TEXT NOT NULL,
        tags TEXT NOT NULL,
        host_key TEXT,
        details TEXT NOT NULL,
        created TEXT NOT NULL,
        PRIMARY KEY (name),
        CONSTRAINT machine_way CHECK (way IN ('ssh', 'winrm')),
        CONSTRAINT machine_port CHECK (port BETWEEN 1 AND 65535)
    )
     STRICT
    """,
    """
    CREATE TABLE mcp_server (
        name TEXT NOT NULL,
        way TEXT NOT NULL,
        address TEXT NOT NULL,
        tools TEXT NOT NULL,
        created TEXT NOT NULL,
        approved TEXT,
        PRIMARY KEY (name),
        CONSTRAINT mcp_server_way CHECK (way IN ('stdio', 'http'))
    )
     STRICT
    """,
    """
    CREATE TABLE wish (
        run TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (run),
        FOREIGN KEY(run) REFERENCES run (id)
    )
     STRICT
    """,
    """
    CREATE INDEX library_file_folder ON library_file (folder)
    """,
)


def upgrade() -> None:
    """Add the tables for folders, the library, machines, MCP servers and options of queued runs; existing ones are not
    changed."""
    connection = op.get_bind()
    for statement in _STATEMENTS:
        connection.exec_driver_sql(statement)
