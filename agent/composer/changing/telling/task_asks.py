"""The asks of a change: each task, the rows that serve it, and how to tell that it was met."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.changed import Changed
from agent.composer.changing.stage import tracks_of
from agent.composer.changing.telling.measuring import Goal, Served
from agent.composer.changing.telling.mix_asks import added, alone, doubled, mixed, removed, replaced
from agent.composer.guard import Guard
from agent.composer.styles import Style, StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.tasks import (
    Add,
    Beat,
    Colour,
    Cut,
    Double,
    Mix,
    NewSection,
    Reharmonise,
    Rekey,
    Remeter,
    Remove,
    Rename,
    Repeat,
    Replace,
    Reshape,
    Resize,
    Restyle,
    Retempo,
    Solo,
    Transpose,
)
from agent.plan.plan import Ask, Step
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.sounding import percussive_tracks

_SPARSE = 8.0
"""Onsets a bar below which a song floats already and can only go a little further."""
_MELODY, _CHORDS = 0.5, 0.7
"""Likeness of the tune, and share of the chord roots, by which a song is still itself."""
_FULL = 0.9
"""The amount from which a song without a beat has to float, and not only to be thinner."""
_OTHER_CHORDS = 0.25
_LIVELY = 0.6
"""Share of its brightness from which a mood's energy is what people ask it for."""
_RESHAPED: dict[str, tuple[str, Goal]] = {
    "simplify": ("onsets_per_bar", "lower"), "thicken": ("onsets_per_bar", "higher"),
    "humanize": ("looseness", "higher"), "quantize": ("looseness", "lower"),
}
_MOVING = (NewSection, Repeat, Cut, Resize, Remeter)


def task_asks(
    intent: Intent, changed: Changed, styles: StyleBook, steps: Sequence[Step], song: Song, palette: Palette,
    guard: Guard,
) -> tuple[Ask, ...]:
    """The asks of all tasks that were done, then what was to stay; what locks and "keep" forbid is not promised."""
    asks: list[Ask] = []
    done = [number for number in range(len(intent.tasks)) if number not in changed.blocked]
    moves = _moves(intent, steps, done)
    remade = any(step.tool == "set_time_signature" for step in steps)
    for number in done:
        rows = changed.serving.get(number, ())
        asks += _asks(Served(intent.tasks[number], rows, steps, song, palette, guard, changed.moved, remade), styles)
    asks += _kept(intent, song, palette, moves)
    deeds = [intent.tasks[number].deed for number in done]
    moved = any(isinstance(deed, Rekey | Transpose) for deed in deeds)
    if any(isinstance(deed, Restyle) for deed in deeds) and not moved and not intent.keep_key:
        asks.append(Ask("still your key", (), "key", "same"))
    return tuple(dict.fromkeys(asks))


def _moves(intent: Intent, steps: Sequence[Step], done: Sequence[int]) -> bool:
    """Whether bars of the song before are elsewhere afterwards, or notes are where they were not."""
    deeds = [intent.tasks[number].deed for number in done]
    meter = any(step.tool == "set_time_signature" for step in steps)
    return meter or any(isinstance(d, _MOVING) or (isinstance(d, Retempo) and d.keep_length) for d in deeds)


def _kept(intent: Intent, song: Song, palette: Palette, moves: bool) -> list[Ask]:
    asks = []
    for wish in intent.kept:
        names = [song.track(track) for track in tracks_of(wish, song, palette)]
        alike = {track.name for track in song.tracks if sum(one.name == track.name for one in song.tracks) == 1}
        for track in names if not moves else ():
            what = track.name if track.name in alike and track.name != track.name.lower() else track.id
            asks.append(Ask(f"keep {wish.label}", (), f"unchanged:{what}", "equals", 1.0))
        if moves or not names:
            asks.append(Ask(f"keep {wish.label}"))
    stated = any(isinstance(task.deed, Retempo) for task in intent.tasks)
    if intent.keep_tempo and not stated:
        asks.append(Ask("keep the tempo", (), "tempo", "same"))
    if intent.keep_key:
        asks.append(Ask("keep the key", (), "key", "same"))
    if intent.keep_sounds and not any(isinstance(task.deed, Replace) for task in intent.tasks):
        asks.append(Ask("keep the sounds", (), "same_sounds", "equals", 1.0))
    return asks


