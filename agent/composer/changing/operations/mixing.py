"""Mixing: level, place, space, tone, width, punch and drive of a part or of the whole mix."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import MappingProxyType
from typing import cast

from msgspec import structs

from agent.composer.changing.mix import knobs
from agent.composer.changing.mix.lanes import everywhere, within
from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.turning import turn, turn_tone
from agent.composer.changing.report.measuring import Goal, Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import RHYTHMIC, Drum, StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.numbers import Decibels
from agent.composer.understanding.operations import Mix
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.slot_filling import within as bounded
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.track import Automation, Track

_CYMBALS: tuple[Drum, ...] = ("hat", "pedal", "open", "ride", "bell", "crash", "splash")
_VELOCITY_OF_DB = 40.0
"""Decibels that weigh as much as ten times the velocity of a stroke."""
_STILL = 0.005
_ALL = 100.0
"""Steps back after which nothing of an effect is left."""
_ROW, _OUTER = 2, 0.8
"""Parts of the smallest row from left to right, and where the outer ones of a row stand."""
_NONE = "none"
"""How the language file calls what takes an effect away altogether."""
_HOURS, _HARD_RIGHT = 12, 5
"""A knob as a clock face: 12 is its middle, 5 its right end, 7 its left."""


def mix(stage: Stage, operation: Mix) -> None:
    """Turn the control by its usual step times the stage's amount, on every track that is meant or on the master.
    Raises `Blocked` where it is at its limit already."""
    wish = operation.wish
    if wish is not None and wish.pieces:
        _drums(stage, operation, wish)
        return
    tracks = stage.free(wish)
    name = wish.label if wish is not None else "the mix"
    master = wish is None and stage.whole
    before = stage.song
    match operation.control:
        case "level":
            _level(stage, operation, tracks, master=master)
        case "pan":
            _pan(stage, operation, tracks, master=wish is None)
        case "tone":
            _each(tracks, partial(turn_tone, stage, steps=operation.by * stage.amount), master)
        case "width" if master:
            _spread(stage, operation, tracks)
        case "punch" if master:
            roles = stage.roles()
            strong = tuple(track for track in tracks if roles[track.id] in (*RHYTHMIC, "bass"))
            pressed = partial(turn, stage, knob=knobs.KNOBS["punch"], steps=operation.by * stage.amount)
            _each(strong, pressed, not strong)
        case _:
            _turned(stage, operation, tracks, master=master)
    if stage.song is before and not _is_none(operation):
        raise Blocked(_limit(operation, name))


def _is_none(operation: Mix) -> bool:
    """Whether nothing of an effect is to be left, which is so where there is none."""
    return operation.at is not None and operation.control in knobs.KNOBS


def _turned(stage: Stage, operation: Mix, tracks: tuple[Track, ...], *, master: bool) -> None:
    """An effect more or less, or gone; what the mix lacks goes from its parts."""
    none = _is_none(operation)
    steps = -_ALL if none else operation.by * stage.amount
    turned = partial(turn, stage, knob=knobs.KNOBS[cast("knobs.Control", operation.control)], steps=steps)
    before = stage.song
    _each(tracks, turned, master)
    if master and steps < 0 and (none or stage.song is before):
        _each(tracks, turned, master=False)


def _each(tracks: tuple[Track, ...], turned: Callable[[Track | None], None], master: bool) -> None:
    for track in (None,) if master else tracks:
        turned(track)


def _level(stage: Stage, operation: Mix, tracks: tuple[Track, ...], *, master: bool) -> None:
    if operation.at is not None:
        _placed(stage, operation.at, tracks, "volume_db", f"at {operation.at:g} dB")
        return
    by = operation.decibels if operation.decibels is not None else knobs.LEVEL_STEP * operation.by * stage.amount
    if master:
        low, high = knobs.TARGET_LOW, knobs.TARGET_HIGH
        now = stage.song.loudness_target
        stage.sketch.loudness(_moved(now, by, low, high), "louder overall" if by > 0 else "quieter overall")
        return
    high = 24.0 if operation.decibels is not None else knobs.LEVEL_HIGH
    why = f"{'up' if by > 0 else 'down'} {abs(by):.3g} dB"
    for track in tracks:
        _fade(stage, track, "volume_db", track.volume_db, lambda now: _moved(now, by, knobs.LEVEL_LOW, high), why)


def _pan(stage: Stage, operation: Mix, tracks: tuple[Track, ...], *, master: bool) -> None:
    if operation.at is not None and not master:
        side = "right" if operation.at > 0 else "left" if operation.at < 0 else "middle"
        _placed(stage, operation.at, tracks, "pan", f"to the {side}")
        return
    if master:
        raise Blocked(msg("the whole mix has no side"))
    by = knobs.PAN_STEP * operation.by * stage.amount
    why = "to the middle" if not by else f"to the {'right' if by > 0 else 'left'}"
    for track in tracks:
        _fade(stage, track, "pan", track.pan, lambda now: _moved(now, by, -1.0, 1.0) if by else 0.0, why)


def _placed(stage: Stage, at: float, tracks: tuple[Track, ...], target: str, why: str) -> None:
    """A fader where it was said; a lane that moves keeps its movement, and its first point stands there."""
    for track in tracks:
        lane = next((one for one in track.automation if one.target == target), None)
        now = getattr(track, target)
        by = at - (lane.points[0].value if lane is not None else now)
        low, high = (-96.0, 24.0) if target == "volume_db" else (-1.0, 1.0)
        if not stage.whole:
            _fade(stage, track, target, now, lambda _: at, why)
            continue
        if now != at:
            stage.sketch.update_track(track.id, why, **{target: at})
        if lane is not None and by:
            _automate(stage, stage.song.track(track.id), lane, everywhere(lane, partial(_shifted, by, low, high)), why)


def _shifted(by: float, low: float, high: float, now: float) -> float:
    return max(low, min(high, now + by))


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


def _spread(stage: Stage, operation: Mix, tracks: tuple[Track, ...]) -> None:
    """Wider: parts beside the middle go further out, of those in it every second to a side; bass and beat stay."""
    roles, side = stage.roles(), -1
    step = knobs.SPREAD_STEP * operation.by * stage.amount
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
        turn(stage, track, knob=knobs.KNOBS["width"], steps=operation.by * stage.amount * knobs.MASTER_SHARE)


def _drums(stage: Stage, operation: Mix, wish: Wish) -> None:
    """Single drums of a kit: their strokes get stronger or softer; a tone on cymbals turns the kit's highs."""
    if operation.at is not None or operation.control not in ("level", "tone"):
        raise Blocked(msg("{wish} share one track with the other drums", wish=wish.label))
    tracks, pitches = stage.free(wish), pitches_of(wish.pieces)
    tracks = tuple(t for t in tracks if any(n.pitch in pitches for c in t.clips for n in c.notes))
    if not tracks:
        raise Blocked(msg("the drums play no {wish}", wish=wish.label))
    before = stage.song
    by = operation.by * stage.amount
    if operation.control == "tone" and all(piece in _CYMBALS for piece in wish.pieces):
        for track in tracks:
            why = f"the highs of the kit, where {wish.label} sound"
            turn_tone(stage, track, steps=by, hertz=knobs.CYMBAL_HZ, why=why)
    else:
        db = operation.decibels if operation.decibels is not None else knobs.LEVEL_STEP * by
        verb = f"{wish.label} {'stronger' if db > 0 else 'softer'}"
        for track in tracks:
            stage.sketch.each_clip(
                track, stage.spans, lambda tones, _clip: [_struck(tone, db, pitches) for tone in tones], verb,
                f"the strokes of {wish.label} alone, as they share the drums' track",
            )
    if stage.song is before:
        raise Blocked(_limit(operation, wish.label))


