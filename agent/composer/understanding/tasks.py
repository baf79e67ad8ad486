"""Tasks: what is to be done to a song that exists, each with its place, its measure and its condition."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Mood
from agent.song.key import Mode, Tonic

Count = Annotated[int, Meta(ge=1)]


class Bars(Struct, frozen=True, tag=True):
    """Bars `first` to `last`, counted from 1, both included."""

    first: Count
    last: Count


class Named(Struct, frozen=True, tag=True):
    """The sections whose name holds the word `name`; `number` 2 is the second of them, -1 the last, 0 all."""

    name: str
    number: int = 0


class Edge(Struct, frozen=True, tag=True):
    """The first or last `bars` of the song."""

    at: Literal["start", "end"]
    bars: Count


Place: TypeAlias = Bars | Named | Edge


class Scope(Struct, frozen=True):
    """Where a task works: in `places` (none: in the whole song), without `excluded`."""

    places: tuple[Place, ...] = ()
    excluded: tuple[Place, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether it is the whole song."""
        return not self.places and not self.excluded


class Condition(Struct, frozen=True):
    """Only where the song has (`present`) or lacks what the wish names."""

    wish: Wish
    present: bool


class Colour(Struct, frozen=True, tag=True):
    """Towards a mood: darker, calmer, groovier; with a wish only that part."""

    mood: Mood
    wish: Wish | None = None


class Restyle(Struct, frozen=True, tag=True):
    """Into another style, with the melody and the chords that are there.

    Of a blend `style` is the one that weighs most, `others` follow by weight.
    """

    style: str
    others: tuple[str, ...] = ()


class Rekey(Struct, frozen=True, tag=True):
    """Into a key; a tonic or mode that is None stays."""

    tonic: Tonic | None = None
    mode: Mode | None = None


class Transpose(Struct, frozen=True, tag=True):
    """Up or down by semitones; with a wish only that part."""

    semitones: Annotated[int, Meta(ge=-36, le=36)]
    wish: Wish | None = None


class Retempo(Struct, frozen=True, tag=True):
    """To exactly `bpm`, else by a factor, which the task's amount scales.

    With `keep_length` the piece lasts as long as before: its notes take up more or fewer bars.
    """

    bpm: float | None = None
    factor: float = 1.0
    keep_length: bool = False


class Remeter(Struct, frozen=True, tag=True):
    """Into another meter: the notes are laid into its bars."""

    beats: Count
    unit: Literal[2, 4, 8]


class Reharmonise(Struct, frozen=True, tag=True):
    """Other chords under the same melody."""


class Add(Struct, frozen=True, tag=True):
    """A new part."""

    wish: Wish


class Remove(Struct, frozen=True, tag=True):
    """A part that is there goes; within a scope it only rests there."""

    wish: Wish


class Solo(Struct, frozen=True, tag=True):
    """Nothing plays but these; within a scope the rest only rests there."""

    wishes: Annotated[tuple[Wish, ...], Meta(min_length=1)]


class Replace(Struct, frozen=True, tag=True):
    """What one plays, another instrument plays from now on."""

    wish: Wish
    by: Wish


class Double(Struct, frozen=True, tag=True):
    """A part is played along with, by another instrument or an interval apart (0: not said)."""

    wish: Wish
    by: Wish | None = None
    semitones: Annotated[int, Meta(ge=-36, le=36)] = 0


class Beat(Struct, frozen=True, tag=True):
    """The drums at half or double time, while the tempo stays."""

    feel: Literal["half", "double"]


class Reshape(Struct, frozen=True, tag=True):
    """The notes of a part (None: of all) made simpler, thicker, looser, straighter, or varied."""

    how: Literal["simplify", "thicken", "humanize", "quantize", "vary"]
    wish: Wish | None = None


class Mix(Struct, frozen=True, tag=True):
    """A part's (None: the whole mix's) level, place or sound.

    `by` is -1 to 1 of the usual step: 1 for louder, wetter, brighter, wider or to the right. `decibels` is
    stated exactly and wins.
    """

    control: Literal["level", "pan", "reverb", "echo", "tone", "width", "punch", "drive"]
    by: Annotated[float, Meta(ge=-1, le=1)]
    wish: Wish | None = None
    decibels: Annotated[float, Meta(ge=-60, le=24)] | None = None


class NewSection(Struct, frozen=True, tag=True):
    """Bars that were not there: an intro before the first, an outro after the last, a break or build in between.

    `bars` 0 leaves the length open; the task's scope says before (with `after`: behind) what it comes.
    """

    kind: Literal["intro", "break", "build", "bridge", "outro"]
    bars: Annotated[int, Meta(ge=0, le=64)] = 0
    after: bool = False


class Cut(Struct, frozen=True, tag=True):
    """The bars of the scope go, and what follows moves up."""


class Repeat(Struct, frozen=True, tag=True):
    """The bars of the scope are played once more, right after themselves."""


class Resize(Struct, frozen=True, tag=True):
    """Longer or shorter: to exactly `bars`, to about `seconds`, else by a factor, which the task's amount scales.

    With a scope that stretch alone.
    """

    bars: int | None = None
    seconds: float | None = None
    factor: float = 1.0


class Rename(Struct, frozen=True, tag=True):
    """The song gets a name."""

    name: str


Deed: TypeAlias = (
    Colour | Restyle | Rekey | Transpose | Retempo | Remeter | Reharmonise | Add | Remove | Solo | Replace | Double
    | Beat | Reshape | Mix | NewSection | Cut | Repeat | Resize | Rename
)


class Task(Struct, frozen=True):
    """One deed. `amount` is how far it goes: 1 is the usual measure, 0.5 half of it ("a bit", "50 %").

    `words` are those of the request it came from, in a form that can be shown.
    """

    deed: Deed
    scope: Scope = Scope()
    amount: Annotated[float, Meta(gt=0, le=1.5)] = 1.0
    condition: Condition | None = None
    words: str = ""
