"""The first schema: projects, versions, runs, chat and settings."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_APPLICATION_ID = 0x424E444C

_TABLES = (
    """
    CREATE TABLE object (
        hash TEXT NOT NULL,
        kind TEXT NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (hash),
        CONSTRAINT object_hash CHECK (length(hash) = 64),
        CONSTRAINT object_kind CHECK (kind IN ('clip', 'track', 'song', 'text'))
    )
     STRICT
    """,
    """
    CREATE TABLE project (
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        created TEXT NOT NULL,
        head TEXT,
        working TEXT,
        lease_owner TEXT,
        lease_fence INTEGER NOT NULL,
        lease_until INTEGER NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT project_name CHECK (length(name) BETWEEN 1 AND 200),
        FOREIGN KEY(head) REFERENCES iteration (id),
        FOREIGN KEY(working) REFERENCES object (hash)
    )
     STRICT
    """,
    """
    CREATE TABLE iteration (
        id TEXT NOT NULL,
        project TEXT NOT NULL,
        number INTEGER NOT NULL,
        parent TEXT,
        root TEXT NOT NULL,
        source TEXT NOT NULL,
        author TEXT NOT NULL,
        message TEXT NOT NULL,
        label TEXT NOT NULL,
        "plan" TEXT,
        actions INTEGER NOT NULL,
        run TEXT,
        created TEXT NOT NULL,
        planner TEXT NOT NULL,
        tokens INTEGER NOT NULL,
        cost REAL NOT NULL,
        seconds REAL NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT iteration_source CHECK (source IN ('ai_iteration', 'edit', 'import', 'restore', 'merge')),
        CONSTRAINT iteration_number_counts CHECK (number > 0 AND actions >= 0),
        CONSTRAINT iteration_usage CHECK (tokens >= 0 AND cost >= 0 AND seconds >= 0),
        CONSTRAINT iteration_digest CHECK (length(digest) = 64),
        FOREIGN KEY(project) REFERENCES project (id),
        FOREIGN KEY(parent) REFERENCES iteration (id),
        FOREIGN KEY(root) REFERENCES object (hash),
        FOREIGN KEY("plan") REFERENCES object (hash)
    )
     STRICT
    """,
    """
    CREATE UNIQUE INDEX iteration_number ON iteration (project, number)
    """,
    """
    CREATE TABLE preference (
        "key" TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY ("key"),
        CONSTRAINT preference_key CHECK (length(key) BETWEEN 1 AND 200)
    )
     STRICT
    """,
    """
    CREATE TABLE run (
        id TEXT NOT NULL,
        project TEXT NOT NULL,
        request TEXT NOT NULL,
        state TEXT NOT NULL,
        "plan" TEXT,
        approval TEXT,
        base_iteration TEXT,
        base_revision TEXT NOT NULL,
        revision TEXT NOT NULL,
        seed INTEGER NOT NULL,
        planner TEXT NOT NULL,
        created TEXT NOT NULL,
        updated TEXT NOT NULL,
        iteration TEXT,
        answer TEXT,
        PRIMARY KEY (id),
        CONSTRAINT run_state_named CHECK (length(state) BETWEEN 1 AND 40),
        FOREIGN KEY(project) REFERENCES project (id),
        FOREIGN KEY("plan") REFERENCES object (hash),
        FOREIGN KEY(base_iteration) REFERENCES iteration (id),
        FOREIGN KEY(iteration) REFERENCES iteration (id)
    )
     STRICT
    """,
    """
    CREATE INDEX run_project ON run (project, created)
    """,
    """
    CREATE INDEX run_state ON run (state)
    """,
    """
    CREATE TABLE message (
        id INTEGER NOT NULL,
        project TEXT NOT NULL,
        run TEXT,
        role TEXT NOT NULL,
        text TEXT NOT NULL,
        created TEXT NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT message_role CHECK (role IN ('user', 'assistant', 'system')),
        FOREIGN KEY(project) REFERENCES project (id)
    )
     STRICT
    """,
    """
    CREATE INDEX message_project ON message (project, id)
    """,
    """
    CREATE TABLE lock (
        project TEXT NOT NULL,
        place INTEGER NOT NULL,
        target TEXT NOT NULL,
        PRIMARY KEY (project, place),
        FOREIGN KEY(project) REFERENCES project (id)
    )
     STRICT
    """,
    """
    CREATE TABLE step (
        run TEXT NOT NULL,
        step TEXT NOT NULL,
        item INTEGER NOT NULL,
        state TEXT NOT NULL,
        tool TEXT NOT NULL,
        inputs TEXT NOT NULL,
        result TEXT,
        reason TEXT NOT NULL,
        "key" TEXT NOT NULL,
        intent_at TEXT,
        done_at TEXT,
        PRIMARY KEY (run, step, item),
        CONSTRAINT step_item CHECK (item >= -1),
        CONSTRAINT step_named CHECK (length(step) > 0 AND length(state) BETWEEN 1 AND 40 AND length(key) > 0),
        FOREIGN KEY(run) REFERENCES run (id)
    )
     STRICT
    """,
    """
    CREATE UNIQUE INDEX step_key ON step ("key")
    """,
    """
    CREATE TABLE event (
        run TEXT NOT NULL,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        at TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (run, number),
        CONSTRAINT event_number CHECK (number > 0),
        CONSTRAINT event_kind CHECK (length(kind) BETWEEN 1 AND 60),
        FOREIGN KEY(run) REFERENCES run (id)
    )
     WITHOUT ROWID,
     STRICT
    """,
)

_APPEND_ONLY = """
    CREATE TRIGGER iteration_{0} BEFORE {0} ON iteration
    BEGIN SELECT RAISE(ABORT, 'versions are never changed or deleted'); END
"""

_SEARCH = (
    "CREATE VIRTUAL TABLE message_words USING fts5(text, content='message', content_rowid='id')",
    """
    CREATE TRIGGER message_added AFTER INSERT ON message
    BEGIN INSERT INTO message_words(rowid, text) VALUES (new.id, new.text); END
    """,
    """
    CREATE TRIGGER message_removed AFTER DELETE ON message
    BEGIN INSERT INTO message_words(message_words, rowid, text) VALUES ('delete', old.id, old.text); END
    """,
    """
    CREATE TRIGGER message_changed AFTER UPDATE ON message BEGIN
        INSERT INTO message_words(message_words, rowid, text) VALUES ('delete', old.id, old.text);
        INSERT INTO message_words(rowid, text) VALUES (new.id, new.text);
    END
    """,
)


def upgrade() -> None:
    """Create everything in one transaction."""
    connection = op.get_bind()
    connection.exec_driver_sql(f"PRAGMA application_id = {_APPLICATION_ID}")
    appends = [_APPEND_ONLY.format(verb) for verb in ("UPDATE", "DELETE")]
    for statement in (*_TABLES, *appends, *_SEARCH):
        connection.exec_driver_sql(statement)
