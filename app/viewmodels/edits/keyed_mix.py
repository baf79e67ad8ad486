"""Volume and pan that keys move: heard at once, and shown until the song has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from agent.song.ids import TrackId
from agent.song.song import Song
from app.viewmodels.edits.clip_edits import HandEdit
from app.viewmodels.edits.mixing import held_pan, held_volume, with_mix


class MixValues(Struct, frozen=True):
    """Volume (dB) and pan (-1 to 1) of a track; None stands for the song's own value."""

    volume: float | None = None
    pan: float | None = None


class KeyedMix:
    """Volumes and pans set by keys that the song does not have yet. `hear` plays with a track's volume and pan, as
    `Playback.preview_mix`. `commit` stores an edit and calls its second argument when it is stored or refused."""

    def __init__(
        self, hear: Callable[[TrackId, float | None, float | None], None],
        commit: Callable[[HandEdit, Callable[[], None]], None],
    ) -> None:
        self._hear = hear
        self._commit = commit
        self._set: dict[TrackId, MixValues] = {}
        self._sent: dict[TrackId, MixValues] = {}

    def of(self, track: TrackId, volume: float, pan: float) -> tuple[float, float]:
        """Volume (dB) and pan (-1 to 1) to show for a track that has these values in the song."""
        mix = self._set.get(track, MixValues())
        return volume if mix.volume is None else mix.volume, pan if mix.pan is None else mix.pan

    def nudge(self, track: TrackId, now: tuple[float, float], *, volume: float = 0.0, pan: float = 0.0) -> None:
        """Move a track's volume by decibels, or its pan; `now` is volume and pan in the song."""
        mix, shown = self._set.get(track, MixValues()), self.of(track, *now)
        self._set[track] = mix = MixValues(
            held_volume(shown[0] + volume) if volume else mix.volume, held_pan(shown[1] + pan) if pan else mix.pan
        )
        self._hear(track, mix.volume, mix.pan)

    def drop(self) -> bool:
        """Discard values that were not sent to the song yet; returns whether there were any."""
        dropped = [track for track, mix in self._set.items() if self._sent.get(track) is not mix]
        for track in dropped:
            sent = self._sent.get(track)
            if sent is None:
                self._end(track)
            else:
                self._set[track] = sent
                self._hear(track, sent.volume, sent.pan)
        return bool(dropped)

    def keep(self, song: Song) -> None:
        """Send values to the song, one edit for each track."""
        for track, mix in tuple(self._set.items()):
            if self._sent.get(track) is not mix:
                self._sent[track] = mix
                self._commit(with_mix(song, track, mix.volume, mix.pan), partial(self._settled, track, mix))

    def _settled(self, track: TrackId, mix: MixValues) -> None:
        if self._sent.get(track) is mix:
            del self._sent[track]
        # Keys that came meanwhile wait for their own rest.
        if self._set.get(track) is mix:
            self._end(track)

    def _end(self, track: TrackId) -> None:
        del self._set[track]
        self._hear(track, None, None)
