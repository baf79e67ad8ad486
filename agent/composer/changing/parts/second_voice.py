"""Second voices: new tracks that play with, against or after a part, softer and to its other side."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.changing.parts.room import colour_for
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.parts import PlannedClip, PlannedTrack
from agent.composer.roles import GROUPS
from agent.composer.styles import Role
from agent.composer.tones import Tone, tidy
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.instruments import default_part, find_instrument
from agent.message import msg
from agent.song.ids import TrackId
from agent.song.palette import EffectUse, Instrument
from agent.song.track import Track

_SOFTER_DB = 4.0
_APART = 0.35


def sound_of(stage: Stage, track: Track, by: Wish | None) -> Instrument:
    """The instrument that the wish `by` means, without one (None) that of the track. Raises `Blocked` if it does not
    exist."""
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    sound = known.get(track.instrument) if by is None else find_instrument(by, stage.palette)
    if sound is None:
        raise Blocked(msg("no instrument for {instrument!r}", instrument=track.instrument if by is None else by.label))
    return sound


def along(stage: Stage, track: Track, tones: Sequence[Tone], why: str) -> list[PlannedClip]:
    """The tones as planned clips with the names and bounds of the track's own clips, so that both can be edited
    alike."""
    passages = []
    for start, end in stage.spans:
        for clip in track.clips:
            low, high = max(start, int(clip.start)), min(end, int(clip.end))
            clean = tidy((tone for tone in tones if low <= tone.start < high), low, high) if low < high else ()
            if clean:
                passages.append(PlannedClip(clip.name, low, high, clean, why))
    return passages


def in_bars(stage: Stage, name: str, tones: Sequence[Tone], why: str) -> list[PlannedClip]:
    """The tones as planned clips, one for each span of the stage, from the bar of its first tone to that of its
    last."""
    bars = stage.song.bar_map
    passages = []
    for start, end in stage.spans:
        inside = [tone for tone in tones if start <= tone.start < end]
        if inside:
            first, last = bars.bar_at(inside[0].start), bars.bar_at(min(end, max(t.end for t in inside)) - 1)
            low, high = max(start, int(bars.start_of(first))), min(end, int(bars.start_of(last + 1)))
            passages.append(PlannedClip(name, low, high, tidy(inside, low, high), why))
    return passages


def add_voice(
    stage: Stage, track: Track, sound: Instrument, passages: Sequence[PlannedClip], name: str, why: str,
    role: Role | None = None,
) -> TrackId | None:
    """Add a track `name` for a second voice, played by `sound`, softer than `track` and panned to the other side, with
    its effects. `passages` are its clips, `role` its role (None: that of `track`).

    Returns the new track's id; None where locks leave it nothing to play.
    """
    role = role or stage.roles()[track.id]
    playable = {effect.name for effect in stage.palette.effects}
    chain = [fx for fx in track.effects if fx.enabled and fx.name in playable]
    part = default_part(role, track.name, (sound.name,))
    level = track.volume_db - _SOFTER_DB - 6 * (1 - min(1.0, stage.amount))
    return stage.sketch.add_track(
        PlannedTrack(
            name, sound.name, round(max(-48.0, level), 1), -track.pan if abs(track.pan) >= 0.15 else _APART,
            colour_for(structs.replace(part, color=track.color), stage.song), tuple(passages),
            tuple(EffectUse(fx.name, dict(fx.params)) for fx in chain), GROUPS[role], why,
        )
    )
