"""The frame of a piece: tempo, key, meter, and its sections as scenes with their chords."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate

from msgspec import structs

from agent.composer.styles import PartStyle, TuneStyle
from agent.composer.tones import STEP
from agent.composer.writing.meters import THIRDS, accents
from agent.composer.writing.turns_of_bars import Meters, accents_of, bar_lengths, beats_of
from agent.song.chord import Chord
from agent.song.key import Key
from agent.song.palette import Instrument
from agent.song.time import PPQ
from agent.theory.pitch import usual_tonic


@dataclass(frozen=True)
class ChordSpan:
    """A chord from `start` to `end`, in ticks of the song; one that is stated has its `symbol`.

    In a `silent` one no chord sounds, only what sings or beats; it has the one before.
    """

    start: int
    end: int
    chord: Chord
    symbol: str = ""
    silent: bool = False


@dataclass(frozen=True)
class Frame:
    """What every player shares."""

    key: Key
    bpm: float
    bar: int
    """Ticks of a bar."""
    swing: float
    swing_ticks: int
    groove: int = 0
    """Which of equally strong grooves the whole piece uses."""
    groups: tuple[int, ...] = ()
    """The bar's beats in sixteenths; empty: quarters."""
    tune: TuneStyle = field(default_factory=TuneStyle)
    """How its tunes go."""
    accented: tuple[int, ...] = ()
    """The strong steps of the bar; empty: those that its beats say."""

    def ticks_of(self, milliseconds: float) -> int:
        """Ticks of a time at this tempo."""
        return int(milliseconds * self.bpm * PPQ / 60_000)

    def within(self, scene: Scene) -> Frame:
        """The frame of a scene, which may have meters, a key and a tempo of its own; its tune keeps to a key that is
        told."""
        frame, turn = self._metered(scene), scene.turn
        if turn is not None:
            return replace(frame, key=turn.key, bpm=turn.bpm, tune=structs.replace(self.tune, chromatic=0.0, blue=0.0))
        if not scene.up:
            return frame
        key = Key(usual_tonic((self.key.pitch_class + scene.up) % 12, self.key.mode), self.key.mode)
        return replace(frame, key=key)

    def _metered(self, scene: Scene) -> Frame:
        if not scene.meters:
            return self
        beats = beats_of(scene.meters)
        swing = 0.0 if THIRDS in beats else self.swing
        return replace(self, bar=scene.bar, groups=beats, accented=accents_of(scene.meters), swing=swing)

    @cached_property
    def beats(self) -> tuple[int, ...]:
        """The bar's beats in sixteenths."""
        if self.groups:
            return self.groups
        whole, rest = divmod(self.bar // STEP, 4)
        return (4,) * whole or (max(1, rest),)

    @cached_property
    def beat_ticks(self) -> tuple[int, ...]:
        """Where the bar's beats begin, in ticks of the bar."""
        lengths = self.beats
        return tuple(sum(lengths[:at]) * STEP for at in range(len(lengths)))

    def strong(self, within: int) -> bool:
        """Whether a tick of a bar is one of its strong beats."""
        return within in self._strong

    @cached_property
    def _strong(self) -> frozenset[int]:
        return frozenset(step * STEP for step in self.accented or accents(self.beats))


@dataclass(frozen=True)
class Turn:
    """How a stage that a request tells of differs from the piece around it.

    It is in `key`, at `bpm`, which drifts to `ends_at`. Its velocities go from about `begin` to `end`; None is what its
    energy says. In one that `rests` nobody plays; in one that is `alone` nobody joins its players for the last chord.
    """

    key: Key
    bpm: float
    ends_at: float
    begin: int | None = None
    end: int | None = None
    rests: bool = False
    alone: bool = False


@dataclass(frozen=True)
class Scene:
    """A section as it is played. `index` counts scenes from 0; `closing` says that the piece ends here.

    `groove` names the groove that it asks for, if any. `again` counts the scenes before it that sing the same theme.
    `arrives` says that it is a peak, `builds` that it leads up to one, and `drop` is how many ticks of rest then come
    at its end. `turn` is what a request says of it alone. In one that is not `grounded` no bass
    plays, or chords are to have their roots all the same. It lies `up` semitones above the key of the piece, and one
    that `repeats` sings the tune of the scene before it, one that `sings` a theme of its own, as a solo does, has the
    chords of its theme alone. The player called `late` comes in halfway, and the one called
    `left_hand` plays the bass beside its chords.

    In a piece of several meters `meters` are those of its bars; where they take turns, all of a turn are one `bar`. A
    section whose bars change is made of several scenes: this one begins with the bar `first` of it, from 0, and it
    `goes_on` in the next.
    """

    name: str
    index: int
    start: int
    bars: int
    bar: int
    energy: float
    theme: str
    parts: tuple[str, ...]
    chords: tuple[ChordSpan, ...]
    closing: bool = False
    groove: str = ""
    again: int = 0
    arrives: bool = False
    builds: bool = False
    drop: int = 0
    turn: Turn | None = None
    grounded: bool = True
    up: int = 0
    repeats: bool = False
    late: str = ""
    left_hand: str = ""
    sings: str = ""
    meters: Meters = ()
    first: int = 0
    goes_on: bool = False

    @property
    def tune(self) -> str:
        """The theme of its tune; scenes that have the same one are sung alike."""
        meters = " ".join(f"{beats}/{unit}" for beats, unit in self.meters)
        return f"{self.sings or self.theme} in {meters}" if meters else self.sings or self.theme

    @property
    def bar_starts(self) -> tuple[int, ...]:
        """Where each of its bars begins, in ticks; those that take turns one by one."""
        lengths = bar_lengths(self.meters) or (self.bar,)
        within = tuple(accumulate((0, *lengths[:-1])))
        return tuple(self.start + turn * self.bar + at for turn in range(self.bars) for at in within)

    @property
    def end(self) -> int:
        """First tick after the scene."""
        return self.start + self.bars * self.bar

    def chord_at(self, at: int) -> ChordSpan:
        """The chord that holds a tick of the scene."""
        return self.chords[min(bisect_right(self._chord_ends, at), len(self.chords) - 1)]

    @cached_property
    def _chord_ends(self) -> tuple[int, ...]:
        return tuple(span.end for span in self.chords)

    def chord_of(self, start: int, length: int, *, ahead: bool) -> ChordSpan:
        """The chord of a note: that in which it begins, or with `ahead` that into which it is held."""
        span = self.chord_at(start)
        return self.chord_at(span.end) if ahead and span.end < min(self.end, start + length) else span


@dataclass(frozen=True)
class Player:
    """A part of the style with the instrument that was chosen for it."""

    style: PartStyle
    instrument: Instrument

    @property
    def low(self) -> int:
        """Lowest pitch: in the instrument's range and near the part's centre."""
        wanted = self.style.centre - self.style.span // 2
        return max(self.instrument.low, min(wanted, self.instrument.high - 12))

    @property
    def high(self) -> int:
        """Highest pitch, at least an octave above the lowest."""
        wanted = self.style.centre + (self.style.span + 1) // 2
        return min(self.instrument.high, max(wanted, self.low + 12))

    def velocity(self, energy: float) -> float:
        """Where the part plays at an energy of 0-1."""
        soft, loud = self.style.velocity
        return soft + (loud - soft) * energy
