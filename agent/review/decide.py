"""Decisions of a person applied to a plan, and the one-click fix of a mark as a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from agent.plan.decision import Change, Decision, Reject
from agent.plan.document import Finding, Plan
from agent.plan.order import dependencies
from agent.plan.plan import Json, Step
from agent.plan.tool import ToolSpec
from agent.song.palette import Instrument

_DROPPED = ("no effect", "duplicate", "track without clip", "empty clip", "locked", "would fail")


def decided(plan: Plan, decisions: Sequence[Decision], tools: Mapping[str, ToolSpec]) -> Plan:
    """The plan of the rows that are left: rejected rows fall with all rows that need them.

    Hash and marks are cleared, because they spoke of another plan.
    """
    links = dependencies(plan.steps, tools)
    gone: set[str] = set()
    changed: dict[str, Step] = {}
    for decision in decisions:
        step = plan.step(decision.step)
        match decision:
            case Reject():
                gone |= {step.id, *links.dependants(step.id)}
            case Change(inputs=inputs):
                changed[step.id] = replace(step, inputs=inputs)
    kept = [changed.get(step.id, step) for step in plan.steps if step.id not in gone]
    trimmed = tuple(replace(step, after=tuple(one for one in step.after if one not in gone)) for step in kept)
    asks = tuple(replace(ask, steps=tuple(one for one in ask.steps if one not in gone)) for ask in plan.asks)
    return replace(plan, steps=trimmed, asks=asks, hash="", lint=())


def fix_for(finding: Finding, plan: Plan, instrument: Instrument | None = None) -> Decision | None:
    """The decision that one click on a mark makes; None where only a person can tell.

    `instrument` is the one that plays the row's clip, for marks of range.
    """
    if not finding.step:
        return None
    if finding.rule in _DROPPED:
        return Reject(finding.step, finding.message)
    step = plan.step(finding.step)
    if finding.rule == "overlap":
        return _with_notes(step, _trimmed, finding)
    if finding.rule == "range" and instrument is not None:
        return _with_notes(step, lambda notes: [_folded(note, instrument) for note in notes], finding)
    return None


def _with_notes(step: Step, mend: object, finding: Finding) -> Decision | None:
    notes = step.inputs.get("notes")
    if not isinstance(notes, list) or not callable(mend):
        return None
    return Change(step.id, {**step.inputs, "notes": mend(notes)}, finding.message)


def _trimmed(notes: list[Json]) -> list[Json]:
    ordered = sorted(notes, key=lambda note: (note["s"], note["n"]))
    mended = []
    for number, note in enumerate(ordered):
        later = [other["s"] for other in ordered[number + 1 :] if other["n"] == note["n"] and other["s"] > note["s"]]
        twin = any(other["n"] == note["n"] and other["s"] == note["s"] for other in ordered[:number])
        if not twin:
            room = min(later, default=note["s"] + note["d"]) - note["s"]
            mended.append({**note, "d": min(note["d"], room)})
    return mended


def _folded(note: Json, instrument: Instrument) -> Json:
    pitch = note["n"]
    while pitch < instrument.low:
        pitch += 12
    while pitch > instrument.high:
        pitch -= 12
    return {**note, "n": max(pitch, 0)}
