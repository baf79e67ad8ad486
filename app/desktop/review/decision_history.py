"""Decisions on a plan that can be taken back and brought again."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from agent.plan.decision import Change, Reject
from agent.plan.document import Plan
from app.desktop.watched import Watched

_MOST = 200


class Decided(Struct, frozen=True, eq=False):
    """All decisions of a moment; `plan` holds the rows as proposed, in the order of that moment."""

    plan: Plan
    changes: Mapping[str, Change]
    rejections: Mapping[str, Reject]


class DecisionHistory:
    """What was decided before, newest last. `undo` and `redo` are the words of what would be taken back or brought
    again; empty for nothing."""

    def __init__(self) -> None:
        self._past: list[tuple[str, Decided]] = []
        self._future: list[tuple[str, Decided]] = []
        self.undo: Watched[str] = Watched("")
        self.redo: Watched[str] = Watched("")

    def clear(self) -> None:
        """Another plan."""
        self._past.clear()
        self._future.clear()
        self._tell()

    def keep(self, label: str, before: Decided) -> None:
        """Something was decided; this is what was so before."""
        self._past.append((label, before))
        del self._past[:-_MOST]
        self._future.clear()
        self._tell()

    def back(self, now: Decided) -> Decided | None:
        """What was so before the last decision; None where there is none."""
        return self._step(self._past, self._future, now)

    def again(self, now: Decided) -> Decided | None:
        """What was so before the last decision was taken back."""
        return self._step(self._future, self._past, now)

    def _step(
        self, off: list[tuple[str, Decided]], onto: list[tuple[str, Decided]], now: Decided
    ) -> Decided | None:
        if not off:
            return None
        label, found = off.pop()
        onto.append((label, now))
        self._tell()
        return found

    def _tell(self) -> None:
        self.undo.set(self._past[-1][0] if self._past else "")
        self.redo.set(self._future[-1][0] if self._future else "")
