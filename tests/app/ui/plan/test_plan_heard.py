"""Hearing the plan: the same command stops it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agent.plan.plan import Step
from agent.song.time import PPQ

if TYPE_CHECKING:
    Reviewed = Any

ROWS = (
    Step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Harmony"),
    Step("s2", "create_midi_clip", {
        "track_id": "{{s1.track_id}}", "start_time": 8, "duration": 400,
        "notes": [{"n": 60, "s": 0, "d": 400, "v": 80}],
    }, group="Harmony"),
)


def test_what_began_to_be_heard_is_stopped_in_the_same_way_and_a_row_begins_anew(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        do, playback, side = one.panel.plan_actions.do, one.opened.playback, one.opened.focus.side
        do("hear")
        await one.until(lambda: playback.state.value.playing)
        assert side.value == "plan"
        side.set("song")
        do("hear")
        assert side.value == "plan"
        do("hear row", ["s2"])
        await one.until(lambda: playback.position() >= 8 * PPQ)
        assert playback.state.value.playing
        do("hear")
        await one.until(lambda: not playback.state.value.playing)
        assert side.value == "plan"

    told(story)
