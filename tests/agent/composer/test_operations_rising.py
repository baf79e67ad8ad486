"""A riser plays only up to the place that it leads to, and climbs there."""

from __future__ import annotations

import pytest

from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import Kind, SectionId, derive
from agent.song.song import Song
from agent.song.time import Ticks

BAR = 3840


@pytest.fixture(scope="module")
def formed(sample: Song) -> Song:
    """Verse and chorus, four bars each."""
    return apply_all(sample, [
        e.AddSection(
            section_id=SectionId(derive(Kind.SECTION, name)), name=name, start_time=Ticks(at * 4 * BAR),
            duration=Ticks(4 * BAR),
        ) for at, name in enumerate(("Verse", "Chorus"))
    ])


def risen(bench, song: Song, request: str) -> list[tuple[int, int]]:
    """Bar and pitch of each note of the tracks that are new."""
    after = bench.song(bench.draft(request, song), song)
    old = {track.id for track in song.tracks}
    bars = after.bar_map
    return sorted(
        (bars.bar_at(clip.start + note.start), note.pitch)
        for track in after.tracks if track.id not in old for clip in track.clips for note in clip.notes
    )


@pytest.mark.parametrize("request_said", [
    "put a riser before the chorus", "add a riser into the chorus", "a noise sweep into the chorus",
    "add a riser in the verse",
])
def test_a_riser_leads_up_to_its_place_and_plays_nowhere_else(bench, formed, request_said):
    notes = risen(bench, formed, request_said)
    assert {bar for bar, _ in notes} <= {1, 2, 3, 4}
    assert max(pitch for _, pitch in notes[len(notes) // 2 :]) > max(pitch for _, pitch in notes[:2])


def test_a_riser_is_over_four_bars_at_most(bench, formed):
    one = apply_all(formed, [e.DeleteSection(section_id=section.id) for section in formed.sections])
    assert {bar for bar, _ in risen(bench, one, "add a riser before bar 7")} <= {3, 4, 5, 6}


def test_nothing_leads_to_the_beginning(bench, formed):
    with pytest.raises(Exception, match="nothing would change"):
        bench.draft("add a riser before the verse", formed)


def test_a_riser_without_a_place_is_a_part(bench, formed):
    assert any(step.tool == "create_track" for step in bench.draft("add a riser", formed).steps)
