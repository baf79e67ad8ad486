"""Operations: what can be asked of a song that exists, each with its slots and its sentence."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from agent.composer.understanding.sentences import (
    STRONG,
    counted,
    far,
    interval,
    part_of,
    share,
    told_place,
    told_tempo,
    told_time,
)
from agent.composer.understanding.tasks import Count, Operation, Place
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Mood
from agent.song.key import Mode, Tonic
from agent.theory.pitch import pitch_name

_SHAPES = {"simplify": "simpler", "thicken": "fuller", "humanize": "looser", "quantize": "tighter", "vary": "varied"}
_GRIDS = {
    1: "whole notes", 2: "half notes", 4: "quarters", 8: "eighths", 16: "sixteenths", 32: "thirty-seconds",
    12: "eighth triplets", 24: "sixteenth triplets", 6: "quarter triplets",
}
_CONTROLS = {
    "level": ("louder", "quieter"), "pan": ("further right", "further left"),
    "reverb": ("more reverb", "less reverb"), "echo": ("more echo", "less echo"),
    "tone": ("brighter in sound", "warmer in sound"), "width": ("wider", "narrower"),
    "punch": ("punchier", "less punchy"), "drive": ("more distortion", "less distortion"),
}
_AMOUNTS = ("reverb", "echo", "drive")
"""Controls of which a part has more or less, instead of being it."""
_LENGTHS = {0.5: "half as long", 0.6667: "a third shorter", 1.5: "half as long again", 2.0: "twice as long"}


class Colour(Operation, frozen=True):
    """Take the song, or the part `wish`, towards a mood: darker, calmer, groovier."""

    of_frame = True

    mood: Mood
    wish: Wish | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return part_of(self.wish) + far(self.mood.name, amount)


class Restyle(Operation, frozen=True):
    """Take the song to another style, keeping melody and chords.

    For a blend `style` weighs most, and `others` follow by weight.
    """

    of_frame = True

    style: str
    others: tuple[str, ...] = ()

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        names = (f"style: {self.style}", *self.others)
        return " with ".join(name.replace("_", " ") for name in names) + share(amount)


class Rekey(Operation, frozen=True):
    """Move the song to another key; a tonic or mode of None stays. `way` 1 moves up, -1 down, 0 the shorter way."""

    of_frame = True

    tonic: Tonic | None = None
    mode: Mode | None = None
    way: Literal[-1, 0, 1] = 0

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        words = (self.tonic, (self.mode or "").replace("_", " "))
        way = {-1: ", downwards", 0: "", 1: ", upwards"}[self.way]
        return "key: " + " ".join(word for word in words if word) + way + share(amount)


class Transpose(Operation, frozen=True):
    """Transpose the song, or the part `wish`, by semitones.

    Notes that would lie below `low` or above `high` (MIDI; None: no limit) are moved an octave less.
    """

    semitones: Annotated[int, Meta(ge=-36, le=36)]
    wish: Wish | None = None
    low: Annotated[int, Meta(ge=0, le=127)] | None = None
    high: Annotated[int, Meta(ge=0, le=127)] | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        low = f", nothing below {pitch_name(self.low)}" if self.low is not None else ""
        high = f", nothing above {pitch_name(self.high)}" if self.high is not None else ""
        return part_of(self.wish) + interval(self.semitones) + share(amount) + low + high


class Retempo(Operation, frozen=True):
    """Set the tempo to `bpm`; otherwise multiply it by `factor`, which the task's amount scales.

    With `keep_length` the piece keeps its duration: its notes are stretched over more or fewer bars. With `seconds` the
    tempo is chosen to give that duration.
    """

    of_frame = True

    bpm: float | None = None
    factor: float = 1.0
    keep_length: bool = False
    seconds: Annotated[float, Meta(gt=0)] | None = None

    def specifies(self, before: Operation, /) -> bool:
        return isinstance(before, Resize) and self.seconds is not None and self.seconds == before.seconds

    def sentence(self, amount: float, bpm: float | None, /) -> str:
        if self.seconds is not None:
            return f"tempo: such that all lasts {told_time(self.seconds)}"
        length = ", with the same length" if self.keep_length else ""
        if self.bpm is not None:
            return f"tempo: exactly {self.bpm:g} BPM{length}{share(amount)}"
        return told_tempo(round(1 + (self.factor - 1) * amount, 4), bpm) + length


class Remeter(Operation, frozen=True):
    """Change the meter to `beats` beats of a 1/`unit` note; the notes are laid into its bars."""

    of_frame = True

    beats: Count
    unit: Literal[2, 4, 8]

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return f"meter: {self.beats}/{self.unit}{share(amount)}"


class Reharmonise(Operation, frozen=True):
    """Put other chords under the same melody."""

    of_frame = True

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return "other chords under the melody" + share(amount)


class Add(Operation, frozen=True):
    """Add a part; `style` is one for this part alone ("": that of the song)."""

    of_frame = True

    wish: Wish
    style: str = ""

    @property
    def newcomer(self) -> Wish | None:
        return self.wish

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return " ".join(word for word in ("add", self.style.replace("_", " "), self.wish.label) if word)


class Remove(Operation, frozen=True):
    """Remove a part; with a scope it only rests there."""

    of_frame = True
    of_absence = True

    wish: Wish

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"without {self.wish.label}"

    def placed(self, said: str, places: str, without: str) -> str:
        if without and not places:
            return f"{self.wish.label} only in {without}"
        return super().placed(said, places, without)


class Solo(Operation, frozen=True):
    """Let only the parts `wishes` play; with a scope the others only rest there."""

    of_frame = True

    wishes: Annotated[tuple[Wish, ...], Meta(min_length=1)]

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"only {' and '.join(wish.label for wish in self.wishes)}"


class Replace(Operation, frozen=True):
    """Give a part (`wish`) to another instrument (`by`); with `exact` every note stays, even beyond the instrument's
    range."""

    of_frame = True

    wish: Wish
    by: Wish
    exact: bool = False

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{self.by.label} instead of {self.wish.label}" + (", every note as it is" if self.exact else "")


class Double(Operation, frozen=True):
    """Double a part by another instrument (`by`; None: its own) or at an interval (`semitones` 0: not said); `lowest`
    doubles only its lowest notes."""

    wish: Wish
    by: Wish | None = None
    semitones: Annotated[int, Meta(ge=-36, le=36)] = 0
    lowest: bool = False

    @property
    def newcomer(self) -> Wish | None:
        return self.by

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        what = f"the low notes of {self.wish.label}" if self.lowest else self.wish.label
        doubled = f"{what} doubled" + (f" by {self.by.label}" if self.by else "")
        return doubled + (f", {interval(self.semitones)}" if self.semitones else "")


class Beat(Operation, frozen=True):
    """Play the drums at half or double time at the same tempo."""

    feel: Literal["half", "double"]

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return f"drums in {self.feel} time" + share(amount)


class Reshape(Operation, frozen=True):
    """Make the notes of a part (`wish` None: of all) simpler, thicker, looser, quantised, or varied.

    `grid` is what to quantise to, in quarter notes; None for the grid heard in the song.
    """

    how: Literal["simplify", "thicken", "humanize", "quantize", "vary"]
    wish: Wish | None = None
    grid: Annotated[float, Meta(gt=0, le=16)] | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        if self.how == "vary" and amount > STRONG and self.wish is not None:
            return f"new notes for {self.wish.label}, made from those there are"
        if self.grid is not None:
            value = _GRIDS.get(round(4 / self.grid), f"a grid of {self.grid:.3g} quarter notes")
            return f"{part_of(self.wish)}quantised to {value}" + (f", {amount:.0%}" if amount != 1 else "")
        return part_of(self.wish) + far(_SHAPES[self.how], amount)


class Mix(Operation, frozen=True):
    """Change the level, pan or sound of a part (`wish` None: of the whole mix).

    `by` is -1 to 1 of the usual step, positive for louder, wetter, brighter, wider or to the right. `decibels`, if
    given, is the exact change. `at`, if given, is the absolute fader level in dB or pan (-1 to 1), or 0 to remove an
    effect.
    """

    of_mix = True
    control: Literal["level", "pan", "reverb", "echo", "tone", "width", "punch", "drive"]
    by: Annotated[float, Meta(ge=-1, le=1)]
    wish: Wish | None = None
    decibels: Annotated[float, Meta(ge=-60, le=24)] | None = None
    at: Annotated[float, Meta(ge=-96, le=24)] | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        if self.at is not None and self.control in _AMOUNTS:
            return f"no {self.control}" + (f" on {self.wish.label}" if self.wish is not None else "")
        if self.at is not None:
            label = self.wish.label if self.wish is not None else "every part"
            return f"{label} at {self.at:g} dB" if self.control == "level" else f"{label} {_side(self.at)}"
        said = far(_CONTROLS[self.control][self.by < 0], amount) if self.by else "in the middle"
        label = self.wish.label if self.wish is not None else ""
        if self.control in _AMOUNTS:
            return said + (f" on {label}" if label else "")
        return f"{label} {said}".strip() + (f" by {abs(self.decibels):g} dB" if self.decibels is not None else "")


def _side(pan: float) -> str:
    """A place between left and right in words."""
    if not pan:
        return "in the middle"
    side = "right" if pan > 0 else "left"
    return f"hard {side}" if abs(pan) == 1 else f"{abs(pan):.0%} {side}"


class NewSection(Operation, frozen=True):
    """Insert a new section of this `kind`: an intro before the first, an outro after the last, others in between.

    `bars` 0 leaves the length open; the scope says before (with `after`: behind) which place.
    """

    of_frame = True

    kind: Literal["intro", "break", "build", "bridge", "outro"]
    bars: Annotated[int, Meta(ge=0, le=64)] = 0
    after: bool = False

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        article = "an" if self.kind[0] in "aeio" else "a"
        return f"add {article} {self.kind}" + (f" of {counted(self.bars, 'bar')}" if self.bars else "") + share(amount)

    def placed(self, said: str, places: str, without: str) -> str:
        where = f" {'after' if self.after else 'before'} {places}" if places else ""
        return super().placed(said + where, "", without)


class Cut(Operation, frozen=True):
    """Delete the bars of the scope; what follows moves up."""

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return "cut" + share(amount)

    def placed(self, said: str, places: str, without: str) -> str:
        return super().placed(f"{said} {places}".rstrip(), "", without)


class Repeat(Operation, frozen=True):
    """Play the bars of the scope `times` times in all, directly one after another."""

    times: Annotated[int, Meta(ge=2, le=64)] = 2

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return "repeat" + share(amount)

    def placed(self, said: str, places: str, without: str) -> str:
        times = f", {self.times} times in all" if self.times > 2 else ""
        return super().placed(f"{said} {places}".rstrip() + times, "", without)


class Resize(Operation, frozen=True):
    """Make the song, or the scope, longer or shorter: to exactly `bars`, to about `seconds`, otherwise by `factor`,
    which the task's amount scales.

    `by` is the change of the scope's bars where `bars` states the new length of the whole song. With `most` it is only
    cut if longer than that; with `opening` only so much of its beginning stays. Places `kept` are neither cut nor
    repeated.
    """

    of_frame = True

    bars: int | None = None
    seconds: float | None = None
    factor: float = 1.0
    by: int = 0
    most: bool = False
    opening: bool = False
    kept: tuple[Place, ...] = ()

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        if self.bars is not None:
            said = f"length: {counted(self.bars, 'bar')}"
        elif self.seconds is not None:
            said = f"length: {'at most' if self.most else 'about'} {told_time(self.seconds)}"
        else:
            longer = "longer" if self.factor > 1 else "shorter"
            said = _LENGTHS.get(self.factor, f"{abs(self.factor - 1):.0%} {longer}")
        said = said.replace("length", "only the beginning", 1) if self.opening else said
        keeping = f", with {' and '.join(map(told_place, self.kept))} as it is" if self.kept else ""
        return said + share(amount) + keeping

    def placed(self, said: str, places: str, without: str) -> str:
        if self.by and places:
            said = f"{counted(abs(self.by), 'bar')} {'longer' if self.by > 0 else 'shorter'}"
        return super().placed(f"{places}: {said.removeprefix('length: ')}" if places else said, "", without)


class Rename(Operation, frozen=True):
    """Name the song."""

    of_frame = True

    name: str

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return f"name: {self.name}" + share(amount)
