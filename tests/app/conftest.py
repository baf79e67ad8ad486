"""A studio over a database of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from studios import paths_in

from app.bootstrap import open_studio
from app.paths import Paths
from app.studio.studio import Studio


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return paths_in(tmp_path / "home")


@pytest.fixture
def studio(paths: Paths) -> Iterator[Studio]:
    opened = open_studio(paths)
    yield opened
    asyncio.run(opened.close())


@pytest.fixture
def other(paths: Paths, studio: Studio) -> Iterator[Studio]:
    """A second program over the same home."""
    opened = open_studio(paths)
    yield opened
    asyncio.run(opened.close())
