"""The version tree as views use it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from studios import approved, crashed, tempo, tracks

from agent.session.run_state import RunError
from app.desktop.versions import Versions
from app.studio.errors import StudioError
from app.studio.studio import Studio
from app.studio.workspace import Workspace

Story = Callable[[Versions, Workspace], Awaitable[None]]


def opened(studio: Studio, story: Story) -> None:
    async def work() -> None:
        workspace = await studio.open(await studio.projects.create("One"))
        versions = Versions(studio.history, workspace)
        await versions.refresh()
        await story(versions, workspace)

    asyncio.run(work())


async def edited(versions: Versions, workspace: Workspace, *bpms: float) -> None:
    for bpm in bpms:
        await workspace.commit(tempo(bpm), label=f"Tempo to {bpm:g} BPM")
    await versions.refresh()


def bpm(workspace: Workspace) -> float:
    return workspace.song.tempos[0].bpm


def test_a_draft_has_no_versions_and_nothing_to_undo(studio: Studio) -> None:
    async def work() -> None:
        workspace = await studio.open(await studio.projects.draft("Draft"))
        versions = Versions(studio.history, workspace)
        await versions.refresh()
        assert versions.iterations.value == ()
        with pytest.raises(StudioError):
            await versions.undo()
        assert workspace.draft

    asyncio.run(work())


def test_two_quick_presses_walk_two_steps(studio: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        await edited(versions, workspace, 90, 100, 110)
        await asyncio.gather(versions.undo(), versions.undo())
        assert bpm(workspace) == 90
        await asyncio.gather(versions.redo(), versions.redo())
        assert bpm(workspace) == 110
        with pytest.raises(StudioError, match="nothing to redo"):
            await versions.redo()
        assert len(versions.iterations.value) == 8

    opened(studio, story)


def test_what_undo_and_redo_lead_to_is_told(studio: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        told: list[tuple[str, str]] = []
        versions.steps.watch(lambda steps: told.append((
            steps.undo.label if steps.undo else "", steps.redo.label if steps.redo else ""
        )))
        await edited(versions, workspace, 90)
        made = await versions.undo()
        assert made.label == "Undo: back to New project"
        await versions.redo()
        assert told == [("", ""), ("New project", ""), ("", "Tempo to 90 BPM"), ("New project", "")]

    opened(studio, story)


def test_a_restore_by_hand_is_taken_back_by_undo(studio: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        await edited(versions, workspace, 90, 100)
        await versions.restore(versions.iterations.value[1].id)
        assert bpm(workspace) == 90
        await versions.undo()
        assert bpm(workspace) == 100

    opened(studio, story)


def test_comparing_tells_what_differs_and_changes_nothing(studio: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        await edited(versions, workspace, 90, 100)
        newest, before, *_ = versions.iterations.value
        changes = await versions.compare(before, newest)
        assert [one.field for one in changes.song] == ["tempos"]
        assert (await versions.compare(newest, newest)).empty
        assert len(versions.iterations.value) == 3

    opened(studio, story)


def test_nothing_is_walked_while_a_run_holds_the_song(studio: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        await edited(versions, workspace, 90)
        await crashed(studio, await approved(studio, workspace.record, tracks(3)), 1)
        await workspace.reload()
        with pytest.raises(RunError):
            await versions.undo()
        assert bpm(workspace) == 90

    opened(studio, story)
