"""What is said to messages in the window: answers, commands done or offered, a yes in words; nothing is armed by it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from studios import paths_in

from agent.chat.answer import BarsLink, TrackLink
from agent.errors import BandleaderError
from agent.song.locks import TrackLock
from app.bootstrap import open_studio
from app.services.playing import PlaybackEngine
from app.viewmodels.chat.entries import Asked, MessageEntry, PlanCard
from app.viewmodels.chat.offers import PutLocks, UndoStep, WindowAction
from app.viewmodels.chat.refined import Refined
from app.viewmodels.desktop import Desktop
from app.viewmodels.open_project import OpenProject
from app.viewmodels.texts.troubles import ErrorReporter
from app.viewmodels.transport.playback import Playback

COMPOSE = "a calm lofi beat in D minor at 82 bpm, 16 bars"


def at_song(home: Path, story: Callable[[OpenProject], Awaitable[None]], *, run: bool = True) -> None:
    """Run a story at an open project whose song was composed, or with that plan under review."""

    async def work() -> None:
        studio = open_studio(paths_in(home))
        troubles = ErrorReporter(studio.paths)
        engine = PlaybackEngine(home / "cache", studio.palette, ahead=False)
        desktop = Desktop(studio, lambda: Playback(engine, troubles), troubles, engine.close)
        await desktop.begin()
        try:
            opened = desktop.opened.value
            assert opened is not None
            await opened.asking.ask(COMPOSE)
            proposal = opened.reviewing.proposal.value
            assert proposal is not None
            if run:
                await opened.asking.approving.run(proposal.judged.plan.hash)
                await opened.versions.refresh()
            await story(opened)
        finally:
            await desktop.close()

    asyncio.run(work())


def last(opened: OpenProject) -> MessageEntry:
    """What was said last."""
    found = opened.conversation.entries[-1]
    assert isinstance(found, MessageEntry)
    assert found.author == "bandleader"
    return found


async def press(opened: OpenProject) -> None:
    """Press the button of what was said last."""
    await opened.replying.press(len(opened.conversation.entries) - 1)


def track_called(opened: OpenProject, name: str) -> TrackLock:
    return next(TrackLock(one.id) for one in opened.workspace.song.tracks if name in one.name.casefold())


def test_a_question_is_answered_with_its_links_and_the_plan_that_waits_stays(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        before = opened.reviewing.proposal.value
        cards = [one for one in opened.conversation.entries if isinstance(one, PlanCard)]
        await opened.asking.ask("what would row 2 do?")
        assert last(opened).links
        await opened.asking.ask("what key is it in?")
        assert opened.reviewing.proposal.value is before
        assert [one for one in opened.conversation.entries if isinstance(one, PlanCard)] == cards
        assert opened.workspace.song.tracks == ()

    at_song(tmp_path, story, run=False)


def test_answers_are_kept_and_link_what_they_name(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        await opened.asking.ask("who plays in bar 5?")
        said = last(opened)
        assert BarsLink(5, 5) in said.links
        assert any(isinstance(link, TrackLink) for link in said.links)
        await opened.conversation.load()
        kept = [one.text for one in opened.conversation.entries if isinstance(one, MessageEntry)]
        assert kept[-2:] == ["who plays in bar 5?", said.text]

    at_song(tmp_path, story)


def test_a_question_on_an_empty_start_makes_no_project(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        count = len(await opened.studio.projects.all())
        fresh = OpenProject(opened.studio, await opened.studio.open(
            await opened.studio.projects.draft("Untitled")), opened.playback, opened.troubles)
        await fresh.asking.ask("which styles have you?")
        assert "styles" in last(fresh).text
        assert fresh.workspace.draft
        assert len(await opened.studio.projects.all()) == count
        fresh.asking.close()

    at_song(tmp_path, story)


def test_what_changes_nothing_is_done_at_once(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        song, playback = opened.workspace.song, opened.playback
        await opened.asking.ask("loop bars 5-8")
        state = playback.state.value
        assert (state.loop, state.looping) == (song.bar_map.span(5, 8), True)
        assert last(opened).text == "Looping bars 5–8."
        assert opened.focus.bars.value == (5, 8)
        await opened.asking.ask("turn off the loop")
        assert not playback.state.value.looping
        await opened.asking.ask("solo the bass")
        assert playback.solo.value == {track_called(opened, "bass").track_id}
        await opened.asking.ask("unsolo the bass")
        assert playback.solo.value == frozenset()
        await opened.asking.ask("go to bar 9")
        assert playback.position() == song.bar_map.start_of(9)
        await opened.asking.ask("go to the start")
        assert playback.position() == 0
        await opened.asking.ask("stop")
        assert last(opened).text.startswith("Nothing plays.")
        assert opened.workspace.song is song
        assert opened.reviewing.proposal.value is None

    at_song(tmp_path, story)


def test_zooming_is_asked_of_the_window(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        wanted: list[str] = []
        opened.replying.performing.wanted.listen(wanted.append)
        await opened.asking.ask("zoom in")
        await opened.asking.ask("zoom out")
        assert wanted == ["view.zoom_in", "view.zoom_out"]

    at_song(tmp_path, story)


def test_undo_waits_for_its_button_and_is_pressed_once(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        await opened.asking.ask("undo")
        assert last(opened).offer is not None
        assert last(opened).offer.operation == UndoStep("undo", opened.workspace.head)
        assert opened.workspace.song.tracks
        await press(opened)
        assert opened.workspace.song.tracks == ()
        assert last(opened).offer is None
        assert last(opened).note.startswith("Undo: Done, as version")
        versions = len(opened.versions.iterations.value)
        await press(opened)
        assert len(opened.versions.iterations.value) == versions

    at_song(tmp_path, story)


def test_what_there_is_not_to_take_back_has_no_button(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        await opened.asking.ask("redo")
        assert last(opened).offer is None
        assert "nothing to redo" in last(opened).text
        await opened.asking.ask("undo")
        for _ in range(5):
            await press(opened)
            await opened.asking.ask("put it back")
        assert last(opened).offer is None
        assert not opened.workspace.song.tracks
        assert "nothing to undo" in last(opened).text

    at_song(tmp_path, story)


def test_mute_rename_and_lock_are_done_by_their_buttons(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        bass = track_called(opened, "bass")
        before = opened.workspace.song
        await opened.asking.ask("mute the bass")
        assert opened.workspace.song is before
        await press(opened)
        assert opened.workspace.song.track(bass.track_id).mute
        await opened.asking.ask("mute the bass")
        assert last(opened).offer is None
        await opened.asking.ask("unmute the bass")
        await press(opened)
        assert not opened.workspace.song.track(bass.track_id).mute
        await opened.asking.ask("rename the bass to Low End")
        await press(opened)
        assert opened.workspace.song.track(bass.track_id).name == "Low End"
        await opened.asking.ask("lock the drums")
        drums = track_called(opened, "drum")
        offer = last(opened).offer
        assert offer is not None
        assert offer.operation == PutLocks((drums,))
        assert opened.locks.value == ()
        await press(opened)
        assert opened.locks.value == (drums,)
        await opened.asking.ask("unlock the drums")
        await press(opened)
        assert opened.locks.value == ()

    at_song(tmp_path, story)


def test_a_button_that_cannot_be_done_says_why_and_stays(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        offers = []
        for said in ("undo", "mute the bass", "mute the bass"):
            await opened.asking.ask(said)
            offers.append(len(opened.conversation.entries) - 1)
        await press(opened)
        before = opened.workspace.song
        for index in offers[:2]:
            with pytest.raises(BandleaderError, match="nothing was changed"):
                await opened.replying.press(index)
            entry = opened.conversation.entries[index]
            assert isinstance(entry, MessageEntry)
            assert entry.offer is not None
        assert opened.workspace.song is before

    at_song(tmp_path, story)


def test_restore_names_the_version_and_an_unknown_one_has_no_button(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        await opened.asking.ask("go back to version 1")
        offer = last(opened).offer
        assert offer is not None
        assert offer.label == "Restore version 1"
        await press(opened)
        assert opened.workspace.song.tracks == ()
        await opened.asking.ask("restore version 77")
        assert last(opened).offer is None

    at_song(tmp_path, story)


@pytest.mark.parametrize(("said", "action"), [
    ("export it as wav", "file.export"), ("new song", "file.new"), ("open the last project", "file.open"),
])
def test_what_needs_a_dialog_is_one_button_that_opens_it(tmp_path: Path, said: str, action: str) -> None:
    async def story(opened: OpenProject) -> None:
        wanted: list[str] = []
        opened.replying.performing.wanted.listen(wanted.append)
        await opened.asking.ask(said)
        offer = last(opened).offer
        assert offer is not None
        assert offer.operation == WindowAction(action)
        assert wanted == []
        await press(opened)
        assert wanted == [action]

    at_song(tmp_path, story)


def test_a_yes_in_words_points_to_the_button_until_the_next_message_and_runs_nothing(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        before = opened.reviewing.proposal.value
        assert before is not None
        await opened.asking.ask("ok, do it")
        assert opened.focus.to_approve.value
        assert f"**Approve and run {len(before.approved)}**" in last(opened).text
        assert opened.reviewing.proposal.value is before
        assert opened.running.live.value is None
        assert opened.workspace.song.tracks == ()
        await opened.asking.ask("thanks")
        assert not opened.focus.to_approve.value

    at_song(tmp_path, story, run=False)


def test_a_remark_replaces_a_value_of_the_plan_and_stacks_nothing(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        await opened.asking.ask("make the bass louder and the tempo 96")
        before = opened.reviewing.proposal.value
        assert before is not None
        mix = next(step for step in before.plan.steps if "bass" in step.title.casefold())
        await opened.reviewing.reject([mix.id], "later")
        await opened.asking.ask("96 is too fast, give 88")
        now = opened.reviewing.proposal.value
        assert now is not None
        assert len(now.plan.steps) == len(before.plan.steps)
        [tempo] = [step for step in now.plan.steps if step.tool == "set_tempo"]
        assert tempo.inputs["bpm"] == 88
        assert set(now.rejections) == {mix.id}
        assert mix.id not in now.approved
        assert now.replan_diff is not None
        assert set(now.replan_diff.was) == {tempo.id}
        [card] = [one for one in opened.conversation.entries if isinstance(one, Refined)]
        assert [(row.fate, row.title, row.what) for row in card.rows] == [("changed", tempo.title, "96 → 88 BPM")]
        assert (card.draft, card.unchanged, card.before) == (2, 1, before.plan.hash)
        await opened.asking.ask("only 85 please")
        again = opened.reviewing.proposal.value
        assert again is not None
        assert [one.inputs["bpm"] for one in again.plan.steps if one.tool == "set_tempo"] == [85]
        assert again.ghost is not None
        assert again.ghost.tempos[0].bpm == 85
        assert opened.running.live.value is None

    at_song(tmp_path, story)


def test_a_refinement_is_undone_by_its_button_once_and_only_the_last(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        def backs() -> list[str]:
            return [one.before for one in opened.conversation.entries if isinstance(one, Refined)]

        await opened.asking.ask("make the bass louder and the tempo 96")
        await opened.asking.ask("96 is too fast, give 88")
        await opened.asking.ask("only 85 please")
        assert [bool(one) for one in backs()] == [False, True]
        await opened.asking.approving.reopen(backs()[-1])
        now = opened.reviewing.proposal.value
        assert now is not None
        assert now.ghost is not None
        assert now.ghost.tempos[0].bpm == 88
        assert not any(backs())

    at_song(tmp_path, story)


def test_a_remark_that_changes_nothing_is_no_fault(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        await opened.asking.ask("make the bass louder")
        before = opened.reviewing.proposal.value
        await opened.asking.ask("yes, but leave the tempo alone")
        assert last(opened).text.startswith("The plan stays as it is: it already is so.")
        assert opened.reviewing.proposal.value is before

    at_song(tmp_path, story)


def test_a_choice_refines_the_plan_that_the_question_was_about(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        await opened.asking.ask("make the bass louder")
        await opened.asking.ask("make it better")
        asked = opened.conversation.entries[-1]
        assert isinstance(asked, Asked)
        await opened.asking.choose(len(opened.conversation.entries) - 1, asked.question.choices[-1])
        now = opened.reviewing.proposal.value
        assert now is not None
        assert now.plan.request.startswith("make the bass louder\n")

    at_song(tmp_path, story)


def test_a_question_about_something_else_leaves_the_plan_aside(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        await opened.asking.ask("make the bass louder")
        await opened.asking.ask("compose a techno track in A minor")
        assert isinstance(opened.conversation.entries[-1], Asked)
        assert opened.reviewing.proposal.value is None
        [card] = [one for one in opened.conversation.entries if isinstance(one, PlanCard) and one.aside]
        assert card.title == "make the bass louder"

    at_song(tmp_path, story)


def test_a_command_that_names_its_part_is_one_button(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        name = opened.workspace.song.tracks[0].name
        await opened.asking.ask(f"rename {name} to Keys")
        said = last(opened)
        assert said.text == "Nothing is changed yet; one click does it."
        assert said.offer is not None
        assert said.offer.label == f"Rename {name} to Keys"
        await press(opened)
        assert opened.workspace.song.tracks[0].name == "Keys"

    at_song(tmp_path, story)


def test_a_remark_that_says_nothing_of_the_plan_leaves_it_under_review(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        await opened.asking.ask("make the bass louder and the tempo 96")
        before = opened.reviewing.proposal.value
        await opened.asking.ask("make the tuba frobnicate")
        assert opened.reviewing.proposal.value is before
        assert opened.running.live.value is None

    at_song(tmp_path, story)


def test_a_refinement_is_planned_with_the_request_that_it_refines(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        before = opened.reviewing.proposal.value
        assert before is not None
        assert any("drum" in track.name.casefold() for track in before.ghost.tracks)
        await opened.asking.ask("yes, but without the drums")
        now = opened.reviewing.proposal.value
        assert now is not None
        assert now is not before
        assert now.plan.request.startswith(COMPOSE)
        assert not any("drum" in track.name.casefold() for track in now.ghost.tracks)
        assert [one.aside for one in opened.conversation.entries if isinstance(one, PlanCard)] == [True, False]

    at_song(tmp_path, story, run=False)


SAYINGS = Path(__file__).parents[3] / "agent" / "chat" / "sayings"


def sayings(kind: str) -> list[str]:
    """Every fourth of the sayings of a kind."""
    lines = [line for line in (SAYINGS / f"{kind}.txt").read_text().splitlines() if line and not line.startswith("#")]
    return [line.rpartition(" | ")[2] for line in lines[::4]]


@pytest.mark.parametrize("kind", ["approvals", "questions", "talk"])
def test_no_saying_of_a_kind_runs_plans_or_changes_anything(tmp_path: Path, kind: str) -> None:
    async def story(opened: OpenProject) -> None:
        before = opened.reviewing.proposal.value
        for said in sayings(kind):
            await opened.asking.ask(said)
            assert opened.reviewing.proposal.value is before, said
            assert opened.running.live.value is None, said
        assert opened.workspace.song.tracks == ()
        assert len([one for one in opened.conversation.entries if isinstance(one, PlanCard)]) == 1

    at_song(tmp_path, story, run=False)


def test_bars_that_the_song_does_not_have_are_told(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        await opened.asking.ask("loop bars 70-80")
        assert last(opened).text == "The song has 16 bars."
        assert opened.playback.state.value.loop is None

    at_song(tmp_path, story)


def test_a_place_without_a_part_is_played_at_once_from_there(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        song = opened.workspace.song
        await opened.asking.ask("play from bar 5 please, without the drums, i want to hear just the bass")
        bass = track_called(opened, "bass")
        assert opened.playback.solo.value == frozenset({bass.track_id})
        assert opened.playback.position() >= song.bar_map.span(5, 5)[0]
        assert opened.workspace.song is song

    at_song(tmp_path, story)


def test_two_commands_are_both_told_and_the_first_is_offered(tmp_path: Path) -> None:
    async def story(opened: OpenProject) -> None:
        song = opened.workspace.song
        await opened.asking.ask("undo the last one then save it as spot_v3")
        told = last(opened)
        assert told.offer is not None
        assert isinstance(told.offer.operation, UndoStep)
        assert "Export" in told.text
        assert opened.workspace.song is song

    at_song(tmp_path, story)
