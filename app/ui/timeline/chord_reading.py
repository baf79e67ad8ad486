"""What the chord lane shows at one moment; chords that are heard in the notes are found in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject

from agent.song.song import Song
from agent.theory.harmony import HeardChord, heard_chords
from agent.theory.sounding import kit_tracks
from app.ui.kit.tasks import Coalesced
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.proposed import proposed_now
from app.viewmodels.timeline.chords import ChordGhost, LaneChord, ghosts_between, spans_of

_WAIT_MS = 150
_KEPT = 6
"""Songs whose detected chords are cached: those before and after an undo, and those of plans."""
_Heard = tuple[HeardChord, ...]


@dataclass(frozen=True)
class ChordScene:
    """The chord spans of the whole song, without gaps, and the chords that the plan would change."""

    spans: tuple[LaneChord, ...] = ()
    ghosts: tuple[ChordGhost, ...] = ()


class ChordReading(QObject):
    """Detects chords in a thread; `known` is called when those of the song or of its preview have been found."""

    def __init__(self, stage: TimelineContext, known: Callable[[], None]) -> None:
        super().__init__()
        self._stage = stage
        self._known = known
        self._remembered: list[tuple[Song, _Heard]] = []
        self._last: _Heard = ()
        self._scene = ChordScene()
        self._of: tuple[object, ...] = ()
        self._looking = False
        self._closed = False
        self._soon = Coalesced(_WAIT_MS, self._look, self)

    @property
    def scene(self) -> ChordScene:
        """The chord lane as it is now; while chords are being detected, those detected before stay."""
        song, ghost, length = self._stage.song, self._ghost(), self._stage.scene.length
        heard = self._find(song)
        if heard is None:
            self._soon.ask()
            heard = self._last
        self._last = heard
        then = None if ghost is None else self._find(ghost)
        if ghost is not None and then is None:
            self._soon.ask()
        of = song, heard, ghost, then, length
        if len(self._of) != len(of) or any(was is not now for was, now in zip(self._of, of, strict=True)):
            self._of = of
            spans = spans_of(song, heard, length)
            causes = self._stage.scene.ghosts.chords
            self._scene = ChordScene(
                spans, () if ghost is None or then is None else ghosts_between(spans, spans_of(ghost, then), causes)
            )
        return self._scene

    def close(self) -> None:
        """Stop detecting; the result of a search under way is dropped."""
        self._closed = True
        self._soon.drop()

    def _ghost(self) -> Song | None:
        """What the proposal would make of the song; None while it is not shown."""
        if not self._stage.overlay:
            return None
        proposal = proposed_now(self._stage.opened).proposal
        preview = None if proposal is None else proposal.judged.preview
        return None if preview is None else preview.song

    def _find(self, song: Song) -> _Heard | None:
        if not song.note_count:
            return ()
        return next((heard for one, heard in reversed(self._remembered) if _sounds_as(one, song)), None)

    def _look(self) -> None:
        ghost = self._ghost()
        wanted = [song for song in (self._stage.song, ghost) if song is not None and self._find(song) is None]
        if wanted and not self._looking:
            self._looking = True
            self._stage.kit.tasks.start(self._hear(wanted[0]), "timeline")

    async def _hear(self, song: Song) -> None:
        try:
            kits = kit_tracks(song, self._stage.opened.studio.palette)
            heard = await asyncio.to_thread(heard_chords, song, kits)
        finally:
            self._looking = False
        self._remembered = [*self._remembered[1 - _KEPT:], (song, heard)]
        if not self._closed:
            self._known()
            self._soon.ask()


def _sounds_as(one: Song, other: Song) -> bool:
    """Whether two songs have the very same notes in the same bars."""
    return one is other or (
        one.meters == other.meters and len(one.tracks) == len(other.tracks) and all(
            a.clips is b.clips and (a.id, a.mute, a.instrument) == (b.id, b.mute, b.instrument)
            for a, b in zip(one.tracks, other.tracks, strict=True)
        )
    )
