"""Rows left to a model, and a model's repair, at the real window: limits, calls, waiting edits, approve and reject."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import Calls, Fails, ModelServer, Stall, Text, model_server
from msgspec.structs import replace
from people import Person, at_window
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QListWidget, QPushButton
from qt_fixtures import Loop, garbage, qloop, theme

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Step
from agent.session.run_state import RunState
from agent.song.edits import SetTempo
from app.ui.kit.theme import Theme
from app.ui.plan.step_form import InputsDiff
from app.ui.plan.story import Story
from app.ui.timeline.view import TimelineView
from app.viewmodels.chat.choosing import PlannerOption
from app.viewmodels.plan.goals import GoalCall

__all__ = ["garbage", "qloop", "theme"]
KEY = "sk-canary-5b1e8c77d0a94f26"
NOTES = [{"n": 60 + beat % 5, "s": beat, "d": 1, "v": 80} for beat in range(16)]
BASE = (
    Step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Harmony"),
    Step("s2", "create_midi_clip", {"track_id": "{{s1.track_id}}", "start_time": 0, "duration": 16, "notes": NOTES},
         group="Harmony"),
    Step("s3", "create_track", {"name": "Bass", "instrument": "bass_finger"}, group="Harmony"),
)


def goal(tracks: list[str], words: str, *, accept: bool = False, tools: tuple[str, ...] = ("update_track",)) -> Step:
    """A row that is left to whoever is chosen."""
    inputs = {"tools": list(tools), "tracks": tracks, "accept": accept}
    return Step("g1", "work_on", inputs, by="model", goal=words, max_edits=5, title="The pad steps back", group="Mix")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A model server in the place of the provider's own, and a key in the environment."""
    with model_server([], size=97) as made:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", made.url("anthropic"))
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        yield made


@pytest.fixture
def at_the_window(theme: Theme, tmp_path: Path, qloop: Loop) -> Callable[..., None]:
    """Runs a story of a person at the real window over a song with a pad and a bass."""

    def tell(story: Any) -> None:
        async def begun(one: Person) -> None:
            await propose(one, *BASE)
            await run(one, 3)
            await story(one)

        qloop.run(at_window(theme, tmp_path / "home", begun))

    return tell


async def choose_a_model(one: Person) -> None:
    models = one.room.opened.studio.models
    await models.keep(replace(await models.settings("anthropic"), model="model-one"))
    await one.room.opened.choosing.choose(PlannerOption("anthropic", "", "Anthropic, model-one"))


async def propose(one: Person, *steps: Step) -> None:
    """Put a plan of these rows up for review."""
    opened = one.room.opened
    stage = await opened.studio.planning.stage(opened.workspace.record)
    plan = opened.studio.planning.adopt(Plan(steps, request="more"), stage)
    await opened.reviewing.put_up(await opened.studio.planning.judge(plan, stage.song))
    await one.room.still()


async def run(one: Person, count: int) -> None:
    """Approve what is shown, and let it run to its end."""
    opened = one.room.opened
    await one.click(f"Approve and run {count}")
    await one.room.until(lambda: opened.running.live.value and opened.running.live.value.view)
    await one.room.still()


def calls_of(one: Person) -> tuple[GoalCall, ...]:
    rows = one.room.opened.running.live.value.rows
    return rows["g1"].calls if "g1" in rows else ()


async def ended(one: Person, state: RunState) -> None:
    live = one.room.opened.running.live
    await one.room.until(lambda: live.value.view is not None and live.value.state is state)
    await one.room.still()


def story_of(one: Person, step: str) -> Story:
    found = one.plan.view.indexWidget(one.plan.model.story_index(step))
    assert isinstance(found, Story)
    assert found.isVisible()
    return found


def words_of(one: Person, step: str) -> str:
    """What the row's story says; nothing as long as the table has not opened it."""
    found = one.plan.view.indexWidget(one.plan.model.story_index(step))
    return " | ".join(found.words) if isinstance(found, Story) else ""


def volume(one: Person, name: str = "Pad") -> float:
    return next(track.volume_db for track in one.room.opened.workspace.song.tracks if track.name == name)


def pad(one: Person) -> str:
    return str(next(track.id for track in one.room.opened.workspace.song.tracks if track.name == "Pad"))


