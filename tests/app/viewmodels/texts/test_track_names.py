"""Names of tracks as they are read aloud."""

from __future__ import annotations

from agent.song.ids import TrackId
from agent.song.track import Track
from app.viewmodels.texts.track_names import accessible_names


def test_tracks_of_the_same_name_are_told_apart_by_their_numbers() -> None:
    tracks = [Track(TrackId(f"t{n}"), name, "x") for n, name in enumerate(("Drums", "Bass", "Drums"), start=1)]
    assert accessible_names(tracks) == {"t1": "Drums, track 1", "t2": "Bass", "t3": "Drums, track 3"}


def test_a_long_name_is_shortened() -> None:
    assert len(accessible_names([Track(TrackId("t"), "x" * 10_000, "x")])[TrackId("t")]) == 120
