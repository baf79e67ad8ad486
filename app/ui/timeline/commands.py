"""What actions, menus and keys of the timeline ask its view to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent.song.ids import SectionId, TrackId
from agent.song.time import Ticks
from app.viewmodels.timeline.marks import Marker


@dataclass(frozen=True)
class Reveal:
    """Scroll so that the range from `start` to `end` (ticks) is visible, in that lane if one is given."""

    start: float
    end: float
    lane: int | None = None


@dataclass(frozen=True)
class RevealLane:
    """Scroll so that a lane is visible."""

    lane: int


@dataclass(frozen=True)
class RevealTick:
    """Scroll so that a tick is visible; nothing happens if it already is."""

    at: float


@dataclass(frozen=True)
class ZoomSteps:
    """Zoom in by so many steps; negative zooms out."""

    steps: int


@dataclass(frozen=True)
class ZoomSelection:
    """Zoom so that the selection fills the view; without one, the whole song."""


@dataclass(frozen=True)
class AskName:
    """Open a line to rename the current clip, else the current track."""


@dataclass(frozen=True)
class AskTrackName:
    """Open a line to rename a track."""

    track: TrackId


@dataclass(frozen=True)
class AskSectionName:
    """Open a line to rename a section."""

    section: SectionId


@dataclass(frozen=True)
class AskTempo:
    """Ask for the tempo from this tick on."""

    at: Ticks


@dataclass(frozen=True)
class AskMeter:
    """Offer the time signatures that are possible at a mark."""

    mark: Marker


@dataclass(frozen=True)
class OpenNotes:
    """Show the notes of a clip, or of a ghost's clip, in the piano roll."""

    clip: str


TimelineCommand = (
    Reveal | RevealLane | RevealTick | ZoomSteps | ZoomSelection | AskName | AskTrackName | AskSectionName
    | AskTempo | AskMeter | OpenNotes
)

TimelineAction: TypeAlias = Literal[
    "zoom in", "zoom out", "zoom song", "zoom selection", "select all", "delete", "duplicate", "split", "rename",
    "add track", "duplicate track", "delete track", "mute", "solo", "loop",
]
"""What the window's menus and keys do with the timeline: with what is in sight; with the selected clips, of which
`rename` means the current one, else the current track; with the current track; loop the selection, else the bars."""
