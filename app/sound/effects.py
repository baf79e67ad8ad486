"""Chains of effects, played by pedalboard, with automated parameters and tails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agent.message import msg
from agent.song.errors import SongError
from agent.song.palette import EffectKind, Palette
from agent.song.song import Song
from agent.song.track import Effect, Track
from app.sound.curves import AutomationCurve, curve_of
from app.sound.effect_recipes import RECIPES, Recipe
from app.sound.errors import SoundInputError
from app.sound.fluid import Planar
from app.sound.part import LONGEST_TAIL, SAMPLE_RATE

BLOCK = 1024
"""Frames between two values of an automated effect parameter."""
TAIL_DB = -60.0
"""Level at which an effect's tail is cut, in dB relative to the loudest frame before it."""

GLIDE = BLOCK
"""Frames over which changed parameters glide to their new values."""

_PIECE = 480 * BLOCK  # 10 s
_STEP = 32
"""Frames between two values of a gliding parameter."""
Values = tuple[Mapping[str, float], ...]
"""All parameter values of each effect of a chain."""


@dataclass
class Processor:
    """One running effect, made of pedalboard `plugins`; it keeps its state from block to block. `curves` are its
    automated parameters by name."""

    kind: EffectKind
    recipe: Recipe
    plugins: list[Any]
    curves: dict[str, AutomationCurve] = field(default_factory=dict)

    def turn(self, name: str, value: float) -> None:
        """Set the parameter `name` to a value in its own unit, clamped to its range."""
        parameter = next(parameter for parameter in self.kind.params if parameter.name == name)
        held = min(max(value, parameter.low), parameter.high)
        for knob in self.recipe.knobs[name]:
            setattr(self.plugins[knob.processor], knob.attribute, knob.convert(held))

    def process(self, sound: Planar, start: int) -> Planar:
        """Process the next frames, which begin at frame `start` of the song."""
        if not self.curves:
            return self._through(sound)
        edges = [0, *range(BLOCK - start % BLOCK, sound.shape[1], BLOCK), sound.shape[1]]
        times = (np.array(edges[:-1]) + start) / SAMPLE_RATE
        values = {name: curve.at(times) for name, curve in self.curves.items()}
        pieces = []
        for index in range(len(edges) - 1):
            for name, row in values.items():
                self.turn(name, float(row[index]))
            pieces.append(self._through(sound[:, edges[index] : edges[index + 1]]))
        return np.concatenate(pieces, axis=1) if pieces else sound

    def _through(self, sound: Planar) -> Planar:
        for plugin in self.plugins:
            sound = plugin.process(sound, SAMPLE_RATE, buffer_size=BLOCK, reset=False)
        return sound


