"""How words changed a plan: its rows that were dropped, changed or are new, and how many are as before."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from msgspec import Struct

from agent.plan.document import Plan
from agent.plan.plan import Step
from app.i18n import tr
from app.viewmodels.plan.replan_diff import ReplanDiff
from app.viewmodels.texts.figures import number

_UNITS = {"bpm": "BPM", "volume_db": "dB", "target": "LUFS"}
"""Inputs of rows whose values are shown, with the unit."""
Fate = Literal["dropped", "changed", "new"]


class RefinedRow(Struct, frozen=True):
    """A changed row with its number in the plan, or for a dropped row (`fate`) in the draft before; `what` says what
    differs in it."""

    fate: Fate
    number: int
    title: str
    what: str = ""


class Refined(Struct, frozen=True):
    """The difference between draft number `draft` of a plan and the one before it: changed `rows`, and how many are
    `unchanged`. `edited` are numbers of unchanged rows that the person had edited. `after` is the plan's hash, `before`
    that of the draft before, which was put aside; empty if it cannot be brought back."""

    draft: int
    rows: tuple[RefinedRow, ...]
    unchanged: int
    edited: tuple[int, ...] = ()
    after: str = ""
    before: str = ""


def refined(
    found: ReplanDiff, before: Plan, after: Plan, edited: Collection[str], draft: int, *, back: bool
) -> Refined:
    """The difference between a plan and the one before, as draft number `draft`; `edited` are ids of rows edited by
    hand, `back` says whether the one before can be brought back."""
    old = {step.id: at for at, step in enumerate(before.steps, 1)}
    rows = [RefinedRow("dropped", old[step.id], step.title) for step in found.gone]
    for at, step in enumerate(after.steps, 1):
        if step.id in found.was:
            was = found.was[step.id]
            what = "" if was is None else difference(was, step)
            rows.append(RefinedRow("new" if was is None else "changed", at, step.title, what))
    kept = tuple(
        at for at, step in enumerate(after.steps, 1) if step.id in edited and step.id not in found.was
    )
    unchanged = len(after.steps) - sum(row.fate != "dropped" for row in rows)
    return Refined(draft, tuple(rows), unchanged, kept, after.hash, before.hash if back else "")


def difference(old: Step, new: Step) -> str:
    """What differs in a row, as far as it is a value that a musician reads: "96 → 88 BPM", "66 → 29 notes"."""
    said = [f"{number(was)} → {number(now)} {unit}" for name, unit in _UNITS.items()
            if isinstance(was := old.inputs.get(name), int | float)
            and isinstance(now := new.inputs.get(name), int | float) and was != now]
    was, now = old.inputs.get("notes"), new.inputs.get("notes")
    if isinstance(was, list) and isinstance(now, list):
        said.append(tr("{before} → {after} notes", before=len(was), after=len(now)) if len(was) != len(now)
                    else tr("other notes"))
    return ", ".join(said)
