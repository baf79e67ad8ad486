"""In which order steps run: what each one needs, and what it must wait for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from msgspec import Struct

from agent.plan.errors import PlanError
from agent.plan.plan import Step
from agent.plan.references import ITEM, references_of
from agent.plan.tool import ToolSpec


class Dependencies(Struct, frozen=True):
    """`needs`: steps whose success a step requires. `waits`: steps that must merely have ended."""

    needs: Mapping[str, frozenset[str]]
    waits: Mapping[str, frozenset[str]]

    def dependants(self, step_id: str) -> frozenset[str]:
        """All steps that need the given one, directly or through others."""
        found: set[str] = set()
        frontier = {step_id}
        while frontier:
            frontier = {one for one, needs in self.needs.items() if needs & frontier} - found
            found |= frontier
        return frozenset(found)


def dependencies(steps: Sequence[Step], tools: Mapping[str, ToolSpec]) -> Dependencies:
    """What each step needs (references and `after`) and waits for (the order of song steps).

    Song-changing steps run in plan order; a step that reads the song waits for every change before it, and
    a change for every earlier reader. Raises `PlanError` for a reference that does not point upward and
    for a cycle.
    """
    needs: dict[str, frozenset[str]] = {}
    waits: dict[str, frozenset[str]] = {}
    before: set[str] = set()
    last_change: frozenset[str] = frozenset()
    readers: set[str] = set()
    known = {step.id for step in steps}
    for number, step in enumerate(steps, 1):
        needs[step.id] = _needs(step, number, before, known)
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


def _needs(step: Step, number: int, before: set[str], known: set[str]) -> frozenset[str]:
    sources = []
    for reference in references_of(step):
        if reference.source == ITEM:
            if step.for_each is None:
                raise PlanError(
                    f"row {number} ({step.id}) uses {reference} without a loop",
                    fix="add for_each with the list to go through",
                )
            continue
        if reference.source not in before:
            reason = "it comes later in the plan" if reference.source in known else "there is no such row"
            raise PlanError(f"row {number} ({step.id}) refers to {reference}", why=reason)
        sources.append(reference.source)
    for other in step.after:
        if other not in known or other == step.id:
            raise PlanError(f"row {number} ({step.id}) comes after {other!r}", why="there is no such row")
    return frozenset((*sources, *step.after))


def _refuse_cycles(needs: Mapping[str, frozenset[str]], waits: Mapping[str, frozenset[str]]) -> None:
    try:
        TopologicalSorter({step: needs[step] | waits[step] for step in needs}).prepare()
    except CycleError as cycle:
        rows = " → ".join(cycle.args[1])
        raise PlanError(
            "the rows wait for one another in a circle", why=rows, fix="remove one of their `after` entries"
        ) from None
