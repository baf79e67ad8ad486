"""Chains of effects, played by pedalboard, with automated parameters and tails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agent.song.errors import SongError
from agent.song.palette import EffectKind, Palette
from agent.song.song import Song
from agent.song.track import Effect, Track
from app.sound.curves import Curve, curve_of
from app.sound.errors import SoundInputError
from app.sound.fluid import Planar
from app.sound.part import LONGEST_TAIL, SAMPLE_RATE
from app.sound.recipes import RECIPES, Recipe

BLOCK = 1024
"""Frames between two values of an automated effect parameter."""
TAIL_DB = -60.0
"""Where the tail of an effect ends, against the loudest frame before it."""

_PIECE = 480 * BLOCK  # 10 s


@dataclass
class Processor:
    """One effect at work; keeps its state from block to block."""

    kind: EffectKind
    recipe: Recipe
    plugins: list[Any]
    curves: dict[str, Curve] = field(default_factory=dict)

    def turn(self, name: str, value: float) -> None:
        """Set a parameter, held within its range."""
        parameter = next(parameter for parameter in self.kind.params if parameter.name == name)
        held = min(max(value, parameter.low), parameter.high)
        for knob in self.recipe.knobs[name]:
            setattr(self.plugins[knob.processor], knob.attribute, knob.convert(held))

    def process(self, sound: Planar, start: int) -> Planar:
        """The next frames of sound, which begin at frame `start` of the song."""
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
    `BLOCK`.
    """

    def __init__(
        self,
        effects: Sequence[Effect],
        palette: Palette,
        lanes: Mapping[tuple[str, str], Curve] | None = None,
        start: int = 0,
    ) -> None:
        self._processors = [_build(effect, palette, lanes or {}) for effect in effects if effect.enabled]
        self._frame = start

    def __bool__(self) -> bool:
        return bool(self._processors)

    def process(self, sound: Planar) -> Planar:
        """The next frames with all effects applied."""
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
        if not self._processors or not sound.size:
            return sound

        def dry() -> Iterator[Planar]:
            for start in range(0, sound.shape[1], _PIECE):
                check()
                yield sound[:, start : start + _PIECE]

        return np.concatenate(list(self.stream(dry())), axis=1)

    def stream(self, dry: Iterable[Planar]) -> Iterator[Planar]:
        """The same piece by piece: each piece of the dry sound with all effects, then the tail."""
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


def effect_lanes(song: Song, track: Track, palette: Palette) -> dict[tuple[str, str], Curve]:
    """Automation of the track's enabled effects by (effect id, parameter)."""
    lanes: dict[tuple[str, str], Curve] = {}
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


def _build(effect: Effect, palette: Palette, lanes: Mapping[tuple[str, str], Curve]) -> Processor:
    import pedalboard

    kind = _kind(effect, palette)
    recipe = RECIPES.get(effect.name)
    if recipe is None:
        raise SoundInputError(f"the effect {effect.name!r} ({effect.id}) cannot be played yet")
    plugins = [getattr(pedalboard, name)() for name in recipe.processors]
    for index, attribute, value in recipe.fixed:
        setattr(plugins[index], attribute, value)
    processor = Processor(kind, recipe, plugins)
    values = {parameter.name: parameter.default for parameter in kind.params}
    curves = {name: curve for (owner, name), curve in lanes.items() if owner == effect.id}
    for name in (*dict(effect.params), *curves):
        if name not in values or name not in recipe.knobs:
            raise SoundInputError(
                f"{effect.name} ({effect.id}) has no parameter {name!r}",
                fix=f"use one of: {', '.join(values)}",
            )
    for name, value in {**values, **dict(effect.params)}.items():
        processor.turn(name, value)
    processor.curves = curves
    _prepare(plugins)
    return processor


def _prepare(plugins: Sequence[Any]) -> None:
    """Show each plugin its largest block: at the first larger one, and after a reset, it forgets all."""
    silence = np.zeros((2, BLOCK), np.float32)
    for plugin in plugins:
        plugin.process(silence, SAMPLE_RATE, buffer_size=BLOCK)


def _kind(effect: Effect, palette: Palette) -> EffectKind:
    try:
        return palette.effect(effect.name)
    except SongError as error:
        raise SoundInputError(error.what, why=error.why, fix=error.fix) from error
