"""The asks: what was asked, which rows serve it, and how to tell that it was met."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.guard import Guard
from agent.composer.styles import Style
from agent.composer.understanding.intent import Intent
from agent.plan.plan import Ask, Step, StepId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.figures import figure
from agent.theory.sounding import percussive_tracks

_SPARSE = 8.0
"""Onsets a bar below which a song floats already and can only go a little further."""


def asks_for(
    intent: Intent, style: Style | None, steps: Sequence[Step], song: Song, palette: Palette, guard: Guard
) -> tuple[Ask, ...]:
    """The asks of a draft, stated figures first; what locks and "keep" forbid is not promised."""
    colours = _colours(intent, style, steps, song, palette, guard)
    return (*_figures(intent, steps), *colours, *_wishes(intent, steps, style, palette))


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


def _colours(
    intent: Intent, style: Style | None, steps: Sequence[Step], song: Song, palette: Palette, guard: Guard
) -> list[Ask]:
    if intent.goal != "change":
        rows = by_tool(steps, "create_track")
        return [Ask(style.label.lower(), rows)] if style is not None else []
    asks = []
    if style is not None and style.dissolves:
        asks += _ambient(style, steps, song, palette, guard)
        if not (intent.tonic or intent.mode):
            rows = by_tool(steps, "modify_clip", "create_midi_clip")
            asks.append(Ask("still your chords", rows, "root_agreement", "at_least", 0.7))
    elif style is not None:
        rows = by_tool(steps, "set_tempo", "update_track", "modify_clip", "create_track")
        asks.append(Ask(style.label.lower(), rows))
    notes = by_tool(steps, "modify_clip", "update_track", "add_effect", "set_tempo")
    for mood in intent.moods:
        if mood.brightness:
            asks.append(Ask(mood.name, notes, "velocity", "lower" if mood.brightness < 0 else "higher"))
        elif mood.energy:
            asks.append(Ask(mood.name, notes, "velocity", "lower" if mood.energy < 0 else "higher"))
    return asks


def _ambient(style: Style, steps: Sequence[Step], song: Song, palette: Palette, guard: Guard) -> list[Ask]:
    word = style.label.lower()
    clips = by_tool(steps, "modify_clip", "delete_track", "delete_clip")
    held = by_tool(steps, "modify_clip", "create_midi_clip")
    pads = by_tool(steps, "create_track", "create_midi_clip")
    space = by_tool(steps, "add_effect", "update_effect")
    closed = bool(guard.tracks or guard.spans)
    modest = closed or float(figure("onsets_per_bar", song, song, palette) or 0) <= _SPARSE
    asks = [
        Ask(f"{word}: fewer notes", clips, "onsets_per_bar", *(("lower",) if modest else ("at_most", 0.6))),
        Ask(f"{word}: longer notes", held, "mean_note_beats", *(("higher",) if modest else ("at_least", 2.0))),
        Ask(f"{word}: held sound", pads, "pad_share", "at_least", 0.7),
        Ask(f"{word}: space", space, "wet_share", "at_least", 0.6),
        Ask(f"{word}: softer", (*clips, *by_tool(steps, "update_track")), "velocity", "lower"),
        Ask("still your melody", held, "melody_similarity", "at_least", 0.5),
    ]
    if percussive_tracks(song, palette) - guard.tracks and figure("percussion_hits", song, song, palette):
        goal = ("lower",) if closed else ("at_most", 0.3)
        asks.insert(0, Ask(f"{word}: less beat", clips, "percussion_hits", *goal))
    if rows := by_tool(steps, "set_tempo"):
        asks.insert(0, Ask(f"{word}: slower", rows, "tempo", "lower"))
    return asks


def _wishes(intent: Intent, steps: Sequence[Step], style: Style | None, palette: Palette) -> list[Ask]:
    asks = []
    for wish in intent.refused:
        rows = by_tool(steps, "delete_track")
        asks += [Ask(f"no {wish.label}", rows, f"notes:{family}", "equals", 0.0) for family in wish.families]
    families = {instrument.name: instrument.family for instrument in palette.instruments}
    made = [(step.id, families.get(step.inputs["instrument"])) for step in steps if step.tool == "create_track"]
    for wish in intent.wanted:
        measure = "" if wish.whole_role or not wish.families else f"tracks:{wish.families[0]}"
        serving = tuple(step for step, family in made if family in wish.families)
        asks.append(Ask(f"with {wish.label}", serving, measure, "higher"))
    asks += [Ask(f"keep {wish.label}") for wish in intent.kept]
    if style is not None and intent.goal == "change" and not (intent.tonic or intent.mode):
        asks.append(Ask("still your key", (), "key", "same"))
    return asks
