"""Sentences: a task, a place, a length as short words for a person."""

from __future__ import annotations

from agent.composer.understanding.course import CourseStage
from agent.composer.understanding.tasks import Bars, Edge, Place, Task
from agent.composer.understanding.wishes import Wish

_FACTORS = {0.5: "half", 2.0: "double"}
_ORDINALS = {-1: "last", 1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}
_DYNAMICS = ((42, "very soft"), (56, "soft"), (68, "half soft"), (86, "half loud"), (104, "loud"), (127, "very loud"))
"""Names of the velocities up to each."""
_MOTIONS = {
    "builds": "it builds", "fades": "it fades", "layered": "the layers enter one by one", "silent": "silence",
    "faster": "it gets faster", "slower": "it gets slower",
}
STRONG = 1.25
"""An amount above this is "much" in sentences."""


def told(task: Task, bpm: float | None = None) -> str:
    """The task in words: what is done, where, how far and under which condition; `bpm` is the tempo of the song, if
    known."""
    operation = task.operation
    said = operation.placed(
        operation.sentence(task.amount, bpm), _names(task.scope.places), _names(task.scope.excluded)
    )
    if task.every is not None:
        said += " every bar" if task.every == 1 else f" every {task.every} bars"
    if task.condition is not None:
        verb = "has" if task.condition.present else "has no"
        said += f", if the song {verb} {task.condition.wish.label}"
    return said


def told_tempo(factor: float, bpm: float | None = None) -> str:
    """A tempo multiplied by `factor` in words ("a little slower"), with the resulting tempo if that of the song (`bpm`)
    is known."""
    if factor in _FACTORS:
        said = f"{_FACTORS[factor]} the tempo"
    else:
        far = abs(factor - 1)
        said = ("a little " if far < 0.12 else "much " if far > 0.22 else "") + ("slower" if factor < 1 else "faster")
    return said + (f": about {bpm * factor:.0f} BPM" if bpm is not None else "")


def told_time(seconds: float) -> str:
    """A duration in words: "45 seconds", "2 minutes", "2:30 minutes"."""
    minutes, rest = divmod(round(seconds), 60)
    if not minutes or (seconds < 120 and rest):
        return counted(round(seconds), "second")
    return f"{minutes}:{rest:02d} minutes" if rest else counted(minutes, "minute")


def counted(number: int, what: str) -> str:
    """A number with its noun, in the plural unless it is 1: "2 bars"."""
    return f"{number} {what}" + ("s" if number != 1 else "")


def told_stage(stage: CourseStage) -> str:
    """A stage of a new piece in words: name, length, key, tempo, loudness and players."""
    said = [stage.name.casefold()] if stage.name else []
    said += [counted(stage.bars, "bar")] if stage.bars else [told_time(stage.seconds)] if stage.seconds else []
    said += [f"from bar {stage.from_bar}"] if stage.from_bar else []
    said += [f"after {told_time(stage.from_seconds)}"] if stage.from_seconds else []
    said += ["as at the beginning"] if stage.returns else []
    key = " ".join(word for word in (stage.tonic, (stage.mode or "").replace("_", " ")) if word)
    said += [interval(stage.steps)] if stage.steps else []
    said += [f"in {key}"] if key else []
    said += [f"{stage.bpm:g} BPM"] if stage.bpm else [told_tempo(stage.factor)] if stage.factor != 1 else []
    said += [stage.pace.replace("not ", "not too ")] if stage.pace else []
    said += [_dynamic(stage.level)] if stage.level else []
    said += [f"{_dynamic(stage.begins)} at first"] if stage.begins else []
    said += [_MOTIONS[moves] for moves in (stage.motion, stage.drift) if moves]
    said += [mood.name for mood in stage.moods]
    for verb, wishes in (("only", stage.alone), ("with", stage.enters), ("without", stage.leaves)):
        said += [f"{verb} {', '.join(wish.label for wish in wishes)}"] if wishes else []
    said += ["everyone"] if stage.everyone else []
    said += ["the tune again"] if stage.sings else []
    return ", ".join(said) or "as it comes"


def _dynamic(level: int) -> str:
    return next(name for most, name in _DYNAMICS if level <= most)


def _names(places: tuple[Place, ...]) -> str:
    return " and ".join(told_place(place) for place in places)


def far(words: str, amount: float) -> str:
    """A comparative (`words`) with how far it goes: "a little darker". `amount` 1 is usual and adds nothing."""
    if amount == 0.5:
        return f"a little {words}"
    return f"much {words}" if amount > STRONG else words + share(amount)


def share(amount: float) -> str:
    """How far an operation goes, in brackets; "" at the usual amount."""
    if amount == 1:
        return ""
    return " (a little)" if amount == 0.5 else " (a lot)" if amount > STRONG else f" ({amount:.0%} of the usual)"


def interval(semitones: int) -> str:
    """An interval with its direction: "an octave up"."""
    octaves, rest = divmod(abs(semitones), 12)
    way = "up" if semitones > 0 else "down"
    if octaves and not rest:
        return f"{'an octave' if octaves == 1 else f'{octaves} octaves'} {way}"
    return f"{counted(abs(semitones), 'semitone')} {way}"


def part_of(wish: Wish | None) -> str:
    """The part's name and a space, to precede what is done to it; "" for all parts."""
    return f"{wish.label} " if wish is not None else ""


def told_place(place: Place) -> str:
    """A place in words: "bars 5-8", "the last bar"."""
    match place:
        case Bars(first, last):
            return f"bar {first}" if first == last else f"bars {first}-{last}"
        case Edge(at, bars):
            edge = "first" if at == "start" else "last"
            return f"the {edge} {counted(bars, 'bar')}" if bars > 1 else f"the {edge} bar"
        case _:
            which = _ORDINALS.get(place.number, f"number {place.number}") if place.number else ""
            # a section's own name needs no article
            numbered = place.name[-1:].isdecimal() or (place.name[:1].isupper() and not which)
            return " ".join(word for word in ("" if numbered else "the", which, place.name) if word)
