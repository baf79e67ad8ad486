"""What is repeated while a plan is compared."""

from __future__ import annotations

import asyncio

from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.song.song import Song
from app.studio.studio import Studio
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.transport.compared_span import span_to_compare

BAR = 3840
NOTE = {"n": 60, "s": 0, "d": 1, "v": 90}
ROWS = (
    Step("t", "create_track", {"name": "Pad", "instrument": "pad_warm"}),
    Step("a", "create_midi_clip", {"track_id": "{{t.track_id}}", "start_time": 5, "duration": 2, "notes": [NOTE]}),
    Step("b", "create_midi_clip", {"track_id": "{{t.track_id}}", "start_time": 16, "duration": 9, "notes": [NOTE]}),
    Step("l", "set_loudness", {"target": -20.0}),
)


def test_chosen_bars_come_before_steps_and_steps_before_the_whole_plan(studio: Studio) -> None:
    song = Song()
    judged = asyncio.run(studio.planning.judge(Plan(ROWS, request="more", song_revision="r", project="p"), song))
    proposal = Proposal(judged.plan, judged, judged, song)
    assert span_to_compare(song, proposal, ["a"], (3, 4)) == (2 * BAR, 4 * BAR)
    assert span_to_compare(song, proposal, ["a"], None) == (BAR, 2 * BAR)
    assert span_to_compare(song, proposal, ["b", "a"], None) == (BAR, 7 * BAR)
    assert span_to_compare(song, proposal, ["l"], None) == (BAR, 7 * BAR)
    assert span_to_compare(song, None, [], None) is None
