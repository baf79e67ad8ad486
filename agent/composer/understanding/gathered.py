"""Gathered: what the words of a request say by themselves, in their order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from agent.composer.piece_words import Pace
from agent.composer.understanding.blends import StyleMention
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Mood

Place = Literal["refuse", "keep", "wanted", "mentioned"]


@dataclass
class RequestFindings:
    """What single words and phrases of a request for a new piece said, each list in the order of the text.

    `goals` are the kinds of request that words point to ("compose", "relative" for a change, …); `wishes` are parts by
    what is asked of them (refused, to be kept, wanted, only mentioned). `styles` are named ones, `dances` those that
    also name a meter (waltz), `genres` kinds of music without a style. The tempo changes by `factor` ("faster", 1: not
    at all), which `strength` scales ("a bit": 0.5); `pace` is slow or fast in itself. `kept` are aspects to leave as
    they are ("tempo"); with `only` no other parts play. The sets hold indices of tokens: `owned` were understood, those
    of `passed` belong to longer phrases and name no players, those of `own` name what the person plays.
    """

    goals: list[str] = field(default_factory=list)
    wishes: dict[Place, list[Wish]] = field(
        default_factory=lambda: {"refuse": [], "keep": [], "wanted": [], "mentioned": []}
    )
    styles: list[StyleMention] = field(default_factory=list)
    dances: list[StyleMention] = field(default_factory=list)
    genres: list[StyleMention] = field(default_factory=list)
    moods: list[Mood] = field(default_factory=list)
    factor: float = 1.0
    strength: float = 1.0
    pace: Pace | None = None
    size: Literal["short", "long"] | None = None
    kept: set[str] = field(default_factory=set)
    only: bool = False
    passed: set[int] = field(default_factory=set)
    own: set[int] = field(default_factory=set)
    owned: set[int] = field(default_factory=set)

    @property
    def tempo_factor(self) -> float:
        """The factor by which the tempo changes, with `strength` applied; 1 for no change."""
        return round(1 + (self.factor - 1) * self.strength, 4) if self.factor != 1 else 1.0
