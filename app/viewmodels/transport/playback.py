"""Playing the open project: the transport, what it sounds from, and what it shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from agent.song.ids import EffectId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from app.services.playing import PlaybackEngine
from app.studio.observable import Observable
from app.viewmodels.edits.effect_chain import previewed
from app.viewmodels.texts.troubles import ErrorReporter
from app.viewmodels.transport.focus import Side
from app.viewmodels.watched import Watched

if TYPE_CHECKING:
    # numpy is slow to import; the window is shown before anything sounds.
    from app.sound.project_player import ProjectPlayer

WAITING = 16
"""Number of auditioned notes that may be queued; further ones are dropped."""
SILENT = (float("-inf"), float("-inf"))
"""Left and right level of silence, in dBFS."""


class TransportState(Struct, frozen=True):
    """The transport as views show it. `loop` is the loop range (first tick, tick after the last), None for none.
    `preparing` is the share (0 to 1) of the sound that is ready, None when all is. `device_note` says why there is no
    sound when `silent`; `device` is empty before the first play."""

    playing: bool = False
    loop: tuple[Ticks, Ticks] | None = None
    looping: bool = False
    preparing: float | None = None
    device: str = ""
    silent: bool = False
    device_note: str = ""


class Playback:
    """Plays the song, or the preview of the proposed plan; all calls on the event loop.

    Volume, pan, mute and solo act on the next block without rendering. Of an edit only the changed parts are rendered,
    in the background; until they are ready the track plays as before, and what was never rendered is silent. Errors are
    reported to `troubles` at "transport"."""

    def __init__(self, engine: PlaybackEngine, troubles: ErrorReporter) -> None:
        self.state = Watched(TransportState())
        self.solo: Watched[frozenset[TrackId]] = Watched(frozenset())
        """Ids of the soloed tracks, which do not belong to the song; empty if none is soloed."""
        self.sought: Observable[Ticks] = Observable()
        """Emitted when the playhead was moved, also while nothing plays."""
        self._engine = engine
        self._troubles = troubles
        self._songs: dict[Side, Song | None] = {"song": None, "plan": None}
        self._side: Side = "song"
        self._previews: dict[TrackId, tuple[float | None, float | None]] = {}
        self._turned: dict[EffectId, Mapping[str, float]] = {}
        self._at = Ticks(0)
        self._began = Ticks(0)
        self._player: ProjectPlayer | None = None
        self._opening: asyncio.Task[ProjectPlayer | None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._auditions: set[asyncio.Task[None]] = set()
        self._closed = False
        self._held_back = False
        self.solo.changed.listen(lambda _: self._mix())

    def position(self) -> Ticks:
        """The tick at the playhead; when stopped, where playback begins next."""
        return self._player.position if self._player is not None and self.state.value.playing else self._at

    def seconds(self) -> float:
        """The playhead in seconds from the start of the song that is heard."""
        song = self._heard
        return 0.0 if song is None else song.tempo_map.seconds(self.position())

    def levels(self) -> tuple[float, float]:
        """Left and right peak in dBFS of what was played last; -inf for silence."""
        return SILENT if self._player is None else self._player.levels()

    def track_levels(self) -> Mapping[TrackId, tuple[float, float]]:
        """Left and right peak in dBFS of each sounding track, as loud as it is in the mix."""
        return {} if self._player is None else self._player.track_levels()

    def loudness(self) -> float | None:
        """Integrated loudness in LUFS of the last whole rendering of the song that is heard; None before one."""
        side: Side = self._side if self._songs[self._side] is not None else "song"
        return None if self._player is None else self._player.loudness(side)

    async def play(self) -> None:
        """Start at the playhead with what is ready; opens the audio device the first time."""
        player = await self._player_ready()
        if player is None or self._closed or self.state.value.playing:
            return
        self._began = self._at
        await asyncio.to_thread(player.play, self._at)
        self._refresh()

    async def stop(self) -> None:
        """Stop and return to where playback began; when stopped already, go to the start of the song."""
        if self._player is None or not self.state.value.playing:
            self.seek(Ticks(0))
            return
        self._player.stop()
        self._at = self._began
        self._refresh()

    def toggle(self) -> None:
        """Start or stop playback."""
        self._start(self.stop() if self.state.value.playing else self.play())

    def seek(self, at: Ticks) -> None:
        """Move the playhead to a tick, playing or not."""
        self._at = self._began = Ticks(max(0, at))
        if self._player is not None:
            self._player.seek(self._at)
        self.sought.emit(self._at)

    def set_loop(self, span: tuple[Ticks, Ticks] | None, on: bool) -> None:
        """Set the loop range (first tick, tick after the last) and whether it loops."""
        whole = span if span is not None and 0 <= span[0] < span[1] else None
        self.state.set(replace(self.state.value, loop=whole, looping=on and whole is not None))
        if self._player is not None:
            self._player.set_loop(whole if on else None)

    def hold_back(self, held: bool) -> None:
        """Suspend preparing sound in advance (True) or allow it again; what is played is prepared all the same."""
        self._held_back = held
        if any(self._songs.values()):
            self._prepare()

    def show(self, song: Song) -> None:
        """Play this version of the song from now on."""
        self._show("song", song)

    def show_plan(self, ghost: Song | None) -> None:
        """Set the preview of the plan; None: there is none."""
        self._show("plan", ghost)

    def listen_to(self, side: Side) -> None:
        """Play the working song ("song") or the other one ("plan") from the same position on; without a preview of the
        plan both are the working song. Playback ends with the longer of the two."""
        self._side = side
        if self._player is not None:
            self._player.listen(side)

    def preview_mix(self, track: TrackId, volume_db: float | None, pan: float | None) -> None:
        """Play with another volume (dB) and pan of a track while they are dragged; None stands for the song's own
        value, two None end the preview."""
        if volume_db is None and pan is None:
            self._previews.pop(track, None)
        else:
            self._previews[track] = volume_db, pan
        self._mix()

    def preview_effect(self, effect: EffectId, values: Mapping[str, float] | None) -> None:
        """Play with other parameters of an effect while they are changed; None ends the preview."""
        if values is None:
            if self._turned.pop(effect, None) is None:
                return
        else:
            self._turned[effect] = values
        if self._player is not None:
            for side, song in self._songs.items():
                self._player.show(side, self._sounding(song))

    def audition(self, track: TrackId, pitch: int, velocity: int, seconds: float = 0.4) -> None:
        """Play one note of a track at once, whether playback runs or not, held for `seconds`.

        It has the track's instrument, effects and volume as at the playhead. Pitch (0-127) and velocity (1-127) out of
        range are silent. Several notes sound together."""
        if not self._closed and len(self._auditions) < WAITING:
            task = asyncio.get_running_loop().create_task(self._audition(track, pitch, velocity, seconds))
            self._auditions.add(task)
            task.add_done_callback(self._auditions.discard)

    async def close(self) -> None:
        """Stop, and end every thread."""
        self._closed = True
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._opening is not None:
            await asyncio.gather(self._opening, return_exceptions=True)
        player, self._player = self._player, None
        if player is not None:
            await asyncio.to_thread(player.close)
        # A thread that strikes a note cannot be cancelled, and the synthesizer must outlive it.
        await asyncio.gather(*self._auditions, return_exceptions=True)
        self.state.set(replace(self.state.value, playing=False, preparing=None))

    @property
    def _heard(self) -> Song | None:
        return self._songs[self._side] or self._songs["song"]

    def _show(self, side: Side, song: Song | None) -> None:
        self._songs[side] = song
        if self._player is not None:
            self._player.show(side, self._sounding(song))
        else:
            self._prepare()

    def _prepare(self) -> None:
        """Make ready ahead what is not asked for yet."""
        if self._player is None and self._engine.ahead and not self._closed and not self._held_back:
            self._start(self._open())

    def _sounding(self, song: Song | None) -> Song | None:
        """A song with the parameters that are being turned."""
        return None if song is None else previewed(song, self._turned)

    def _mix(self) -> None:
        if self._player is not None:
            self._player.mix(self.solo.value, dict(self._previews))

    async def _audition(self, track: TrackId, pitch: int, velocity: int, seconds: float) -> None:
        player = await self._player_ready()
        if player is not None and not self._closed:
            from app.sound.audition import AuditionNote

            await asyncio.to_thread(player.audition, track, AuditionNote(pitch, velocity, seconds))
            self._refresh()

    async def _open(self) -> None:
        await self._player_ready()

    async def _player_ready(self) -> ProjectPlayer | None:
        if self._player is None and not self._closed:
            if self._opening is None:
                self._opening = asyncio.create_task(self._open_desk())
            await asyncio.shield(self._opening)
        return self._player

    async def _open_desk(self) -> ProjectPlayer | None:
        loop = asyncio.get_running_loop()

        def told() -> None:
            _soon(loop, self._refresh)

        def failed(error: Exception) -> None:
            _soon(loop, lambda: self._troubles.tell(error, "transport"))

        try:
            player = await asyncio.to_thread(self._engine.player, told, failed)
        except Exception as error:
            self._troubles.tell(error, "transport")
            self._opening = None
            return None
        self._player = player
        player.mix(self.solo.value, dict(self._previews))
        player.listen(self._side)
        player.set_loop(self.state.value.loop if self.state.value.looping else None)
        for side, song in self._songs.items():
            player.show(side, self._sounding(song))
        player.seek(self._at)
        return player

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _refresh(self) -> None:
        """Bring the state up to what the player says."""
        if self._player is None:
            return
        status = self._player.status
        if self.state.value.playing and not status.playing:
            self._at = self._began
        self.state.set(replace(
            self.state.value, playing=status.playing, preparing=status.preparing,
            device=status.device, silent=status.silent, device_note=status.note,
        ))


def _soon(loop: asyncio.AbstractEventLoop, act: Callable[[], None]) -> None:
    # A thread may have news while the loop ends; no one is there to hear them.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(act)
