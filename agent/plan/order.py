"""In which order steps run: what each one needs, and what it must wait for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from msgspec import Struct

from agent.fixes import Fix
from agent.message import Text, msg
from agent.plan.errors import PlanError
from agent.plan.plan import Step
from agent.plan.references import ITEM, Reference, references_around, references_in
from agent.plan.tool import ToolSpec


class BadOrder(PlanError):
    """A row that refers to a later row, or that waits for itself through others; `step` is its id."""

    def __init__(self, what: Text, *, step: str, why: Text = "", fix: Fix | Text | None = None) -> None:
        super().__init__(what, why=why, fix=fix)
        self.step = step


class Dependencies(Struct, frozen=True):
    """Both map a step's id to ids of other steps. `needs`: steps whose success it requires. `waits`: steps that must
    merely have ended."""

    needs: Mapping[str, frozenset[str]]
    waits: Mapping[str, frozenset[str]]

    def dependants(self, step_id: str) -> frozenset[str]:
        """All steps that need the given one, directly or through others."""
        return dependants(step_id, self.needs)


def dependants(step_id: str, needs: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """All steps that need the given one, directly or through others."""
    return dependants_of([step_id], needs)


def dependants_of(steps: Iterable[str], needs: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """All steps that need one of the given ones, directly or through others."""
    followers: dict[str, list[str]] = {}
    for one, sources in needs.items():
        for source in sources:
            followers.setdefault(source, []).append(one)
    found: set[str] = set()
    left = list(steps)
    while left:
        fresh = [one for one in followers.get(left.pop(), ()) if one not in found]
        found.update(fresh)
        left += fresh
    return frozenset(found)


def needed(step: Step) -> frozenset[str]:
    """Ids of the rows that a row refers to in references and `after`, whether they exist or not."""
    return _needed(step, references_in(step.inputs))


def _needed(step: Step, inside: Iterable[Reference]) -> frozenset[str]:
    sources = [reference.source for reference in (*inside, *references_around(step)) if reference.source != ITEM]
    return frozenset((*sources, *step.after))


def dependencies(steps: Sequence[Step], tools: Mapping[str, ToolSpec]) -> Dependencies:
    """What each step needs (references and `after`) and waits for (the order of song steps).

    Song-changing steps run in plan order; a step that reads the song waits for every change before it, and
    a change for every earlier reader. Raises `BadOrder` for a reference that does not point upward and
    for a cycle.
    """
    needs: dict[str, frozenset[str]] = {}
    waits: dict[str, frozenset[str]] = {}
    before: set[str] = set()
    last_change: frozenset[str] = frozenset()
    readers: set[str] = set()
    known = {step.id for step in steps}
    for number, step in enumerate(steps, 1):
        inside = tuple(references_in(step.inputs))
        _refuse_references(step, inside, f"row {number} ({step.id})", before, known)
        needs[step.id] = _needed(step, inside)
        tool = tools.get(step.tool)
        waits[step.id] = frozenset()
        if step.by == "model" or (tool is not None and tool.changes_song):
            waits[step.id] = last_change | readers
            last_change, readers = frozenset({step.id}), set()
        elif tool is not None and tool.reads_song:
            waits[step.id] = last_change
            readers.add(step.id)
        before.add(step.id)
    _refuse_cycles(needs, waits)
    return Dependencies(needs, waits)


def _refuse_references(
    step: Step, inside: Sequence[Reference], where: str, before: set[str], known: set[str]
) -> None:
    for reference in inside:
        if reference.source == ITEM and step.for_each is None:
            raise BadOrder(
                msg("{where} uses {reference} without a loop", where=where, reference=reference), step=step.id,
                fix=msg("add for_each with the list to go through"),
            )
    outer = [text for text in (step.for_each, step.when.left if step.when else None) if text is not None]
    for reference in references_in(outer):
        if reference.source == ITEM:
            raise BadOrder(
                msg("{where} uses {reference} outside of its inputs", where=where, reference=reference), step=step.id,
                why=msg("the item is known only within the loop"),
            )
    for reference in (*inside, *references_around(step)):
        if reference.source != ITEM and reference.source not in before:
            reason = msg("it comes later in the plan") if reference.source in known else msg("there is no such row")
            raise BadOrder(
                msg("{where} refers to {reference}", where=where, reference=reference), step=step.id, why=reason,
            )
    for other in step.after:
        if other not in known or other == step.id:
            raise BadOrder(
                msg("{where} comes after {other!r}", where=where, other=other), step=step.id,
                why=msg("it is this row") if other == step.id else msg("there is no such row"),
            )


def _refuse_cycles(needs: Mapping[str, frozenset[str]], waits: Mapping[str, frozenset[str]]) -> None:
    try:
        TopologicalSorter({step: needs[step] | waits[step] for step in needs}).prepare()
    except CycleError as cycle:
        rows = " → ".join(cycle.args[1])
        raise BadOrder(
            msg("the rows wait for one another in a circle"), step=cycle.args[1][0], why=rows,
            fix=msg("remove one of their `after` entries"),
        ) from None
