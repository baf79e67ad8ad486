"""The asks of a new piece: what was asked, which rows serve it, and how to tell that it was met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agent.composer.roles import GROUPS
from agent.composer.styles import Style
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.sentences import told_time
from agent.plan.plan import Ask, Step, StepId
from agent.song.palette import Palette
from agent.song.time import PPQ, BarMap, MeterChange, Ticks, distinct_meters

_LASTS: tuple[tuple[Literal["at_least", "at_most"], float], ...] = (("at_least", 0.85), ("at_most", 1.15))
"""How much shorter and longer a piece may be than the seconds that were asked for."""


def asks_for(intent: Intent, style: Style, steps: Sequence[Step], palette: Palette) -> tuple[Ask, ...]:
    """The asks (claims that can be measured) of a new piece's draft, those with figures first."""
    colour = Ask(style.label.lower(), by_tool(steps, "create_track"))
    return (*_figures(intent, steps), *_stages(intent, steps), colour, *_wishes(intent, steps, palette))


def by_tool(steps: Sequence[Step], *tools: str) -> tuple[StepId, ...]:
    """Ids of the rows (`steps`) that use one of these tools, in order."""
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
        rows = by_tool(steps, "set_time_signature")
        # where sections have their own, the piece need not begin in it
        asks.append(Ask(meter, rows) if intent.metered else Ask(meter, rows, "meter", "equals", meter))
    asks += [Ask(one.told, by_tool(steps, "set_time_signature")) for one in intent.metered]
    if intent.bars is not None:
        rows = by_tool(steps, "create_midi_clip")
        asks.append(Ask(f"{intent.bars} bars", rows, "bars", "equals", float(intent.bars)))
    elif intent.seconds is not None:
        rows = by_tool(steps, "create_midi_clip")
        for goal, share in _LASTS:
            bound = round(intent.seconds * share, 1)
            words = f"{goal.replace('_', ' ')} {told_time(bound)}"
            asks.append(Ask(words, rows, "seconds", goal, bound))
    if intent.chart is not None:
        asks.append(Ask("your chords", by_tool(steps, "set_chords")))
    if intent.loudest is not None:
        rows = by_tool(steps, "create_midi_clip")
        asks.append(Ask(f"no note above velocity {intent.loudest}", rows, "loudest", "at_most", float(intent.loudest)))
    return asks


def _stages(intent: Intent, steps: Sequence[Step]) -> list[Ask]:
    """The asks of stages, each measured in its own bars; those that add layers have no section each."""
    sections = [step for step in steps if step.tool == "add_section"]
    if len(sections) != len(intent.course):
        return []
    bar_map = _bar_map(steps)
    asks = []
    for stage, section in zip(intent.course, sections, strict=True):
        start, length = section.inputs["start_time"], section.inputs["duration"]
        assert isinstance(start, int | float)
        assert isinstance(length, int | float)
        bars = (bar_map.bar_at(round(start * PPQ)), bar_map.bar_at(round((start + length) * PPQ) - 1))
        name = str(section.inputs["name"])
        if stage.bpm is not None:
            rows = by_tool(steps, "set_tempo")
            asks.append(Ask(f"{name}: {stage.bpm:g} BPM", rows, "tempo", "equals", stage.bpm, bars, bars))
        if stage.motion == "silent":
            asks.append(Ask(f"{name}: nothing sounds", (section.id,), "notes", "equals", 0.0, bars, bars))
    return asks


def _bar_map(steps: Sequence[Step]) -> BarMap:
    """The bars of the piece that rows write."""
    changes = {Ticks(0): MeterChange(Ticks(0))}
    for step in steps:
        if step.tool == "set_time_signature":
            beats, unit, at = step.inputs["beats"], step.inputs["unit"], step.inputs.get("at_beat", 0)
            assert isinstance(beats, int)
            assert isinstance(unit, int)
            assert isinstance(at, int | float)
            begin = Ticks(round(at * PPQ))
            changes[begin] = MeterChange(begin, beats, unit)
    return BarMap(distinct_meters(list(changes.values())))


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
