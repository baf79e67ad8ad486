"""Whether the work of a run is in the song that is shown, and if not, how it was taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from agent.song.ids import IterationId
from app.i18n import tr
from app.storage.records import Iteration
from app.studio.running.run_view import RunView
from app.studio.undo import begins_branch, restored, trail, walked

How = Literal["undone", "restored", "rolled back", "elsewhere"]
Known = Mapping[IterationId, Iteration]
_ROLLED_BACK = "RUN_ROLLED_BACK"
_MOST = 20_000


class Reverted(Struct, frozen=True):
    """A run whose work is not in the song that is shown.

    `number` is that of the iteration that was restored instead, or, with `how` "elsewhere", of the iteration shown.
    `made` is the run's own iteration (None if it made none) and `again` its number (0 then). `redo` is the first
    iteration with the run's work that redo leads to; None if redo leads to none."""

    how: How
    number: int = 0
    made: IterationId | None = None
    again: int = 0
    redo: IterationId | None = None

    @property
    def row_words(self) -> str:
        """The state of the run's rows in one or two words: "Undone", "Rolled back"."""
        return {
            "undone": tr("Undone"), "rolled back": tr("Rolled back"), "restored": tr("Taken back"),
            "elsewhere": tr("Not in the song"),
        }[self.how]

    @property
    def words(self) -> str:
        """One sentence for the whole run: "This run was undone: its work is not in the song."."""
        match self.how:
            case "undone":
                return tr("This run was undone: its work is not in the song.")
            case "rolled back":
                return tr("This run was rolled back: its work is not in the song.")
            case "restored":
                return tr("Iteration {number} was restored: this run's work is not in the song.", number=self.number)
        return tr("Iteration {number} is shown, which was made without this run.", number=self.number)


def reverted(iterations: Sequence[Iteration], head: IterationId | None, view: RunView) -> Reverted | None:
    """How the work of an ended run left the song at iteration `head`; None if it is still in that song, or if the run
    made no change. `iterations` are all known ones, newest first."""
    known = {one.id: one for one in iterations}
    now = None if head is None else known.get(head)
    made = None if view.record.iteration is None else known.get(view.record.iteration)
    if now is None or made is None:
        return Reverted("rolled back") if any(event.kind == _ROLLED_BACK for event in view.events) else None
    holding = _holding(iterations, made)
    if now.id in holding:
        return None
    left = _left_by(now, known, holding)
    redo = next((one.id for one in trail(iterations, head, _MOST).redo if one.id in holding), None)
    how, number = _how(left, known, view)
    return Reverted(how, number or now.number, made.id, made.number, redo)


def _holding(iterations: Sequence[Iteration], made: Iteration) -> set[IterationId]:
    """The run's iteration and all whose songs came of it."""
    holding = {made.id}
    later = list(takewhile(lambda one: one.number > made.number, iterations))
    for one in reversed(later):
        if _origin(one) in holding:
            holding.add(one.id)
    return holding


def _origin(one: Iteration) -> IterationId | None:
    """The iteration that a song came of: the one that was restored, else the one before."""
    return restored(one) if one.source == "restore" else one.parent


def _left_by(now: Iteration, known: Known, holding: set[IterationId]) -> Iteration | None:
    """The last iteration on the way here that went away from what the run made."""
    one: Iteration | None = now
    while one is not None and one.parent is not None:
        if one.parent in holding:
            return one
        parent = known.get(one.parent)
        one = parent if parent is not None and parent.number < one.number else None
    return None


def _how(left: Iteration | None, known: Known, view: RunView) -> tuple[How, int]:
    if left is None or begins_branch(left):
        return "elsewhere", 0
    if walked(left) == "undo":
        return "undone", 0
    if any(event.kind == _ROLLED_BACK and left.id in event.body for event in view.events):
        return "rolled back", 0
    target = known.get(_origin(left) or left.id)
    return "restored", 0 if target is None else target.number
