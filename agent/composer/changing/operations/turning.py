"""Turning: one parameter of one effect on a track or the mix, the whole song long or within a scope."""

from __future__ import annotations

from collections.abc import Mapping

from agent.composer.changing.mix import knobs
from agent.composer.changing.mix.knobs import EffectKnob
from agent.composer.changing.mix.lanes import Change, everywhere, within
from agent.composer.changing.stage import Stage
from agent.composer.parts import in_time
from agent.song.ids import MASTER, TrackId
from agent.song.palette import EffectUse
from agent.song.time import Ticks
from agent.song.track import Automation, Effect, Point, Track
from agent.theory.excerpts import lane_value
from agent.theory.mixing import value_of


def turn(stage: Stage, track: Track | None, *, knob: EffectKnob, steps: float) -> None:
    """Turn the effect parameter `knob` by `steps` (negative: down) on a track, or on the master (None), within the
    stage's spans; a missing effect is added when turned up."""
    present = present_on(stage, track, *knob.effects)
    share = steps if track is not None else steps * knobs.MASTER_SHARE
    if present is None:
        if steps > 0:
            fresh = in_time((knob.fresh,), stage.song.bpm)[0]
            start = fresh.params[knob.param]
            wanted = round(min(knob.high, start + knob.step * share), 3)
            bring(stage, track, EffectUse(fresh.effect, {**fresh.params, knob.param: wanted}), knob.idle)
        return
    now = value_of(present, knob.param, stage.palette)
    floor = 0.0 if knob.param == "mix" else min(knob.low, now)

    def change(value: float) -> float:
        most = max(knob.high, value)
        return round(max(floor, min(most, value + knob.step * share)), 3)

    if stage.whole and steps < 0 and change(now) <= knob.low:
        stage.sketch.remove_effect(_owner(track), present, f"no {knob.much}")
        return
    _set(stage, track, present, {knob.param: now}, change, f"{'more' if steps > 0 else 'less'} {knob.much}")


def turn_tone(
    stage: Stage, track: Track | None, *, steps: float, hertz: float = knobs.BRIGHT_HZ, why: str = ""
) -> None:
    """Make a track, or the master (None), brighter (`steps` above 0) or darker: by the equaliser's highs from `hertz`
    up, or by the cutoff of a lowpass that is there."""
    share = steps if track is not None else steps * knobs.MASTER_SHARE
    words = why or ("more highs" if steps > 0 else "fewer highs")
    lowpass = present_on(stage, track, "lowpass")
    if lowpass is not None:
        factor = knobs.CUTOFF_STEP ** -share
        cutoff = value_of(lowpass, "cutoff", stage.palette)

        def moved(value: float) -> float:
            low, high = min(knobs.CUTOFF_LOW, value), max(knobs.CUTOFF_HIGH, value)
            return float(round(max(low, min(high, value * factor))))

        _set(stage, track, lowpass, {"cutoff": cutoff}, moved, words)
        if steps < 0:
            return
    by, limit = knobs.TONE_STEP * share, knobs.TONE_LIMIT

    def change(value: float) -> float:
        return round(max(min(-limit, value), min(max(limit, value), value + by)), 2)

    eq = present_on(stage, track, "eq")
    if eq is not None:
        _set(stage, track, eq, {"high_gain": value_of(eq, "high_gain", stage.palette)}, change, words)
    elif change(0.0):
        use = EffectUse("eq", {"high_gain": change(0.0), "high_freq": hertz})
        bring(stage, track, use, {"high_gain": 0.0}, words)


def cut_at(stage: Stage, track: Track | None, name: str, hertz: float, idle: float) -> None:
    """Set the cutoff of the filter `name` on a track, or on the master (None), to `hertz`; a missing filter is added.

    With a scope a new filter stands at the cutoff `idle` outside of it.
    """
    why = f"{name} at {hertz:g} Hz"
    there = present_on(stage, track, name)
    if there is None:
        bring(stage, track, EffectUse(name, {"cutoff": hertz}), {"cutoff": idle}, why)
    else:
        _set(stage, track, there, {"cutoff": value_of(there, "cutoff", stage.palette)}, _to(hertz), why)


