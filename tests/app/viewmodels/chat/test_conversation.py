"""The conversation as it is stored, and the words in it."""

from __future__ import annotations

import asyncio
from dataclasses import replace as with_fields
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace
from studios import approved, carried_out, tracks

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Step
from agent.session.answer import AskResult, LockProof, RunAnswer
from agent.session.cancellation import Cancellation
from agent.session.ports import RowReport
from agent.session.run_state import RunState
from agent.song.ids import ProjectId, RunId
from agent.song.revision import ContentHash
from app.storage.records import Event, Run
from app.studio.running.run_view import RunView
from app.studio.store import Chat
from app.studio.studio import Studio
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import Entry, EntryChange, MessageEntry, PlanCard
from app.viewmodels.chat.retold import run_entries, shortened
from app.viewmodels.chat.talk_search import found_in
from app.viewmodels.chat.telling import outcome, plain, run_details, run_words
from app.viewmodels.texts.moments import changed_when, clock_time


def test_words_come_back_in_their_order(studio: Studio) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        conversation = Conversation(studio.store, project.id)
        heard: list[EntryChange] = []
        conversation.changed.listen(heard.append)
        await conversation.say("you", "hello 你好")
        await conversation.say("bandleader", "**yes**")
        await conversation.keep("bandleader", "a question")
        assert heard == [EntryChange(0, added=True), EntryChange(1, added=True)]
        again = Conversation(studio.store, project.id)
        again.changed.listen(heard.append)
        await again.load()
        assert heard[-1] == EntryChange(-1)
        assert [(entry.author, entry.text) for entry in again.entries if isinstance(entry, MessageEntry)] == [
            ("you", "hello 你好"), ("bandleader", "**yes**"), ("bandleader", "a question")
        ]
        other = Conversation(studio.store, (await studio.projects.create("Two")).id)
        await other.load()
        assert other.entries == []

    asyncio.run(story())


def test_a_run_of_the_command_line_has_its_card_here_too(studio: Studio) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        view = await carried_out(studio, project, tracks(3))
        conversation = Conversation(studio.store, project.id)
        await conversation.load()
        asked, card, said = conversation.entries
        assert isinstance(asked, MessageEntry)
        assert asked.author == "you"
        assert isinstance(card, PlanCard)
        assert (card.run, card.iteration, card.outcome, card.whole) == (
            view.record.id, view.record.iteration, "3 of 3 steps", True
        )
        assert isinstance(said, MessageEntry)
        assert said.text == "Done: 3 of 3 steps."

    asyncio.run(story())


def test_only_what_others_have_said_is_news(studio: Studio) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        other = Conversation(with_fields(studio.store, chat=Chat()), project.id)
        await other.say("you", "before")
        conversation = Conversation(studio.store, project.id)
        await conversation.load()
        await other.say("you", "theirs")
        await conversation.say("you", "ours")
        await other.say("bandleader", "theirs too")
        for _ in range(3):
            await conversation.follow()
        assert [words(entry) for entry in conversation.entries] == ["before", "ours", "theirs", "theirs too"]

    asyncio.run(story())


def test_each_end_of_a_run_elsewhere_is_told_once(studio: Studio) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        conversation = Conversation(with_fields(studio.store, chat=Chat()), project.id)
        await conversation.load()
        first = await carried_out(studio, project, tracks(3))
        for _ in range(2):
            await conversation.follow()
            conversation.tell_end(first, "")
        asked, card, said = conversation.entries
        assert isinstance(card, PlanCard)
        assert card.run == first.record.id
        assert words(said) == "Done: 3 of 3 steps."
        conversation.tell_end(replace(first, events=(*first.events, later(first.events[-1]))), "")
        assert conversation.entries[:3] == [asked, card, said]
        assert [words(entry) for entry in conversation.entries[3:]] == [words(said)]

    asyncio.run(story())


def words(entry: Entry) -> str:
    assert isinstance(entry, MessageEntry)
    return entry.text


def later(event: Event) -> Event:
    return replace(event, number=event.number + 1)


