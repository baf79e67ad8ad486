"""What a key, a click or a menu's entry of the plan's table means: values that the table carries out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QModelIndex

Wish = Literal[
    "edit", "back", "reason", "again", "afresh", "fix", "hear", "notes", "roll", "events", "retry", "undo", "redo"
]
"""Inputs to edit or take back, rows to reject with a reason or to ask for again, the whole plan to ask for afresh,
a mark to mend, a row to hear, its notes to open or close, its clip to see in the piano roll, its events to see,
what failed to run again, decisions to take back or bring again."""


@dataclass(frozen=True)
class Ask:
    """A wish that the table itself cannot fulfil, for these steps; none where it is about the whole plan."""

    wish: Wish
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Toggle:
    """Approve or reject a row, or a whole group."""

    index: QModelIndex


@dataclass(frozen=True)
class DecideAll:
    """Approve or reject every row that is shown."""

    approved: bool


@dataclass(frozen=True)
class MoveRow:
    """Let the current row change places with the one below (1) or above (-1)."""

    by: int


@dataclass(frozen=True)
class Unfold:
    """Show the items of a row under it, or fold them away."""

    step: str
    on: bool


@dataclass(frozen=True)
class FoldGroup:
    """Close a group that is open, or open it."""

    index: QModelIndex


@dataclass(frozen=True)
class GoTo:
    """Take the keyboard to another cell."""

    index: QModelIndex


TableAction: TypeAlias = Ask | Toggle | DecideAll | MoveRow | Unfold | FoldGroup | GoTo
