"""Mixing: level, place, space, tone, width, punch and drive of a part or of the whole mix."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from agent.composer.changing.deeds.removing import pitches_of
from agent.composer.changing.deeds.turning import turn, turn_tone
from agent.composer.changing.mix import knobs
from agent.composer.changing.mix.lanes import everywhere, within
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import RHYTHMIC, Drum
from agent.composer.tones import Tone
from agent.composer.understanding.tasks import Mix
from agent.composer.understanding.wishes import Wish
from agent.song.track import Automation, Track

_CYMBALS: tuple[Drum, ...] = ("hat", "pedal", "open", "ride", "bell", "crash", "splash")
_VELOCITY_OF_DB = 40.0
"""Decibels that weigh as much as ten times the velocity of a stroke."""
_STILL = 0.005


def mix(stage: Stage, deed: Mix) -> None:
    """Turn the control on every track that is meant, or on the mix; `Blocked` where it is at its limit already."""
    wish = deed.wish
    if wish is not None and wish.pieces:
        _drums(stage, deed, wish)
        return
    tracks = stage.free(wish)
    name = wish.label if wish is not None else "the mix"
    master = wish is None and stage.whole
    before = stage.song
    match deed.control:
        case "level":
            _level(stage, deed, tracks, master=master)
        case "pan":
            _pan(stage, deed, tracks, master=wish is None)
        case "tone":
            _each(tracks, partial(turn_tone, stage, steps=deed.by * stage.amount), master)
        case "width" if master:
            _spread(stage, deed, tracks)
        case "punch" if master:
            roles = stage.roles()
            strong = tuple(track for track in tracks if roles[track.id] in (*RHYTHMIC, "bass"))
            pressed = partial(turn, stage, knob=knobs.KNOBS["punch"], steps=deed.by * stage.amount)
            _each(strong, pressed, not strong)
        case _:
            turned = partial(turn, stage, knob=knobs.KNOBS[deed.control], steps=deed.by * stage.amount)
            _each(tracks, turned, master)
    if stage.song is before:
        raise Blocked(_limit(deed, name))


def _each(tracks: tuple[Track, ...], turned: Callable[[Track | None], None], master: bool) -> None:
    for track in (None,) if master else tracks:
        turned(track)


def _level(stage: Stage, deed: Mix, tracks: tuple[Track, ...], *, master: bool) -> None:
    by = deed.decibels if deed.decibels is not None else knobs.LEVEL_STEP * deed.by * stage.amount
    if master:
        low, high = knobs.TARGET_LOW, knobs.TARGET_HIGH
        now = stage.song.loudness_target
        stage.sketch.loudness(_moved(now, by, low, high), "louder overall" if by > 0 else "quieter overall")
        return
    high = 24.0 if deed.decibels is not None else knobs.LEVEL_HIGH
    why = f"{'up' if by > 0 else 'down'} {abs(by):.3g} dB"
    for track in tracks:
        _fade(stage, track, "volume_db", track.volume_db, lambda now: _moved(now, by, knobs.LEVEL_LOW, high), why)


def _pan(stage: Stage, deed: Mix, tracks: tuple[Track, ...], *, master: bool) -> None:
    if master:
        raise Blocked("the whole mix has no side")
    by = knobs.PAN_STEP * deed.by * stage.amount
    why = "to the middle" if not by else f"to the {'right' if by > 0 else 'left'}"
    for track in tracks:
        _fade(stage, track, "pan", track.pan, lambda now: _moved(now, by, -1.0, 1.0) if by else 0.0, why)


def _fade(
    stage: Stage, track: Track, target: str, now: float, change: Callable[[float], float], why: str
) -> None:
    """A fader and its lane, or within a scope a lane that returns after it."""
    lane = next((one for one in track.automation if one.target == target), None)
    if not stage.whole:
        there = within(target, lane, now, stage.spans, change, stage.sketch.guard, int(stage.song.end))
        _automate(stage, track, lane, there, f"{why} here")
        return
    if change(now) != now:
        stage.sketch.update_track(track.id, why, **{target: change(now)})
    if lane is not None:
        _automate(stage, track, lane, everywhere(lane, change), why)


def _automate(stage: Stage, track: Track, was: Automation | None, lane: Automation, why: str) -> None:
    resting = getattr(track, lane.target)
    idle = was is None and all(point.value == resting for point in lane.points)
    if lane != was and lane.points and not idle:
        stage.sketch.automate(track.id, lane, why)


def _moved(now: float, by: float, low: float, high: float) -> float:
    """A value moved, but not past a limit that it is within, nor back from one it is past."""
    return round(max(min(low, now), min(max(high, now), now + by)), 3)


def _spread(stage: Stage, deed: Mix, tracks: tuple[Track, ...]) -> None:
    """Wider: parts beside the middle go further out, of those in it every second to a side; bass and beat stay."""
    roles, side = stage.roles(), -1
    step = knobs.SPREAD_STEP * deed.by * stage.amount
    for track in tracks:
        if roles[track.id] in (*RHYTHMIC, "bass", "lead") and abs(track.pan) < 0.1:
            continue
        if step > 0:
            side = -side if abs(track.pan) < 0.1 else side
            direction = side if abs(track.pan) < 0.1 else (1 if track.pan > 0 else -1)
            pan = max(-1.0, min(1.0, track.pan + direction * step))
        else:
            pan = track.pan * max(0.0, 1 + 2 * step)
        if abs(pan - track.pan) > _STILL:
            stage.sketch.update_track(track.id, "wider" if step > 0 else "closer together", pan=round(pan, 3))
    backing = tuple(track for track in tracks if roles[track.id] in ("chords", "pad", "arp"))
    for track in backing if step > 0 else tracks:
        turn(stage, track, knob=knobs.KNOBS["width"], steps=deed.by * stage.amount * knobs.MASTER_SHARE)


def _drums(stage: Stage, deed: Mix, wish: Wish) -> None:
    """Single drums of a kit: their strokes get stronger or softer; a tone on cymbals turns the kit's highs."""
    if deed.control not in ("level", "tone"):
        raise Blocked(f"{wish.label} share one track with the other drums")
    tracks, pitches = stage.free(wish), pitches_of(wish.pieces)
    tracks = tuple(t for t in tracks if any(n.pitch in pitches for c in t.clips for n in c.notes))
    if not tracks:
        raise Blocked(f"the drums play no {wish.label}")
    before = stage.song
    by = deed.by * stage.amount
    if deed.control == "tone" and all(piece in _CYMBALS for piece in wish.pieces):
        for track in tracks:
            why = f"the highs of the kit, where {wish.label} sound"
            turn_tone(stage, track, steps=by, hertz=knobs.CYMBAL_HZ, why=why)
    else:
        db = deed.decibels if deed.decibels is not None else knobs.LEVEL_STEP * by
        verb = f"{wish.label} {'stronger' if db > 0 else 'softer'}"
        for track in tracks:
            stage.sketch.each_clip(
                track, stage.spans, lambda tones, _clip: [_struck(tone, db, pitches) for tone in tones], verb,
                f"the strokes of {wish.label} alone, as they share the drums' track",
            )
    if stage.song is before:
        raise Blocked(_limit(deed, wish.label))


def _struck(tone: Tone, db: float, pitches: frozenset[int]) -> Tone:
    if tone.pitch not in pitches:
        return tone
    velocity = round(tone.velocity * 10 ** (db / _VELOCITY_OF_DB))
    return Tone(tone.start, tone.pitch, tone.length, max(1, min(127, velocity)))


def _limit(deed: Mix, name: str) -> str:
    """Why nothing could be turned."""
    more = deed.by > 0
    if deed.control == "level":
        return f"{name} is as {'loud' if more else 'soft'} as it can be already"
    if deed.control == "pan":
        return f"{name} is {'in the middle' if not deed.by else 'at that side'} already"
    if deed.control == "tone":
        return f"{name} is as {'bright' if more else 'dark'} as it can be already"
    if deed.control == "width" and name == "the mix":
        return f"the mix is as {'wide' if more else 'narrow'} as it can be already"
    much = knobs.KNOBS[deed.control].much
    return f"{name} has all the {much} it can take already" if more else f"{name} has no {much} to take away"


