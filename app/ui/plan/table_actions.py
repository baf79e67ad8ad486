"""What a key, a click or a menu's entry of the plan's table means: values that the table carries out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QModelIndex

PlanAction: TypeAlias = Literal[
    "run", "discard", "approve all", "reject all", "toggle", "undo", "redo", "afresh", "save", "open", "hear", "side",
    "loop", "retry", "roll back", "stop", "pause", "reason", "again", "edit", "back", "fix", "repair", "notes", "roll",
    "events", "hear row", "hear edits", "skip", "approve edits",
]
"""What can be done with the plan as a whole: approve and run it, throw it away, decide on all rows or the current one,
take decisions back or bring them again, ask for it afresh, save it or open another, hear it, change between A and B or
loop what is compared; with its run: retry, roll back, stop, pause; with rows: reject them with a reason, ask for them
again, edit, change back, mend a mark, ask the model for a repair, open or close notes, see the clip in the piano roll
or the events, hear it or its edits that wait, leave it out, accept its edits."""


@dataclass(frozen=True)
class PlanRequest:
    """What the table itself cannot do, for these steps; none where it is about the whole plan."""

    action: PlanAction
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


TableAction: TypeAlias = PlanRequest | Toggle | DecideAll | MoveRow | Unfold | FoldGroup | GoTo
