"""What is attached is a fence: the composer changes nothing else, whatever the words would suggest."""

from __future__ import annotations

import pytest
from awaiting import result_of
from msgspec.structs import replace

from agent.composer.composer import Composer
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.planning import Brief, DraftReady
from agent.review.review import Review, review
from agent.song.fence import Fence
from agent.song.song import Song

REQUESTS = (
    "make it busier", "make it darker and slower", "more energetic", "make it jazzier", "add strings", "double it",
    "transpose it up an octave", "louder", "as techno", "in 3/4", "shorter", "humanize it", "take it out",
    "more reverb",
)


def judged(bench, song: Song, request: str, fence: Fence) -> Review | None:
    """The plan within a fence; None where it leaves nothing to do, or something to ask."""
    brief = Brief(request, song, bench.palette, tuple(bench.registry.tools.values()), 1, fence=fence)

    async def last():
        return [event async for event in Composer(bench.styles, bench.words).plan(brief)][-1]

    try:
        event = result_of(last())
    except PlanError:
        return None
    if not isinstance(event, DraftReady):
        return None
    draft = event.draft
    kept = replace(fence, allows_new_tracks=True) if draft.new_tracks else fence
    return review(Plan(steps=draft.steps, project="p", fence=kept), song, bench.registry, bench.palette)


@pytest.mark.parametrize("request_text", REQUESTS)
@pytest.mark.parametrize("name", ["Bass", "Drums", "Lead"])
def test_only_the_attached_part_changes(bench, sample, request_text, name):
    track = next(track.id for track in sample.tracks if track.name == name)
    found = judged(bench, sample, request_text, Fence(tracks=(track,)))
    if found is None:
        return
    assert found.errors == ()
    assert found.preview is not None
    after = found.preview.song
    assert after.tempos == sample.tempos
    assert [one for one in after.tracks if one.id in {t.id for t in sample.tracks} - {track}] == [
        one for one in sample.tracks if one.id != track
    ]


@pytest.mark.parametrize("request_text", REQUESTS)
def test_only_the_attached_bars_change(bench, sample, request_text):
    found = judged(bench, sample, request_text, Fence(bars=(3, 4)))
    assert found is None or found.errors == ()


def test_something_can_be_done_within_a_fence(bench, sample):
    track = next(track.id for track in sample.tracks if track.name == "Bass")
    found = judged(bench, sample, "make this busier", Fence(tracks=(track,)))
    assert found is not None
    assert found.plan.steps
