"""The frame of a piece: tempo, key, meter, and its sections as scenes with their chords."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from msgspec import Struct, field, structs
from msgspec.structs import replace

from agent.composer.phrase_manners import Cadences
from agent.composer.styles import PartStyle, TuneStyle
from agent.composer.tones import STEP
from agent.composer.writing.meters import THIRDS, accents
from agent.composer.writing.turns_of_bars import Meters, accents_of, bar_lengths, beats_of
from agent.song.chord import Chord
from agent.song.key import Key
from agent.song.palette import Instrument
from agent.song.time import PPQ
from agent.theory.pitch import usual_tonic


class ChordSpan(Struct, frozen=True):
    """A chord from `start` to `end`, in ticks of the song; `symbol` is set if the piece states it.

    In a `silent` span no chord sounds, only melody and drums; `chord` is then the one before.
    """

    start: int
    end: int
    chord: Chord
    symbol: str = ""
    silent: bool = False


class Frame(Struct, frozen=True, dict=True):
    """What all players of a piece share. `bar` is the length of a bar in ticks; `swing` is the share of `swing_ticks`
    by which every second note of that length is late.

    `groups` are the bar's beats in sixteenths (empty: quarters), `accented` its strong steps in sixteenths (empty:
    derived from its beats). `groove` is the number of the groove that the whole piece uses, of those with equal energy;
    `tune` is the manner of its melodies, `cadences` that of the ends of their phrases.
    """

    key: Key
    bpm: float
    bar: int
    swing: float
    swing_ticks: int
    groove: int = 0
    groups: tuple[int, ...] = ()
    tune: TuneStyle = field(default_factory=TuneStyle)
    accented: tuple[int, ...] = ()
    cadences: Cadences = field(default_factory=Cadences)

    def ticks_of(self, milliseconds: float) -> int:
        """Milliseconds as ticks at this tempo."""
        return int(milliseconds * self.bpm * PPQ / 60_000)

    def within(self, scene: Scene) -> Frame:
        """The frame for a scene, with the scene's meters, key and tempo; in a key that a request states the melody has
        no chromatic notes."""
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
        """The lengths of the bar's beats in sixteenths."""
        if self.groups:
            return self.groups
        whole, rest = divmod(self.bar // STEP, 4)
        return (4,) * whole or (max(1, rest),)

    @cached_property
    def beat_ticks(self) -> tuple[int, ...]:
        """The tick of each beat, counted from the bar line."""
        lengths = self.beats
        return tuple(sum(lengths[:at]) * STEP for at in range(len(lengths)))

    def strong(self, within: int) -> bool:
        """Whether a tick (`within` its bar, counted from the bar line) is a strong beat."""
        return within in self._strong

    @cached_property
    def _strong(self) -> frozenset[int]:
        return frozenset(step * STEP for step in self.accented or accents(self.beats))


class Turn(Struct, frozen=True):
    """How a stage described in the request differs from the piece around it.

    It is in `key`, at `bpm`, which changes gradually to `ends_at`. Its velocities go from about `begin` to `end`; None
    follows from its energy. If it `rests` nobody plays; if it is `alone` nobody joins its players for the final chord.
    """

    key: Key
    bpm: float
    ends_at: float
    begin: int | None = None
    end: int | None = None
    rests: bool = False
    alone: bool = False


class HeardBars(Struct, frozen=True):
    """The bars of a scene in which the part `name` is heard, counted from 0: from `first` on, until before `last`."""

    name: str
    first: int
    last: int


class Scene(Struct, frozen=True, dict=True):
    """A section as it is played, with its place in time and its chords. `start` is in ticks, `bar` the length of a bar
    in ticks; `index` counts scenes from 0.

    Form: `closing`: the piece ends with it; `arrives`: it is a peak; `builds`: it leads to a peak, and the last `drop`
    ticks are a rest; `again` counts earlier scenes with the same theme; `up` transposes it in semitones; `turn` is what
    the request says of it alone.

    Parts: `groove` names a drum groove ("": by energy); the players of `stays` are heard in some of its bars only,
    those of `thin` hold two voices of each chord beside others who play it; the player `left_hand` adds a bass to its
    chords; if not `grounded`, no bass plays, or chords need their roots anyway. A scene that `repeats` has the melody
    of the scene before; `sings` names a theme of its own for the melody (a solo) over the chords of `theme`. `earlier`
    and `later` are the energies of the scenes beside it, -1 without one.

    Meters: `meters` are those of its bars if not the piece's; if they alternate, `bar` is the length of a whole round.
    A section whose bars change consists of several scenes: `first` is the index of its first bar in the section, and it
    `goes_on` in the next scene.
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
    stays: tuple[HeardBars, ...] = ()
    thin: tuple[str, ...] = ()
    earlier: float = -1.0
    later: float = -1.0
    left_hand: str = ""
    sings: str = ""
    meters: Meters = ()
    first: int = 0
    goes_on: bool = False

    @property
    def tune(self) -> str:
        """A name for the scene's melody; scenes with the same one have the same melody."""
        meters = " ".join(f"{beats}/{unit}" for beats, unit in self.meters)
        return f"{self.sings or self.theme} in {meters}" if meters else self.sings or self.theme

    @property
    def bar_starts(self) -> tuple[int, ...]:
        """The tick of each of the scene's bars; of alternating meters each bar counts, not each round."""
        lengths = bar_lengths(self.meters) or (self.bar,)
        within = tuple(accumulate((0, *lengths[:-1])))
        return tuple(self.start + turn * self.bar + at for turn in range(self.bars) for at in within)

    @property
    def end(self) -> int:
        """First tick after the scene."""
        return self.start + self.bars * self.bar

    def chord_at(self, at: int) -> ChordSpan:
        """The chord span that holds a tick of the scene."""
        return self.chords[min(bisect_right(self._chord_ends, at), len(self.chords) - 1)]

    @cached_property
    def _chord_ends(self) -> tuple[int, ...]:
        return tuple(span.end for span in self.chords)

    def chord_of(self, start: int, length: int, *, ahead: bool) -> ChordSpan:
        """The chord span for a note: where it begins, or with `ahead` the next one if the note is held into it."""
        span = self.chord_at(start)
        return self.chord_at(span.end) if ahead and span.end < min(self.end, start + length) else span


class Player(Struct, frozen=True):
    """A part of the style with its instrument."""

    style: PartStyle
    instrument: Instrument

    @property
    def low(self) -> int:
        """The lowest MIDI pitch: within the instrument's range and near the part's centre."""
        wanted = self.style.centre - self.style.span // 2
        return max(self.instrument.low, min(wanted, self.instrument.high - 12))

    @property
    def high(self) -> int:
        """The highest MIDI pitch; an octave or more above the lowest where the instrument allows it."""
        wanted = self.style.centre + (self.style.span + 1) // 2
        return min(self.instrument.high, max(wanted, self.low + 12))

    def velocity(self, energy: float) -> float:
        """The part's usual velocity at an energy of 0 to 1."""
        soft, loud = self.style.velocity
        return soft + (loud - soft) * energy