def test_limits_are_told_and_a_tick_accepts_within_them(at_the_window: Callable[..., None]) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        await propose(one, goal([pad(one)], "lower the volume of the pad"))
        said = words_of(one, "g1")
        assert "Goal: lower the volume of the pad" in said
        assert "May update track on Pad and tracks that it makes, at most 5 edits." in said
        assert "cannot be heard yet" in said
        assert "wait for your approval" in said
        story_of(one, "g1").buttons["limits"].click()
        form = one.plan.plan_actions.editing.form
        assert form is not None
        tick = form.findChild(QCheckBox, "field-accept")
        assert tick.text() == "Accept within these limits"
        tools = form.findChild(QListWidget, "field-tools")
        [transform] = tools.findItems("Transform clip", Qt.MatchFlag.MatchExactly)
        tools.setCurrentItem(transform)
        await one.room.still()
        QTest.keyClick(tools, Qt.Key.Key_Space)
        QTest.keyClick(tick, Qt.Key.Key_Space)
        next(each for each in form.findChildren(QPushButton) if each.text() == "Save").click()
        await one.room.still()
        assert "kept without another look" in words_of(one, "g1")
        proposal = opened.reviewing.proposal.value
        assert sorted(proposal.inputs("g1")["tools"]) == ["transform_clip", "update_track"]
        assert proposal.judged.errors == ()
        QTest.keyClick(one.plan.view, Qt.Key.Key_X)
        one.plan.view.setCurrentIndex(one.plan.model.row_index("g1"))
        QTest.keyClick(one.plan.view, Qt.Key.Key_X)
        await one.room.still()
        assert not one.plan.model.story_index("g1").isValid(), "a rejected row has no limits to tell"

    at_the_window(story)


def test_the_composer_works_on_a_goal_and_its_edits_are_seen_heard_and_approved(
    at_the_window: Callable[..., None]
) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        await propose(one, goal([pad(one)], "Add a bass line", tools=("create_track", "create_midi_clip")))
        before = opened.workspace.song
        await run(one, 1)
        await ended(one, RunState.NEEDS_REVIEW)
        said = words_of(one, "g1")
        assert "Step 1 has 2 edits ready; nothing of it is in the song yet" in said
        assert re.search(r"Changes Bass 2, bars 1–4: \d+ notes added\.", said)
        assert re.search(r"create MIDI clip, \d refused", said), "its effects are no tools of this row"
        assert opened.workspace.song is before
        ghosts = one.window.findChild(TimelineView).stage.scene.ghosts
        assert [ghost.kind for ghost in (*ghosts.tracks, *ghosts.clips)] == ["added", "added"]
        assert ghosts.steps == {"g1"}
        buttons = story_of(one, "g1").buttons
        assert one.window.focusWidget() is buttons["hear"], "the safest one has the keyboard"
        assert not buttons["reject"].isHidden()
        buttons["hear"].click()
        await one.room.until(lambda: opened.playback.state.value.playing)
        assert opened.focus.side.value == "plan"
        await opened.playback.stop()
        one.action("plan.side")
        assert opened.focus.side.value == "song"
        QTest.keyClick(one.window.focusWidget(), Qt.Key.Key_Tab)
        assert one.window.focusWidget() is buttons["approve"]
        QTest.keyClick(buttons["approve"], Qt.Key.Key_Space)
        await ended(one, RunState.COMPLETED)
        assert len(opened.workspace.song.tracks) == len(before.tracks) + 1
        assert not one.plan.model.story_index("g1").isValid()
        assert one.window.findChild(TimelineView).stage.scene.ghosts.steps == frozenset()
        assert opened.running.live.value.waiting is None

    at_the_window(story)


def test_edits_that_wait_are_rejected_and_the_song_stays(at_the_window: Callable[..., None]) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        before = opened.workspace.song
        await propose(one, goal([pad(one)], "Add a bass line", tools=("create_track", "create_midi_clip")),
                      Step("last", "set_tempo", {"bpm": 77}))
        await run(one, 2)
        await ended(one, RunState.NEEDS_REVIEW)
        await one.click("Reject the edits of step 1")
        await ended(one, RunState.COMPLETED)
        assert opened.running.live.value.rows["g1"].state is StepState.SKIPPED
        assert opened.workspace.song.tracks == before.tracks
        assert opened.workspace.song.tempos[0].bpm == 77

    at_the_window(story)