class EffectChain:
    """The enabled effects of a track or the master, in order, fed with consecutive frames from `start`.

    `lanes` maps (effect id, parameter) to its automation. Unknown effects and parameters raise
    `SoundInputError`. The result does not depend on the size of the blocks, if they begin at multiples of
    `BLOCK` and nothing is turned.
    """

    def __init__(
        self,
        effects: Sequence[Effect],
        palette: Palette,
        lanes: Mapping[tuple[str, str], AutomationCurve] | None = None,
        start: int = 0,
    ) -> None:
        self._palette = palette
        self._effects = [effect for effect in effects if effect.enabled]
        self._processors = [_build(effect, palette, lanes or {}) for effect in self._effects]
        self._frame = start
        self._goal = self._wanted = _values(self._effects, palette)
        self._now: list[dict[str, float]] = [dict(values) for values in self._goal]
        self._left = 0

    def __bool__(self) -> bool:
        return bool(self._processors)

    def turn_to(self, effects: Sequence[Effect]) -> bool:
        """Take other parameter values of the same effects from the next frames on; returns False (and does nothing) if
        the effects are not the same.

        It may be called while another thread is in `process`. Tails and all other state stay."""
        enabled = [effect for effect in effects if effect.enabled]
        if [(one.id, one.name) for one in enabled] != [(one.id, one.name) for one in self._effects]:
            return False
        wanted = _values(enabled, self._palette)
        if any(now.keys() != values.keys() for now, values in zip(self._goal, wanted, strict=True)):
            return False
        self._wanted = wanted
        return True

    def process(self, sound: Planar) -> Planar:
        """The next frames with all effects applied."""
        wanted = self._wanted
        if wanted is not self._goal:
            self._goal, self._left = wanted, GLIDE
        pieces = []
        while self._left and sound.shape[1]:
            frames = min(_STEP, self._left, sound.shape[1])
            self._glide(frames / self._left)
            self._left -= frames
            pieces.append(self._through(sound[:, :frames]))
            sound = sound[:, frames:]
        return np.concatenate([*pieces, self._through(sound)], axis=1) if pieces else self._through(sound)

    def _glide(self, share: float) -> None:
        """Bring all parameters by a share of their way nearer to where they are to be."""
        for processor, now, goal in zip(self._processors, self._now, self._goal, strict=True):
            for name, value in goal.items():
                if now[name] != value and name not in processor.curves:
                    leaps = share >= 1 or name in processor.recipe.leaps
                    now[name] = value if leaps else now[name] + (value - now[name]) * share
                    processor.turn(name, now[name])

    def _through(self, sound: Planar) -> Planar:
        start = self._frame
        self._frame += sound.shape[1]
        if not sound.shape[1]:
            return sound
        for processor in self._processors:
            sound = processor.process(sound, start)
        return sound

    def process_whole(self, sound: Planar, check: Callable[[], None]) -> Planar:
        """All frames and the tail that follows them, to `TAIL_DB` and at most `LONGEST_TAIL` seconds.

        `check` is called every few seconds of sound, so that it can end the work by raising.
        """
        if not self or not sound.size:
            return sound

        def dry() -> Iterator[Planar]:
            for start in range(0, sound.shape[1], _PIECE):
                check()
                yield sound[:, start : start + _PIECE]

        return np.concatenate(list(self.stream(dry())), axis=1)

    def stream(self, dry: Iterable[Planar]) -> Iterator[Planar]:
        """As `process_whole`, piece by piece: yields each piece of dry sound with all effects applied, then the
        tail."""
        loudest = 0.0
        for piece in dry:
            wet = self.process(piece)
            loudest = max(loudest, float(np.max(np.abs(wet))))
            yield wet
        if not self._processors:
            return
        floor = loudest * 10 ** (TAIL_DB / 20)
        length = 2 * SAMPLE_RATE + SAMPLE_RATE // 2  # longer than the longest delay
        silence = np.zeros((2, length), np.float32)
        held, end = silence[:, :0], 0
        for _ in range(int(LONGEST_TAIL * SAMPLE_RATE) // length):
            tail = self.process(silence)
            loud = np.flatnonzero(np.max(np.abs(tail), axis=0) > floor)
            if not len(loud):
                break
            yield held
            held, end = tail, int(loud[-1]) + 1
        yield held[:, :end]


def effect_lanes(song: Song, track: Track, palette: Palette) -> dict[tuple[str, str], AutomationCurve]:
    """Automation of the track's enabled effects by (effect id, parameter)."""
    lanes: dict[tuple[str, str], AutomationCurve] = {}
    for effect in track.effects:
        if not effect.enabled:
            continue
        kind = _kind(effect, palette)
        values = {parameter.name: parameter.default for parameter in kind.params} | dict(effect.params)
        for lane in track.automation:
            owner, _, name = lane.target.partition(".")
            curve = curve_of(song, lane, values.get(name, 0.0)) if owner == effect.id else None
            if curve is not None:
                lanes[effect.id, name] = curve
    return lanes


def load_effects() -> None:
    """Import the effects library, which takes a tenth of a second that the first effect of a song would take
    otherwise."""
    import pedalboard  # noqa: F401


def _build(effect: Effect, palette: Palette, lanes: Mapping[tuple[str, str], AutomationCurve]) -> Processor:
    import pedalboard

    kind = _kind(effect, palette)
    recipe = RECIPES.get(effect.name)
    if recipe is None:
        raise SoundInputError(
            msg("the effect {effect!r} ({effect_2}) cannot be played yet", effect=effect.name, effect_2=effect.id),
        )
    plugins = [getattr(pedalboard, one)() if isinstance(one, str) else one() for one in recipe.processors]
    for index, attribute, value in recipe.fixed:
        setattr(plugins[index], attribute, value)
    processor = Processor(kind, recipe, plugins)
    values = _values_of(effect, kind)
    curves = {name: curve for (owner, name), curve in lanes.items() if owner == effect.id}
    for name in (*dict(effect.params), *curves):
        if name not in recipe.knobs:
            raise SoundInputError(
                msg(
                    "{effect} ({effect_2}) has no parameter {name!r}",
                    effect=effect.name, effect_2=effect.id, name=name,
                ),
                fix=msg("use one of: {knobs}", knobs=", ".join(recipe.knobs)),
            )
    for name, value in values.items():
        processor.turn(name, value)
    processor.curves = curves
    _prepare(plugins)
    return processor


def _values(effects: Sequence[Effect], palette: Palette) -> Values:
    return tuple(_values_of(effect, _kind(effect, palette)) for effect in effects)


def _values_of(effect: Effect, kind: EffectKind) -> dict[str, float]:
    """What each parameter is set to, or its default."""
    return {parameter.name: parameter.default for parameter in kind.params} | dict(effect.params)


def _prepare(plugins: Sequence[Any]) -> None:
    """Show each plugin its largest block: at the first larger one, and after a reset, it forgets all."""
    silence = np.zeros((2, BLOCK), np.float32)
    for plugin in plugins:
        plugin.process(silence, SAMPLE_RATE, buffer_size=BLOCK)


def _kind(effect: Effect, palette: Palette) -> EffectKind:
    try:
        return palette.effect(effect.name)
    except SongError as error:
        raise SoundInputError(error.said.what, why=error.said.why, fix=error.fix) from error
