"""The asks of a change: each task, the rows that serve it, and how to tell that it was met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.composer.changing.change import Changed
from agent.composer.guard import Guard
from agent.composer.styles import Style, StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.tasks import (
    Add,
    Colour,
    Cut,
    NewSection,
    Rekey,
    Remeter,
    Remove,
    Repeat,
    Resize,
    Restyle,
    Retempo,
    Task,
    Transpose,
)
from agent.plan.plan import Ask, Step, StepId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.figures import figure
from agent.theory.sounding import percussive_tracks

_SPARSE = 8.0
"""Onsets a bar below which a song floats already and can only go a little further."""
_MELODY, _CHORDS = 0.5, 0.7
"""Likeness of the tune, and share of the chord roots, by which a song is still itself."""


@dataclass(frozen=True)
class _Served:
    """A task with the rows that serve it."""

    task: Task
    rows: tuple[StepId, ...]
    steps: Sequence[Step]
    song: Song
    palette: Palette
    guard: Guard

    def by(self, *tools: str) -> tuple[StepId, ...]:
        """Those of the rows that use one of the tools."""
        return tuple(step.id for step in self.steps if step.id in self.rows and step.tool in tools)


def task_asks(
    intent: Intent, changed: Changed, styles: StyleBook, steps: Sequence[Step], song: Song, palette: Palette,
    guard: Guard,
) -> tuple[Ask, ...]:
    """The asks of all tasks that were done, then what was to stay; what locks and "keep" forbid is not promised."""
    asks: list[Ask] = []
    for number, task in enumerate(intent.tasks):
        if number not in changed.blocked:
            asks += _asks(_Served(task, changed.serving.get(number, ()), steps, song, palette, guard), styles)
    asks += [Ask(f"keep {wish.label}") for wish in intent.kept]
    deeds = [task.deed for task in intent.tasks]
    moved = any(isinstance(deed, Rekey | Transpose) for deed in deeds)
    if any(isinstance(deed, Restyle) for deed in deeds) and not moved:
        asks.append(Ask("still your key", (), "key", "same"))
    return tuple(dict.fromkeys(asks))


def _asks(served: _Served, styles: StyleBook) -> list[Ask]:
    task, deed = served.task, served.task.deed
    words, rows = task.words or type(deed).__name__.lower(), served.rows
    if not task.scope.whole:
        return [Ask(words, rows)]
    match deed:
        case Retempo(bpm=float() | int() as bpm):
            return [Ask(f"{bpm:g} BPM", served.by("set_tempo"), "tempo", "equals", float(bpm))]
        case Retempo():
            return [Ask(words, served.by("set_tempo"), "tempo", "lower" if deed.factor < 1 else "higher")]
        case Remeter():
            meter = f"{deed.beats}/{deed.unit}"
            return [Ask(meter, served.by("set_time_signature"), "meter", "equals", meter)]
        case Rekey():
            return [_key(served, words)]
        case Restyle():
            return _styled(served, styles.style(deed.style))
        case Colour():
            return _coloured(served, deed, words)
        case Remove():
            return [Ask(words, rows, f"notes:{family}", "equals", 0.0) for family in deed.wish.families]
        case Add():
            wish = deed.wish
            measure = "" if wish.whole_role or not wish.families else f"tracks:{wish.families[0]}"
            return [Ask(f"with {wish.label}", rows, measure, "higher")]
        case Resize(bars=int() as bars):
            return [Ask(f"{bars} bars", rows, "bars", "equals", float(bars))]
        case Resize():
            return [Ask(words, rows, "bars", "lower" if deed.factor < 1 else "higher")] if deed.factor != 1 else []
        case NewSection() | Repeat():
            return [Ask(words, rows, "bars", "higher")]
        case Cut():
            return [Ask(words, rows, "bars", "lower")]
        case _:
            return [Ask(words, rows)]


def _key(served: _Served, words: str) -> Ask:
    stated = next((step for step in served.steps if step.tool == "set_key"), None)
    if stated is None:
        return Ask(words, served.rows)
    key = f"{stated.inputs['tonic']} {str(stated.inputs['mode']).replace('_', ' ')}"
    return Ask(key, served.by("set_key"), "key", "equals", key)


def _coloured(served: _Served, deed: Colour, words: str) -> list[Ask]:
    mood = deed.mood
    rows = served.by("modify_clip", "update_track", "add_effect", "set_tempo")
    pull = mood.brightness or mood.energy
    return [Ask(words, rows, "velocity", "lower" if pull < 0 else "higher")] if pull else [Ask(words, rows)]


def _styled(served: _Served, style: Style) -> list[Ask]:
    held = served.by("modify_clip", "create_midi_clip")
    chords = Ask("still your chords", held, "root_agreement", "at_least", _CHORDS)
    if style.dissolves:
        return [*_floating(served, style), chords]
    tune = Ask("still your melody", held, "melody_similarity", "at_least", _MELODY)
    return [Ask(style.label.lower(), served.rows), tune]


def _floating(served: _Served, style: Style) -> list[Ask]:
    word, song, palette = style.label.lower(), served.song, served.palette
    clips = served.by("modify_clip", "delete_track", "delete_clip")
    held = served.by("modify_clip", "create_midi_clip")
    pads = served.by("create_track", "create_midi_clip")
    space = served.by("add_effect", "update_effect")
    closed = bool(served.guard.tracks or served.guard.spans)
    modest = closed or float(figure("onsets_per_bar", song, song, palette) or 0) <= _SPARSE
    asks = [
        Ask(f"{word}: fewer notes", clips, "onsets_per_bar", *(("lower",) if modest else ("at_most", 0.6))),
        Ask(f"{word}: longer notes", held, "mean_note_beats", *(("higher",) if modest else ("at_least", 2.0))),
        Ask(f"{word}: held sound", pads, "pad_share", "at_least", 0.7),
        Ask(f"{word}: space", space, "wet_share", "at_least", 0.6),
        Ask(f"{word}: softer", (*clips, *served.by("update_track")), "velocity", "lower"),
        Ask("still your melody", held, "melody_similarity", "at_least", _MELODY),
    ]
    if percussive_tracks(song, palette) - served.guard.tracks and figure("percussion_hits", song, song, palette):
        goal = ("lower",) if closed else ("at_most", 0.3)
        asks.insert(0, Ask(f"{word}: less beat", clips, "percussion_hits", *goal))
    if rows := served.by("set_tempo"):
        asks.insert(0, Ask(f"{word}: slower", rows, "tempo", "lower"))
    return asks
