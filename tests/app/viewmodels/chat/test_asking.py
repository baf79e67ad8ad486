"""From a request to a plan under review, from an approval to its run, as the conversation tells it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from asking_rooms import AskingRoom, asking_room, until
from patience import PATIENCE
from studios import approved, crashed, tracks

from agent.plan.bounds import MAX_REQUEST
from agent.plan.decision import Reject
from agent.plan.document import Plan
from agent.session.run_state import RunError, RunState
from agent.session.session import NotApproved
from agent.song.edits import SetTempo
from app.storage import messages
from app.studio.studio import Studio
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import Asked, MessageEntry, PlanCard, ProblemEntry, WorkEntry

AMBIENT = "Write a slow ambient song for a night train, 80 BPM"


Room = AskingRoom


def opened(studio: Studio, story: Callable[[Room], Awaitable[None]]) -> None:
    asking_room(studio, story, Room)


def test_a_request_becomes_words_and_a_plan_and_changes_nothing(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(AMBIENT)
        assert room.workspace.name == "Write a slow ambient song for a night train, 80 BPM"
        assert room.workspace.song.tracks == ()
        [card] = room.all(PlanCard)
        proposal = room.reviewing.proposal.value
        assert proposal is not None
        assert proposal.ghost is not None
        assert (card.hash, card.steps) == (proposal.plan.hash, len(proposal.plan.steps))
        assert card.tracks == len(proposal.ghost.tracks)
        assert room.all(WorkEntry) == [WorkEntry("Wrote a plan", f"{card.steps} steps")]
        [said] = room.said()
        assert f"{proposal.ghost.bars} bars" in said
        assert "80 BPM" in said
        assert (room.asking.doing.value, room.asking.waiting.value, room.asking.busy) == ("", (), False)
        assert room.asking.rows.value == card.steps

    opened(studio, story)


def test_a_change_tells_what_was_read_and_what_stays(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(AMBIENT)
        await room.approve()
        before = room.workspace.song
        read_already = len(room.all(WorkEntry))
        await room.asking.ask("make it faster, 100 BPM, keep the bass")
        work = room.all(WorkEntry)[read_already:]
        assert work[0] == WorkEntry(f"Read {len(before.tracks)} tracks", f"{before.note_count:,} notes")
        assert {one.result for one in work if one.what.startswith("Found key ")} <= {"sure", "likely"}
        assert "takes the tempo from 80 to 100 BPM" in room.said()[-1]
        assert room.workspace.song == before

    opened(studio, story)


def test_the_card_of_a_plan_that_ran_in_part_counts_no_tracks_that_it_did_not_make(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(AMBIENT)
        before, proposal = room.all(PlanCard)[0], room.reviewing.proposal.value
        assert proposal is not None
        assert before.tracks > 0
        await room.reviewing.reject([proposal.plan.steps[-1].id])
        await room.approve()
        [card] = room.all(PlanCard)
        assert (card.steps, card.tracks) == (before.steps - 1, 0)

    opened(studio, story)


def test_an_approved_plan_runs_and_its_card_survives_a_restart(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(AMBIENT)
        tracks = room.all(PlanCard)[0].tracks
        await room.approve()
        [card] = room.all(PlanCard)
        assert card.tracks == tracks > 0
        assert card.run is not None
        assert card.whole
        assert card.iteration == room.workspace.head
        assert card.outcome == f"{card.steps} of {card.steps} steps"
        assert room.said()[-1].startswith(f"Done: {card.steps} of {card.steps} steps.")
        again = Conversation(room.studio.store, room.workspace.project)
        await again.load()
        kept = [entry for entry in again.entries if isinstance(entry, PlanCard)]
        assert [(one.run, one.iteration, one.outcome, one.understood) for one in kept] == [
            (card.run, card.iteration, card.outcome, card.understood)
        ]
        words = [entry.text for entry in again.entries if isinstance(entry, MessageEntry)]
        assert words == [AMBIENT, *room.said()]
        assert isinstance(again.entries[-1], MessageEntry)
        assert isinstance(again.entries[-2], PlanCard)

    opened(studio, story)


def test_what_was_not_done_is_marked_in_the_words_after_a_restart_too(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(f"{AMBIENT}, and frobnicate the wibble")
        [said] = [one for one in room.all(MessageEntry) if one.author == "you"]
        assert [one.text for one in said.clauses if one.outcome == "told"] == ["frobnicate the wibble"]
        room.asking.approving.discard()
        again = Conversation(room.studio.store, room.workspace.project)
        await again.load()
        [kept] = [one for one in again.entries if isinstance(one, MessageEntry) and one.author == "you"]
        assert (kept.text, kept.clauses) == (said.text, said.clauses)

    opened(studio, story)


def test_an_unclear_request_asks_back_once(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask("something for Tuesday")
        [asked] = room.all(Asked)
        index = room.conversation.entries.index(asked)
        choice = asked.question.choices[1]
        await room.asking.choose(index, choice)
        await room.asking.choose(index, asked.question.choices[0])
        assert room.all(Asked)[0].answered == choice.label
        assert len(room.all(PlanCard)) == 1
        assert room.said("you")[-1] == choice.label

    opened(studio, story)


def test_what_goes_wrong_is_told_in_place_and_can_be_sent_again(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask("make it slower")
        [problem] = room.all(ProblemEntry)
        assert problem.trouble.what == "there is nothing to change"
        assert problem.trouble.fix
        assert problem.request == "make it slower"
        assert room.reviewing.proposal.value is None

    opened(studio, story)


@pytest.mark.parametrize("request_text", [
    "a song, key sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIj", "la " * MAX_REQUEST,
])
def test_a_secret_or_a_flood_of_words_is_neither_kept_nor_planned(studio: Studio, request_text: str) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(request_text)
        [problem] = room.all(ProblemEntry)
        assert problem.trouble.fix
        assert not room.said("you")
        stored = await room.studio.store.read(lambda t: messages.all_of(t, room.workspace.project))
        assert not stored

    opened(studio, story)


def test_bytes_that_are_no_text_do_not_end_anything(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask("lofi beat \ud800 80 bpm")
        await room.asking.ask("   \n ")
        assert len(room.all(PlanCard)) == 1

    opened(studio, story)


def test_stop_ends_planning_at_once_and_lets_nothing_wait(studio: Studio) -> None:
    async def story(room: Room) -> None:
        first = asyncio.ensure_future(room.asking.ask(AMBIENT))
        await until(lambda: room.asking.busy)
        second = asyncio.ensure_future(room.asking.ask("a lofi beat"))
        await until(lambda: room.asking.waiting.value == ("a lofi beat",))
        room.asking.stop()
        async with asyncio.timeout(PATIENCE):
            await first
            await second
        assert room.reviewing.proposal.value is None
        assert not room.all(PlanCard)
        assert [said.startswith("Stopped") for said in room.said()] == [True, True]
        assert room.said("you") == [AMBIENT, "a lofi beat"]
        await room.asking.ask("a lofi beat")
        assert room.reviewing.proposal.value is not None

    opened(studio, story)


def test_a_closing_window_cancels_planning_without_another_word(studio: Studio) -> None:
    async def story(room: Room) -> None:
        asking = asyncio.ensure_future(room.asking.ask(AMBIENT))
        await until(lambda: room.asking.busy)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert not room.said()
        assert not room.asking.busy

    opened(studio, story)


def test_a_request_waits_while_a_run_holds_the_song(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(AMBIENT)
        run = asyncio.ensure_future(room.approve())
        await until(lambda: room.running.busy)
        waiting = asyncio.ensure_future(room.asking.ask("make it faster, 120 BPM"))
        await until(lambda: bool(room.asking.waiting.value))
        assert not room.asking.busy
        await run
        await waiting
        assert room.asking.waiting.value == ()
        proposal = room.reviewing.proposal.value
        assert proposal is not None
        assert proposal.song == room.workspace.song

    opened(studio, story)


def test_a_request_waits_for_a_run_that_was_left_in_the_middle(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.workspace.keep("One")
        run = await approved(studio, room.workspace.record, tracks(3))
        await crashed(studio, run, 1)
        await room.running.following.look_for_unfinished()
        waiting = asyncio.ensure_future(room.asking.ask("a lofi beat, 80 bpm"))
        await until(lambda: bool(room.asking.waiting.value))
        view = await room.running.resume(run)
        assert view.state is RunState.COMPLETED
        await waiting
        assert room.all(PlanCard) or room.all(Asked)

    opened(studio, story)


def test_a_run_that_cannot_begin_leaves_the_plan_under_review(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(AMBIENT)
        proposal = room.reviewing.proposal.value
        other = await studio.open(await studio.projects.find(room.workspace.project))
        await other.commit((SetTempo(bpm=99),), label="elsewhere")
        with pytest.raises((NotApproved, RunError)):
            await room.approve()
        assert room.reviewing.proposal.value is proposal
        assert not room.running.busy

    opened(studio, story)


def test_a_second_plan_puts_the_first_aside_with_what_was_decided_on_it(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(AMBIENT)
        first = room.reviewing.proposal.value
        assert first is not None
        out = first.plan.steps[-1].id
        await room.reviewing.reject([out], "too much")
        await room.asking.ask("a lofi beat, 80 bpm")
        assert [card.aside for card in room.all(PlanCard)] == [True, False]
        second = room.reviewing.proposal.value
        assert second is not None
        assert second.plan.request == "a lofi beat, 80 bpm"
        with pytest.raises(NotApproved):
            await room.asking.approving.run(first.judged.plan.hash)
        await room.asking.approving.reopen(first.plan.hash)
        assert [card.aside for card in room.all(PlanCard)] == [False, True]
        again = room.reviewing.proposal.value
        assert again is not None
        assert (again.plan.steps, dict(again.rejections)) == (first.plan.steps, {out: Reject(out, "too much")})
        room.asking.approving.discard()
        assert [(card.aside, card.discarded) for card in room.all(PlanCard)] == [(False, True), (True, False)]
        assert room.reviewing.proposal.value is None

    opened(studio, story)


def test_a_plan_that_was_put_aside_cannot_take_the_song_from_a_run(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(AMBIENT)
        first = room.reviewing.proposal.value
        assert first is not None
        await room.asking.ask("a lofi beat, 80 bpm")
        running = asyncio.ensure_future(room.approve())
        await until(lambda: room.running.holds_song)
        with pytest.raises(NotApproved, match="not opened"):
            await room.asking.approving.reopen(first.plan.hash)
        await running
        await room.asking.approving.reopen(first.plan.hash)
        now = room.reviewing.proposal.value
        assert now is not None
        assert now.judged.plan.song_revision == room.workspace.revision
        with pytest.raises(NotApproved, match="not kept"):
            await room.asking.approving.reopen(first.plan.hash)

    opened(studio, story)


def test_rolling_back_a_run_tells_so_on_its_card(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask(AMBIENT)
        tracks = room.all(PlanCard)[0].tracks
        await room.approve()
        [card] = room.all(PlanCard)
        assert card.tracks == tracks > 0
        assert card.run is not None
        await room.running.roll_back(card.run)
        assert room.all(PlanCard)[0].outcome == "Rolled back"
        assert room.workspace.song.tracks == ()

    opened(studio, story)


def test_names_of_the_person_are_never_markup(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await room.workspace.keep("One")
        stage = await studio.planning.stage(room.workspace.record)
        plan = studio.planning.adopt(Plan(tracks(1, "<b>*x*</b>"), request="more"), stage)
        await room.reviewing.put_up(await studio.planning.judge(plan, stage.song))
        await room.approve()
        await room.asking.ask("add strings, then compose nothing else *bold* <img src=x>")
        for said in room.said():
            assert "<img" not in said.replace("\\<", "")

    opened(studio, story)
