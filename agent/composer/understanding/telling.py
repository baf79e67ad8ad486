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
    Solo,
    Task,
    Transpose,
)
from agent.composer.understanding.wishes import Wish

_SHAPES = {"simplify": "simpler", "thicken": "fuller", "humanize": "looser", "quantize": "tighter", "vary": "varied"}
_CONTROLS = {
    "level": ("louder", "quieter"), "pan": ("further right", "further left"),
    "reverb": ("more reverb", "less reverb"), "echo": ("more echo", "less echo"),
    "tone": ("brighter in sound", "warmer in sound"), "width": ("wider", "narrower"),
    "punch": ("punchier", "less punchy"), "drive": ("more distortion", "less distortion"),
}
_AMOUNTS = ("reverb", "echo", "drive")
"""Controls of which a part has more or less, instead of being it."""
_FACTORS = {0.5: "half", 2.0: "double"}
_LENGTHS = {0.5: "half as long", 0.6667: "a third shorter", 1.5: "half as long again", 2.0: "twice as long"}
_ORDINALS = {-1: "last", 1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}
_STRONG = 1.25


def told(task: Task, bpm: float | None = None) -> str:
    """What is done, where, how far and under which condition; `bpm` is the tempo of the song, where known."""
    said = _placed(task, bpm)
    if task.condition is not None:
        verb = "has" if task.condition.present else "has no"
        said += f", if the song {verb} {task.condition.wish.label}"
    return said


def told_tempo(factor: float, bpm: float | None = None) -> str:
    """A relative tempo: "a little slower", with the tempo it leads to where the song's is known."""
    if factor in _FACTORS:
        said = f"{_FACTORS[factor]} the tempo"
    else:
        far = abs(factor - 1)
        said = ("a little " if far < 0.12 else "much " if far > 0.22 else "") + ("slower" if factor < 1 else "faster")
    return said + (f": about {bpm * factor:.0f} BPM" if bpm is not None else "")


def told_time(seconds: float) -> str:
    """A duration: "45 seconds", "2 minutes", "2:30 minutes"."""
    minutes, rest = divmod(round(seconds), 60)
    if not minutes or (seconds < 120 and rest):
        return counted(round(seconds), "second")
    return f"{minutes}:{rest:02d} minutes" if rest else counted(minutes, "minute")


def counted(number: int, what: str) -> str:
    """A number of things."""
    return f"{number} {what}" + ("s" if number != 1 else "")


def _placed(task: Task, bpm: float | None) -> str:
    deed, names = task.deed, _names(task.scope.places)
    without = _names(task.scope.excluded)
    if isinstance(deed, Remove) and without and not names:
        return f"{deed.wish.label} only in {without}"
    said = _told_deed(deed, task.amount, bpm)
    match deed:
        case Cut() | Repeat():
            said += f" {names}" if names else ""
        case NewSection():
            said += f" {'after' if deed.after else 'before'} {names}" if names else ""
        case Resize() if names:
            said = f"{names}: {said.removeprefix('length: ')}"
        case _:
            said += f" in {names}" if names else ""
    return said + (f", except in {without}" if without else "")


def _names(places: tuple[Place, ...]) -> str:
    return " and ".join(told_place(place) for place in places)


def _told_deed(deed: Deed, amount: float, bpm: float | None) -> str:
    """A deed in a few words."""
    match deed:
        case Colour(mood, wish):
            return _of(wish) + _far(mood.name, amount)
        case Add(wish):
            return f"add {wish.label}"
        case Remove(wish):
            return f"without {wish.label}"
        case Solo(wishes):
            return f"only {' and '.join(wish.label for wish in wishes)}"
        case Replace(wish, by):
            return f"{by.label} instead of {wish.label}"
        case Double(wish, by, steps):
            doubled = f"{wish.label} doubled" + (f" by {by.label}" if by else "")
            return doubled + (f", {_steps(steps)}" if steps else "")
        case Reshape("vary", wish) if amount > _STRONG and wish is not None:
            return f"new notes for {wish.label}, made from those there are"
        case Reshape(how, wish):
            return _of(wish) + _far(_SHAPES[how], amount)
        case Mix():
            return _told_mix(deed, amount)
        case Retempo(None, factor, keep_length):
            scaled = round(1 + (factor - 1) * amount, 4)
            return told_tempo(scaled, bpm) + (", with the same length" if keep_length else "")
        case _:
            return _told_course(deed) + _share(amount)


def _told_course(deed: Deed) -> str:
    match deed:
        case Restyle(style, others):
            return " with ".join(name.replace("_", " ") for name in (f"style: {style}", *others))
        case Beat(feel):
            return f"drums in {feel} time"
        case Reharmonise():
            return "other chords under the melody"
        case Rekey(tonic, mode):
            return "key: " + " ".join(word for word in (tonic, (mode or "").replace("_", " ")) if word)
        case Transpose(semitones, wish):
            return _of(wish) + _steps(semitones)
        case Retempo(bpm, _, keep_length):
            return f"tempo: exactly {bpm:g} BPM" + (", with the same length" if keep_length else "")
        case Remeter(beats, unit):
            return f"meter: {beats}/{unit}"
        case NewSection(kind, bars):
            article = "an" if kind[0] in "aeio" else "a"
            return f"add {article} {kind}" + (f" of {counted(bars, 'bar')}" if bars else "")
        case Resize(bars, seconds, factor):
            if bars is not None:
                return f"length: {counted(bars, 'bar')}"
            if seconds is not None:
                return f"length: about {told_time(seconds)}"
            return _LENGTHS.get(factor, f"{abs(factor - 1):.0%} {'longer' if factor > 1 else 'shorter'}")
        case Rename(name):
            return f"name: {name}"
        case _:
            return type(deed).__name__.lower()


def _told_mix(deed: Mix, amount: float) -> str:
    said = _far(_CONTROLS[deed.control][deed.by < 0], amount) if deed.by else "in the middle"
    label = deed.wish.label if deed.wish is not None else ""
    if deed.control in _AMOUNTS:
        return said + (f" on {label}" if label else "")
    return f"{label} {said}".strip() + (f" by {abs(deed.decibels):g} dB" if deed.decibels is not None else "")


def _far(words: str, amount: float) -> str:
    """A comparative with how far it goes."""
    if amount == 0.5:
        return f"a little {words}"
    return f"much {words}" if amount > _STRONG else words + _share(amount)


def _share(amount: float) -> str:
    if amount == 1:
        return ""
    return " (a little)" if amount == 0.5 else " (a lot)" if amount > _STRONG else f" ({amount:.0%} of the usual)"


def _steps(semitones: int) -> str:
    octaves, rest = divmod(abs(semitones), 12)
    way = "up" if semitones > 0 else "down"
    if octaves and not rest:
        return f"{'an octave' if octaves == 1 else f'{octaves} octaves'} {way}"
    return f"{counted(abs(semitones), 'semitone')} {way}"


def _of(wish: Wish | None) -> str:
    return f"{wish.label} " if wish is not None else ""


def told_place(place: Place) -> str:
    """A place in words."""
    match place:
        case Bars(first, last):
            return f"bar {first}" if first == last else f"bars {first}-{last}"
        case Edge(at, bars):
            edge = "first" if at == "start" else "last"
            return f"the {edge} {counted(bars, 'bar')}" if bars > 1 else f"the {edge} bar"
        case _:
            which = _ORDINALS.get(place.number, f"number {place.number}") if place.number else ""
            numbered = place.name[-1:].isdecimal()
            return " ".join(word for word in ("" if numbered else "the", which, place.name) if word)
