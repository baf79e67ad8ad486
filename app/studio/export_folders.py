"""Each project's own export folder, also where the names of two would make the same one."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import count

from agent.song.ids import ProjectId
from app.services.file_names import file_name
from app.storage import projects
from app.storage.database import Transaction
from app.storage.records import Project


def export_folder_in(transaction: Transaction, project: Project) -> str:
    """The name of a project's export folder; for a project that is not stored the name that it would get."""
    known = projects.all_of(transaction)
    if all(one.id != project.id for one in known):
        known = (*known, project)
    return export_folder_names(known)[project.id]


def export_folder_names(by_age: Sequence[Project]) -> dict[ProjectId, str]:
    """The export folder of each project, given oldest first: named after it, with a number if an older project has that
    name. Names that some file system considers equal count as equal.

    Projects are neither renamed nor removed, so a folder never changes its owner."""
    found: dict[ProjectId, str] = {}
    taken: set[str] = set()
    for project in by_age:
        plain = file_name(project.name)
        name = next(one for number in count(1) if _key(one := _numbered(plain, number)) not in taken)
        taken.add(_key(name))
        found[project.id] = name
    return found


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} {number}"


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
