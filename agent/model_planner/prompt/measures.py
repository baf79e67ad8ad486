"""What an ask may be measured by: figures of a song, and what is to become of them."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from agent.song.palette import Family
from agent.theory.figures import FIGURES

Goal: TypeAlias = Literal["lower", "higher", "at_most", "at_least", "equals", "same"]

GOALS: tuple[Goal, ...] = get_args(Goal)
COUNTED: tuple[str, ...] = ("tracks", "notes")
"""Measures that exist for each instrument family, as in `tracks:bass`."""
MEASURES: tuple[str, ...] = (
    *FIGURES, *(f"{counted}:{family}" for counted in COUNTED for family in get_args(Family)),
)
"""The names of all measures."""
