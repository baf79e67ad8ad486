"""The asks of a new piece: what was asked, which rows serve it, and how to tell that it was met."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.roles import GROUPS
from agent.composer.styles import Style
from agent.composer.understanding.intent import Intent
from agent.plan.plan import Ask, Step, StepId
from agent.song.palette import Palette


def asks_for(intent: Intent, style: Style, steps: Sequence[Step], palette: Palette) -> tuple[Ask, ...]:
    """The asks of a draft, stated figures first."""
    colour = Ask(style.label.lower(), by_tool(steps, "create_track"))
    return (*_figures(intent, steps), colour, *_wishes(intent, steps, palette))


def by_tool(steps: Sequence[Step], *tools: str) -> tuple[StepId, ...]:
    """Ids of the rows of these tools."""
    return tuple(step.id for step in steps if step.tool in tools)


def _figures(intent: Intent, steps: Sequence[Step]) -> list[Ask]:
    asks = []
    if intent.bpm is not None:
        asks.append(Ask(f"{intent.bpm:g} BPM", by_tool(steps, "set_tempo"), "tempo", "equals", intent.bpm))
    if intent.tonic and intent.mode:
        key = f"{intent.tonic} {intent.mode.replace('_', ' ')}"
        asks.append(Ask(key, by_tool(steps, "set_key"), "key", "equals", key))
    if intent.meter:
        meter = f"{intent.meter[0]}/{intent.meter[1]}"
        asks.append(Ask(meter, by_tool(steps, "set_time_signature"), "meter", "equals", meter))
    if intent.bars is not None:
        rows = by_tool(steps, "create_midi_clip")
        asks.append(Ask(f"{intent.bars} bars", rows, "bars", "equals", float(intent.bars)))
    return asks


def _with_role(label: str, group: str, steps: Sequence[Step]) -> Ask:
    """A role that was wanted, told by the first track of its group."""
    tracks = [step for step in steps if step.tool == "create_track" and step.group == group]
    measure = f"notes:{tracks[0].inputs['name']}" if tracks else ""
    return Ask(f"with {label}", tuple(step.id for step in tracks), measure, "higher")


def _wishes(intent: Intent, steps: Sequence[Step], palette: Palette) -> list[Ask]:
    asks = []
    for wish in intent.refused:
        asks += [Ask(f"no {wish.label}", (), f"notes:{family}", "equals", 0.0) for family in wish.families]
    families = {instrument.name: instrument.family for instrument in palette.instruments}
    made = [(step.id, families.get(step.inputs["instrument"])) for step in steps if step.tool == "create_track"]
    for wish in intent.wanted:
        if wish.whole_role and wish.role is not None:
            asks.append(_with_role(wish.label, GROUPS[wish.role], steps))
            continue
        measure = f"tracks:{wish.families[0]}" if wish.families else ""
        serving = tuple(step for step, family in made if family in wish.families)
        asks.append(Ask(f"with {wish.label}", serving, measure, "higher"))
    asks += [Ask(f"keep {wish.label}") for wish in intent.kept]
    return asks
