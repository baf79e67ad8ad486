"""A model's proposal for a row that failed: checked like any other input, and never carried out by itself."""

from __future__ import annotations

import asyncio

import pytest
from scripted_model import Answer, ScriptedProvider, goal, says
from studio_parts import PAD, a_plan, a_registry, a_song, step

from agent.errors import BandleaderError
from agent.plan.errors import PlanError
from agent.providers.errors import ProviderError
from agent.providers.provider import Reply
from agent.session.repairing import Repair, propose_repair

PLAN = a_plan(
    step("s1", "create_track", {"name": "Keys", "instrument": "pad_warm"}),
    step("s2", "update_track", {"track_id": "tgone", "volume_db": -9}, title="Softer"),
    goal("s3"),
    request="softer pads",
)


def repaired(answer: Answer, row: str = "s2") -> tuple[Repair, ScriptedProvider]:
    provider = ScriptedProvider(answer)
    asked = propose_repair(provider, "mend it", PLAN, row, "there is no track 'tgone'", a_song(), a_registry())
    return asyncio.run(asked), provider


def test_a_repair_is_asked_for_with_all_that_is_known_and_comes_back_as_inputs() -> None:
    text = f'{{"track_id": "{PAD}", "volume_db": -9}}'
    repair, provider = repaired(says(text))
    assert (repair.step, repair.inputs) == ("s2", {"track_id": PAD, "volume_db": -9})
    assert repair.usage.total == 11
    [query] = provider.queries
    assert query.system == "mend it"
    assert query.tools == ()
    assert query.form is not None
    assert "volume_db" in query.form.schema["properties"]
    for words in ("softer pads", "there is no track 'tgone'", "Softer", "create_track", PAD):
        assert words in query.turns[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ['```json\n{"track_id": "{{s1.track_id}}"}\n```', '{"track_id": "{{s1.track_id}}"}'])
def test_an_answer_may_be_fenced_and_refer_to_earlier_rows(text: str) -> None:
    assert repaired(says(text))[0].inputs == {"track_id": "{{s1.track_id}}"}


@pytest.mark.parametrize(
    ("answer", "row", "what"),
    [
        (says("I would use the pad."), "s2", "cannot be read"),
        (says("[1]"), "s2", "cannot be read"),
        (says('{"track_id": "tpad"'), "s2", "cannot be read"),
        (says("{}"), "s2", "track_id is missing"),
        (says('{"track_id": "tpad", "volume_db": 900}'), "s2", "volume_db"),
        (says('{"track_id": "tpad", "exec": "rm"}'), "s2", "unknown"),
        (says('{"track_id": "tpad", "name": "sk-ant-a1b2c3d4a1b2c3d4a1b2c3d4"}'), "s2", "secret"),
        (says('{"track_id": "{{s3.calls}}"}'), "s2", "s3"),
        (says('{"track_id": "tgone", "volume_db": -9}'), "s2", "no other inputs"),
        (says("{}"), "s3", "no inputs to repair"),
        (says("{}"), "nope", "no row"),
    ],
)
def test_what_does_not_fit_is_no_proposal(answer: Answer, row: str, what: str) -> None:
    with pytest.raises(PlanError, match=what):
        repaired(answer, row)


@pytest.mark.parametrize(
    "answer",
    [Reply("{", "length"), Reply("no", "refused"), Reply("", "paused"), ProviderError("network", "gone")],
)
def test_an_answer_that_is_not_whole_is_an_error_of_the_provider(answer: Answer) -> None:
    with pytest.raises(ProviderError) as problem:
        repaired(answer)
    assert isinstance(problem.value, BandleaderError)
