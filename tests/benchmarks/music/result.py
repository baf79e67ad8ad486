"""A request's result: the songs before and after it, and what plays in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.composer.styles import Style, StyleBook
from agent.plan.plan import Draft
from agent.song.ids import TrackId
from agent.song.palette import Family, Palette
from agent.song.song import Song
from tests.benchmarks.music.excerpts import Span, excerpt
from tests.benchmarks.music.figures import measured


@dataclass(frozen=True)
class Result:
    """A request's songs before and after, and the plan between them; `ask` gives the song that other words make."""

    before: Song
    after: Song
    draft: Draft | None
    palette: Palette
    styles: StyleBook
    ask: Callable[[str], Song]

    def figure(self, name: str, within: Sequence[Span] = ()) -> tuple[float, float]:
        """A figure before and after, in some bars or in all."""
        songs = [excerpt(song, within) if within else song for song in (self.before, self.after)]
        return measured(name, songs[0], self.palette), measured(name, songs[1], self.palette)

    def style(self, name: str) -> Style:
        """A style by name."""
        return next(style for style in self.styles.styles if style.name == name)


def families(song: Song, palette: Palette) -> dict[Family, int]:
    """How many notes each family plays, without muted tracks."""
    by_name = {one.name: one.family for one in palette.instruments}
    found: dict[Family, int] = {}
    for track in song.tracks:
        if track.note_count and not track.mute and track.instrument in by_name:
            family = by_name[track.instrument]
            found[family] = found.get(family, 0) + track.note_count
    return found


def track_called(song: Song, name: str) -> TrackId:
    """The first track of that name, else the first with it in its name, as "Voice lead" is the lead. Raises
    `StopIteration` without one."""
    exact = (track.id for track in song.tracks if track.name == name)
    beside = (track.id for track in song.tracks if name.casefold() in track.name.casefold().split())
    return next(iter((*exact, *beside)))


def unless(holds: bool, reason: str) -> str:
    """Nothing when it holds, else the reason."""
    return "" if holds else reason


def row_of(things: Sequence[object]) -> str:
    """Things in a row, for a person."""
    return ", ".join(str(thing) for thing in things) or "nothing"
