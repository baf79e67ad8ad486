"""A request that asks for several things is planned in parts, and its plan is one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import aclosing

import pytest
from asking import provider_at
from model_plans import (
    Scripted,
    a_brief,
    in_process,
    many_rows,
    over_the_wire,
    pad_rows,
    planned,
    row,
    the_prompts,
    the_registry,
    written,
)
from model_server import FORMS, Answer, Asked, Cut, Fails, Form, ModelServer, Stall, Text, model_server
from model_wire_script import words
from patience import PATIENCE

from agent.conversation.messages import UserTurn
from agent.model_planner.planner import ModelPlanner
from agent.model_planner.rounds.errors import NoPlan
from agent.model_planner.rounds.merging import merged, prefixed_draft
from agent.model_planner.rounds.splitting import RequestPart, may_have_parts, numbered_parts, parts_by_rule, read_parts
from agent.plan.plan import Draft, Step, When
from agent.plan.planning import StepProposed, StepsWithdrawn
from agent.providers.errors import ProviderError
from agent.providers.provider import Abilities, Query, Reply
from agent.song.song import Song

LIST = "1. a slow pad 2. a round bass 3. a bright lead"
SOUNDS = {"pad": "pad_warm", "bass": "bass_finger", "lead": "lead_saw"}


def part_of(words: str) -> str:
    """Which of the sounds the part's own request names: the last block of the turn."""
    own = words.rsplit("<request>", 1)[1]
    return next(sound for sound in SOUNDS if sound in own)


def by_part(query: Query) -> str:
    """What a model answers that is asked for one part."""
    turn = query.turns[0]
    assert isinstance(turn, UserTurn)
    sound = part_of(turn.text)
    return written(pad_rows(8, SOUNDS[sound], sound.title()), understood=[sound])


@pytest.mark.parametrize(
    ("request_", "parts"),
    [
        ("1. drums 2. bass", ("drums", "bass")),
        ("I want:\n1. drums\n2. bass\n\n3. a lead", ("drums", "bass", "a lead")),
        ("Generate 1. kick 2. snare pattern 3. hihat pattern", ("kick", "snare pattern", "hihat pattern")),
        ("please:\n1) warm pad\n2) bass", ("warm pad", "bass")),
        ("make it 1.5 times faster", ()),
        ("bars 1-8 in 3/4, key no. 2", ()),
        ("compose a calm piece", ()),
        ("2. bass 1. drums", ()),
    ],
)
def test_numbered_lists_are_parts(request_: str, parts: tuple[str, ...]) -> None:
    assert tuple(part.title for part in numbered_parts(request_)) == parts


def test_words_before_a_list_hold_for_all_its_items() -> None:
    requests = [part.request for part in numbered_parts("in D minor: 1. pad 2. bass")]
    assert requests == ["in D minor: pad", "in D minor: bass"]


@pytest.mark.parametrize(
    ("request_", "parts"),
    [
        ("Generate drums AND bass AND melody", ("Generate drums", "bass", "melody")),
        ("a fanfare AND a dirge", ("a fanfare", "a dirge")),
        ("drums and bass and melody", ()),
        ("MAKE THE DRUMS LOUD AND THE BASS LOUDER", ()),
        ("something between bar 4 AND bar 8", ()),
        ("both the pad AND the lead an octave up", ()),
        ("AND", ()),
        ("drums AND ", ()),
        ("a BAND of SAND", ()),
    ],
)
def test_and_in_capitals_joins_parts(request_: str, parts: tuple[str, ...]) -> None:
    assert tuple(part.title for part in parts_by_rule(request_, 5)) == parts


def test_each_part_is_a_stretch_of_the_request() -> None:
    for request_ in ("Generate drums AND bass  AND melody.", "in D: 1. a pad 2. a pad, 3) bass", "1. x AND y 2. z"):
        for part in parts_by_rule(request_, 5):
            assert part.request.endswith(request_[part.start : part.end])


def test_of_more_than_five_parts_neighbours_are_planned_together() -> None:
    parts = parts_by_rule(" ".join(f"{number}. thing {number}" for number in range(1, 13)), 5)
    assert [part.request.count("thing") for part in parts] == [2, 2, 3, 2, 3]
    assert "thing 12" in parts[-1].request


