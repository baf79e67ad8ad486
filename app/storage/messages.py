"""The chat of a project: appended, listed, searched."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import Connection, RowMapping, insert, select

from agent.song.ids import ProjectId
from app.storage.checksums import checksum, is_sound
from app.storage.errors import Damaged
from app.storage.records import ChatMessage, MessageId, stamp
from app.storage.rows import not_as_written, record, values
from app.storage.tables import MessageRow, table

_MOST_WORDS = 32
_SEARCH = """SELECT message.* FROM message_words JOIN message ON message.id = message_words.rowid
    WHERE message_words MATCH :words AND (:project IS NULL OR message.project = :project)
    ORDER BY bm25(message_words), message.id DESC LIMIT :limit"""


def append(connection: Connection, message: ChatMessage) -> ChatMessage:
    """Store a message; returns it with its id and time of creation."""
    stored = replace(message, created=stamp())
    row = {**values(stored), "digest": checksum(*_checked(stored))}
    del row["id"]
    key = connection.execute(insert(table(MessageRow)), row).inserted_primary_key
    assert key is not None, "an insert of one row has a key"
    return replace(stored, id=MessageId(key[0]))


def all_of(connection: Connection, project: ProjectId, limit: int = 1000) -> tuple[ChatMessage, ...]:
    """The last `limit` messages of a project, oldest first."""
    rows = table(MessageRow)
    wanted = select(rows).where(rows.c.project == project).order_by(rows.c.id.desc()).limit(limit)
    found = connection.execute(wanted).mappings().all()
    return tuple([_message(row) for row in reversed(found)])


def all_after(connection: Connection, project: ProjectId, last: MessageId) -> tuple[ChatMessage, ...]:
    """A project's messages that came after the one of that id, oldest first."""
    rows = table(MessageRow)
    wanted = select(rows).where(rows.c.project == project, rows.c.id > last).order_by(rows.c.id)
    return tuple([_message(row) for row in connection.execute(wanted).mappings()])


def search(
    connection: Connection, words: str, project: ProjectId | None = None, limit: int = 50
) -> tuple[ChatMessage, ...]:
    """At most `limit` messages that hold all the words (the last may be the beginning of a word), best first, of one
    project or (None) of all. Any text is a valid search; at most its first 32 words count, and no words find
    nothing."""
    query = _query(words)
    if not query:
        return ()
    arguments = {"words": query, "project": project, "limit": limit}
    found = connection.exec_driver_sql(_SEARCH, arguments).mappings()
    return tuple([_message(row) for row in found])


def _message(row: RowMapping) -> ChatMessage:
    """The message of a row; one that is damaged says that in its place, so that it does not hide the others."""
    what = f"message {row['id']}"
    try:
        found = record(row, ChatMessage, what)
        if not is_sound(row["digest"], *_checked(found)):
            raise not_as_written(what)
        return found
    except Damaged as error:
        return ChatMessage(
            ProjectId(row["project"]), "system", f"{error}; {error.advice}", None, row["created"], row["id"]
        )


def _checked(message: ChatMessage) -> tuple[str | None, ...]:
    return message.project, message.role, message.text, message.run, message.created


def _query(words: str) -> str:
    # Every word is quoted, because FTS5 reads bare signs and AND, OR, NOT, NEAR as its own language.
    clean = words.replace("\x00", " ").encode("utf-8", "replace").decode()
    tokens = ['"' + word.replace('"', '""') + '"' for word in clean.split() if any(map(str.isalnum, word))]
    return " ".join(tokens[:_MOST_WORDS]) + ("*" if tokens else "")
