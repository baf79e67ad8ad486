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
    """A stage of a new piece's development. None, 0 and empty mean: not said.

    It lasts `bars` or `seconds`, and begins at bar `from_bar` (from 1) or after `from_seconds`. `alone` are all its
    players (`implied`: no word says that nobody else plays); `enters` join, `leaves` stop, with `everyone` all play.
    `level` is its loudness as a velocity; with `begins` it grows from that velocity. `motion` is how it develops (with
    a new layer `every` so many bars), `drift` whether its tempo changes. Its tempo is `bpm`, or `factor` times that of
    the piece; its key `tonic` and `mode`, or `steps` semitones above that of the piece. `sings`: it has the melody of
    the first stage, played by `singers`. `returns`: it is the first stage again. `last`: the piece ends with it. Its
    bars have the `meters`, alternating if there are several.
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
        """Whether the stage says who plays."""
        return bool(self.alone or self.enters or self.leaves or self.everyone)

    @property
    def says_something(self) -> bool:
        """Whether the stage says more than a name and a length."""
        return bool(
            self.names_players or self.level or self.motion or self.drift or self.bpm or self.factor != 1 or self.pace
            or self.tonic or self.mode or self.steps is not None or self.moods or self.settings or self.returns
            or self.sings
        )
