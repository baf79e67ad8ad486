"""Doubling: a part is played along with, an interval apart or by another instrument."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.changing.deeds.adding import new_track, style_for
from agent.composer.changing.parts.lines import fits, handed_over, moved
from agent.composer.changing.parts.room import colour_for
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.parts import NewTrack, Passage
from agent.composer.roles import GROUPS
from agent.composer.styles import RHYTHMIC, EffectUse
from agent.composer.tones import Tone, tidy
from agent.composer.understanding.tasks import Double
from agent.composer.writing.band import default_part, find_instrument
from agent.song.palette import Instrument
from agent.song.track import Track

_SOFTER_DB, _SOFTER = 4.0, 0.86
_APART = 0.35
_ROOM = 0.8
"""Share of the notes that must lie in the range of what doubles."""


def double(stage: Stage, deed: Double) -> None:
    """A softer track plays along, to the other side; drums get a second layer of percussion instead."""
    meant = tracks_of(deed.wish, stage.song, stage.palette)
    if not meant:
        raise Blocked(f"the song has no {deed.wish.label}")
    roles = stage.roles()
    layered = False
    for track in (stage.song.track(one) for one in meant):
        if roles[track.id] not in RHYTHMIC:
            _along(stage, track, deed)
        elif not layered:
            layered = True
            _layer(stage)


def _layer(stage: Stage) -> None:
    style = style_for(stage)
    part = style.part_for("percussion") or default_part("percussion", "Percussion", ())
    new_track(stage, structs.replace(part, why="a second layer over the drums"), style, stage.dice)


def _along(stage: Stage, track: Track, deed: Double) -> None:
    tones = sorted(
        Tone(clip.start + n.start, n.pitch, n.duration, n.velocity) for clip in track.clips for n in clip.notes
        if stage.inside(clip.start + n.start)
    )
    if not tones:
        raise Blocked(f"{deed.wish.label} plays nothing there")
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    own = known.get(track.instrument)
    sound = own if deed.by is None else find_instrument(deed.by, stage.palette)
    if sound is None:
        label = track.instrument if deed.by is None else deed.by.label
        raise Blocked(f"no instrument for {label!r}")
    by = _interval(deed, tones, sound, same=sound == own)
    key = stage.heard().key
    line = [moved(tone, by, key) for tone in tones]
    line = [tone for tone in line if sound.low <= tone.pitch <= sound.high]
    line = handed_over(line, own.family if own else None, sound.family, stage.spans[-1][1])
    softened = [structs.replace(tone, velocity=max(1, round(tone.velocity * _SOFTER))) for tone in line]
    _write(stage, track, sound, softened, _words(by, sound, same=sound == own))


def _interval(deed: Double, tones: Sequence[Tone], sound: Instrument, *, same: bool) -> int:
    """Semitones between the two: those that were asked for, else the octave (or unison) with most room."""
    if deed.semitones:
        if fits(tones, deed.semitones, sound) >= _ROOM:
            return deed.semitones
        other = deed.semitones - 12 if deed.semitones > 0 else deed.semitones + 12
        if other and fits(tones, other, sound) >= _ROOM:
            return other
        raise Blocked(f"{sound.label.lower()} has no notes there")
    options = (12, -12) if same else (0, 12, -12, 24, -24)
    best = max(options, key=lambda by: (fits(tones, by, sound) >= _ROOM, -options.index(by)))
    if fits(tones, best, sound) < _ROOM:
        raise Blocked(f"{sound.label.lower()} has no room above or below it")
    return best


def _write(stage: Stage, track: Track, sound: Instrument, tones: Sequence[Tone], words: str) -> None:
    # clips as those of the part, so that both can be edited alike
    passages = []
    for start, end in stage.spans:
        for clip in track.clips:
            low, high = max(start, int(clip.start)), min(end, int(clip.end))
            clean = tidy((tone for tone in tones if low <= tone.start < high), low, high) if low < high else ()
            if clean:
                passages.append(Passage(clip.name, low, high, clean, f"as {track.name}, {words}"))
    role = stage.roles()[track.id]
    playable = {effect.name for effect in stage.palette.effects}
    chain = [fx for fx in track.effects if fx.enabled and fx.name in playable]
    part = default_part(role, track.name, (sound.name,))
    amount = min(1.0, stage.amount)
    stage.sketch.add_track(
        NewTrack(
            f"{track.name} double", sound.name, round(max(-48.0, track.volume_db - _SOFTER_DB - 6 * (1 - amount)), 1),
            _opposite(track.pan), colour_for(structs.replace(part, color=track.color), stage.song), tuple(passages),
            tuple(EffectUse(fx.name, dict(fx.params)) for fx in chain), GROUPS[role],
            f"doubles {track.name} {words}",
        )
    )


def _opposite(pan: float) -> float:
    return round(-pan, 2) if abs(pan) >= 0.15 else _APART


def _words(by: int, sound: Instrument, *, same: bool) -> str:
    names = {0: "in unison", 12: "an octave up", -12: "an octave down", 24: "two octaves up", -24: "two octaves down"}
    apart = names.get(by) or f"{abs(by)} semitones {'up' if by > 0 else 'down'}"
    return apart if same else f"{apart} on {sound.label.lower()}"