def test_a_run_that_did_not_do_it_all_says_which_step_and_why(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANDLEADER_SOUNDFONT", "/nonexistent.sf2")
    notes = [{"n": 60, "s": 0, "d": 1, "v": 90}]

    async def story() -> None:
        project = await studio.projects.create("One")
        rows = (
            *tracks(1),
            Step("s1", "create_midi_clip", {
                "track_id": "{{s0.track_id}}", "start_time": 0, "duration": 4, "notes": notes,
            }),
            Step("bad", "export_audio", {"format": "wav"}),
        )
        run = await approved(studio, project, rows)
        view = await studio.runs.host.carry_out(run, Cancellation())
        said = run_words(view)
        assert said.startswith("Not all of it worked: 2 of 3 steps done. What was done stays.")
        assert "Step 3 failed: " in said
        assert outcome(view) == "2 of 3 steps"

    asyncio.run(story())


def measured_view(
    *measured: AskResult, locks: tuple[LockProof, ...] = (), states: tuple[StepState, ...] = ()
) -> RunView:
    """A run with these rows that took 21 seconds, with a rest of an hour in between."""
    project, none = ProjectId("p"), ContentHash("0" * 64)
    why = {StepState.FAILED: "the reason"}
    rows = tuple(RowReport(f"s{at}", at, "set_tempo", state, "", reason=why.get(state, ""))
                 for at, state in enumerate(states))
    ended = RunState.COMPLETED if set(states) <= {StepState.DONE} else RunState.PARTIAL
    record = Run(RunId("r"), project, "more", ended, none, none, 1, "local")
    steps = tuple(Step(f"s{at}", "set_tempo", {"bpm": 90}) for at, _ in enumerate(states))
    events = tuple(Event(kind, at=f"2026-11-22T{at}Z") for kind, at in (
        ("RUN_STARTED", "12:00:00"), ("RUN_PAUSED", "12:00:20"), ("RUN_STARTED", "13:00:20"),
        ("RUN_COMPLETED", "13:00:21"),
    ))
    return RunView(record, Plan(steps, project), rows, (), events, RunAnswer("", measured, locks), None)


def test_the_outcome_comes_first_and_the_rest_is_details() -> None:
    met = [AskResult(f"wish {at}", ("s0",), 1, 2, True, "tempo") for at in range(9)]
    missed = AskResult("darker", ("s1",), 3, 3, False, "tempo")
    same = tuple(LockProof(f"track {name}", "a" * 64, "a" * 64, True) for name in ("Pad", "Bass"))
    view = measured_view(*met, missed, locks=same, states=(StepState.DONE,) * 3)
    first, *others = run_words(view).split("\n\n")
    assert first == (
        "Done: 3 of 3 steps. 9 of 10 measured wishes are met. 2 locked parts are unchanged. It took 0:21."
    )
    assert len(others) == 1
    assert others[0].startswith("✗ darker: ")
    assert others[0].endswith("and 4 more, see the details")
    details = run_details(view)
    assert sum(f"wish {at}" in details for at in range(9)) == 9
    assert "Bass is locked and unchanged (aaaaaaaa before and after)" in details
    [entry] = run_entries(view, "")
    assert isinstance(entry, MessageEntry)
    assert (entry.text, entry.details) == (run_words(view), details)
    assert found_in([entry], "bass locked") == (0,)


def test_the_end_of_a_run_tells_each_wish_with_its_mark_rows_and_measure() -> None:
    wishes = (
        AskResult("slower", ("s0",), 120, 84, True, "tempo"), AskResult("a warmer pad", ("s1",), None, None, True),
        AskResult("darker", ("s1",), 3, 3, False, "tempo"),
    )
    view = measured_view(*wishes, states=(StepState.DONE,) * 2)
    assert run_words(view).split("\n\n")[1].split("  \n") == [
        "✓ slower: tempo 120 BPM → 84 BPM (step 1)", "• a warmer pad: done, which nothing measures (step 2)",
        "✗ darker: tempo 3 BPM → 3 BPM, **not reached** (step 2)",
    ]
    assert run_details(view) == ""


def test_what_was_not_kept_or_not_done_is_never_folded() -> None:
    changed = LockProof("track Pad", "a" * 64, "b" * 64, False)
    states = (StepState.DONE, StepState.FAILED, StepState.NOT_RUN)
    said = run_words(measured_view(locks=(changed,), states=states))
    assert said.startswith("Not all of it worked: 1 of 3 steps done. What was done stays. 1 failed, 1 not run.")
    assert "Step 2 failed: the reason" in said
    assert "Track Pad is locked and **changed**" in said
    assert "unchanged" not in said


@given(st.text("ab*_`[]()<>!# \\", max_size=40))
def test_words_of_a_person_stay_words(text: str) -> None:
    html = MarkdownIt("commonmark", {"html": False}).render("x " + plain(text))
    assert "<a" not in html
    assert "<em" not in html
    assert "<strong" not in html
    assert "<code" not in html
    assert "<img" not in html


def test_moments_and_titles() -> None:
    day = date(2026, 11, 22)
    assert clock_time("2024-03-14T12:00:00.000001Z", day) == "14 Mar 2024"
    assert clock_time("2026-03-14T12:00:00Z", day) == "14 Mar"
    assert clock_time("2026-11-21T12:00:00Z", day).startswith("yesterday ")
    assert changed_when("2026-11-21T12:00:00Z", day) == "yesterday"
    assert changed_when("2026-11-22T12:00:00Z", day).startswith("today, ")
    assert clock_time("no moment") == changed_when("") == ""
    assert shortened("a\n  b " + "c" * 100) == "a b " + "c" * 55 + "…"
