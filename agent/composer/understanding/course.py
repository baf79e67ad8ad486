"""The course of a new piece: what was said of how it goes on in time, as stages in order."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.composer.piece_words import Pace, Setting
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Mood
from agent.song.key import Mode

Velocity = Annotated[int, Meta(ge=1, le=127)]
Motion = Literal["", "builds", "fades", "layered", "silent"]
Drift = Literal["", "faster", "slower"]


class CourseStage(Struct, frozen=True, kw_only=True):
    """One stage; None, 0 and empty mean: not said.

    It lasts `bars` or `seconds`, and begins at bar `from_bar` (counted from 1) or after `from_seconds`. `alone` are
    all who play in it; `enters` come in, `leaves` go, with `everyone` all play. `level` is how loud it is as a
    velocity, `begins` how loud at its beginning where it grows from there to the loudest, `motion` how it moves
    (with a layer more `every` so many bars), `drift` whether its tempo does. It is at `bpm`, or `factor` times as
    fast as the piece, in a key of its own: `tonic` and `mode`, or `steps` semitones above the key of the piece.
    `sings` says that it has the tune of the first stage, which the `singers` take over, `returns` that it is the
    first stage again; `last` ends all. Its bars have the `meters`, which take turns where there are several.
    """

    name: str = ""
    bars: int = 0
    seconds: float = 0.0
    from_bar: int = 0
    from_seconds: float = 0.0
    alone: tuple[Wish, ...] = ()
    enters: tuple[Wish, ...] = ()
    leaves: tuple[Wish, ...] = ()
    everyone: bool = False
    level: Velocity | None = None
    begins: Velocity | None = None
    motion: Motion = ""
    drift: Drift = ""
    every: int = 0
    bpm: float | None = None
    factor: float = 1.0
    pace: Pace | None = None
    tonic: str | None = None
    mode: Mode | None = None
    steps: int | None = None
    moods: tuple[Mood, ...] = ()
    settings: tuple[Setting, ...] = ()
    sings: bool = False
    singers: tuple[Wish, ...] = ()
    returns: bool = False
    last: bool = False
    implied: bool = False
    meters: tuple[tuple[int, int], ...] = ()

    @property
    def names_players(self) -> bool:
        """Whether it says who plays."""
        return bool(self.alone or self.enters or self.leaves or self.everyone)

    @property
    def says_something(self) -> bool:
        """Whether it says more than its name and length."""
        return bool(
            self.names_players or self.level or self.motion or self.drift or self.bpm or self.factor != 1 or self.pace
            or self.tonic or self.mode or self.steps is not None or self.moods or self.settings or self.returns
            or self.sings
        )
