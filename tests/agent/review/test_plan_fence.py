"""What a plan is limited to is all that it changes: any row that reaches further is refused, before and at the run."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from studio_parts import BASS, BEAT, CHORDS, DRUMS, PAD, REVERB, RIFF, a_plan, a_registry, a_song, judged, run, step

from agent.model_planner.prompt.context import locks_text
from agent.plan.errors import PlanError
from agent.plan.ledger import StepState
from agent.plan.plan import Step
from agent.review.fenced import Closed, outside_digest
from agent.review.rule import Rule
from agent.services.goal_service import Limits, SubStep
from agent.services.service import Origin
from agent.session.ghost import GhostSong
from agent.song.changes import compare
from agent.song.errors import SongError
from agent.song.fence import Fence, describe_fence, parse_fence
from agent.song.ids import ClipId, TrackId

BASS_ONLY = Fence(tracks=(TrackId(BASS),))
RIFF_ONLY = Fence(clips=(ClipId(RIFF),))
TWO_BARS = Fence(bars=(3, 4))
NEW = Fence(tracks=(TrackId(BASS),), bars=(3, 4), allows_new_tracks=True)
FORMS: list[tuple[str, dict[str, Any]]] = [
    ("create_track", {"name": "New", "instrument": "pad_warm"}),
    ("modify_clip", {"clip_id": RIFF, "notes": [{"n": 40, "s": 0.1, "d": 1}, {"n": 41, "s": 9, "d": 1}]}),
    ("modify_clip", {"clip_id": RIFF, "add_notes": [{"n": 45, "s": 8.5, "d": 0.5}]}),
    ("modify_clip", {"clip_id": BEAT, "add_notes": [{"n": 38, "s": 9, "d": 0.5}]}),
    ("modify_clip", {"clip_id": RIFF, "start_time": 4}),
    ("transform_clip", {"clip_id": BEAT, "operation": "humanize", "timing": 0.02, "seed": 3}),
    ("transform_clip", {"clip_id": RIFF, "operation": "transpose", "semitones": 12}),
    ("duplicate_track", {"track_id": PAD}),
    ("duplicate_clip", {"clip_id": CHORDS}),
    ("split_clip", {"clip_id": RIFF, "at_time": 8}),
    ("delete_clip", {"clip_id": RIFF}),
    ("delete_track", {"track_id": DRUMS}),
    ("delete_track", {"track_id": BASS}),
    ("set_tempo", {"bpm": 90}),
    ("set_tempo", {"bpm": 90, "at_beat": 9}),
    ("set_key", {"tonic": "E", "mode": "minor"}),
    ("set_time_signature", {"beats": 3, "unit": 4}),
    ("add_section", {"name": "B", "start_time": 32, "duration": 8}),
    ("update_effect", {"effect_id": REVERB, "params": {"mix": 0.9}}),
    ("set_automation", {"track_id": BASS, "target": "pan", "points": [{"at": 9, "value": 0.5}]}),
    ("set_automation", {"track_id": BASS, "target": "volume_db", "points": [{"at": 0, "value": -20}]}),
    ("update_track", {"track_id": BASS, "volume_db": -9}),
    ("update_track", {"track_id": PAD, "volume_db": -9}),
    ("update_track", {"track_id": BASS, "position": 0}),
    ("add_effect", {"track_id": "master", "effect_name": "delay"}),
    ("set_loudness", {"target": -9}),
    ("rename_song", {"name": "x"}),
]


@st.composite
def rows(draw: st.DrawFn) -> tuple[Step, ...]:
    chosen = draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=5))
    return tuple(step(f"r{number}", tool, inputs) for number, (tool, inputs) in enumerate(chosen))


FENCES = st.sampled_from([BASS_ONLY, RIFF_ONLY, TWO_BARS, NEW, Fence((TrackId(BASS),), (ClipId(BEAT),), (1, 2))])


@pytest.mark.semantics("5.7")
@settings(max_examples=examples(150))
@given(rows(), FENCES)
def test_what_lies_outside_is_the_same_or_the_plan_is_refused(steps: tuple[Step, ...], fence: Fence) -> None:
    song = a_song()
    review = judged(a_plan(*steps, fence=fence))
    assert review.preview is not None
    ghost = review.preview.song
    assert outside_digest(fence, song, song) == outside_digest(fence, song, ghost)
    free = judged(a_plan(*steps)).preview
    assert free is not None
    if outside_digest(fence, song, free.song) != outside_digest(fence, song, song):
        assert any(one.rule in (Rule.FENCE, Rule.WOULD_FAIL) for one in review.errors)
    ran = run(review.plan)
    assert outside_digest(fence, song, ran.studio.song) == outside_digest(fence, song, song)


@pytest.mark.parametrize(
    ("fence", "row", "touched"),
    [
        (RIFF_ONLY, step("a", "set_tempo", {"bpm": 90}), "the tempo"),
        (BASS_ONLY, step("a", "set_key", {"tonic": "E", "mode": "minor"}), "the key"),
        (BASS_ONLY, step("a", "add_effect", {"track_id": "master", "effect_name": "delay"}), "effects of the master"),
        (BASS_ONLY, step("a", "update_track", {"track_id": PAD, "volume_db": -9}), "the mix of"),
        (RIFF_ONLY, step("a", "update_track", {"track_id": BASS, "volume_db": -9}), "the mix of"),
        (BASS_ONLY, step("a", "create_track", {"name": "New", "instrument": "pad_warm"}), "would be a new track"),
        (BASS_ONLY, step("a", "delete_track", {"track_id": DRUMS}), "would be gone"),
        (TWO_BARS, step("a", "modify_clip", {"clip_id": RIFF, "notes": []}), "outside of bars 3-4"),
    ],
)  # fmt: skip
def test_the_error_says_which_row_touches_what_and_what_may_change(fence: Fence, row: Step, touched: str) -> None:
    [error] = judged(a_plan(row, fence=fence)).errors
    assert (error.step, error.rule) == ("a", Rule.FENCE)
    assert touched in error.message
    assert f"only {describe_fence(fence, a_song())} may change" in error.message


@pytest.mark.parametrize(
    ("fence", "row"),
    [
        (BASS_ONLY, step("a", "update_track", {"track_id": BASS, "volume_db": -9})),
        (BASS_ONLY, step("a", "delete_track", {"track_id": BASS})),
        (RIFF_ONLY, step("a", "transform_clip", {"clip_id": RIFF, "operation": "transpose", "semitones": 12})),
        (RIFF_ONLY, step("a", "delete_clip", {"clip_id": RIFF})),
        (TWO_BARS, step("a", "modify_clip", {"clip_id": BEAT, "add_notes": [{"n": 38, "s": 9, "d": 0.5}]})),
        (TWO_BARS, step("a", "split_clip", {"clip_id": RIFF, "at_time": 8})),
    ],
)  # fmt: skip
def test_within_the_fence_everything_is_free(fence: Fence, row: Step) -> None:
    review = judged(a_plan(row, fence=fence))
    assert review.errors == ()
    assert not compare(a_song(), review.preview.song).empty  # type: ignore[union-attr]


def test_a_new_track_may_be_made_only_where_the_fence_says_so_and_only_within_the_bars() -> None:
    made = step("a", "create_track", {"name": "Cello", "instrument": "strings_cello"})

    def clip(start: float) -> Step:
        notes = [{"n": 50, "s": 0, "d": 1}]
        inputs = {"track_id": "{{a.track_id}}", "start_time": start, "duration": 4, "notes": notes}
        return step("b", "create_midi_clip", inputs)

    assert judged(a_plan(made, clip(8), fence=NEW)).errors == ()
    assert [one.step for one in judged(a_plan(made, clip(0), fence=NEW)).errors if one.rule == Rule.FENCE] == ["b"]
    closed = replace(NEW, allows_new_tracks=False)
    assert "a" in [one.step for one in judged(a_plan(made, clip(8), fence=closed)).errors]


def test_a_curve_that_is_heard_after_the_bars_is_outside_of_them() -> None:
    fence = Fence(tracks=(TrackId(BASS),), bars=(2, 2))
    fade = step("a", "set_automation", {
        "track_id": BASS, "target": "pan", "curve": "hold", "points": [{"at": 4, "value": 0.5}],
    })  # fmt: skip
    back = step("a", "set_automation", {
        "track_id": BASS, "target": "pan", "curve": "hold",
        "points": [{"at": 4, "value": 0.5}, {"at": 7.5, "value": a_song().track(TrackId(BASS)).pan}],
    })  # fmt: skip
    assert [one.rule for one in judged(a_plan(fade, fence=fence)).errors] == [Rule.FENCE]
    assert judged(a_plan(back, fence=fence)).errors == ()


def test_the_fence_is_part_of_what_is_approved() -> None:
    row = step("a", "update_track", {"track_id": BASS, "volume_db": -9})
    fences = (None, BASS_ONLY, replace(BASS_ONLY, allows_new_tracks=True))
    hashes = {judged(a_plan(row, fence=fence)).plan.hash for fence in fences}
    assert len(hashes - {""}) == 3


def test_a_run_proves_what_it_left_alone_and_refuses_a_row_that_was_slipped_in() -> None:
    row = step("a", "update_track", {"track_id": BASS, "volume_db": -9})
    ran = run(a_plan(row, step("b", "set_tempo", {"bpm": 90}), fence=BASS_ONLY))
    states = {report.step: report.state for report in ran.reports}
    assert (states["a"], states["b"]) == (StepState.DONE, StepState.FAILED)
    assert ran.studio.song.tempos == a_song().tempos


@pytest.mark.parametrize(("fence", "said"), [
    (Fence(), "empty"), (Fence(bars=(5, 2)), "no range"), (Fence(tracks=(TrackId("t" * 300),)), "characters"),
])  # fmt: skip
def test_a_fence_that_is_none_is_refused(fence: Fence, said: str) -> None:
    with pytest.raises(PlanError, match=said):
        judged(a_plan(step("a", "set_tempo", {"bpm": 90}), fence=fence))


def test_a_fence_around_what_is_not_there_is_an_error_of_the_plan() -> None:
    errors = judged(a_plan(step("a", "set_tempo", {"bpm": 90}), fence=Fence(tracks=(TrackId("tgone"),)))).errors
    assert ("", Rule.FENCE) in [(one.step, one.rule) for one in errors]


def test_what_a_model_does_for_a_goal_stays_within_the_fence() -> None:
    async def heard(_: SubStep) -> None:
        pass

    song = a_song()
    limits = Limits(tools=("update_track", "set_tempo"), tracks=(TrackId(BASS), TrackId(PAD)))
    ghost = GhostSong(song, limits, 5, a_registry(), Closed((), BASS_ONLY, song), Origin("h", "g"), "p", heard)
    calls = [
        asyncio.run(ghost.call("update_track", {"track_id": BASS, "volume_db": -9})),
        asyncio.run(ghost.call("update_track", {"track_id": PAD, "volume_db": -9})),
        asyncio.run(ghost.call("set_tempo", {"bpm": 90})),
    ]
    assert [call.ok for call in calls] == [True, False, False]
    assert "only Bass may change" in calls[2].reason


def test_a_model_is_told_the_fence_before_its_locks() -> None:
    told = locks_text((), a_song(), Fence((TrackId(BASS),), bars=(3, 4))).splitlines()
    assert told[0].startswith("everything but Bass, bars 3-4")


def test_a_fence_is_read_as_a_person_writes_it() -> None:
    song = a_song()
    name = song.track(TrackId(BASS)).name
    assert parse_fence([], song) is None
    assert parse_fence([name, "bars:3-4", f"clip:{RIFF}", BASS], song) == Fence(
        (TrackId(BASS),), (ClipId(RIFF),), (3, 4)
    )
    with pytest.raises(SongError, match="one range"):
        parse_fence(["bars:1-2", "bars:5-6"], song)
    with pytest.raises(SongError, match="no track"):
        parse_fence(["nobody"], song)