@pytest.mark.parametrize(
    ("request_", "several"),
    [
        ("add a slow pad and then a piano melody", True),
        ("Add a busy bassline. The drums should get fills. Put reverb on the pad.", True),
        ("Recompose this sequence to be more ambient and atmospheric", False),
        ("make the drums softer, and then make the drums slower", False),
        ("a lofi beat at 80 bpm", False),
    ],
)
def test_the_model_is_asked_only_where_there_may_be_parts(request_: str, several: bool) -> None:
    assert may_have_parts(request_) is several


def test_the_parts_of_an_answer_are_read_or_none() -> None:
    answer = '```json\n{"parts": [{"title": "Drums", "request": "drums"}, {"title": "", "request": "bass"}]}\n```'
    assert read_parts(answer, 5) == (RequestPart("Drums", "drums"), RequestPart("Part 2", "bass"))
    for bad in ("", "no parts", '{"parts": []}', '{"parts": 3}', '{"parts": [{"title": "x", "request": "all"}]}', "}{"):
        assert read_parts(bad, 5) == ()
    assert read_parts(json.dumps({"parts": [{"title": "x", "request": "y"}] * 6}), 5) == ()


def test_parts_are_planned_and_merged_with_groups_and_own_ids() -> None:
    provider = Scripted(by_part)
    [result] = in_process(provider, a_brief(LIST, song=Song()))
    assert [step.id for step in result.draft.steps] == ["p1_s1", "p1_s2", "p2_s1", "p2_s2", "p3_s1", "p3_s2"]
    assert [step.group for step in result.draft.steps] == [
        "a slow pad", "a slow pad", "a round bass", "a round bass", "a bright lead", "a bright lead",
    ]
    assert [step.inputs.get("track_id") for step in result.draft.steps][1::2] == [
        "{{p1_s1.track_id}}", "{{p2_s1.track_id}}", "{{p3_s1.track_id}}",
    ]
    assert result.draft.understood == ("pad", "bass", "lead")
    assert sorted(step.id for step in result.shown) == sorted(step.id for step in result.draft.steps)
    assert len(provider.queries) == 3


def test_parts_are_planned_at_the_same_time() -> None:
    together = asyncio.Barrier(3)

    class Waiting(Scripted):
        async def reply(self, query: Query):  # type: ignore[no-untyped-def, override]
            async with asyncio.timeout(PATIENCE):
                await together.wait()
            async for event in super().reply(query):
                yield event

    [result] = in_process(Waiting(by_part), a_brief(LIST, song=Song()))
    assert len(result.draft.steps) == 6


def test_a_sentence_that_may_have_parts_is_split_by_the_model() -> None:
    parts = {"parts": [{"title": "Pad", "request": "a slow pad"}, {"title": "Bass", "request": "a round bass"}]}

    def script(asked: Asked) -> Answer:
        if "several things" in asked.last_words:
            return Text(json.dumps(parts))
        return Text(written(pad_rows(8, SOUNDS[part_of(asked.last_words)], part_of(asked.last_words))))

    [result], server = over_the_wire(script, a_brief("a slow pad and then a round bass", song=Song()))
    assert {step.group for step in result.draft.steps} == {"Pad", "Bass"}
    assert len(server.requests) == 3


def test_a_request_that_the_model_finds_one_is_planned_whole() -> None:
    provider = Scripted(['{"parts": []}', written(pad_rows(8))])
    [result] = in_process(provider, a_brief("a slow pad and then a round bass", song=Song()))
    assert [step.id for step in result.draft.steps] == ["s1", "s2"]


def failing_bass(*failures: Answer) -> Callable[[Asked], Answer]:
    """A server that answers every part, but the bass by these failures first."""
    left = list(failures)

    def script(asked: Asked) -> Answer:
        sound = asked_part(asked)
        if sound == "bass" and left:
            return left.pop(0)
        return Text(written(pad_rows(8, SOUNDS[sound], sound.title()), understood=[sound]))

    return script


def asked_part(asked: Asked) -> str:
    return part_of(next(words(one["content"]) for one in asked.messages if one["role"] == "user"))


def asked_for(server: ModelServer) -> list[str]:
    return [asked_part(asked) for asked in server.requests]


