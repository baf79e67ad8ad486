"""Names of tracks as they are read aloud: two that are called the same are told apart by their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agent.song.ids import TrackId
from agent.song.track import Track
from app.words import tr

_LONGEST = 120


def accessible_names(tracks: Sequence[Track]) -> dict[TrackId, str]:
    """By track its name, shortened to what is read aloud: "Bass", and "Drums, track 3" where there are more Drums."""
    names = [track.name[:_LONGEST] for track in tracks]
    count = Counter(names)
    return {
        track.id: tr("{name}, track {number}", name=name, number=number) if count[name] > 1 else name
        for number, (track, name) in enumerate(zip(tracks, names, strict=True), start=1)
    }
