"""The notes of a row, in a small piano roll under it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from agent.plan.plan import Step
from app.ui.plan.columns import PlanColumn
from app.ui.plan.table_actions import PlanRequest
from app.viewmodels.plan.row_previews import row_notes

if TYPE_CHECKING:
    Reviewed = Any

NOTES = [{"n": 60, "s": 0, "d": 1, "v": 90}, {"n": 64, "s": 1, "d": 1, "v": 90}]
ROWS = (
    Step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"}),
    Step("s2", "create_midi_clip",
         {"track_id": "{{s1.track_id}}", "start_time": 0, "duration": 4, "notes": NOTES, "name": "Chords"}),
    Step("s3", "modify_clip",
         {"clip_id": "{{s2.clip_id}}", "notes": [NOTES[0], {"n": 67, "s": 2, "d": 1, "v": 90}]}),
    Step("s4", "delete_clip", {"clip_id": "{{s2.clip_id}}"}),
)


def test_rows_tell_which_notes_are_new_kept_and_gone(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        preview = one.proposal.whole.preview
        found = [row_notes(preview.row(step.id)) for step in ROWS]
        assert found[0] is None
        assert [notes.words for notes in found[1:]] == [
            "2 notes: 2 new", "2 notes: 1 new, 1 as before, 1 gone", "0 notes: 2 gone",
        ]
        assert [(len(notes.kept), notes.name) for notes in found[1:]] == [(0, "Chords"), (1, "Chords"), (0, "Chords")]

    told(story)


def test_a_click_on_the_preview_opens_the_notes_and_they_lead_to_the_piano_roll(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        tester = QAbstractItemModelTester(one.panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        await one.propose(ROWS)
        wanted: list[str] = []
        one.panel.plan_actions.notes_wanted.connect(wanted.append)
        view, model = one.panel.view, one.panel.model
        place = view.visualRect(model.row_index("s3", PlanColumn.PREVIEW)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        opened = one.panel.rows.notes("s3")
        assert "2 notes: 1 new, 1 as before, 1 gone" in opened.accessibleName()
        assert view.visualRect(model.story_index("s3")).height() == 132
        QTest.mouseClick(opened.open_button, Qt.MouseButton.LeftButton)
        made = one.proposal.whole.preview.row("s2").result["clip_id"]
        assert (wanted, one.opened.focus.step.value) == ([made], "s3")
        QTest.keyClick(view, Qt.Key.Key_Left)
        assert not model.story_index("s3").isValid()
        view.setCurrentIndex(model.row_index("s2", PlanColumn.STEP))
        QTest.keyClick(view, Qt.Key.Key_Right)
        assert model.story_index("s2").isValid()
        await one.opened.reviewing.reject(["s3"])
        await one.settle()
        assert one.panel.rows.notes("s2") is not None
        assert tester is not None

    told(story)


def test_notes_lead_to_the_clip_of_the_plan_that_would_run(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose((*ROWS[:2], Step("s3", "set_tempo", {"bpm": 90})))
        wanted: list[str] = []
        one.panel.plan_actions.notes_wanted.connect(wanted.append)
        one.panel.plan_actions.do("notes", ["s2"])
        await one.opened.reviewing.reject(["s3"])
        await one.settle()
        one.panel.view.asked.emit(PlanRequest("roll", ("s2",)))
        assert wanted == [clip.id for _, clip in one.proposal.ghost.clips()]
        opened = one.panel.rows.notes("s2")
        assert opened.open_button.isVisibleTo(one.panel)
        await one.opened.reviewing.reject(["s1"])
        await one.settle()
        one.panel.view.asked.emit(PlanRequest("roll", ("s2",)))
        assert len(wanted) == 1
        assert not one.panel.rows.notes("s2").open_button.isVisibleTo(one.panel)

    told(story)