WHOLE = Text(written(pad_rows(8)))
RUBBISH = Text("Sorry, I am only a poet.")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("failure", [RUBBISH, Cut(WHOLE, 200, "reset"), Fails(529, "overloaded")])
def test_a_part_that_fails_is_asked_again_alone(form: Form, failure: Answer) -> None:
    [result], server = over_the_wire(failing_bass(failure), a_brief(LIST, song=Song()), form=form)
    assert sorted(asked_for(server)) == ["bass", "bass", "lead", "pad"]
    assert asked_for(server)[-1] == "bass"
    assert [step.id for step in result.draft.steps] == ["p1_s1", "p1_s2", "p2_s1", "p2_s2", "p3_s1", "p3_s2"]
    assert sorted(step.id for step in result.shown) == [step.id for step in result.draft.steps]
    assert result.draft.clauses == ()


@pytest.mark.parametrize("form", FORMS)
def test_a_part_that_fails_twice_is_told_and_the_others_stand(form: Form) -> None:
    script = failing_bass(*[RUBBISH] * 9)
    [result], server = over_the_wire(script, a_brief(LIST, song=Song()), form=form)
    assert asked_for(server).count("bass") == 2
    assert [step.id for step in result.draft.steps] == ["p1_s1", "p1_s2", "p3_s1", "p3_s2"]
    [told] = result.draft.clauses
    assert (LIST[told.start : told.end], told.outcome) == ("a round bass", "told")
    assert "only a poet" in told.reason
    assert "a round bass" in result.draft.ignored[0]
    assert sorted(step.id for step in result.shown) == [step.id for step in result.draft.steps]


def test_a_part_that_cannot_be_read_is_not_asked_for_without_end() -> None:
    script = failing_bass(*[Text('{"steps": [{"title": "no tool"}]}')] * 99)
    [result], server = over_the_wire(script, a_brief(LIST, song=Song()))
    assert asked_for(server).count("bass") == 5
    assert len(result.draft.steps) == 4


def test_a_part_that_the_key_does_not_allow_is_not_asked_again() -> None:
    [result], server = over_the_wire(failing_bass(*[Fails(403, "not you")] * 9), a_brief(LIST, song=Song()))
    assert asked_for(server).count("bass") == 1
    assert len(result.draft.steps) == 4


