"""What actions, menus and keys of the timeline ask its view to do."""

from __future__ import annotations

from dataclasses import dataclass

from agent.song.ids import SectionId, TrackId
from agent.song.time import Ticks
from app.desktop.timeline.marks import Marker


@dataclass(frozen=True)
class Reveal:
    """Scroll so that a stretch can be seen, of a lane if one is named."""

    start: float
    end: float
    lane: int | None = None


@dataclass(frozen=True)
class RevealLane:
    """Scroll so that a lane can be seen."""

    lane: int


@dataclass(frozen=True)
class RevealTick:
    """Scroll so that a tick can be seen, unless it can be."""

    at: float


@dataclass(frozen=True)
class ZoomSteps:
    """So many steps nearer."""

    steps: int


@dataclass(frozen=True)
class ZoomSelection:
    """What is selected, as near as it fits; without anything the whole song."""


@dataclass(frozen=True)
class AskName:
    """A line over the current clip's name, else over the current track's."""


@dataclass(frozen=True)
class AskTrackName:
    """A line over a track's name."""

    track: TrackId


@dataclass(frozen=True)
class AskSectionName:
    """A line over a section's name."""

    section: SectionId


@dataclass(frozen=True)
class AskTempo:
    """Ask for the tempo from a tick on."""

    at: Ticks


@dataclass(frozen=True)
class AskMeter:
    """Offer the time signatures that there may be at a mark."""

    mark: Marker


@dataclass(frozen=True)
class OpenNotes:
    """Show the notes of a clip, or of a ghost's clip, in the piano roll."""

    clip: str


TimelineCommand = (
    Reveal | RevealLane | RevealTick | ZoomSteps | ZoomSelection | AskName | AskTrackName | AskSectionName
    | AskTempo | AskMeter | OpenNotes
)
