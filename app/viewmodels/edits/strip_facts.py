"""What the strips of the mixer show of a song's tracks."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from agent.song.ids import TrackId
from agent.song.locks import Lock
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from app.i18n import tr, trn
from app.viewmodels.edits.locking import is_locked
from app.viewmodels.edits.mixing import pan_in_words
from app.viewmodels.texts.figures import decibels
from app.viewmodels.texts.palette_words import said
from app.viewmodels.texts.track_names import accessible_names

_LONGEST = 120


class MixerStrip(Struct, frozen=True):
    """What a mixer strip shows of a track. `pan` is -1 to 1, `effects` the number of effects; `moves_pan`: the pan is
    automated. If the palette does not know the instrument, `family` is empty and `instrument` the stored name."""

    track: TrackId
    name: str
    accessible_name: str
    """The name for screen readers."""
    color: str
    instrument: str
    family: str
    volume_db: float
    pan: float
    mute: bool = False
    solo: bool = False
    locked: bool = False
    moves_volume: bool = False
    """Whether the volume is automated."""
    moves_pan: bool = False
    effects: int = 0


def strips_of(
    song: Song, palette: Palette, solo: Collection[TrackId], locks: Collection[Lock]
) -> tuple[MixerStrip, ...]:
    """A strip for each track, in the order of the song; `solo` are ids of soloed tracks."""
    names = accessible_names(song.tracks)
    known = {one.name: one for one in palette.instruments}

    def strip(track: Track) -> MixerStrip:
        instrument = known.get(track.instrument)
        targets = {lane.target for lane in track.automation if lane.points}
        return MixerStrip(
            track.id, track.name, names[track.id], track.color,
            track.instrument if instrument is None else said(instrument.label),
            "" if instrument is None else instrument.family,
            track.volume_db, track.pan, track.mute, track.id in solo, is_locked(locks, track.id),
            "volume_db" in targets, "pan" in targets, len(track.effects),
        )

    return tuple(strip(track) for track in song.tracks)


def strip_in_words(strip: MixerStrip, volume_db: float, pan: float) -> str:
    """A strip for screen readers, with the volume (dB) and pan that are shown now."""
    parts = [
        strip.accessible_name, strip.instrument[:_LONGEST], tr("volume {value} dB", value=decibels(volume_db)),
        tr("pan {value}", value=pan_in_words(pan)),
    ]
    parts += [tr("muted")] * strip.mute + [tr("solo")] * strip.solo + [tr("locked against steps")] * strip.locked
    parts += [tr("volume automated")] * strip.moves_volume + [tr("pan automated")] * strip.moves_pan
    if strip.effects:
        parts.append(trn("{count} effect", "{count} effects", strip.effects))
    return ", ".join(parts)
