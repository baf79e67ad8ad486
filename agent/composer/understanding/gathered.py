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
    """What single words and phrases of a request said, in their order."""

    goals: list[str] = field(default_factory=list)
    wishes: dict[Place, list[Wish]] = field(
        default_factory=lambda: {"refuse": [], "keep": [], "wanted": [], "mentioned": []}
    )
    styles: list[StyleMention] = field(default_factory=list)
    dances: list[StyleMention] = field(default_factory=list)
    genres: list[StyleMention] = field(default_factory=list)
    """Kinds of music for which there is no style."""
    moods: list[Mood] = field(default_factory=list)
    factor: float = 1.0
    strength: float = 1.0
    pace: Pace | None = None
    size: Literal["short", "long"] | None = None
    kept: set[str] = field(default_factory=set)
    only: bool = False
    passed: set[int] = field(default_factory=set)
    """Indices of tokens of longer phrases, in which words do not name players."""
    own: set[int] = field(default_factory=set)
    """Indices of tokens that name what the person plays."""
    owned: set[int] = field(default_factory=set)
    """Indices of the tokens that were understood."""

    @property
    def tempo_factor(self) -> float:
        """The factor for the tempo; 1 for none."""
        return round(1 + (self.factor - 1) * self.strength, 4) if self.factor != 1 else 1.0
