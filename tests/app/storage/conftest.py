"""A database of its own for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import agent
from agent.song.ids import ProjectId
from app.storage import projects
from app.storage.database import Database

PROJECT = ProjectId("pone")


@pytest.fixture(autouse=True)
def _children_find_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(agent.__file__).parent.parent))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "bandleader.db"


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    return tmp_path / "data" / "backups"


@pytest.fixture
def database(file: Path, backups: Path) -> Iterator[Database]:
    opened = Database.open(file, backups, synchronous="NORMAL")
    yield opened
    opened.close()


@pytest.fixture
def project(database: Database) -> ProjectId:
    database.write_now(lambda connection: projects.create(connection, PROJECT, "One"))
    return PROJECT
