"""Automation as a hand draws it: the curve that a lane shows, and edits of its points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from agent.song.edits import PointSpec, SetAutomation
from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.rules import RANGES
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Automation, Point, Track
from app.i18n import tr
from app.viewmodels.edits.clip_edits import HIGHEST, LOWEST, MAX_NAME, HandEdit, find_track
from app.viewmodels.edits.effect_values import parameter_label, value_in_words
from app.viewmodels.edits.mixing import pan_in_words
from app.viewmodels.texts.curve_words import curve_in_words
from app.viewmodels.texts.figures import decibels
from app.viewmodels.texts.palette_words import said

Shape = Literal["linear", "hold"]


class CurveTarget(Struct, frozen=True):
    """Something that can be automated: its name in the song (`target`) and for people (`label`), the range of its lane
    (`low` to `high`), and the value without automation (`rest`)."""

    target: str
    label: str
    low: float
    high: float
    rest: float

    def share(self, value: float) -> float:
        """The height of a value in its lane, 0 to 1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def value(self, share: float) -> float:
        """The value at a height (0 to 1) of the lane, rounded as it is stored."""
        value = self.low + min(1.0, max(0.0, share)) * (self.high - self.low)
        return round(value, 1 if self.high - self.low > 20 else 3) + 0.0


def targets_of(track: Track, palette: Palette) -> tuple[CurveTarget, ...]:
    """Everything that can be automated on a track: volume, pan, performance controllers, and parameters of its
    effects."""
    found = [
        CurveTarget("volume_db", curve_in_words("volume_db"), LOWEST, HIGHEST, track.volume_db),
        CurveTarget("pan", curve_in_words("pan"), -1.0, 1.0, track.pan),
    ]
    kinds = {kind.name: kind for kind in palette.effects}
    for effect in track.effects:
        values = dict(effect.params)
        for one in kinds[effect.name].params if effect.name in kinds else ():
            kind = said(kinds[effect.name].label)
            label = tr("{effect} {parameter}", effect=kind, parameter=parameter_label(one.name))
            found.append(CurveTarget(
                f"{effect.id}.{one.name}", label, one.low, one.high, values.get(one.name, one.default)
            ))
    for name in ("expression", "modulation", "pedal", "bend"):
        low, high = RANGES[name]
        found.append(CurveTarget(name, curve_in_words(name), low, high, high if name == "expression" else 0.0))
    return tuple(found)


def target_of(track: Track, target: str, palette: Palette) -> CurveTarget | None:
    """The target of that name; None if the track does not have it (any more)."""
    return next((one for one in targets_of(track, palette) if one.target == target), None)


def curve_of(track: Track, target: str) -> Automation:
    """The track's automation of a target; one without points if there is none."""
    return next((lane for lane in track.automation if lane.target == target), Automation(target, ()))


def value_words(track: Track, one: CurveTarget, value: float, palette: Palette) -> str:
    """A value with its unit: "−3.5 dB", "L 30", "1.2 kHz"."""
    if one.target == "volume_db":
        return tr("{level} dB", level=decibels(value))
    if one.target == "pan":
        return pan_in_words(value)
    effect_id, dot, name = one.target.partition(".")
    effect = next((effect.name for effect in track.effects if dot and effect.id == effect_id), "")
    kind = next((kind for kind in palette.effects if kind.name == effect), None)
    parameter = next((param for param in kind.params if param.name == name), None) if kind is not None else None
    return f"{value:g}" if parameter is None else value_in_words(parameter, value)


def with_points(song: Song, track_id: TrackId, target: str, points: Iterable[Point], shape: Shape | None) -> HandEdit:
    """The edit that sets the points of a target's automation (of two at one tick the later counts); no points remove
    it. `shape` None leaves its shape."""
    track = find_track(song, track_id)
    if track is None:
        return HandEdit()
    now = curve_of(track, target)
    kept = {point.at: point for point in points}
    wanted = tuple(kept[at] for at in sorted(kept))
    shape = shape or now.curve
    if wanted == now.points and shape == now.curve:
        return HandEdit()
    edit = SetAutomation(
        track_id=track_id, target=target, points=tuple(PointSpec(one.at, one.value) for one in wanted), curve=shape
    )
    label = tr("Curve of {what}, {track}", what=curve_in_words(target), track=track.name)
    return HandEdit((edit,), label[:MAX_NAME])


def with_point(
    points: tuple[Point, ...], old: Ticks | None, at: Ticks, value: float
) -> tuple[Point, ...]:
    """The points with one added at tick `at`, or with the one at tick `old` moved there; a point at `at` is
    replaced."""
    rest = [point for point in points if point.at not in (old, at)]
    return tuple(sorted([*rest, Point(at, value)], key=lambda point: point.at))


def value_at(curve: Automation, at: float, rest: float) -> float:
    """The value of an automation at a tick; `rest` if it has no points."""
    points = curve.points
    before = [point for point in points if point.at <= at]
    after = [point for point in points if point.at > at]
    if not before:
        return after[0].value if after else rest
    if not after or curve.curve == "hold":
        return before[-1].value
    one, two = before[-1], after[0]
    return one.value + (two.value - one.value) * (at - one.at) / (two.at - one.at)
