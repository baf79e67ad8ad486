"""The plan after its run, when what the run made is taken out of the song, and brought back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from studios import tracks

from agent.plan.plan import Step
from agent.song.edits import SetTempo

if TYPE_CHECKING:
    Reviewed = Any

ROWS = tracks(3)
FAILING = (
    Step("s1", "set_tempo", {"bpm": 84.0}, group="Frame"),
    Step("s2", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Frame"),
    Step("clip", "create_midi_clip", {
        "track_id": "{{s2.track_id}}", "start_time": 0, "duration": 4, "notes": [{"n": 60, "s": 0, "d": 1, "v": 90}],
    }, group="Frame"),
    Step("s3", "export_audio", {"format": "wav"}, group="Export"),
)
"""The last row fails where there is no SoundFont."""


async def _ran(one: Reviewed) -> None:
    await one.opened.edit((SetTempo(bpm=90),), "Tempo 90 BPM")
    await one.propose(ROWS)
    await one.run()
    await _caught_up(one)


async def _caught_up(one: Reviewed) -> None:
    """Versions are read after each change."""
    await one.opened.versions.refresh()
    await one.settle()


async def _press(one: Reviewed, words: str) -> None:
    button = next(button for button in one.panel.runs.reverted.answers if button.text() == words)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await one.settle()
    await _caught_up(one)


def _told(one: Reviewed) -> tuple[str, str, bool, str]:
    """The strip, a row, whether rolling back is offered, the tab's number."""
    panel = one.panel
    offered = panel.footer.ran.roll_back_button.isVisibleTo(panel)
    return panel.runs.reverted.text, one.text("s1"), offered, panel.badge.value


IN_SONG = ("", "Done", True, "3/3")


def test_undo_is_told_and_redo_takes_it_back(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await _ran(one)
        assert _told(one) == IN_SONG
        assert "Iteration 3, in the song" in one.panel.top._elapsed.text()
        await one.opened.versions.undo()
        await _caught_up(one)
        assert _told(one) == ("This run was undone: its work is not in the song.", "Undone", False, "0/3")
        assert "taken back 3" in one.panel.footer.ran.accessibleName()
        assert [button.text() for button in one.panel.runs.reverted.answers] == ["Redo", "Bring back as a new plan"]
        await _press(one, "Redo")
        assert _told(one) == IN_SONG
        assert len(one.opened.workspace.song.tracks) == 3

    told(story)


def test_a_restored_iteration_is_named_and_the_runs_own_can_be_restored(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await _ran(one)
        first = one.opened.versions.iterations.value[-1]
        await one.opened.versions.restore(first.id)
        await _caught_up(one)
        said, row, back, _ = _told(one)
        assert said == "Iteration 1 was restored: this run's work is not in the song."
        assert (row, back) == ("Taken back", False)
        await _press(one, "Restore iteration 3")
        assert _told(one) == IN_SONG

    told(story)


def test_a_rolled_back_run_is_told_as_such_until_the_roll_back_is_undone(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await _ran(one)
        one.panel.plan_actions.do("roll back")
        await one.settle()
        await _caught_up(one)
        assert _told(one)[:2] == ("This run was rolled back: its work is not in the song.", "Rolled back")
        await one.opened.versions.undo()
        await _caught_up(one)
        assert _told(one) == IN_SONG

    told(story)


def test_another_branch_is_told_and_its_steps_come_back_as_a_plan(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await _ran(one)
        first = one.opened.versions.iterations.value[-1]
        await one.opened.versions.branch(first.id)
        await _caught_up(one)
        assert _told(one)[0] == "Iteration 4 is shown, which was made without this run."
        await _press(one, "Bring back as a new plan")
        assert [step.id for step in one.proposal.plan.steps] == [step.id for step in ROWS]
        assert one.panel.runs.reverted.text == ""
        await one.run()
        await _caught_up(one)
        assert _told(one) == IN_SONG

    told(story)


def test_nothing_is_tried_again_without_the_runs_work(
    told: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANDLEADER_SOUNDFONT", "/nonexistent.sf2")

    async def story(one: Reviewed) -> None:
        await one.propose(FAILING)
        await one.run()
        await _caught_up(one)
        retry = one.panel.rows.story("s3").buttons["retry"]
        assert retry.isEnabled()
        await one.opened.versions.undo()
        await _caught_up(one)
        assert (one.text("s1"), retry.isEnabled()) == ("Undone", False)
        assert not one.panel.footer.ran.retry_button.isVisibleTo(one.panel)
        await _press(one, "Redo")
        assert (one.text("s1"), retry.isEnabled()) == ("Done", True)
        assert one.panel.footer.ran.retry_button.isVisibleTo(one.panel)

    told(story)
