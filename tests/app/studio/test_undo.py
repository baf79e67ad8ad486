"""Undo and redo walk the version tree as an undo list would, for any order of edits, walks and restores."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace
from studios import paths_in, tempo

from agent.song.ids import IterationId, ProjectId
from agent.song.revision import ContentHash
from app.bootstrap import open_studio
from app.storage.records import Iteration
from app.studio.errors import StudioError
from app.studio.studio import Studio
from app.studio.undo import steps, trail
from app.studio.workspace import Workspace
from app.viewmodels.history.versions import Versions

WALKS = st.lists(
    st.one_of(
        st.just(("edit", 0)), st.just(("undo", 0)), st.just(("redo", 0)),
        st.tuples(st.just("restore"), st.integers(0, 40)),
    ),
    max_size=40,
)


class Tree:
    """Versions as the studio stores them, without a database."""

    def __init__(self) -> None:
        self.all: list[Iteration] = []
        self.add("edit", "song 0", "")

    @property
    def head(self) -> Iteration:
        return self.all[-1]

    def add(self, source: str, root: str, message: str) -> None:
        number = len(self.all) + 1
        parent = self.all[-1].id if self.all else None
        self.all.append(Iteration(
            IterationId(f"i{number}"), ProjectId("p"), ContentHash(root), source, "person",  # type: ignore[arg-type]
            parent=parent, message=message, number=number,
        ))

    def walk(self, way: str) -> bool:
        found = steps(self.all[::-1], self.head.id)
        target = found.undo if way == "undo" else found.redo
        if target is not None:
            self.add("restore", target.root, f"{way} {target.id}")
        return target is not None


class Expected(Struct):
    """The undo list of every editor."""

    songs: list[str]
    at: int = 0

    def edit(self, song: str) -> None:
        del self.songs[self.at + 1:]
        self.songs.append(song)
        self.at += 1


@given(WALKS)
def test_any_walk_is_the_walk_of_an_undo_list(walk: list[tuple[str, int]]) -> None:
    tree, expected = Tree(), Expected(["song 0"])
    for at, (act, which) in enumerate(walk, 1):
        match act:
            case "edit":
                tree.add("edit", f"song {at}", "")
                expected.edit(f"song {at}")
            case "restore":
                target = tree.all[which % len(tree.all)]
                tree.add("restore", target.root, f"restore {target.id}")
                expected.edit(target.root)
            case "undo":
                assert tree.walk("undo") == (expected.at > 0)
                expected.at = max(0, expected.at - 1)
            case _:
                assert tree.walk("redo") == (expected.at < len(expected.songs) - 1)
                expected.at = min(len(expected.songs) - 1, expected.at + 1)
        assert tree.head.root == expected.songs[expected.at]
    found = trail(tree.all[::-1], tree.head.id, 100)
    assert [one.root for one in found.undo] == expected.songs[: expected.at][::-1]
    assert [one.root for one in found.redo] == expected.songs[expected.at + 1 :]
    assert found.now is not None
    assert found.now.root == expected.songs[expected.at]
    assert trail(tree.all[::-1], tree.head.id, 2).undo == found.undo[:2]


def test_a_missing_version_ends_the_walk_and_breaks_nothing() -> None:
    tree = Tree()
    tree.add("edit", "song 1", "")
    tree.add("edit", "song 2", "")
    assert tree.walk("undo")
    assert tree.walk("undo")
    without_first = [one for one in tree.all if one.number != 1]
    assert steps(without_first[::-1], tree.head.id).undo is not None
    assert steps([], tree.head.id) == steps(tree.all, None)
    odd = replace(tree.all[-1], id=IterationId("odd"), message="undo")
    assert steps([odd, *tree.all], odd.id).undo is not None


def test_versions_that_point_at_each_other_do_not_hang() -> None:
    a = Iteration(IterationId("a"), ProjectId("p"), ContentHash("r"), "restore", "x", IterationId("b"), "undo b")
    b = Iteration(IterationId("b"), ProjectId("p"), ContentHash("r"), "restore", "x", IterationId("a"), "undo a")
    assert steps([a, b], a.id).undo is not None
    assert len(trail([a, b], a.id, 100).undo) <= 2


async def opened(studio: Studio) -> tuple[Versions, Workspace]:
    workspace = await studio.open(await studio.projects.find("One"))
    versions = Versions(studio.history, workspace)
    await versions.refresh()
    return versions, workspace


@settings(max_examples=6)
@given(walk=st.lists(st.sampled_from(["edit", "undo", "undo", "redo", "restore", "reopen"]), min_size=3, max_size=9))
def test_stored_walks_survive_a_restart(tmp_path_factory: pytest.TempPathFactory, walk: list[str]) -> None:
    home = tmp_path_factory.mktemp("home")

    async def story() -> None:
        studio = open_studio(paths_in(home))
        await studio.projects.create("One")
        versions, workspace = await opened(studio)
        expected = Expected([versions.iterations.value[0].root])
        for bpm, act in enumerate(walk, 60):
            if act == "reopen":
                await studio.close()
                studio = open_studio(paths_in(home))
                versions, workspace = await opened(studio)
            elif act == "edit":
                await workspace.commit(tempo(bpm), label=f"{bpm} BPM")
                expected.edit(workspace.revision)
                await versions.refresh()
            elif act == "restore":
                made = await versions.restore(versions.iterations.value[-1].id)
                expected.edit(made.root)
            else:
                step = -1 if act == "undo" else 1
                possible = 0 <= expected.at + step < len(expected.songs)
                try:
                    await (versions.undo() if act == "undo" else versions.redo())
                except StudioError:
                    assert not possible
                else:
                    assert possible
                    expected.at += step
            assert workspace.revision == expected.songs[expected.at]
        await studio.close()

    asyncio.run(story())