def test_a_models_calls_are_seen_while_it_works_and_its_edits_wait_for_their_song(
    at_the_window: Callable[..., None], server: ModelServer
) -> None:
    go = threading.Event()

    async def story(one: Person) -> None:
        opened = one.room.opened
        await choose_a_model(one)
        track = pad(one)
        server.script = [
            Calls(("update_track", {"track_id": track, "volume_db": -9}), ("delete_track", {"track_id": track})),
            Stall(Text("The pad is softer now."), 3, go),
        ]
        await propose(one, goal([track], "make the pad softer"))
        assert "est. " in one.plan.footer.proposed._counts.text()
        await one.click("Approve and run 1")
        await one.room.until(lambda: len(calls_of(one)) == 2)
        await one.room.until(lambda: "2 calls: update track, 1 refused" in words_of(one, "g1"))
        assert volume(one) == 0
        go.set()
        await ended(one, RunState.NEEDS_REVIEW)
        said = words_of(one, "g1")
        assert "2 calls: update track, 1 refused. “The pad is softer now.”" in said
        assert "Changes Pad (volume), bars 1–4." in said
        assert "not approved" in story_of(one, "g1")._story.technical
        await opened.edit((SetTempo(bpm=99),), "by hand")
        await one.room.still()
        assert "if the song has changed since, undo that first" in words_of(one, "g1")
        assert opened.listening.other.value.kind == "before"
        await opened.versions.undo()
        await one.room.still()
        await one.click("Approve the edits of step 1")
        await ended(one, RunState.COMPLETED)
        assert volume(one) == -9
        assert len(server.requests) == 2

    at_the_window(story)


def test_a_goal_within_accepted_limits_is_kept_without_another_look(
    at_the_window: Callable[..., None], server: ModelServer
) -> None:
    async def story(one: Person) -> None:
        await choose_a_model(one)
        server.script = [Calls(("update_track", {"track_id": pad(one), "volume_db": -9})), Text("Done.")]
        await propose(one, goal([pad(one)], "make the pad softer", accept=True))
        await run(one, 1)
        await ended(one, RunState.COMPLETED)
        assert volume(one) == -9
        assert one.plan.model.row_at(one.plan.model.row_index("g1")).standing.reason == "1 call: update track"

    at_the_window(story)


def test_a_repair_is_shown_as_a_difference_and_runs_only_when_the_person_says_so(
    at_the_window: Callable[..., None], server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANDLEADER_SOUNDFONT", "/nonexistent.sf2")

    async def story(one: Person) -> None:
        opened = one.room.opened
        await propose(one, Step("out", "export_audio", {"format": "wav"}))
        await run(one, 1)
        await ended(one, RunState.FAILED)
        assert "repair" not in story_of(one, "out").buttons, "the composer repairs nothing"
        await choose_a_model(one)
        await one.room.still()
        go = threading.Event()
        server.script = [Stall(Text(json.dumps({"format": "mid"})), 0, go), Fails(400, "no"),
                         Text(json.dumps({"format": "mid"}))]
        await one.click("Ask the model for a repair of step 1")
        await one.room.until(lambda: story_of(one, "out").buttons["repair"].text() == "Stop asking")
        assert not story_of(one, "out").buttons["retry"].isEnabled()
        await one.room.until(lambda: server.requests)
        await one.click("Ask the model for a repair of step 1")
        await one.room.until(lambda: opened.repairing.asking.value is None)
        await one.room.still()
        assert one.plan.plan_actions.editing.form is None
        assert story_of(one, "out").buttons["retry"].isEnabled()
        await one.click("Ask the model for a repair of step 1")
        await one.room.until(lambda: one.plan.notice.text)
        await one.room.still()
        await one.click("Ask the model for a repair of step 1")
        await one.room.until(lambda: one.plan.plan_actions.editing.form is not None)
        form = one.plan.plan_actions.editing.form
        await one.room.still()
        assert form.findChild(InputsDiff).accessibleName() == "Changed: Format: wav to mid"
        assert "failed_because" in server.requests[-1].last_words
        assert opened.running.live.value.state is RunState.FAILED, "nothing ran"
        next(each for each in form.findChildren(QPushButton) if each.text() == "Run with these inputs").click()
        await ended(one, RunState.COMPLETED)
        assert opened.running.live.value.plan.step("out").inputs == {"format": "mid"}
        [told] = [event for event in opened.running.live.value.view.events if event.kind == "ROW_APPROVED"]
        assert json.loads(told.body)["by"] == "person"

    at_the_window(story)
