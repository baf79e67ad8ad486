"""The asks: what was asked, which rows serve it, and how to tell that it was met."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.intent import Intent
from agent.composer.styles import Style
from agent.plan.plan import Ask, Step, StepId
from agent.song.song import Song


def asks_for(intent: Intent, style: Style | None, steps: Sequence[Step], song: Song) -> tuple[Ask, ...]:
    """The asks of a draft, stated figures first."""
    return (*_figures(intent, steps), *_colours(intent, style, steps, song), *_wishes(intent, steps))


def by_tool(steps: Sequence[Step], *tools: str) -> tuple[StepId, ...]:
    """Ids of the rows of these tools."""
    return tuple(step.id for step in steps if step.tool in tools)


def _figures(intent: Intent, steps: Sequence[Step]) -> list[Ask]:
    asks = []
    if intent.bpm is not None:
        asks.append(Ask(f"{intent.bpm:g} BPM", by_tool(steps, "set_tempo"), "tempo", "equals", intent.bpm))
    elif intent.tempo_factor != 1.0 and intent.goal == "change":
        word, goal = ("slower", "lower") if intent.tempo_factor < 1 else ("faster", "higher")
        asks.append(Ask(word, by_tool(steps, "set_tempo"), "tempo", "lower" if goal == "lower" else "higher"))
    if intent.tonic and intent.mode:
        key = f"{intent.tonic} {intent.mode.replace('_', ' ')}"
        asks.append(Ask(key, by_tool(steps, "set_key"), "key", "equals", key))
    if intent.meter:
        meter = f"{intent.meter[0]}/{intent.meter[1]}"
        asks.append(Ask(meter, by_tool(steps, "set_time_signature"), "meter", "equals", meter))
    if intent.bars is not None and intent.goal != "change":
        rows = by_tool(steps, "create_midi_clip")
        asks.append(Ask(f"{intent.bars} bars", rows, "bars", "equals", float(intent.bars)))
    return asks


def _colours(intent: Intent, style: Style | None, steps: Sequence[Step], song: Song) -> list[Ask]:
    if intent.goal != "change":
        rows = by_tool(steps, "create_track", "create_midi_clip", "add_effect")
        return [Ask(style.label.lower(), rows)] if style is not None else []
    asks = []
    if style is not None and style.dissolves:
        asks += _ambient(style, steps, song)
    elif style is not None:
        asks.append(Ask(style.label.lower(), by_tool(steps, "set_tempo", "update_track", "modify_clip", "create_track")))
    notes = by_tool(steps, "modify_clip", "update_track", "add_effect", "set_tempo")
    for mood in intent.moods:
        if mood.brightness:
            asks.append(Ask(mood.name, notes, "brightness", "lower" if mood.brightness < 0 else "higher"))
        elif mood.energy:
            asks.append(Ask(mood.name, notes, "mean_velocity", "lower" if mood.energy < 0 else "higher"))
    return asks


def _ambient(style: Style, steps: Sequence[Step], song: Song) -> list[Ask]:
    word = style.label.lower()
    notes = by_tool(steps, "modify_clip", "delete_track", "delete_clip")
    pads = by_tool(steps, "create_track", "create_midi_clip")
    asks = [
        Ask(f"{word}: fewer notes", notes, "onsets_per_bar", "at_most", 0.6),
        Ask(f"{word}: longer notes", by_tool(steps, "modify_clip", "create_midi_clip"), "mean_note_beats", "at_least", 2.0),
        Ask(f"{word}: held sound", pads, "sustained_share", "at_least", 0.7),
        Ask(f"{word}: space", by_tool(steps, "add_effect"), "reverb_share", "at_least", 0.6),
        Ask(f"{word}: softer sound", by_tool(steps, "update_track", "add_effect"), "brightness", "lower"),
        Ask(f"{word}: still your key", (), "key", "same"),
        Ask(f"{word}: still your melody", by_tool(steps, "modify_clip"), "melody_similarity", "at_least", 0.5),
        Ask(f"{word}: still your chords", by_tool(steps, "modify_clip"), "root_agreement", "at_least", 0.7),
    ]
    if rows := by_tool(steps, "set_tempo"):
        asks.insert(0, Ask(f"{word}: slower", rows, "tempo", "lower"))
    del song
    return asks


def _wishes(intent: Intent, steps: Sequence[Step]) -> list[Ask]:
    asks = []
    for wish in intent.refused:
        rows = by_tool(steps, "delete_track")
        asks.append(Ask(f"no {wish.label}", rows, f"notes_of:{wish.label}", "equals", 0.0))
    for wish in intent.wanted:
        asks.append(Ask(f"with {wish.label}", by_tool(steps, "create_track"), f"notes_of:{wish.label}", "at_least", 1.0))
    for wish in intent.kept:
        asks.append(Ask(f"keep {wish.label}", (), f"unchanged:{wish.label}", "same"))
    return asks