def test_rows_of_a_part_that_breaks_off_are_void_and_those_of_the_others_stay() -> None:
    long = Text(written(many_rows(14)))
    script = failing_bass(*[Cut(long, len(long.text) // 2, "reset")] * 9)
    [result], _ = over_the_wire(script, a_brief(LIST, song=Song()))
    assert {step.id for step in result.shown} == {"p1_s1", "p1_s2", "p3_s1", "p3_s2"}


def test_where_every_part_fails_the_first_failure_is_raised_and_named() -> None:
    with pytest.raises(NoPlan, match="part 'a slow pad': the model refused"):
        in_process(Scripted(lambda _: Reply("I will not.", "refused")), a_brief(LIST, song=Song()))


def test_a_planning_that_is_stopped_while_one_of_three_runs_leaves_nothing_behind() -> None:
    async def journey(server: ModelServer) -> bool:
        provider = provider_at("anthropic", server.url("anthropic"))
        before, stuck = asyncio.all_tasks(), asyncio.Event()

        async def watch() -> None:
            shown = 0
            async with aclosing(ModelPlanner(provider, the_prompts(), the_registry()).plan(
                a_brief(LIST, song=Song())
            )) as events:
                async for event in events:
                    shown += isinstance(event, StepProposed)
                    if shown == 4:
                        stuck.set()

        task = asyncio.create_task(watch())
        try:
            async with asyncio.timeout(PATIENCE):
                await stuck.wait()
                task.cancel()
                await asyncio.wait([task])
            waiting = next(asked for asked in server.requests if asked_part(asked) == "bass")
            return task.cancelled() and await asyncio.to_thread(waiting.left.wait, PATIENCE) \
                and asyncio.all_tasks() == before
        finally:
            await provider.close()

    with model_server(failing_bass(Stall(WHOLE, 0)), size=97) as server:
        assert asyncio.run(journey(server))


def test_a_part_that_begins_anew_leaves_the_rows_of_the_others_on_show() -> None:
    tried: list[str] = []

    def script(query: Query) -> str:
        if "bass" not in _own(query):
            return by_part(query)
        tried.append(_own(query))
        rows = pad_rows(8, "bass_finger", "Bass")
        return written([*rows, {"title": "no tool"}] if len(tried) == 1 else rows)

    [result] = in_process(Scripted(script, size=5_000), a_brief("1. a pad 2. a bass", song=Song()))
    assert any(isinstance(event, StepsWithdrawn) for event in result.events)
    assert sorted(step.id for step in result.shown) == ["p1_s1", "p1_s2", "p2_s1", "p2_s2"]


def test_the_fault_of_a_server_keeps_its_kind_in_a_part() -> None:
    with pytest.raises(ProviderError, match="part '") as caught:
        over_the_wire(Fails(401, "no"), a_brief(LIST))
    assert caught.value.fault == "authentication"


def _own(query: Query) -> str:
    turn = query.turns[0]
    assert isinstance(turn, UserTurn)
    return turn.text.rsplit("<request>", 1)[1]


def test_planning_in_parts_can_be_left_at_any_row() -> None:
    async def leave() -> list[str]:
        planner = ModelPlanner(Scripted(by_part), the_prompts(), the_registry())
        async with aclosing(planner.plan(a_brief(LIST, song=Song()))) as events:
            async for event in events:
                if isinstance(event, StepProposed):
                    break
        left = [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert len((await planned(planner, a_brief(LIST, song=Song()))).draft.steps) == 6
        return left

    assert asyncio.run(leave()) == []


def test_small_models_plan_part_after_part_and_are_told_the_rows_before() -> None:
    provider = Scripted(by_part, Abilities(context=8_192))
    in_process(provider, a_brief(LIST, song=Song()))
    told = [turn.text for query in provider.queries if isinstance(turn := query.turns[0], UserTurn)]
    assert "none yet" in told[0]
    assert 'p1_s1: create_track create_track s1' in told[1]
    assert "p2_s1" in told[2]


def test_a_track_that_two_parts_create_is_created_once() -> None:
    first = (Step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm", "volume_db": -6}),)
    second = (
        Step("s1", "create_track", {"name": "pad ", "instrument": "pad_warm"}),
        Step("s2", "add_effect", {"track_id": "{{s1.track_id}}", "effect_name": "reverb"}, after=("s1",)),
        Step("s3", "create_track", {"name": "Pad", "instrument": "pad_halo"}),
    )
    drafts = [prefixed_draft(Draft(first), 1), prefixed_draft(Draft(second), 2)]
    one = merged([RequestPart("A", "a"), RequestPart("B", "b")], drafts)
    assert [step.id for step in one.steps] == ["p1_s1", "p2_s2", "p2_s3"]
    assert one.steps[1].inputs["track_id"] == "{{p1_s1.track_id}}"
    assert one.steps[1].after == ("p1_s1",)
    assert "left out" in one.normalised[0]


def test_new_ids_reach_every_reference_and_never_clash() -> None:
    long = "s" * 31
    steps = (
        Step(long + "a", "find_tracks", {}),
        Step(long + "b", "find_tracks", {"name": "s1"}),
        Step("s1", "update_track", {"track_id": "{{item.track_id}}", "name": f"of {{{{ {long}a.items[0].name }}}}"},
             for_each="{{" + long + "a.items}}", when=When("{{" + long + "b.items}}", "not_empty")),
    )
    made = prefixed_draft(Draft(steps), 3).steps
    ids = [step.id for step in made]
    assert len(set(ids)) == 3
    assert all(len(one) <= 32 for one in ids)
    assert made[2].for_each == "{{" + ids[0] + ".items}}"
    assert made[2].when == When("{{" + ids[1] + ".items}}", "not_empty")
    assert made[2].inputs == {"track_id": "{{item.track_id}}", "name": f"of {{{{ {ids[0]}.items[0].name }}}}"}
    assert made[1].inputs == {"name": "s1"}


def test_the_same_tempo_in_two_parts_is_set_once() -> None:
    tempo = row("s1", "set_tempo", bpm=80)

    def script(query: Query) -> str:
        later = by_part(query).replace('"s2"', '"s3"').replace('"s1"', '"s2"').replace("{{s1.", "{{s2.")
        return written([tempo, *json.loads(later)["steps"]])

    [result] = in_process(Scripted(script), a_brief(LIST, song=Song()))
    assert [step.tool for step in result.draft.steps].count("set_tempo") == 1
