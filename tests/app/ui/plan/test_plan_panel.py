"""The plan panel as a person uses it: decide, edit, fix, run, mend, take back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pointing import point
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton
from studios import approved, crashed, tracks

from agent.plan.plan import Step
from agent.session.run_state import RunState
from agent.song.edits import SetTempo
from app.ui.plan.columns import PlanColumn
from app.ui.plan.table_actions import PlanRequest
from app.ui.plan.top_bar import RowFilter

if TYPE_CHECKING:
    Reviewed = Any

NOTE = {"n": 60, "s": 0, "d": 1, "v": 90}
ROWS = (
    Step("s1", "set_tempo", {"bpm": 84.0}, group="Frame"),
    Step("s2", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Harmony"),
    Step("s3", "create_midi_clip", {"track_id": "{{s2.track_id}}", "start_time": 0, "duration": 4, "notes": [NOTE]},
         group="Harmony"),
)
FAILING = (
    Step("s1", "set_tempo", {"bpm": 84.0}, group="Frame"),
    Step("s2", "find_tracks", {"name": "Pad"}, group="Harmony"),
    Step("s3", "get_track", {"track_id": "{{s2.items[0].track_id}}"}, group="Harmony"),
    Step("s4", "set_loudness", {"target": -18.0}, group="Frame"),
)


def label_of(one: Reviewed) -> str:
    return str(one.panel.footer.proposed.run_button.text())


def test_without_a_plan_the_panel_says_what_to_do(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        assert one.panel._pages.currentIndex() == 0
        assert one.panel.badge.value == ""
        one.panel.plan_actions.do("run")
        one.panel.plan_actions.do("discard")
        one.panel.plan_actions.do("edit")
        assert one.troubles == []

    told(story)


def test_a_rejected_row_blocks_its_dependant_and_the_button_carries_the_number(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        assert (one.panel.badge.value, label_of(one)) == ("3", "Approve and run 3")
        one.panel.view.setCurrentIndex(one.panel.model.row_index("s2", PlanColumn.STEP))
        QTest.keyClick(one.panel.view, Qt.Key.Key_X)
        await one.settle()
        assert (one.text("s2"), one.text("s3"), label_of(one)) == ("Rejected", "Needs step 2", "Approve and run 1")
        one.panel.view.setCurrentIndex(one.panel.model.row_index("s3", PlanColumn.CHECK))
        QTest.keyClick(one.panel.view, Qt.Key.Key_Space)
        await one.settle()
        assert label_of(one) == "Approve and run 1"
        assert one.panel.notice.text == "Step 3 needs step 2, which is rejected."
        QTest.mouseClick(one.panel.notice.answers[0], Qt.MouseButton.LeftButton)
        await one.settle()
        assert (label_of(one), one.panel.notice.text) == ("Approve and run 3", "")

    told(story)


def test_space_away_from_the_check_is_left_to_the_window(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        one.panel.view.setCurrentIndex(one.panel.model.row_index("s2", PlanColumn.STEP))
        QTest.keyClick(one.panel.view, Qt.Key.Key_Space)
        await one.settle()
        assert label_of(one) == "Approve and run 3"

    told(story)


def test_all_and_none_and_a_group_by_its_box(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        one.panel.plan_actions.do("reject all")
        await one.settle()
        button = one.panel.footer.proposed.run_button
        assert (label_of(one), button.isEnabled()) == ("Approve and run 0", False)
        assert "No step is approved" in button.toolTip()
        one.panel.plan_actions.do("run")
        assert one.opened.running.live.value is None
        group = one.panel.model.index(1, 0)
        box = one.panel.view.visualRect(group)
        QTest.mouseClick(one.panel.view.viewport(), Qt.MouseButton.LeftButton,
                         pos=box.topLeft() + type(box.topLeft())(40, 12))
        await one.settle()
        assert one.proposal.approved == {"s2", "s3"}

    told(story)


def test_only_the_hash_that_was_shown_is_approved(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        one.panel.refresh()
        # From here on the table does not catch up.
        one.panel._soon.drop()
        one.panel._soon.ask = lambda: None
        await one.opened.reviewing.change("s1", {"bpm": 99.0})
        one.panel.plan_actions.do("run")
        await one.settle()
        assert one.opened.running.live.value is None
        assert "another plan" in one.panel.notice.text

    told(story)


def test_editing_names_what_is_wrong_and_saves_what_is_right(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        one.opened.focus.step.set("s1")
        QTest.keyClick(one.panel.view, Qt.Key.Key_F2)
        form = one.panel.plan_actions.editing.form
        assert form is not None
        field = form.findChild(QLineEdit, "field-bpm")
        field.selectAll()
        QTest.keyClicks(field, "2000")
        assert [problem.message for problem in form.problems()] == ["bpm: 2,000 is above 999"]
        save = next(one for one in form.findChildren(QPushButton) if one.text() == "Save")
        assert not save.isEnabled()
        field.selectAll()
        QTest.keyClicks(field, "90")
        save.click()
        await one.settle()
        assert (one.text("s1"), one.proposal.inputs("s1")) == ("Edited by you", {"bpm": 90})
        one.panel.decisions.back("s1")
        await one.settle()
        assert one.text("s1") == "Proposed"

    told(story)


def test_a_reference_is_shown_in_words_and_kept(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        one.panel.plan_actions.do("edit", ["s3"])
        form = one.panel.plan_actions.editing.form
        assert form is not None
        kept = form.findChild(object, "field-track_id")
        assert kept.text() == "from step 2"
        form._tabs.setCurrentIndex(1)
        text = form.findChild(QPlainTextEdit, "").toPlainText() or form._json.toPlainText()
        assert "{{s2.track_id}}" in form._json.toPlainText()
        form._json.setPlainText("{")
        assert "line 1" in form.problems()[0].message
        assert text
        form.reject()

    told(story)


def test_one_click_mends_an_overlap(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        twice = {**ROWS[2].inputs, "notes": [NOTE, {**NOTE, "s": 0.5}]}
        await one.propose((*ROWS[:2], Step("s3", "create_midi_clip", twice, group="Harmony")))
        row = one.panel.model.row_at(one.panel.model.row_index("s3"))
        assert row is not None
        assert one.panel.decisions.fixable(row)
        one.panel.view.asked.emit(PlanRequest("fix", ("s3",)))
        await one.settle()
        assert one.text("s3") == "Edited by you"
        assert one.proposal.inputs("s3")["notes"][0]["d"] == 0.5

    told(story)


def test_errors_forbid_the_approval_and_are_named(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose((*ROWS, Step("s4", "delete_clip", {"clip_id": "cgone"})))
        assert one.text("s4") == "Would fail"
        button = one.panel.footer.proposed.run_button
        assert not button.isEnabled()
        assert "Step 4" in one.panel.footer.proposed._reach.text()
        one.panel.plan_actions.do("run")
        assert "The plan was not approved" in one.panel.notice.text
        assert one.opened.running.live.value is None
        one.panel._choose_filter(RowFilter.CHECK)
        one.panel.refresh()
        assert [row.id for group in one.panel.model.table.groups for row in group.rows] == ["s4"]

    told(story)


def test_a_plan_with_decisions_is_not_discarded_without_a_question(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        await one.opened.reviewing.reject(["s1"])
        one.panel.plan_actions.do("discard")
        assert one.panel.notice.text == "Discard this plan and your 1 edit?"
        assert one.opened.reviewing.proposal.value is not None
        one.panel.notice.answers[0].click()
        assert one.opened.reviewing.proposal.value is None
        assert one.panel.notice.text == ""

    told(story)


def test_the_lit_step_is_selected_and_hovering_never_takes_the_selection(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        place = one.panel.view.visualRect(one.panel.model.row_index("s2", PlanColumn.STEP)).center()
        point(one.panel.view.viewport(), place)
        assert (one.opened.focus.hovered.value, one.opened.focus.step.value) == ({"s2"}, None)
        one.opened.focus.step.set("s3")
        assert one.panel.view.step() == "s3"
        point(one.panel.view.viewport(), place + type(place)(3, 0))
        assert one.opened.focus.step.value == "s3"
        one.panel.view.setCurrentIndex(one.panel.model.row_index("s1"))
        assert one.opened.focus.step.value == "s1"

    told(story)


def test_a_run_is_watched_to_its_end_and_stays(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        tester = QAbstractItemModelTester(one.panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        await one.propose(ROWS)
        await one.run()
        assert one.live.state is RunState.COMPLETED
        assert [one.text(step.id) for step in ROWS] == ["Done", "Done", "Done"]
        assert one.panel.badge.value == "3/3"
        assert one.panel.model.folded == {"Frame", "Harmony"}
        assert one.panel.footer.ran.accessibleName() == "approved 3 · done 3"
        assert not one.panel._clock.isActive()
        tester.deleteLater()

    told(story)


def test_a_failed_row_opens_and_can_be_mended_skipped_and_rolled_back(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        tester = QAbstractItemModelTester(one.panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        await one.propose(FAILING)
        proposal = one.proposal
        await _run_past_errors(one, proposal)
        assert one.live.failed == ("s3",)
        story_index = one.panel.model.story_index("s3")
        opened = one.panel.view.indexWidget(story_index)
        assert opened is not None
        assert one.panel.view.visualRect(story_index).height() == 78
        assert "Harmony" not in one.panel.model.folded
        opened.buttons["skip"].click()
        await one.settle()
        assert one.text("s3") == "Skipped"
        assert not one.panel.model.story_index("s3").isValid()
        await one.opened.edit([SetTempo(bpm=99.0)], "Tempo by hand")
        one.panel.plan_actions.do("roll back")
        await one.settle()
        assert "Tempo by hand" in one.panel.notice.text
        one.panel.notice.answers[0].click()
        await one.settle()
        assert one.text("s1") == "Rolled back"
        assert one.opened.workspace.song.tempos[0].bpm == 120
        tester.deleteLater()

    told(story)


async def _run_past_errors(one: Reviewed, proposal: Any) -> None:
    """Run a plan that is known to fail: its marks, which would forbid the approval, are taken off by hand."""
    from msgspec.structs import replace

    judged = replace(proposal.judged, plan=replace(proposal.judged.plan, lint=()))
    await one.opened.reviewing.put_up(judged)
    one.panel.refresh()
    await one.run()


def test_the_composers_plan_for_a_song_is_shown_whole_and_a_model_tester_agrees(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        tester = QAbstractItemModelTester(one.panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        await one.opened.asking.ask("Recompose this sequence to be more ambient and atmospheric")
        await one.settle()
        steps = len(one.proposal.plan.steps)
        assert sum(len(group.rows) for group in one.panel.model.table.groups) == steps
        await one.opened.reviewing.reject([one.proposal.plan.steps[0].id])
        one.panel.refresh()
        assert not one.panel.grab().isNull()
        tester.deleteLater()

    told(story, sample=True)


def test_a_change_of_one_row_is_told_of_that_row_alone(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        told_of: list[tuple[int, int, bool]] = []
        resets: list[None] = []
        one.panel.model.modelReset.connect(lambda: resets.append(None))
        one.panel.model.dataChanged.connect(
            lambda first, last, *_: told_of.append((first.row(), last.row(), first.parent().isValid()))
        )
        one.panel._showing.table = one.panel._showing._reading.proposal(one.proposal)
        one.panel.model.show(one.panel._showing.table)
        assert told_of == []
        await one.opened.reviewing.reject(["s1"])
        await one.settle()
        assert resets == []
        assert (0, 0, True) in told_of

    told(story)


def test_a_failed_row_runs_again_with_the_inputs_that_were_typed(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        track = one.opened.workspace.song.tracks[0]
        await one.propose((
            Step("s1", "set_tempo", {"bpm": 84.0}),
            Step("s2", "update_track", {"track_id": "tgone", "volume_db": -9}),
        ))
        await _run_past_errors(one, one.proposal)
        assert one.live.failed == ("s2",)
        one.panel.plan_actions.do("retry")
        await one.settle()
        assert one.live.failed == ("s2",), "the same inputs fail again"
        one.panel.view.indexWidget(one.panel.model.story_index("s2")).buttons["edit"].click()
        form = one.panel.plan_actions.editing.form
        assert form is not None
        form._tabs.setCurrentIndex(1)
        form._json.setPlainText(f'{{"track_id": "{track.id}", "volume_db": -200}}')
        assert [problem.message for problem in form.problems()] == ["volume_db: −200 is below −96"]
        form._json.setPlainText(f'{{"track_id": "{track.id}", "volume_db": -9}}')
        form._ok.click()
        await one.settle()
        assert (one.live.state, one.text("s2")) == (RunState.COMPLETED, "Done")
        assert one.opened.workspace.song.tracks[0].volume_db == -9

    told(story, sample=True)


def test_a_loop_that_came_to_more_items_is_approved_for_more(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        tracks_there = len(one.opened.workspace.song.tracks)
        assert tracks_there > 1
        await one.propose((
            Step("s1", "find_tracks"),
            Step("s2", "update_track", {"track_id": "{{item.track_id}}", "volume_db": -9}, for_each="{{s1.items}}",
                 max_edits=1),
        ))
        await _run_past_errors(one, one.proposal)
        assert (one.live.state, one.live.failed) == (RunState.NEEDS_REVIEW, ("s2",))
        shown = one.panel.view.indexWidget(one.panel.model.story_index("s2"))
        assert "has not begun" in shown._story.title
        shown.buttons["edit"].click()
        form = one.panel.plan_actions.editing.form
        assert form is not None
        assert (form.most, form._most.accessibleName()) == (1, "Most items of this step")
        form._most.setValue(tracks_there)
        form._ok.click()
        await one.settle()
        assert one.live.state is RunState.COMPLETED
        assert {track.volume_db for track in one.opened.workspace.song.tracks} == {-9}

    told(story, sample=True)


def test_a_run_that_was_left_in_the_middle_is_offered_and_resumed(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        studio = one.opened.studio
        run = await approved(studio, one.opened.workspace.record, tracks(3))
        # A listener's fault ends no run while a project is open; for the crash it does.
        unguarded = studio.runs.events.guard(_through)
        await crashed(studio, run, 2)
        unguarded()
        await one.opened.running.following.look_for_unfinished()
        assert one.panel.runs.left_over.text == "A run was left in the middle: 2 of 3 steps are done."
        offered = [answer.text() for answer in one.panel.runs.left_over.answers]
        assert offered == ["Resume", "Keep what is done", "Roll back"]
        one.panel.runs.left_over.answers[0].click()
        await one.settle()
        assert one.live.state is RunState.COMPLETED
        assert one.panel.runs.left_over.text == ""
        assert len(one.opened.workspace.song.tracks) == 3

    told(story)


def test_a_and_b_need_a_plan(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        one.panel.plan_actions.do("side")
        assert one.opened.focus.side.value == "song"
        await one.propose(ROWS)
        one.panel.plan_actions.do("side")
        assert one.opened.focus.side.value == "plan"
        one.panel.refresh()
        assert one.panel.footer.proposed.side_button.isChecked()
        one.panel.plan_actions.do("side")
        assert one.opened.focus.side.value == "song"

    told(story)


def _through(fault: Exception) -> None:
    raise fault
