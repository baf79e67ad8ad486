"""What takes something away is not ticked by a guess."""

from __future__ import annotations

import pytest
from asking_rooms import AskingRoom, asking_room
from studio_parts import BASS, DRUMS, RIFF, a_plan, judged, step

from agent.plan.plan import Clause, Step
from app.studio.studio import Studio
from app.viewmodels.chat.entries import WorkEntry
from app.viewmodels.chat.showing import PlanPublisher
from app.viewmodels.plan.decisions import left_unticked

OUT = step("out", "delete_track", {"track_id": DRUMS})
SLOWER = step("slow", "set_tempo", {"bpm": 60})
GONE = step("gone", "delete_clip", {"clip_id": RIFF})
ANEW = step("anew", "create_midi_clip", {
    "track_id": BASS, "start_time": 0, "duration": 16, "notes": [{"n": 40, "s": beat, "d": 1} for beat in range(16)],
})  # fmt: skip
WHY = Clause("why")
ASKED = Clause("without drums", steps=("out",), outcome="done", removes=True)
CALMER = Clause("calmer", steps=("out", "slow"), outcome="done")


@pytest.mark.parametrize(
    ("rows", "clauses", "unticked"),
    [
        ((OUT, SLOWER), (), []),
        ((OUT, SLOWER), (ASKED, WHY), ["out"]),
        ((OUT, SLOWER), (ASKED,), []),
        ((OUT, SLOWER), (CALMER,), ["out"]),
        ((GONE,), (WHY,), ["gone"]),
        ((GONE, ANEW), (WHY,), []),
        ((SLOWER,), (WHY,), []),
    ],
)
def test_only_rows_that_take_music_away_wait_where_nobody_plainly_asked_for_it(
    rows: tuple[Step, ...], clauses: tuple[Clause, ...], unticked: list[str]
) -> None:
    assert list(left_unticked(judged(a_plan(*rows, clauses=clauses)))) == unticked


def test_such_a_plan_goes_up_with_these_rows_rejected_and_one_click_takes_them_in(studio: Studio) -> None:
    async def story(room: AskingRoom) -> None:
        await room.asking.ask("a calm lofi beat with drums and bass, 4 bars")
        await room.approve()
        song = room.workspace.song
        stage = await studio.planning.stage(room.workspace.record)
        rows = (step("out", "delete_track", {"track_id": song.tracks[0].id}), SLOWER)
        plan = studio.planning.adopt(a_plan(*rows, request="why?", ignored=("why",)), stage)
        review = await studio.planning.judge(plan, song)
        await PlanPublisher(room.workspace, room.conversation, room.reviewing, room.running).put_up(review)
        proposal = room.reviewing.proposal.value
        assert proposal is not None
        assert proposal.approved == {"slow"}
        assert "take" in room.all(WorkEntry)[-1].what
        verdicts: list[object] = []
        room.asking.approving.verdicts.listen(verdicts.append)
        await room.asking.approving.put_aside()
        assert verdicts == []
        await room.reviewing.take_in(["out"])
        proposal = room.reviewing.proposal.value
        assert proposal is not None
        assert proposal.approved == {"out", "slow"}

    asking_room(studio, story, AskingRoom)
