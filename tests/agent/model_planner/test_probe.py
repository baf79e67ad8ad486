"""Can this model plan? And what a small or badly set model is told and tells."""

from __future__ import annotations

import asyncio

import pytest
from asking import provider_at
from model_plans import Scripted, a_brief, in_process, over_the_wire, pad_rows, row, the_prompts, the_registry, written
from model_server import FORMS, Answer, Fails, Form, Text, Tokens, model_server
from studio_parts import the_palette

from agent.model_planner.probe import ProbeResult, can_plan
from agent.model_planner.rounds.errors import NoPlan
from agent.model_planner.rounds.limits import PlanningLimits
from agent.providers.errors import ProviderError
from agent.providers.provider import Abilities, Reply, Usage
from agent.song.song import Song

GOOD = [
    row("s1", "create_track", name="Piano", instrument="piano_grand"),
    row("s2", "create_midi_clip", track_id="{{s1.track_id}}", start_time=0, duration=4, notes=[
        {"n": pitch, "s": beat, "d": 1, "v": 70 + 8 * beat} for beat, pitch in enumerate((60, 64, 67, 72))
    ]),
]


def probed(answer: Answer | list[Answer], form: Form = "openai-chat") -> ProbeResult:
    async def probe(url: str) -> ProbeResult:
        provider = provider_at(form, url)
        try:
            return await can_plan(provider, the_prompts(), the_palette(), the_registry())
        finally:
            await provider.close()

    with model_server(answer, size=97) as server:
        return asyncio.run(asyncio.wait_for(probe(server.url(form)), 60))


@pytest.mark.parametrize("form", FORMS)
def test_a_model_that_can_plan_is_found_out(form: Form) -> None:
    result = probed(Text(written(GOOD), tokens=Tokens(4000, 200)), form)
    assert result == ProbeResult(True, (), Usage(4000, 200, calls=1))


def test_a_model_that_needs_another_try_can_plan_and_it_is_said() -> None:
    result = probed([Text('{"steps": [{"title": "?"}]}'), Text(written(GOOD))])
    assert result.ok
    assert "cannot be read" in " ".join(result.findings)


@pytest.mark.parametrize(
    ("answer", "finding"),
    [
        ("Here are some ideas for your song!", "without a plan"),
        ('{"steps": [{"title": "?"}]}', "cannot be read"),
        (written(GOOD[:1]), "0 notes instead of 4"),
        (written([row("s1", "set_tempo", bpm=90)]), "made no track"),
        (written([{**GOOD[0], "inputs": {"name": "Piano", "instrument": "piano_magic"}}, GOOD[1]]), "piano_magic"),
        (written([], question={"text": "Which?", "choices": []}), "asks back"),
    ],
)
def test_a_model_that_cannot_plan_is_found_out(answer: str, finding: str) -> None:
    result = probed(Text(answer))
    assert not result.ok
    assert finding in " ".join(result.findings)


def test_a_server_that_cannot_be_asked_is_no_verdict_on_the_model() -> None:
    with pytest.raises(ProviderError):
        probed(Fails(401, "no"))


def test_a_context_that_the_server_cut_silently_is_told() -> None:
    script = [Text(written(pad_rows(8)), tokens=Tokens(900, 50))]
    [result], _ = over_the_wire(script, a_brief(song=Song()), form="openai-chat")
    assert any("read only 900" in thought for thought in result.thoughts)


def test_an_answer_that_is_of_no_use_after_a_cut_context_says_how_to_mend_it() -> None:
    with pytest.raises(NoPlan) as caught:
        over_the_wire([Text("What would you like?", tokens=Tokens(900, 5))], a_brief(), form="openai-chat")
    assert "larger context" in caught.value.advice


def test_a_server_that_counts_all_or_nothing_is_not_suspected() -> None:
    for usage in (Usage(5_000, 10, calls=1), Usage(0, 10, calls=1), Usage(5, 10, calls=1, known=False)):
        provider = Scripted([Reply(written(pad_rows(8)), "end", usage=usage)])
        [result] = in_process(provider, a_brief(song=Song()))
        assert result.thoughts == []


def test_the_small_mode_can_be_chosen_and_keeps_to_8k() -> None:
    provider = Scripted([written(pad_rows(8))], Abilities())
    in_process(provider, a_brief("make the pad warmer"), small=True)
    [query] = provider.queries
    assert len(query.system) < 8_192 * 3 / 2
    assert query.max_tokens < 8_192


def test_a_small_model_is_asked_for_the_groups_of_a_new_piece_first() -> None:
    parts = '{"parts": [{"title": "Drums", "request": "drums"}, {"title": "Pad", "request": "a pad"}]}'
    provider = Scripted([parts, written(pad_rows(8)), written(pad_rows(8, name="Other"))], Abilities(context=8_192))
    [result] = in_process(provider, a_brief("compose a calm piece", song=Song()))
    assert [step.group for step in result.draft.steps] == ["Drums", "Drums", "Pad", "Pad"]


def test_the_window_is_what_is_set_then_what_is_said() -> None:
    assert PlanningLimits(context=9_000).window(200_000) == 9_000
    assert PlanningLimits().window(32_000) == 32_000
    assert PlanningLimits().window(None) == 100_000
    assert PlanningLimits(small=True).window(None) == 8_192
    assert PlanningLimits().is_small(16_384)
    assert not PlanningLimits().is_small(None)
    assert not PlanningLimits(small=False).is_small(8_192)
