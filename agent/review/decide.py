"""Decisions of a person applied to a plan, and the one-click fix of a mark as a decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

from msgspec.structs import replace

from agent.plan.decision import Change, Decision, Reject
from agent.plan.document import Finding, Plan
from agent.plan.order import dependants_of, needed
from agent.plan.plan import Json, Step
from agent.plan.references import references_in
from agent.review.rule import Rule
from agent.song.palette import Instrument
from agent.song.time import to_beats, to_ticks

_DROPPED = (
    Rule.NO_EFFECT, Rule.DUPLICATE, Rule.SILENT_TRACK, Rule.EMPTY_CLIP, Rule.LOCKED, Rule.FENCE,
    Rule.WOULD_FAIL, Rule.REMOVES, Rule.THINS,
)
"""Marks that leaving the row out takes away."""


def decided(plan: Plan, decisions: Sequence[Decision]) -> Plan:
    """The plan of the rows that are left after the decisions: a rejected row is left out with all rows that need it.
    Hash and marks are cleared, because they belong to another plan."""
    steps = {step.id: step for step in plan.steps}
    rejected: set[str] = set()
    changed: dict[str, Step] = {}
    for decision in decisions:
        step = steps.get(decision.step) or plan.step(decision.step)
        match decision:
            case Reject():
                rejected.add(step.id)
            case Change(inputs=inputs):
                changed[step.id] = replace(step, inputs=inputs)
    needs = {step.id: needed(step) for step in plan.steps} if rejected else {}
    gone = rejected | dependants_of(rejected, needs)
    kept = [changed.get(step.id, step) for step in plan.steps if step.id not in gone]
    trimmed = tuple(replace(step, after=tuple(one for one in step.after if one not in gone)) for step in kept)
    asks = tuple(replace(ask, steps=tuple(one for one in ask.steps if one not in gone)) for ask in plan.asks)
    return replace(plan, steps=trimmed, asks=asks, hash="", lint=())


def fix_for(finding: Finding, plan: Plan, instrument: Instrument | None = None) -> Decision | None:
    """The decision with which one click mends the finding; None if only a person can tell. `instrument` plays the row's
    clip; it is used for notes outside of its range."""
    if not finding.step:
        return None
    if finding.rule in _DROPPED:
        return Reject(finding.step, finding.message)
    step = plan.step(finding.step)
    if finding.rule == Rule.OVERLAP:
        return _with_notes(step, _trimmed, finding)
    if finding.rule == Rule.RANGE and instrument is not None:
        return _with_notes(step, lambda notes: _folded(notes, instrument), finding)
    return None


def _with_notes(step: Step, mend: Callable[[list[Json]], list[Json]], finding: Finding) -> Decision | None:
    notes = step.inputs.get("notes")
    if not isinstance(notes, list) or any(references_in(notes)):
        return None
    mended = mend(notes)
    return Change(step.id, {**step.inputs, "notes": mended}, finding.message) if mended != notes else None


def _trimmed(notes: list[Json]) -> list[Json]:
    """Each note ends where the next equal one begins, in ticks; of those that begin together the longest stays."""
    longest: dict[tuple[int, int], Json] = {}
    for note in notes:
        place = (note["n"], to_ticks(note["s"]))
        if place not in longest or longest[place]["d"] < note["d"]:
            longest[place] = note
    mended: list[Json] = []
    following: dict[int, int] = {}
    for (pitch, start), note in sorted(longest.items(), reverse=True):
        room = following.get(pitch, start + to_ticks(note["d"])) - start
        mended.append({**note, "d": to_beats(room)} if to_ticks(note["d"]) > room else note)
        following[pitch] = start
    return sorted(mended, key=lambda note: (note["s"], note["n"]))


def _folded(notes: list[Json], instrument: Instrument) -> list[Json]:
    """Notes outside the range, moved by octaves into it; a range of less than an octave may not have room."""
    return [{**note, "n": _octave(note["n"], instrument)} for note in notes]


def _octave(pitch: int, instrument: Instrument) -> int:
    if pitch < instrument.low:
        return pitch + 12 * ceil((instrument.low - pitch) / 12)
    if pitch > instrument.high:
        return pitch - 12 * ceil((pitch - instrument.high) / 12)
    return pitch
