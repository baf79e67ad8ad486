"""Telling: a task as one short sentence for a person."""

from __future__ import annotations

from agent.composer.understanding.tasks import (
    Add,
    Bars,
    Beat,
    Colour,
    Cut,
    Deed,
    Double,
    Edge,
    Mix,
    NewSection,
    Place,
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
    Scope,
    Solo,
    Task,
    Transpose,
)
from agent.composer.understanding.wishes import Wish

_SHAPES = {
    "simplify": "simpler", "thicken": "fuller", "humanize": "more human", "quantize": "tighter", "vary": "varied",
}
_CONTROLS = {
    "level": ("louder", "quieter"), "pan": ("further right", "further left"),
    "reverb": ("more reverb", "less reverb"), "echo": ("more echo", "less echo"),
    "tone": ("brighter in sound", "warmer in sound"), "width": ("wider", "narrower"),
    "punch": ("punchier", "less punchy"), "drive": ("more distortion", "less distortion"),
}
_ORDINALS = {-1: "last", 1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def told(task: Task) -> str:
    """What is done, where, how far and under which condition."""
    said = told_deed(task.deed) + _where(task.scope, task.deed)
    if task.amount != 1.0:
        said += f", at {task.amount * 100:.0f} % of the usual measure"
    if task.condition is not None:
        verb = "has" if task.condition.present else "has no"
        said += f", if the song {verb} {task.condition.wish.label}"
    return said


def told_deed(deed: Deed) -> str:
    """A deed in a few words."""
    match deed:
        case Colour(mood, wish):
            return mood.name + _of(wish)
        case Restyle(style, others):
            return " with ".join(name.replace("_", " ") for name in (f"style: {style}", *others))
        case Add(wish):
            return f"add {wish.label}"
        case Remove(wish):
            return f"without {wish.label}"
        case Solo(wishes):
            return f"only {', '.join(wish.label for wish in wishes)}"
        case Replace(wish, by):
            return f"{by.label} instead of {wish.label}"
        case Double(wish, by, steps):
            doubled = f"{wish.label} doubled" + (f" by {by.label}" if by else "")
            return doubled + (f", {steps:+d} semitones" if steps else "")
        case Reshape(how, wish):
            return _SHAPES[how] + _of(wish)
        case Mix(control, by, wish, decibels):
            word = _CONTROLS[control][by < 0] if by else "in the middle"
            return word + _of(wish) + (f" by {abs(decibels):g} dB" if decibels is not None else "")
        case Beat(feel):
            return f"drums in {feel} time"
        case Reharmonise():
            return "other chords under the melody"
        case _:
            return _told_course(deed)


def _told_course(deed: Deed) -> str:
    match deed:
        case Rekey(tonic, mode):
            return "key: " + " ".join(word for word in (tonic, (mode or "").replace("_", " ")) if word)
        case Transpose(semitones, wish):
            return f"{abs(semitones)} semitones {'up' if semitones > 0 else 'down'}" + _of(wish)
        case Retempo(bpm, factor, keep_length):
            relative = f"{'slower' if factor < 1 else 'faster'} (× {factor:g})"
            way = f"exactly {bpm:g} BPM" if bpm is not None else relative
            return f"tempo: {way}" + (", with the same length" if keep_length else "")
        case Remeter(beats, unit):
            return f"meter: {beats}/{unit}"
        case NewSection(kind, bars, after):
            size = f" of {bars} bars" if bars else ""
            return f"add {'an' if kind[0] in 'aeio' else 'a'} {kind}{size}" + (" behind" if after else "")
        case Cut():
            return "cut"
        case Repeat():
            return "repeat"
        case Resize(bars, seconds, factor):
            if bars is not None or seconds is not None:
                return f"length: {bars} bars" if bars is not None else f"length: about {seconds:g} s"
            return f"{'longer' if factor > 1 else 'shorter'} (× {factor:g})"
        case Rename(name):
            return f"name: {name}"
        case _:
            return type(deed).__name__.lower()


def _of(wish: Wish | None) -> str:
    return f" for {wish.label}" if wish is not None else ""


def _where(scope: Scope, deed: Deed) -> str:
    names = " and ".join(told_place(place) for place in scope.places)
    lead = " " if isinstance(deed, Cut | Repeat) else " in "
    if isinstance(deed, NewSection):
        lead = " " if deed.after else " before "
    without = " and ".join(told_place(place) for place in scope.excluded)
    return (f"{lead}{names}" if names else "") + (f", except {without}" if without else "")


def told_place(place: Place) -> str:
    """A place in words."""
    match place:
        case Bars(first, last):
            return f"bar {first}" if first == last else f"bars {first}-{last}"
        case Edge(at, bars):
            return f"the {'first' if at == 'start' else 'last'} {bars} bars"
        case _:
            which = _ORDINALS.get(place.number, f"number {place.number}") if place.number else ""
            return " ".join(word for word in ("the", which, place.name) if word)
