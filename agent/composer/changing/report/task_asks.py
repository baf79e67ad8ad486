"""The asks of a change: each task and another style, the rows that serve it, and how to tell that it was met."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.changed import Changed
from agent.composer.changing.operations.catalogue import catalogue
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.stage import tracks_of
from agent.composer.guard import Guard
from agent.composer.styles import Style, StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.operations import Rekey, Replace, Restyle, Retempo, Transpose
from agent.plan.plan import Ask, Step
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.sounding import percussive_tracks


def task_asks(
    intent: Intent, changed: Changed, styles: StyleBook, steps: Sequence[Step], song: Song, palette: Palette,
    guard: Guard,
) -> tuple[Ask, ...]:
    """The asks of all tasks that were done, then of what was to stay. What locks or "keep" forbid is not claimed."""
    asks: list[Ask] = []
    done = [number for number in range(len(intent.tasks)) if number not in changed.blocked]
    moves = _moves(intent, steps, done)
    remade = any(step.tool == "set_time_signature" for step in steps)
    for number in done:
        rows = changed.serving.get(number, ())
        task = intent.tasks[number]
        served = Served(task, rows, steps, song, palette, guard, changed.moved, remade)
        asks += catalogue().of(task.operation).asks(served, task.operation, styles)
    asks += _kept(intent, song, palette, moves)
    operations = [intent.tasks[number].operation for number in done]
    moved = any(isinstance(operation, Rekey | Transpose) for operation in operations)
    if any(isinstance(operation, Restyle) for operation in operations) and not moved and not intent.keep_key:
        asks.append(Ask("still your key", (), "key", "same"))
    return tuple(dict.fromkeys(asks))


def _moves(intent: Intent, steps: Sequence[Step], done: Sequence[int]) -> bool:
    """Whether bars of the song before are elsewhere afterwards, or notes are where they were not."""
    operations = [intent.tasks[number].operation for number in done]
    meter = any(step.tool == "set_time_signature" for step in steps)
    return meter or any(catalogue().of(operation).moves_bars(operation) for operation in operations)


def _kept(intent: Intent, song: Song, palette: Palette, moves: bool) -> list[Ask]:
    asks = []
    for wish in intent.kept:
        names = [song.track(track) for track in tracks_of(wish, song, palette)]
        alike = {track.name for track in song.tracks if sum(one.name == track.name for one in song.tracks) == 1}
        for track in names if not moves and not wish.pieces else ():
            what = track.name if track.name in alike and track.name != track.name.lower() else track.id
            asks.append(Ask(f"keep {wish.label}", (), f"unchanged:{what}", "equals", 1.0))
        if moves or not names or wish.pieces:
            asks.append(Ask(f"keep {wish.label}"))
    stated = any(isinstance(task.operation, Retempo) for task in intent.tasks)
    if intent.keep_tempo and not stated:
        asks.append(Ask("keep the tempo", (), "tempo", "same"))
    if intent.keep_key:
        asks.append(Ask("keep the key", (), "key", "same"))
    if intent.keep_sounds and not any(isinstance(task.operation, Replace) for task in intent.tasks):
        asks.append(Ask("keep the sounds", (), "same_sounds", "equals", 1.0))
    return asks


_SPARSE = 8.0
"""Onsets a bar below which a song floats already and can only go a little further."""
_MELODY, _CHORDS = 0.5, 0.7
"""Likeness of the tune, and share of the chord roots, by which a song is still itself."""
_FULL = 0.9
"""The amount from which a song without a beat has to float, and not only to be thinner."""


def asks_style(served: Served, operation: Restyle, styles: StyleBook) -> list[Ask]:
    """The asks of a restyling: that the style is met, and that melody and chords are still recognisable."""
    style, blend = styles.style(operation.style), bool(operation.others)
    held = served.by("modify_clip", "create_midi_clip")
    chords = served.ask("root_agreement", "at_least", _CHORDS, words="still your chords", rows=held)
    tune = served.ask("melody_similarity", "at_least", _MELODY, words="still your melody", rows=held)
    if style.dissolves and not blend:
        floats = _floating(served, style) if served.task.scope.whole else served.ask("onsets_per_bar", "lower")
        return [*floats, *tune, *chords]
    return [*served.plain(served.words if blend else style.label.lower()), *tune]


def _floating(served: Served, style: Style) -> list[Ask]:
    word, song = style.label.lower(), served.song
    clips = served.by("modify_clip", "delete_track", "delete_clip")
    closed = bool(served.guard.tracks or served.guard.spans or served.guard.clips)
    full = served.task.amount >= _FULL and bool(served.by("delete_track", "create_track"))
    modest = closed or not full or served.figure("onsets_per_bar") <= _SPARSE
    softer = (*clips, *served.by("update_track"))
    asks = [
        Ask(f"{word}: fewer notes", clips, "onsets_per_bar", *(("lower",) if modest else ("at_most", 0.6))),
        Ask(f"{word}: softer", softer, "velocity", "lower"),
    ]
    if full:
        held = served.by("modify_clip", "create_midi_clip")
        longer = ("higher",) if modest else ("at_least", 2.0)
        pads, space = served.by("create_track", "create_midi_clip"), served.by("add_effect", "update_effect")
        asks += [
            Ask(f"{word}: longer notes", held, "mean_note_beats", *longer),
            Ask(f"{word}: held sound", pads, "pad_share", "at_least", 0.7),
            Ask(f"{word}: space", space, "wet_share", "at_least", 0.6),
        ]
    if percussive_tracks(song, served.palette) - served.guard.tracks and served.figure("percussion_hits"):
        goal = ("lower",) if closed or not full else ("at_most", 0.3)
        asks.insert(0, Ask(f"{word}: less beat", clips, "percussion_hits", *goal))
    if rows := served.by("set_tempo"):
        asks.insert(0, Ask(f"{word}: slower", rows, "tempo", "lower"))
    return asks