def _asks(served: Served, styles: StyleBook) -> list[Ask]:
    match served.task.deed:
        case Retempo() | Remeter() | Rekey() | Transpose() | Rename():
            return _frame(served)
        case Restyle() as deed:
            return _styled(served, styles.style(deed.style), blend=bool(deed.others))
        case Colour() as deed:
            return _coloured(served, deed)
        case Reharmonise():
            return served.ask("chord_change", "at_least", _OTHER_CHORDS)
        case Beat() as deed:
            return _beat(served, deed)
        case Reshape() as deed:
            measure = _RESHAPED.get(deed.how)
            return served.of_parts(deed.wish, *measure) if measure else served.plain()
        case Resize() | NewSection() | Repeat() | Cut():
            return _formed(served)
        case _:
            return _parts(served)


def _parts(served: Served) -> list[Ask]:
    match served.task.deed:
        case Mix() as deed:
            return mixed(served, deed)
        case Add() as deed:
            return added(served, deed)
        case Remove() as deed:
            return removed(served, deed)
        case Solo() as deed:
            return alone(served, deed)
        case Replace() as deed:
            return replaced(served, deed)
        case Double() as deed:
            return doubled(served, deed)
        case _:
            return served.plain()


def _frame(served: Served) -> list[Ask]:
    match served.task.deed:
        case Retempo(bpm=float() | int() as bpm):
            return served.ask("tempo", "equals", float(bpm), words=f"{bpm:g} BPM", rows=served.by("set_tempo"))
        case Retempo() as deed:
            return served.ask("tempo", "lower" if deed.factor < 1 else "higher", rows=served.by("set_tempo"))
        case Remeter() as deed if served.task.scope.whole:
            meter = f"{deed.beats}/{deed.unit}"
            return [Ask(meter, served.by("set_time_signature"), "meter", "equals", meter)]
        case Rename() as deed:
            return [Ask(served.words, served.rows, "name", "equals", deed.name)]
    stated = next((step for step in served.steps if step.tool == "set_key" and step.id in served.rows), None)
    if stated is None:
        return served.plain()
    key = f"{stated.inputs['tonic']} {str(stated.inputs.get('mode', 'major')).replace('_', ' ')}"
    return [Ask(key, served.by("set_key"), "key", "equals", key)]


def _formed(served: Served) -> list[Ask]:
    match served.task.deed:
        case Resize(bars=int() as bars) if served.task.scope.whole:
            return [Ask(f"{bars} bars", served.rows, "bars", "equals", float(bars))]
        case Resize(bars=None, seconds=float() | int() as seconds) if served.task.scope.whole:
            longer = seconds > served.figure("seconds")
            return [Ask(served.words, served.rows, "seconds", "higher" if longer else "lower")]
        case Resize(bars=None, seconds=None) as deed if deed.factor != 1:
            return [Ask(served.words, served.rows, "bars", "lower" if deed.factor < 1 else "higher")]
        case NewSection() | Repeat():
            return [Ask(served.words, served.rows, "bars", "higher")]
        case Cut():
            return [Ask(served.words, served.rows, "bars", "lower")]
    return served.plain()


def _beat(served: Served, deed: Beat) -> list[Ask]:
    goal: Goal = "lower" if deed.feel == "half" else "higher"
    measure = "backbeats_per_bar" if served.figure("backbeats_per_bar") else "percussion_hits"
    return served.ask(measure, goal)


def _coloured(served: Served, deed: Colour) -> list[Ask]:
    mood = deed.mood
    if mood.groove:
        return served.of_parts(deed.wish, "groove", "higher")
    if not mood.brightness and not mood.energy:
        return served.plain()
    name = "energy" if abs(mood.energy) >= _LIVELY * abs(mood.brightness) else "brightness"
    pull = mood.brightness if name == "brightness" else mood.energy
    return served.of_parts(deed.wish, name, "lower" if pull < 0 else "higher")


def _styled(served: Served, style: Style, *, blend: bool) -> list[Ask]:
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
