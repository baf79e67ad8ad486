"""Whether the song of each project can be read."""

from __future__ import annotations

from sqlalchemy import Connection

from app.storage import projects
from app.storage.objects import SongObjects


def read_songs(connection: Connection) -> int:
    """Load the working song of every project; returns how many have one. Raises `Damaged`, which names the object, for
    a song that is not complete."""
    objects = SongObjects()
    roots = [project.working for project in projects.all_of(connection) if project.working is not None]
    for root in roots:
        objects.load(connection, root)
    return len(roots)
