"""The player of a project: two songs made ready in the background, and the mix player that plays one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from app.sound.audition import AuditionNote, Auditions
from app.sound.deck import Faders
from app.sound.part import SAMPLE_RATE
from app.sound.playback_state import PlaybackState, SideName
from app.sound.player import dbfs
from app.sound.preparing import Measuring, Preparing
from app.sound.render_cache import RenderCache
from app.sound.sounding import LiveOutput, OpenOutput


@dataclass(frozen=True)
class Status:
    """State for a transport; `preparing` is the share (0-1) of the sound that is ready, None when all is. `device` is
    the output's name; `silent`: there is no real output, as `note` says, which also reports errors."""

    playing: bool
    preparing: float | None
    device: str
    silent: bool
    note: str


class ProjectPlayer:
    """Plays one project. All methods may be called from any thread; `close` ends its threads.

    The tracks' sound after their effects is mixed live: faders, mute and solo act on the next block. The mix then
    passes the master effects and is multiplied by the gain and limiter that the last whole rendering of that side
    found, measured again in the background half a second after a change: with it, playback equals the export, up to the
    rounding of 16 bits. Until a side was measured once, its gain is estimated from the energy of what is ready. Changed
    parameters of master effects glide to their new values. Master effects start afresh when playback begins and when
    they are replaced; away from the song's start they are first fed with the 0.7 s before it. `told` (the status has
    changed) and `failed` (for each error) are called from its threads."""

    def __init__(
        self,
        render_cache: RenderCache,
        open_output: OpenOutput,
        told: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._told = told
        self._stage = PlaybackState(render_cache.palette, told, failed)
        self.player = self._stage.player
        self._sounding = LiveOutput(self.player, open_output, told)
        self._auditions = Auditions(self._stage, render_cache)
        self._threads = (Preparing(self._stage, render_cache), Measuring(self._stage, render_cache.palette))

    def show(self, name: SideName, song: Song | None) -> None:
        """Set a side to another version of its song (None: no song); what did not change in it can be heard at once."""
        self._stage.show(name, song)
        self._told()

    def mix(self, solo: frozenset[TrackId], faders: Faders) -> None:
        """Set the soloed tracks, and the faders being dragged."""
        self._stage.mix(solo, faders)

    def listen(self, name: SideName) -> None:
        """Switch to the other song at the same tick; after its end there is silence until both have ended."""
        self._stage.listen(name)
        self._told()

    def play(self, at: Ticks) -> None:
        """Play from a tick; opens the output at the first time, which may take a moment."""
        self._sounding.open()
        self._stage.play(at)

    def audition(self, track: TrackId, strike: AuditionNote) -> None:
        """Play one note of a track, whether playback runs or not; returns shortly before it sounds, after some
        milliseconds."""
        self._sounding.open()
        self._auditions.strike(track, strike)

    def stop(self) -> None:
        """Stop playback."""
        with self._stage.lock:
            self.player.jump(self.player.heard, playing=False)

    def seek(self, at: Ticks) -> None:
        """Move the playhead to a tick, playing or not."""
        self._stage.seek(at)

    def set_loop(self, loop: tuple[Ticks, Ticks] | None) -> None:
        """Set the loop range, from its first tick to before its second; None: no loop."""
        with self._stage.lock:
            self.player.want(replace(self.player.wanted, loop=loop))

    @property
    def position(self) -> Ticks:
        """The tick that is audible now, corrected by the device's latency if known."""
        deck = self.player.wanted.deck
        late = round(self._sounding.latency * SAMPLE_RATE)
        return Ticks(0) if deck is None else deck.song.tempo_map.ticks(self.player.sounding(late) / SAMPLE_RATE)

    def levels(self) -> tuple[float, float]:
        """Left and right peak of the last block in dBFS; -inf for silence."""
        left, right = self.player.peaks.both
        return dbfs(left), dbfs(right)

    def track_levels(self) -> Mapping[TrackId, tuple[float, float]]:
        """Left and right peak in dBFS of each sounding track, as loud as it is in the mix."""
        return {track: (dbfs(left), dbfs(right)) for track, (left, right) in self.player.peaks.tracks.items()}

    def loudness(self, name: SideName) -> float | None:
        """Integrated loudness in LUFS of the last whole rendering of a side; None for silence or before one."""
        measured = self._stage.sides[name].measured
        return None if measured is None else measured.loudness

    @property
    def status(self) -> Status:
        """The state for a transport."""
        device, silent, note = self._sounding.device
        fault = self.player.fault
        if fault is not None:
            note = f"Playing failed: {fault}"
        return Status(self.player.playing, self._stage.share, device, silent, note)

    def close(self) -> None:
        """Stop, and join all threads."""
        self._sounding.close()
        self._stage.close()
        for thread in self._threads:
            thread.join()
