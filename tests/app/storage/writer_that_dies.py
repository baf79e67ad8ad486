"""Writes versions for ever and reports each one that is stored; its parent kills it."""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec.structs import replace
from sqlalchemy import Connection

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, IterationId, NoteId, ProjectId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.storage import iterations, leases, messages, projects
from app.storage.database import Database
from app.storage.objects import SongObjects
from app.storage.records import ChatMessage, Iteration

PROJECT = ProjectId("pone")


def a_song(number: int) -> Song:
    note = Note(NoteId("n1"), number % 128, Ticks(0), Ticks(10))
    clips = tuple(Clip(ClipId(f"c{n}"), str(number + n), Ticks(n), Ticks(10), (note,)) for n in range(5))
    return Song(name=f"version {number}", tracks=(Track(TrackId("t1"), "Pad", "pad", clips=clips),))


def save(connection: Connection, objects: SongObjects) -> int:
    """One version with its song, its message and the head moved."""
    project = projects.find(connection, PROJECT) or projects.create(connection, PROJECT, "One")
    lease = leases.acquire(connection, PROJECT, "writer")
    newest = iterations.history(connection, PROJECT, 1).iterations
    number = newest[0].number + 1 if newest else 1
    song = a_song(number)
    root = objects.put(connection, song)
    made = Iteration(IterationId(f"i{number}"), PROJECT, root, "edit", "me", parent=project.head)
    stored = iterations.append(connection, replace(made, message=song.name))
    messages.append(connection, ChatMessage(PROJECT, "user", song.name))
    projects.move(connection, lease, project.working, root, stored.id)
    return stored.number


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    folder = Path(sys.argv[1])
    database, objects = Database.open(folder / "b.db", folder / "backups"), SongObjects()
    say("ready")
    while True:
        say(str(database.write_now(lambda connection: save(connection, objects))))


if __name__ == "__main__":
    main()
