"""What a person thought of rows comes back as it was told, newest first, in its own project only."""

from __future__ import annotations

import pytest
from awaiting import awaited

from agent.plan.plan import Step
from agent.plan.planning import Verdict
from agent.song.ids import ProjectId
from app.storage.errors import Damaged
from app.studio.studio import Studio

ONE, TWO = ProjectId("pone"), ProjectId("ptwo")
NOTES = {"track_id": "{{s1.track_id}}", "start_time": 0, "duration": 4, "notes": [{"n": 60, "s": 0.5, "d": 1, "v": 70}]}
REJECTED = Verdict("darker", Step("s1", "add_effect", {"effect_name": "reverb"}, why="space"), "rejected", "too wet")
CHANGED = Verdict("a pad", Step("s2", "create_midi_clip", NOTES), "changed", "", {**NOTES, "duration": 8})


@awaited
async def test_verdicts_come_back_newest_first(studio: Studio) -> None:
    assert await studio.verdicts.recent(ONE) == ()
    await studio.verdicts.keep(ONE, REJECTED, CHANGED)
    await studio.verdicts.keep(TWO, REJECTED)
    assert await studio.verdicts.recent(ONE) == (CHANGED, REJECTED)
    assert await studio.verdicts.recent(ONE, limit=1) == (CHANGED,)
    assert await studio.verdicts.recent(TWO) == (REJECTED,)


@awaited
async def test_an_empty_change_is_no_missing_one(studio: Studio) -> None:
    emptied = Verdict("x", Step("s1", "set_key"), "changed", "", {})
    await studio.verdicts.keep(ONE, emptied)
    assert await studio.verdicts.recent(ONE) == (emptied,)


@awaited
async def test_a_long_reason_is_cut(studio: Studio) -> None:
    await studio.verdicts.keep(ONE, Verdict("x", Step("s1", "set_key"), "rejected", "y" * 9000))
    [found] = await studio.verdicts.recent(ONE)
    assert found.reason == "y" * 2000


@awaited
async def test_a_damaged_verdict_is_told(studio: Studio) -> None:
    await studio.verdicts.keep(ONE, REJECTED)
    await studio.store.write(lambda c: c.exec_driver_sql("UPDATE verdict SET step = '{'"))
    with pytest.raises(Damaged, match="verdict"):
        await studio.verdicts.recent(ONE)
