"""What the first page offers, as plain data; without Qt."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.song.song import Song
from app.i18n import lazy, tr, trn
from app.viewmodels.desktop import Recent
from app.viewmodels.texts.figures import number
from app.viewmodels.texts.moments import changed_when

MOST_LANES = 8
Block = tuple[float, float, int, str]
"""Left and right edge of a clip as shares (0 to 1) of the song, its lane counted from 0, and the track's colour."""


class Example(Struct, frozen=True):
    """A request to begin with, in the language that the composer reads; `opens`: a MIDI file must be chosen first."""

    icon: str
    title: str
    about: str
    request: str
    opens: bool = False


class WelcomeStep(Struct, frozen=True):
    """Title and text of one of the three steps that are shown with drawings."""

    title: str
    about: str


EXAMPLES = (
    Example("moon", lazy("Write a slow, warm ambient song at 80 BPM"),
            lazy("New song, 5 tracks: pad, drone, arpeggio, voice, shimmer"),
            "Write a slow, warm ambient song at 80 BPM"),
    Example("dots-nine", lazy("Make a lo-fi beat in F minor with a warm bass"),
            lazy("New song, 6 tracks: Rhodes, drums, bass, lead, guitar, vinyl air"),
            "Make a lo-fi beat in F minor with a warm bass"),
    Example("music-notes", lazy("Open my MIDI file and add strings"), lazy("Asks you for a .mid file"),
            "Add strings", opens=True),
)
STEPS = (
    WelcomeStep(lazy("Ask"), lazy("Say what you want to hear.")),
    WelcomeStep(lazy("Review"), lazy("See and hear the plan first.")),
    WelcomeStep(lazy("Keep"), lazy("Every run can be taken back.")),
)


def about(recent: Recent) -> str:
    """Number of tracks, tempo and key of a recent project, in words."""
    song = recent.song
    tracks = trn("{count:,} track", "{count:,} tracks", len(song.tracks))
    return tr("{tracks}, {bpm} BPM, {key}", tracks=tracks, bpm=number(song.bpm), key=song.key)


def versions(recent: Recent) -> str:
    """How many iterations a recent project has, in words."""
    return trn("{count:,} iteration", "{count:,} iterations", recent.iterations)


def when(recent: Recent) -> str:
    """When a recent project was changed last, in words."""
    return changed_when(recent.changed)


def blocks(song: Song) -> Sequence[Block]:
    """The clips of the first tracks, for a small drawing of the song."""
    end = max(song.end, 1)
    return [
        (clip.start / end, clip.end / end, lane, track.color)
        for lane, track in enumerate(song.tracks[:MOST_LANES]) for clip in track.clips
    ]