def _struck(tone: Tone, db: float, pitches: frozenset[int]) -> Tone:
    if tone.pitch not in pitches:
        return tone
    velocity = round(tone.velocity * 10 ** (db / _VELOCITY_OF_DB))
    return Tone(tone.start, tone.pitch, tone.length, max(1, min(127, velocity)))


def _limit(operation: Mix, name: str) -> str:
    """Why nothing could be turned."""
    more = operation.by > 0
    if operation.at is not None:
        return f"{name} is there already"
    if operation.control == "level":
        return f"{name} is as {'loud' if more else 'soft'} as it can be already"
    if operation.control == "pan":
        return f"{name} is {'in the middle' if not operation.by else 'at that side'} already"
    if operation.control == "tone":
        return f"{name} is as {'bright' if more else 'dark'} as it can be already"
    if operation.control == "width" and name == "the mix":
        return f"the mix is as {'wide' if more else 'narrow'} as it can be already"
    much = knobs.KNOBS[operation.control].much
    return f"{name} has all the {much} it can take already" if more else f"{name} has no {much} to take away"


def _read(filled: Filled) -> tuple[Mix, ...]:
    if filled.words.control == "pan" and filled.words.sign and filled.measure is not None and filled.measure.exact:
        # "30 % right" is a place, and no share of a step
        return _read_at(filled)
    return tuple(_mixed(filled, wish) for wish in filled.each)


def _mixed(filled: Filled, wish: Wish | None) -> Mix:
    words, level, number = filled.words, filled.value("decibels"), filled.number("number")
    if words.variant == _NONE:
        return Mix(words.control, words.sign, wish, at=0.0)
    if number is not None:
        # "knock 5 off it"
        level = Decibels(number, signed=False)
    if not isinstance(level, Decibels):
        return Mix(words.control, words.sign, wish)
    value = level.value if level.signed else level.value * filled.direction
    return Mix(words.control, 1.0 if value > 0 else -1.0, wish, bounded(value, -60.0, 24.0))


