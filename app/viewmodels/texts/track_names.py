"""Names of tracks as they are read aloud: two that are called the same are told apart by their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agent.song.ids import TrackId
from agent.song.track import Track
from app.i18n import tr

_LONGEST = 120


def accessible_names(tracks: Sequence[Track]) -> dict[TrackId, str]:
    """Names of tracks for screen readers, shortened: "Bass", and "Drums, track 3" if several have the same name."""
    names = [track.name[:_LONGEST] for track in tracks]
    count = Counter(names)
    return {
        track.id: tr("{name}, track {number}", name=name, number=number) if count[name] > 1 else name
        for number, (track, name) in enumerate(zip(tracks, names, strict=True), start=1)
    }
