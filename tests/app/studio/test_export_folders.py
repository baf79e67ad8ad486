"""Every project has an export folder of its own."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from awaiting import awaited
from hypothesis import given
from hypothesis import strategies as st

from agent.song.ids import ProjectId
from app.storage.records import Project
from app.studio.export_folders import export_folder_names
from app.studio.studio import Studio

NAMES = st.lists(st.sampled_from(["a/b", "a-b", "A-B", "a-b 2", "a:b", "caf\u00e9", "cafe\u0301", "?", "", "CON"]))


def projects(names: list[str]) -> list[Project]:
    return [Project(ProjectId(f"p{number}"), name, created="") for number, name in enumerate(names)]


@given(NAMES)
def test_no_two_share_one_and_a_later_project_changes_nothing(names: list[str]) -> None:
    found = export_folder_names(projects(names))
    assert len({unicodedata.normalize("NFC", name).casefold() for name in found.values()}) == len(names)
    before = export_folder_names(projects(names[:-1]))
    assert {project: found[project] for project in before} == before


def test_the_oldest_keeps_the_plain_name() -> None:
    assert list(export_folder_names(projects(["a/b", "a-b", "a-b 2", "A/B"])).values()) == [
        "a-b", "a-b 2", "a-b 2 2", "A-B 3",
    ]


@awaited
async def test_rows_of_one_project_may_not_use_the_folder_of_another(studio: Studio, tmp_path: Path) -> None:
    one, other = await studio.projects.create("a/b"), await studio.projects.create("a-b")
    homes = [studio.folders.allowed(project.id).home.path for project in (one, other)]
    assert homes == [(await studio.folders.of(project)).exports for project in (one, other)]
    assert [Path(home).name for home in homes] == ["a-b", "a-b 2"]
    assert [await studio.projects.export_folder(project) for project in (one, other)] == ["a-b", "a-b 2"]
