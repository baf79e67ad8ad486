"""What models cost, by month, run and planning, and what the caps leave of it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from awaiting import awaited
from studios import carried_out, tracks

from agent.providers.errors import ProviderError
from agent.song.ids import RunId
from app.storage.errors import StorageError
from app.storage.records import PlanningId, Purpose, UsageEntry
from app.storage.usage import UsageSum
from app.studio.spending import Allowance, Caps
from app.studio.studio import Studio

RUN, PLANNING = RunId("rone"), PlanningId("p7")


def used(
    cost: float | None, run: RunId | None = None, planning: PlanningId | None = None, purpose: Purpose = "run"
) -> UsageEntry:
    return UsageEntry("anthropic", "large", purpose, 100, 20, 0, cost, None, run, planning)


@awaited
async def test_what_planning_cost_goes_to_the_run(studio: Studio) -> None:
    project = await studio.projects.create("One")
    studio.spending.record(used(0.25, planning=PLANNING, purpose="plan"))
    view = await carried_out(studio, project, tracks(1), planning=PLANNING)
    studio.spending.record(used(None, view.record.id))
    assert (await studio.spending.of_planning(PLANNING)).cost == 0.25
    whole = UsageSum(2, 200, 40, 0, 0.25, 1)
    assert await studio.spending.of_run(view.record.id) == whole
    assert (await studio.spending.month()).cost == 0.25
    assert await studio.spending.month("1999-01") == UsageSum()
    today = datetime.now().astimezone().date()
    assert (await studio.spending.day(today)).cost == 0.25
    assert await studio.spending.day(today + timedelta(days=1)) == UsageSum()


@awaited
async def test_the_cap_with_the_least_left_holds(studio: Studio) -> None:
    studio.spending.record(used(2.0, RUN))
    studio.spending.record(used(3.0, planning=PLANNING))
    allowance = studio.spending.allowance
    assert await allowance(Caps(), RUN) == Allowance()
    assert await allowance(Caps(per_run=10.0), RUN) == Allowance(10.0, 2.0)
    assert await allowance(Caps(per_run=10.0), planning=PLANNING) == Allowance(10.0, 3.0)
    assert await allowance(Caps(per_run=10.0)) == Allowance(10.0, 0.0)
    assert await allowance(Caps(per_run=4.0, per_month=6.0), RUN) == Allowance(6.0, 5.0)
    assert await allowance(Caps(per_run=2.5, per_month=6.0), RUN) == Allowance(2.5, 2.0)
    for caps, what in ((Caps(per_run=2.0), "one run"), (Caps(per_month=5.0), "a month")):
        with pytest.raises(ProviderError, match=what) as caught:
            await allowance(caps, RUN)
        assert caught.value.fault == "cap"
        assert "$" in caught.value.why


@awaited
async def test_a_use_that_could_not_be_stored_is_told_before_the_next_call(studio: Studio) -> None:
    studio.spending.record(used(-1.0, RUN))
    await studio.spending.month()
    with pytest.raises(StorageError):
        await studio.spending.allowance(Caps(), RUN)
    assert await studio.spending.allowance(Caps(), RUN) == Allowance()
