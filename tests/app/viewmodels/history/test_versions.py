"""The version tree as views use it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from studios import approved, crashed, tempo, tracks

from agent.session.run_state import RunError
from agent.song.edits import CreateTrack, UpdateTrack
from agent.song.ids import IterationId, TrackId
from app.studio.errors import StudioError
from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.viewmodels.history.versions import Versions

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
        found, lines = await versions.compare(before, newest, studio.palette, lambda one: len(one.song))
        assert lines == 1
        assert [one.text for one in found.song] == ["Tempo: 90 BPM → 100 BPM"]
        assert (await versions.compare(newest, newest, studio.palette, bool))[0].empty
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


def test_a_branch_goes_on_from_an_old_version_and_both_ends_stay(studio: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        await edited(versions, workspace, 90, 100)
        end, fork, *_ = versions.iterations.value
        begun = await versions.go_on_from(fork.id)
        assert (begun.parent, begun.root, bpm(workspace)) == (fork.id, fork.root, 90)
        await edited(versions, workspace, 70)
        assert versions.iterations.value[0].parent == begun.id
        await versions.go_on_from(end.id)
        assert (workspace.head, bpm(workspace), len(versions.iterations.value)) == (end.id, 100, 5)
        assert versions.at.value == end.id
        await edited(versions, workspace, 110)
        assert versions.iterations.value[0].parent == end.id

    opened(studio, story)


def test_undo_at_the_beginning_of_a_branch_is_that_of_the_version_it_went_out_from(studio: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        await edited(versions, workspace, 90, 100, 110)
        await versions.branch(versions.iterations.value[1].id)
        assert bpm(workspace) == 100
        await versions.undo()
        assert bpm(workspace) == 90
        await versions.redo()
        assert bpm(workspace) == 100

    opened(studio, story)


def test_a_name_changes_nothing_else_and_is_there_after_a_restart(studio: Studio, other: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        await edited(versions, workspace, 90)
        before, head = versions.iterations.value, workspace.head
        await versions.name(before[1].id, "  The \0 first\nsketch  ")
        await versions.name(before[0].id, "Slower")
        await versions.name(before[0].id, "")
        assert dict(versions.names.value) == {before[1].id: "The first sketch"}
        again = Versions(other.history, await other.open(workspace.record))
        await again.refresh()
        assert again.names.value == versions.names.value
        assert (again.iterations.value, again.head, again.damaged.value) == (before, head, ())
        await versions.name(before[0].id, "x" * 10_000)
        assert len(versions.names.value[before[0].id]) == 120

    opened(studio, story)


def test_only_what_is_new_is_read_and_another_programs_versions_come_in(studio: Studio, other: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        await edited(versions, workspace, 90, 100)
        known = versions.iterations.value
        theirs = await other.open(workspace.record)
        await theirs.commit(tempo(120), label="Theirs")
        await workspace.reload()
        await versions.refresh()
        assert [one.label for one in versions.iterations.value][:2] == ["Theirs", "Tempo to 100 BPM"]
        assert all(was is now for was, now in zip(known, versions.iterations.value[1:], strict=True))
        await versions.refresh()
        assert len(versions.iterations.value) == 4

    opened(studio, story)


def test_tracks_of_one_version_go_into_a_branch_of_another(studio: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        made = [CreateTrack(track_id=TrackId(f"t{n}"), name=f"Pad {n}", instrument="pad_warm") for n in range(2)]
        await workspace.commit(made, label="Two pads")
        quieter = [UpdateTrack(track_id=TrackId(f"t{n}"), volume_db=-9.0) for n in range(2)]
        await workspace.commit([*quieter, *tempo(70)], label="Quieter")
        await versions.refresh()
        b, a, *_ = versions.iterations.value
        comparison, _ = await versions.compare(a, b, studio.palette, bool)
        taken = await versions.take_tracks(comparison, a, b, {TrackId("t1")})
        assert (taken.parent, taken.source, taken.label) == (a.id, "merge", "Pad 1 of iteration 3")
        assert [one.volume_db for one in workspace.song.tracks] == [0.0, -9.0]
        assert bpm(workspace) == 120
        assert {one.id for one in versions.iterations.value} >= {a.id, b.id}

    opened(studio, story)


def test_no_branch_is_begun_while_a_run_holds_the_song(studio: Studio) -> None:
    async def story(versions: Versions, workspace: Workspace) -> None:
        await edited(versions, workspace, 90)
        fork = versions.iterations.value[1]
        await crashed(studio, await approved(studio, workspace.record, tracks(3)), 1)
        await workspace.reload()
        for way in (versions.branch, versions.go_to):
            with pytest.raises(RunError):
                await way(fork.id)
        with pytest.raises(StudioError):
            await versions.branch(IterationId("inone"))
        assert bpm(workspace) == 90

    opened(studio, story)