def _read_at(filled: Filled) -> tuple[Mix, ...]:
    """Where a fader or a place is to stand: in dB, in percent to a side, on a clock face, or at the sign's end."""
    words, level, number = filled.words, filled.value("decibels"), filled.number("number")
    at = words.sign
    if isinstance(level, Decibels):
        at = level.value if level.signed or words.sign > 0 else -level.value
    elif words.factor != 1 and number is not None:
        hour = number % _HOURS
        at = bounded((hour if hour < _HOURS / 2 else hour - _HOURS) / _HARD_RIGHT, -1, 1)
    elif number is not None:
        at = filled.direction * bounded(number / 100, 0, 1)
    elif filled.measure is not None and filled.measure.exact:
        at = filled.direction * bounded(filled.measure.factor, 0, 1)
    by = 1.0 if at > 0 else -1.0 if at < 0 else 0.0
    return tuple(Mix(words.control, by, wish, at=round(bounded(at, -96, 24), 3)) for wish in filled.each)


def _read_row(filled: Filled) -> tuple[Mix, ...]:
    """Parts at even distances from one side to the other: those of the form, else several that are named in the
    request, else all that have pitches, highest first."""
    lexicon = filled.lexicon
    named = filled.parts if filled.parts else filled.all_named
    parts = tuple(one for wish in named for one in lexicon.one_by_one(wish))
    if len(parts) < (_ROW if filled.parts else _ROW + 1):
        parts = tuple(Wish(lexicon.song.track(track).name, tracks=(track,)) for track in lexicon.by_height)
    parts = tuple(dict.fromkeys(parts))
    if len(parts) < _ROW:
        return ()
    places = [filled.direction * _OUTER * (2 * number / (len(parts) - 1) - 1) for number in range(len(parts))]
    return tuple(
        Mix("pan", 1.0 if at > 0 else -1.0 if at < 0 else 0.0, part, at=round(at, 2))
        for part, at in zip(parts, places, strict=True)
    )


def _read_cap(filled: Filled) -> tuple[Mix, ...]:
    """Every part that is louder than the one that is named, by their faders, as loud as that."""
    song = filled.lexicon.song
    named = [track for wish in filled.parts for track in filled.lexicon.meant(wish)]
    if not named:
        return ()
    most = min(song.track(track).volume_db for track in named)
    louder = [track for track in song.tracks if track.id not in named and track.volume_db > most]
    wishes = [Wish(track.name, tracks=(track.id,)) for track in louder] or list(filled.parts)
    return tuple(Mix("level", -1.0, wish, at=round(bounded(most, -96, 24), 3)) for wish in wishes)


def _asks(served: Served, operation: Mix, _: StyleBook) -> list[Ask]:
    """Level, place and sound, on each part that is meant."""
    wish = operation.wish
    if operation.at is not None and wish is not None:
        return [
            structs.replace(ask, goal="equals", value=operation.at) if ask.measure else ask
            for ask in served.of_parts(wish, operation.control, "equals") if not wish.pieces
        ] or served.plain()
    up = (operation.decibels if operation.decibels is not None else operation.by) > 0
    goal: Goal = "higher" if up else "lower"
    if wish is not None and wish.pieces:
        tone = operation.control == "tone" and frozenset(_CYMBALS).issuperset(wish.pieces)
        return served.of_parts(wish, "tone" if tone else "velocity", goal)
    if operation.control == "level":
        return _asks_level(served, operation, goal)
    if operation.control == "pan" and not operation.by:
        return served.plain()
    return served.of_parts(wish, operation.control, goal)


def _asks_level(served: Served, operation: Mix, goal: Goal) -> list[Ask]:
    if operation.wish is None:
        whole = served.task.scope.whole
        return served.ask("loudness_target" if whole else "level", goal)
    if operation.decibels is None:
        return served.of_parts(operation.wish, "level", goal)
    asks = []
    for ask in served.of_parts(operation.wish, "level", goal):
        if not ask.measure:
            return [ask]
        wanted = round(served.figure(ask.measure, ask.bars) + operation.decibels, 3)
        possible = -48 <= wanted <= 24
        asks.append(Ask(ask.asked, ask.steps, ask.measure, "equals", wanted, ask.bars) if possible else ask)
    return asks


_READINGS = {
    "mix": SlotReading(_read), "mix_at": SlotReading(_read_at), "mix_row": SlotReading(_read_row, follows=True),
    "mix_cap": SlotReading(_read_cap, frozenset({"part"}), follows=True),
}
KINDS = (OperationKind(Mix, 14, mix, MappingProxyType(_READINGS), _asks),)
