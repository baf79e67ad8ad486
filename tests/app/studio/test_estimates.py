"""What planning and running will use of a model is told before either, with its price where one is known."""

from __future__ import annotations

import pytest
from awaiting import awaited
from scripted_model import goal

from agent.plan.document import Estimate, Plan
from agent.plan.errors import PlanError
from agent.plan.plan import Step
from agent.review.review import Review
from app.studio.models import Chosen, ProviderSettings
from app.studio.planning import PlanningContext
from app.studio.studio import Studio

TRACK = Step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"})
DEAR, CHEAP = Chosen("anthropic", "claude-opus-5-5"), Chosen("anthropic", "claude-haiku-4-5")


async def staged(studio: Studio) -> PlanningContext:
    """A project that is only a draft."""
    return await studio.planning.stage(await studio.projects.draft("One"))


async def estimated(studio: Studio, request: str, chosen: Chosen | None = None) -> Estimate | None:
    return await studio.planning.estimate(request, await staged(studio), chosen)


async def judged(studio: Studio, *rows: Step) -> Review:
    stage = await staged(studio)
    return await studio.planning.judge(studio.planning.adopt(Plan(rows), stage), stage.song)


@awaited
async def test_the_composer_costs_nothing_and_tells_nothing(studio: Studio) -> None:
    assert await estimated(studio, "a lofi beat") is None
    assert (await judged(studio, TRACK, goal(tracks=("{{s1.track_id}}",)))).plan.estimate == Estimate()


@awaited
async def test_a_request_is_priced_without_a_key_and_before_anything_is_sent(studio: Studio) -> None:
    short, long = [await estimated(studio, words, DEAR) for words in ("a pad", "a song with 64 bars")]
    assert short is not None
    assert long is not None
    assert 5_000 < short.tokens < long.tokens < 100_000
    assert short.cost is not None
    assert long.cost is not None
    assert 0 < short.cost < long.cost < 5
    cheap = await estimated(studio, "a pad", CHEAP)
    assert cheap is not None
    assert cheap.cost is not None
    assert cheap.cost < short.cost
    unknown = await estimated(studio, "a pad", Chosen("anthropic", "a-model-of-nobody"))
    assert unknown == Estimate(short.tokens, None)


@awaited
async def test_the_choice_of_the_settings_counts_and_a_model_at_home_is_free(studio: Studio) -> None:
    await studio.models.keep(ProviderSettings("openai-chat", "http://localhost:11434/v1", "tiny", context=8_192))
    await studio.models.choose("openai-chat")
    found = await estimated(studio, "a pad")
    assert found is not None
    assert found.cost == 0
    assert found.tokens < 10_000
    with pytest.raises(PlanError, match="does not fit"):
        await estimated(studio, "a pad " * 3_000)


@awaited
async def test_rows_that_are_left_to_a_model_tell_what_they_may_use(studio: Studio) -> None:
    await studio.models.choose("anthropic", "claude-opus-5-5")
    exact = (await judged(studio, TRACK)).plan
    assert exact.estimate == Estimate()
    rows = [goal(f"g{n}", tracks=("{{s1.track_id}}",)) for n in range(2)]
    one, two = [(await judged(studio, TRACK, *rows[:n])).plan.estimate for n in (1, 2)]
    assert one.cost is not None
    assert two.cost is not None
    assert 50_000 < one.tokens < 500_000
    assert two.tokens == pytest.approx(2 * one.tokens, rel=0.02)
    assert 0 < one.cost < two.cost


@awaited
async def test_a_plan_file_does_not_tell_its_own_estimate(studio: Studio) -> None:
    stage = await staged(studio)
    written = Plan((TRACK,), estimate=Estimate(1, 0.01))
    assert (await studio.planning.judge(studio.planning.adopt(written, stage), stage.song)).plan.estimate == Estimate()
