"""Rows that are left to a model: within their limits, in one piece, and accounted for whatever the model does."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from patience import PATIENCE
from scripted_model import Answer, ScriptedProvider, by_model, calls, goal, louder, model, says, worked
from studio_parts import BASS, PAD, Ran, Studio, a_song, step

from agent.conversation.messages import ModelTurn, ResultsTurn, UserTurn
from agent.plan.ledger import StepState
from agent.providers.errors import ProviderError
from agent.providers.provider import Reply, Usage
from agent.session.cancellation import Cancellation
from agent.session.events import ModelUsed, StepFailed, SubStepDone
from agent.session.gathering import approved, gathered_edits
from agent.session.spending import Spending
from agent.session.tool_loop import MAX_TURNS
from agent.song.apply import apply_all
from agent.song.locks import BarsLock, Lock, TrackLock
from agent.song.revision import song_revision

SET_TEMPO = step("t", "set_tempo", {"bpm": 77})


def volume(ran: Ran, track: str = PAD) -> float:
    return ran.studio.song.track(track).volume_db


def volumes_back_and_forth() -> tuple[Reply, ...]:
    return tuple(calls(louder(volume=-float(turn))) for turn in range(1, 40))


@pytest.mark.semantics("12.2")
def test_edits_that_are_accepted_in_advance_reach_the_song_in_one_commit() -> None:
    ran = by_model(calls(louder(volume=-3), louder(volume=-4)), calls(louder(volume=-5)), says("Softer now."))
    assert ran.states == ["done"]
    assert volume(ran) == -5
    result = ran["g"].result
    assert (result["edits"], result["finished"], result["words"]) == (3, True, "Softer now.")
    assert [(one["number"], one["tool"], one["ok"]) for one in result["calls"]] == [
        (1, "update_track", True), (2, "update_track", True), (3, "update_track", True),
    ]
    kinds = ran.studio.kinds("g")
    assert kinds == ["StepStarted", "SubStepDone", "SubStepDone", "SubStepDone", "ModelUsed", "StepDone"]


@pytest.mark.semantics("12.2")
def test_edits_that_are_not_accepted_wait_and_stop_the_run() -> None:
    ran = by_model(calls(louder()), says(), row=goal(accept=False), after=[SET_TEMPO])
    assert ran.states == ["needs_review", "not_run"]
    assert ran.ledger.balanced
    assert ran["g"].reason == "ready for your approval: 1 edit"
    assert ran.studio.song is a_song()
    ghost = apply_all(a_song(), gathered_edits(ran["g"]))
    assert ghost.track(PAD).volume_db == -3


def test_what_waits_is_committed_exactly_once_when_it_is_approved() -> None:
    first = by_model(calls(louder()), says(), row=goal(accept=False), after=[SET_TEMPO])
    row = approved(first["g"], song_revision(first.studio.song))
    nobody = ScriptedProvider(AssertionError("asked again"))
    again = asyncio.run(worked(model(nobody, ""), goal(accept=False), SET_TEMPO, past=[row]))
    assert again.states == ["done", "done"]
    assert volume(again) == -3
    assert "gathered" not in again["g"].result
    assert nobody.queries == []
    third = asyncio.run(worked(None, goal(accept=False), SET_TEMPO, past=again.reports, studio=again.studio))
    assert third.studio is again.studio
    assert third.states == ["done", "done"]
    assert len([event for event in third.studio.events if type(event).__name__ == "StepDone"]) == 2


@pytest.mark.parametrize("changed", ["song", "edits"])
@pytest.mark.semantics("12.3")
def test_an_approval_holds_for_its_song_and_its_edits_alone(changed: str) -> None:
    first = by_model(calls(louder()), says(), row=goal(accept=False))
    row = approved(first["g"], song_revision(a_song()))
    studio = Studio(a_song())
    if changed == "song":
        studio.song = apply_all(a_song(), gathered_edits(first["g"]))
    else:
        row.result["gathered"][0]["volume_db"] = 5.0
    before = studio.song
    ran = asyncio.run(worked(None, goal(accept=False), past=[row], studio=studio))
    assert ran.states == ["needs_review"]
    assert ran.studio.song is before


def test_the_model_sees_goal_limits_song_and_only_tools_of_the_goal_and_those_that_read() -> None:
    provider = ScriptedProvider(calls(louder()), says())
    asyncio.run(worked(model(provider, "the prompt"), goal(words="softer pads"), locks=(TrackLock(BASS),)))
    query = provider.queries[0]
    assert query.system == "the prompt"
    assert isinstance(query.turns[0], UserTurn)
    for words in ("softer pads", "tpad", "At most 5 edits", "track Bass", "120 BPM"):
        assert words in query.turns[0].text
    names = {offer.name for offer in query.tools}
    assert names >= {"update_track", "get_track"}
    assert not names & {"delete_track", "work_on", "render", "create_track"}


def test_results_of_ten_calls_at_once_come_back_in_their_order() -> None:
    wanted = [louder(volume=-float(n)) if n % 2 else ("get_track", {"track_id": "tgone" if n == 4 else "tpad"})
              for n in range(10)]
    reply = calls(*wanted)
    provider = ScriptedProvider(reply, says())
    ran = asyncio.run(worked(model(provider, ""), goal()))
    assert ran.states == ["done"]
    assert [result.id for result in provider.results] == [call.id for call in reply.calls]
    assert [result.failed for result in provider.results] == [n == 4 for n in range(10)]
    assert [one["inputs"] for one in ran["g"].result["calls"]] == [inputs for _, inputs in wanted]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("nope", {}), "no tool called 'nope'"),
        (("delete_track", {"track_id": "tpad"}), "not approved"),
        (("work_on", {"tools": ["delete_track"]}), "not approved"),
        (louder("tbass"), "Bass (tbass)"),
        (louder("tgone"), "no track"),
        (louder("{{s1.track_id}}"), "no track"),
        (("update_track", {"track_id": "tpad", "volume": -3}), "volume is unknown"),
        (("update_track", {"track_id": "tpad", "volume_db": "-3"}), "must be a number"),
        (("update_track", {"track_id": "tpad", "volume_db": float("nan")}), "volume_db"),
        (("update_track", {"track_id": "tpad", "name": "\ud800"}), "cannot be kept"),
        (("\ud800", {}), "no tool called"),
        (("update_track", {}), "track_id is missing"),
    ],
)
@pytest.mark.semantics("12.1")
def test_a_call_outside_of_the_limits_is_told_to_the_model_and_never_carried_out(call: Any, said: str) -> None:
    provider = ScriptedProvider(calls(call), says(), says())
    ran = asyncio.run(worked(model(provider, ""), goal()))
    assert ran.states == ["failed"]
    assert ran.studio.song is a_song()
    [result] = provider.results
    assert result.failed
    assert said in result.text
    [told] = [event for event in ran.studio.events if isinstance(event, SubStepDone)]
    assert (told.ok, told.number) == (False, 1)


def test_no_tool_reaches_another_track_in_a_way_of_its_own() -> None:
    row = goal(tools=("modify_clip", "delete_clip", "add_effect", "duplicate_clip"), tracks=("tpad",))
    provider = ScriptedProvider(
        calls(
            ("modify_clip", {"clip_id": "cchords", "to_track_id": "tbass"}),
            ("delete_clip", {"clip_id": "criff"}),
            ("duplicate_clip", {"clip_id": "cchords", "to_track_id": "tdrums"}),
            ("add_effect", {"track_id": "master", "effect_name": "reverb"}),
        ),
        says(),
    )
    ran = asyncio.run(worked(model(provider, ""), row))
    assert [result.failed for result in provider.results] == [True] * 4
    assert ran.states == ["failed"]


def test_a_goal_may_change_the_tracks_that_it_makes_and_the_master_if_it_is_named() -> None:
    row = goal(tools=("create_track", "update_track", "add_effect"), tracks=("master",))
    made = calls(("create_track", {"name": "Air", "instrument": "pad_warm"}))
    provider = ScriptedProvider(
        made,
        lambda query: calls(louder(_made_in(query))),
        calls(("add_effect", {"track_id": "master", "effect_name": "reverb"}), louder("tpad")),
        says(),
    )
    ran = asyncio.run(worked(model(provider, ""), row))
    assert ran.states == ["done"]
    assert [track.volume_db for track in ran.studio.song.tracks if track.name == "Air"] == [-3]
    assert len(ran.studio.song.master_effects) == 1
    assert [one["ok"] for one in ran["g"].result["calls"]] == [True, True, True, False]


def _made_in(query: Any) -> str:
    [*_, last] = [turn for turn in query.turns if isinstance(turn, ResultsTurn)]
    return last.results[0].text.split('"')[3]


def test_things_that_two_calls_make_are_two_things_and_the_same_ones_after_a_retry() -> None:
    make = [("create_track", {"name": name, "instrument": "pad_warm"}) for name in ("Air", "Fog")]
    row = goal(tools=("create_track",))
    ran = by_model(calls(*make), says(), row=row)
    assert [track.name for track in ran.studio.song.tracks[-2:]] == ["Air", "Fog"]
    assert by_model(calls(make[0]), calls(make[1]), says(), row=row).studio.song == ran.studio.song


def test_two_calls_of_one_id_are_one_call() -> None:
    both = calls(louder(volume=-3), louder(volume=-6))
    ran = by_model(replace(both, calls=tuple(replace(call, id="same") for call in both.calls)), says())
    assert ran["g"].result["edits"] == 1
    assert volume(ran) == -3


def test_what_a_tool_answers_is_told_to_the_model_and_not_kept() -> None:
    provider = ScriptedProvider(calls(("get_track", {"track_id": "tpad"}), louder()), says())
    ran = asyncio.run(worked(model(provider), goal()))
    assert '"Chords"' in provider.results[0].text
    assert ran["g"].result["calls"][0]["result"] is None


@pytest.mark.parametrize("lock", [TrackLock(PAD), BarsLock(5, 6)])
def test_a_lock_holds_also_within_a_goal(lock: Lock) -> None:
    move = ("modify_clip", {"clip_id": "cchords", "start_time": 20})
    ran = by_model(calls(move), says(), row=goal(tools=("modify_clip",)), locks=(lock,))
    assert ran.states == ["failed"]
    assert "locked" in ran["g"].result["calls"][0]["reason"]
    assert ran.studio.song is a_song()


@pytest.mark.semantics("12.1")
def test_edits_over_the_limit_are_refused_and_those_below_it_stay() -> None:
    ran = by_model(calls(*(louder(volume=-float(n)) for n in range(1, 9))), says(), row=goal(max_edits=3))
    assert ran.states == ["done"]
    assert ran["g"].result["edits"] == 3
    assert volume(ran) == -3
    assert [one["ok"] for one in ran["g"].result["calls"]] == [True] * 3 + [False] * 5


def test_a_model_that_makes_one_call_for_each_turn_ends_after_ten_and_its_edits_wait() -> None:
    provider = ScriptedProvider(*volumes_back_and_forth())
    ran = asyncio.run(worked(model(provider, ""), goal(max_edits=200)))
    assert len(provider.queries) == MAX_TURNS
    assert ran.states == ["needs_review"]
    assert "10 turns" in ran["g"].reason
    assert len(gathered_edits(ran["g"])) == MAX_TURNS
    assert not ran["g"].result["finished"]
    assert ran.studio.song is a_song()


@pytest.mark.parametrize("call", [("get_song", {}), ("nope", {}), louder("tbass"), ("get_track", {"track_id": "tpad"})])
def test_the_same_call_for_ever_is_warned_once_and_then_stopped(call: Any) -> None:
    provider = ScriptedProvider(lambda _: calls(call))
    ran = asyncio.run(worked(model(provider, ""), goal()))
    assert ran.states == ["failed"]
    assert "repeated" in ran["g"].reason
    assert len(provider.queries) == 3
    assert "before, with the same result" in provider.results[0].text


def test_the_same_edit_for_ever_is_stopped_too() -> None:
    make = ("create_track", {"name": "Air", "instrument": "pad_warm"})
    ran = by_model(lambda _: calls(make, make, make), row=goal(tools=("create_track",), max_edits=200))
    assert ran.states == ["needs_review"]
    assert "repeated" in ran["g"].reason


def test_a_model_that_ends_early_is_asked_once_and_then_believed() -> None:
    provider = ScriptedProvider(says("I would make it softer."), calls(louder()), says())
    assert asyncio.run(worked(model(provider, ""), goal())).states == ["done"]
    ran = by_model(says("I cannot."))
    assert ran.states == ["failed"]
    assert ran["g"].reason == "nothing was changed: I cannot."


def test_nothing_of_a_reply_that_was_cut_is_carried_out() -> None:
    cut = Reply("I will now", "length", usage=Usage(1, 1, calls=1))
    provider = ScriptedProvider(cut, calls(louder()), says())
    ran = asyncio.run(worked(model(provider, ""), goal()))
    assert ran.states == ["done"]
    assert provider.queries[1].turns[1:] == (ModelTurn("I will now"), provider.queries[1].turns[2])
    assert "cut off" in provider.queries[1].turns[2].text  # type: ignore[union-attr]
    always = ScriptedProvider(cut)
    assert asyncio.run(worked(model(always, ""), goal())).states == ["failed"]
    assert len(always.queries) == MAX_TURNS


def test_calls_that_cannot_be_read_are_sent_back_twice() -> None:
    provider = ScriptedProvider(calls(bad=["update_track"]), calls(bad=["update_track"]), calls(louder()), says())
    ran = asyncio.run(worked(model(provider, ""), goal()))
    assert ran.states == ["done"]
    assert [one["ok"] for one in ran["g"].result["calls"]] == [False, False, True]
    for query in provider.queries[1:3]:
        assert isinstance(query.turns[-1], ResultsTurn)
        assert query.turns[-1].results[0].failed
    ran = by_model(calls(bad=["update_track"]))
    assert ran.states == ["failed"]
    assert "cannot be read" in ran["g"].reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Reply("I will not.", "refused"), "the model refused: I will not."),
        (ProviderError("rate_limit", "scripted is too busy", why="429"), "scripted is too busy (429)"),
        (ProviderError("cap", "the cap of this run is reached"), "the cap of this run is reached"),
        (RuntimeError("a bug\nwith lines"), "scripted broke: RuntimeError: a bug with lines"),
    ],
)
def test_a_refusal_or_a_failing_provider_fails_the_row_and_keeps_nothing(answer: Answer, reason: str) -> None:
    ran = by_model(calls(louder()), answer, after=[SET_TEMPO])
    assert ran.states == ["failed", "not_run"]
    assert ran["g"].reason == reason
    assert ran.studio.song is a_song()
    assert gathered_edits(ran["g"]) == ()
    assert ran["g"].result["edits"] == 1


def test_a_stream_without_an_end_is_no_reply() -> None:
    class Silent(ScriptedProvider):
        async def reply(self, query: Any) -> Any:
            self.queries.append(query)
            return
            yield

    ran = asyncio.run(worked(model(Silent(says()), ""), goal()))
    assert (ran.states, ran["g"].reason) == (["failed"], "scripted gave no whole reply")


def test_a_pause_goes_on_with_the_next_turn() -> None:
    provider = ScriptedProvider(Reply("Let me think", "paused", kept=({"type": "thinking"},)), calls(louder()), says())
    assert asyncio.run(worked(model(provider, ""), goal())).states == ["done"]
    assert provider.queries[1].turns[-1] == ModelTurn("Let me think", (), ({"type": "thinking"},))


def test_a_cancel_breaks_a_call_of_the_model_off_and_leaves_nothing() -> None:
    provider = ScriptedProvider(calls(louder()), says(), seconds=0.2)
    slow = ScriptedProvider(calls(louder()), says(), seconds=60)
    for one in (provider, slow):
        cancellation = Cancellation()

        async def story(one: ScriptedProvider = one, cancellation: Cancellation = cancellation) -> Ran:
            running = asyncio.create_task(worked(model(one, ""), goal(), SET_TEMPO, cancellation=cancellation))
            await asyncio.sleep(0.3)
            cancellation.cancel()
            return await asyncio.wait_for(running, PATIENCE)

        ran = asyncio.run(story())
        assert ran.states == ["not_run", "not_run"]
        assert ran["g"].reason == "cancelled"
        assert ran.studio.song is a_song()
        assert one.open == 0


def test_a_cancel_between_two_calls_of_one_turn_stops_before_the_next() -> None:
    cancellation = Cancellation()

    class Noticing(Studio):
        async def note(self, report: Any) -> None:
            await super().note(report)
            if any(isinstance(event, SubStepDone) for event in report.events):
                cancellation.cancel()

    ran = by_model(
        calls(louder(), louder(volume=-4)), says(), studio=Noticing(a_song()), cancellation=cancellation
    )
    assert ran.states == ["not_run"]
    assert len([event for event in ran.studio.events if isinstance(event, SubStepDone)]) == 1


def test_a_goal_that_takes_too_long_fails() -> None:
    slow = ScriptedProvider(calls(louder()), says(), seconds=60)
    ran = asyncio.run(worked(model(slow, ""), goal(timeout=0.05)))
    assert (ran.states, ran["g"].reason) == (["failed"], "scripted took longer than 0.05 s")


def test_a_fault_of_the_store_ends_the_run_and_commits_nothing() -> None:
    studio = Studio(a_song())
    studio.fails_at = 3
    with pytest.raises(Exception, match="disk is full"):
        by_model(calls(louder()), says(), studio=studio)
    assert studio.song is a_song()
    assert studio.rows == {}


def test_a_song_that_moved_under_the_goal_needs_a_person() -> None:
    studio = Studio(a_song())
    studio.someone_else_commits_before = "g"
    ran = by_model(calls(louder()), says(), studio=studio)
    assert ran.states == ["needs_review"]
    assert ran.studio.song is a_song()


def test_usage_and_cost_add_up_and_are_told() -> None:
    spending = Spending()
    worker = model(ScriptedProvider(calls(louder()), says()), "", lambda used: used.total / 1000)
    ran = asyncio.run(worked(worker, goal(), spending=spending))
    assert (spending.usage.total, spending.usage.calls) == (22, 2)
    assert spending.cost == pytest.approx(0.022)
    assert [event.tokens for event in ran.studio.events if isinstance(event, ModelUsed)] == [22]
    assert by_model(ProviderError("network", "gone")).states == ["failed"]


def test_a_goal_that_needs_a_track_takes_it_from_a_row_before_it() -> None:
    made = step("s1", "create_track", {"name": "Keys", "instrument": "pad_warm"})
    row = goal(tracks=("{{s1.track_id}}",))

    def softer(query: Any) -> Reply:
        [name] = [word for word in query.turns[0].text.split() if word.startswith("t") and word.endswith(";")]
        return calls(louder(name.rstrip(";")))

    provider = ScriptedProvider(softer, says())
    ran = asyncio.run(worked(model(provider, ""), made, row))
    assert ran.states == ["done", "done"]
    assert [track.volume_db for track in ran.studio.song.tracks if track.name == "Keys"] == [-3]


def test_without_anyone_to_work_on_it_a_goal_fails() -> None:
    ran = asyncio.run(worked(None, goal()))
    assert ran.states == ["failed"]
    assert "none is at hand" in ran["g"].reason


_CALLS = st.one_of(
    st.builds(louder, st.sampled_from(["tpad", "tbass", "tgone"]), st.integers(-20, 0).map(float)),
    st.sampled_from([
        ("get_song", {}), ("nope", {}), ("set_tempo", {"bpm": 90}), ("set_tempo", {"bpm": -1}),
        ("delete_track", {"track_id": "tbass"}), ("create_track", {"name": "A", "instrument": "pad_warm"}),
        ("create_track", {"name": "A", "instrument": "nope"}), ("delete_clip", {"clip_id": "cchords"}),
    ]),
)
_REPLIES: st.SearchStrategy[Answer] = st.one_of(
    st.builds(
        lambda wanted, bad: calls(*wanted, bad=bad) if wanted or bad else says(),
        st.lists(_CALLS, max_size=10), st.lists(st.just("update_track"), max_size=2),
    ),
    st.sampled_from([
        says(), says(""), Reply("", "length"), Reply("x", "context"), Reply("", "refused"), Reply("", "paused"),
        ProviderError("network", "gone"), ValueError("a bug"),
    ]),
)


@settings(max_examples=examples(60))
@given(
    st.lists(_REPLIES, min_size=1, max_size=12), st.booleans(), st.integers(1, 6),
    st.sampled_from([("update_track",), ("update_track", "create_track", "set_tempo"), ("delete_clip",)]),
)
def test_whatever_the_model_does_the_ledger_balances_and_the_limits_hold(
    answers: list[Answer], accept: bool, max_edits: int, tools: tuple[str, ...]
) -> None:
    provider = ScriptedProvider(*answers)
    row = goal(accept=accept, max_edits=max_edits, tools=tools)
    ran = asyncio.run(worked(model(provider, ""), row, step("after", "get_song")))
    assert ran.ledger.balanced
    assert len(provider.queries) <= MAX_TURNS
    for query in provider.queries:
        _refuse_dangling(query.turns)
    before, after = a_song(), ran.studio.song
    assert after.track(BASS) == before.track(BASS)
    state, edits = ran["g"].state, gathered_edits(ran["g"])
    assert state in (StepState.DONE, StepState.FAILED, StepState.NEEDS_REVIEW)
    assert (after != before) <= (state is StepState.DONE and accept)
    assert bool(edits) == (state is StepState.NEEDS_REVIEW)
    assert len(edits) <= max_edits
    assert ran["g"].result["edits"] <= max_edits
    assert all(one["tool"] in tools for one in ran["g"].result["calls"] if one["ok"] and one["tool"] != "get_song")
    assert state is StepState.DONE or any(isinstance(event, StepFailed) for event in ran.studio.events)


def _refuse_dangling(turns: Any) -> None:
    for turn, following in zip(turns, (*turns[1:], None), strict=True):
        if isinstance(turn, ModelTurn) and turn.calls:
            assert isinstance(following, ResultsTurn)
            assert [result.id for result in following.results] == [call.id for call in turn.calls]