def cut_along(
    stage: Stage, track: Track | None, name: str, ends: tuple[float, float], idle: float, step: int, most: int
) -> None:
    """Sweep the cutoff of a track's filter through each span of the scope between the two `ends` (Hz), evenly in pitch,
    with points at least `step` ticks apart, at most `most`.

    Outside the scope the filter keeps its cutoff, a new one that of `idle`. Does nothing for the master (None).
    """
    if track is None:
        return
    if present_on(stage, track, name) is None:
        stage.sketch.add_effect(track.id, EffectUse(name, {"cutoff": idle}), "")
    made = present_on(stage, track, name)
    if made is None:
        return
    resting = value_of(made, "cutoff", stage.palette)
    for start, stop in stage.spans:
        count = max(1, min(most, (stop - start) // step))
        begin, end = ends
        moving = [
            Point(Ticks(start + (stop - 1 - start) * n // count), round(begin * (end / begin) ** (n / count), 1))
            for n in range(count + 1)
        ]
        lane = _lane_of(stage, track, made, "cutoff")
        others = [one for one in (lane.points if lane is not None else ()) if not start - 1 <= one.at <= stop]
        edges = [Point(Ticks(start - 1), lane_value(lane, resting, start - 1))] if start else []
        edges += [Point(Ticks(stop), lane_value(lane, resting, stop))] if stop < int(stage.song.end) else []
        points = tuple(sorted((*others, *edges, *moving), key=lambda one: one.at))
        why = f"{name} from {begin:g} to {end:g} Hz"
        stage.sketch.automate(track.id, Automation(f"{made.id}.cutoff", points), why)


def bring(stage: Stage, track: Track | None, use: EffectUse, idle: Mapping[str, float], why: str = "") -> None:
    """Add the effect `use` to a track, or to the master (None); with a scope its parameters are automated to `idle`,
    where it does nothing, outside of it."""
    owner = _owner(track)
    if stage.whole or track is None:
        stage.sketch.add_effect(owner, use, why)
        return
    known = {effect.id for effect in track.effects}
    before = stage.song
    stage.sketch.add_effect(owner, EffectUse(use.effect, {**use.params, **idle}), why)
    if stage.song is before:
        return
    made = next(effect for effect in stage.song.track(owner).effects if effect.id not in known)
    for param, resting in idle.items():
        _lane(stage, track, made, param, resting, _to(use.params[param]), why or "only here")


def _to(value: float) -> Change:
    return lambda _: value


def _set(
    stage: Stage, track: Track | None, effect: Effect, now: Mapping[str, float], change: Change, why: str
) -> None:
    """Change parameters of an effect that is there, with what automates them."""
    for param, value in now.items():
        if not stage.whole and track is not None:
            _lane(stage, track, effect, param, value, change, f"{why} here")
            continue
        if change(value) != value:
            stage.sketch.set_effect(_owner(track), effect, {param: change(value)}, why)
        lane = _lane_of(stage, track, effect, param)
        if lane is not None and everywhere(lane, change) != lane:
            stage.sketch.automate(_owner(track), everywhere(lane, change), why)


def _lane(
    stage: Stage, track: Track, effect: Effect, param: str, resting: float, change: Change, why: str
) -> None:
    lane = _lane_of(stage, track, effect, param)
    target = f"{effect.id}.{param}"
    there = within(target, lane, resting, stage.spans, change, stage.sketch.guard, int(stage.song.end))
    if there != lane and any(point.value != resting for point in there.points):
        stage.sketch.automate(track.id, there, why)


def _lane_of(stage: Stage, track: Track | None, effect: Effect, param: str) -> Automation | None:
    if track is None:
        return None
    lanes = stage.song.track(track.id).automation
    return next((one for one in lanes if one.target == f"{effect.id}.{param}"), None)


def present_on(stage: Stage, track: Track | None, *names: str) -> Effect | None:
    """The first effect with one of these names on a track, or on the master (None); None if there is none."""
    chain = stage.song.master_effects if track is None else stage.song.track(track.id).effects
    return next((effect for effect in chain if effect.name in names), None)


def _owner(track: Track | None) -> TrackId:
    return MASTER if track is None else track.id
