"""The stage: all that an operation is given to work with, and where on the song it works."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from agent.composer.changing.hearing.listening import SongAnalysis, hear, roles_of
from agent.composer.changing.sketch import Blocked, Sketch
from agent.composer.dice import Dice
from agent.composer.styles import Role, Style, StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.operations import Remove, Retempo
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.planning import SoundFonts
from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track

Span = tuple[int, int]
"""Ticks of the song, the end excluded."""


class Stage(Struct, frozen=True):
    """What an operation gets to work on: the sketch and the spans where it works, sorted and without overlaps. `whole`
    means that they are the whole song.

    `amount` is how far to go, 1 the usual; `every` means only every n-th bar (None: all). `style` is the style that the
    request names (None: none). `dice` are the task's random choices. `soundfonts` are the available SoundFont files
    (None: unknown).
    """

    sketch: Sketch
    intent: Intent
    styles: StyleBook
    style: Style | None
    spans: tuple[Span, ...]
    whole: bool
    amount: float
    dice: Dice
    every: int | None = None
    soundfonts: SoundFonts | None = None

    @property
    def song(self) -> Song:
        """The song in its present state."""
        return self.sketch.song

    @property
    def palette(self) -> Palette:
        return self.sketch.palette

    @property
    def refused(self) -> tuple[Wish, ...]:
        """The parts that the request removes from the whole song."""
        return tuple(
            task.operation.wish for task in self.intent.tasks if isinstance(task.operation, Remove) and task.scope.whole
        )

    @property
    def states_tempo(self) -> bool:
        """Whether the request keeps or states the tempo, so that no other operation may change it."""
        asked = [task.operation for task in self.intent.tasks]
        return self.intent.keep_tempo or any(isinstance(one, Retempo) and one.bpm is not None for one in asked)

    def heard(self) -> SongAnalysis:
        """The analysis of the song in its present state."""
        return hear(self.song, self.palette, self.song.bpm)

    def roles(self) -> dict[TrackId, Role]:
        """The role of each track in the present song."""
        return roles_of(self.song, self.palette)

    def free(self, wish: Wish | None = None) -> tuple[Track, ...]:
        """The unlocked tracks that a wish means (None: all). Raises `Blocked` if the song has none that it means, or
        all of these are locked."""
        if wish is None:
            return self.sketch.free_tracks()
        present = {track.id for track in self.song.tracks}
        meant = tuple(t for t in tracks_of(wish, self.song, self.palette) if t in present)
        # an operation before this one may have given the part another instrument
        meant = meant or tuple(t for t in tracks_of(wish, self.sketch.before, self.palette) if t in present)
        if not meant:
            names = ", ".join(dict.fromkeys(track.name for track in self.song.tracks))
            raise Blocked(
                msg("the song has no {wish}; it has {names}", wish=wish.label, names=names) if names
                else msg("the song has no {wish}", wish=wish.label)
            )
        free = tuple(self.song.track(track) for track in meant if track not in self.sketch.guard.tracks)
        if not free:
            raise Blocked(msg("{wish} is locked or kept", wish=wish.label))
        return free

    def in_turn(self) -> Stage:
        """The stage limited to every n-th bar of its spans, as `every` says; itself if that is None."""
        if self.every is None:
            return self
        bars, found = self.song.bar_map, []
        for start, end in self.spans:
            first, last = bars.bar_at(start), bars.bar_at(end - 1)
            turns = (bars.span(bar, bar) for bar in range(first, last + 1, self.every))
            found += [(max(start, int(low)), min(end, int(high))) for low, high in turns]
        return replace(self, spans=tuple(found), whole=False, every=None)

    def inside(self, start: int) -> bool:
        """Whether a tick lies in one of the spans."""
        return any(begin <= start < end for begin, end in self.spans)


def tracks_of(wish: Wish, song: Song, palette: Palette) -> tuple[TrackId, ...]:
    """Ids of the tracks that a wish means: by name, else by role, family or a name that contains its word. Empty where
    the song has none."""
    if wish.tracks:
        return wish.tracks
    if wish.but:
        spared = {track for one in wish.but for track in tracks_of(one, song, palette)}
        return tuple(track.id for track in song.tracks if track.id not in spared) if spared else ()
    named = tuple(track.id for track in song.tracks if wish.label.casefold() in track.name.casefold())
    if wish.whole_family and len(named) > 1:
        # where several tracks are called pianos, a voice that only sounds as one is none
        return named
    families = {instrument.name: instrument.family for instrument in palette.instruments}
    roles = roles_of(song, palette)
    return tuple(
        track.id
        for track in song.tracks
        if wish.meets(track.name, track.instrument, roles[track.id], families.get(track.instrument, "keys"))
    )
