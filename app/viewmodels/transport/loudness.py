"""Two songs that are compared by ear, brought to one loudness."""

from __future__ import annotations

from msgspec.structs import replace

from agent.song.song import Song


def as_loud_as(other: Song, song: Song) -> Song:
    """The other song with this one's loudness target, so that louder is not taken for better."""
    if other.loudness_target == song.loudness_target:
        return other
    return replace(other, loudness_target=song.loudness_target)
