"""Deeds: what a form that was found asks for, with its slots filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from msgspec import structs

from agent.composer.understanding.items import Measure, PlaceRef, Referring, Rest
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Found
from agent.composer.understanding.numbers import Decibels
from agent.composer.understanding.scopes import bars_of
from agent.composer.understanding.tasks import (
    Add,
    Beat,
    Colour,
    Cut,
    Deed,
    Double,
    Mix,
    NewSection,
    Reharmonise,
    Rekey,
    Remeter,
    Remove,
    Repeat,
    Replace,
    Reshape,
    Resize,
    Restyle,
    Retempo,
    Solo,
    Transpose,
)
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import DeedWords
from agent.song.key import TONICS, Key, Mode

_TEMPO_FACTORS = (0.25, 4.0)
_TEMPI = (1.0, 999.0)
Unit = Literal[2, 4, 8]
_RELATIVE = {"minor": -3, "major": 3}


@dataclass(frozen=True)
class Context:
    """What a deed may refer to: the parts named last and all before it, its measure, and the deed before it."""

    lexicon: Lexicon
    named: tuple[Wish, ...] = ()
    measure: Measure | None = None
    all_named: tuple[Wish, ...] = ()
    last: Deed | None = None

    def wishes(self, found: Found[DeedWords], slot: str = "part") -> tuple[Wish, ...]:
        """The wishes in a slot; what points back is replaced by what was named before."""
        parts = found.value(slot)
        if isinstance(parts, Wish):
            return (parts,)
        if not isinstance(parts, tuple):
            return ()
        wishes: list[Wish] = []
        for part in parts:
            if isinstance(part, Rest):
                rest = self.lexicon.others(self.all_named)
                wishes += [rest] if rest is not None else []
            else:
                wishes += self.named if isinstance(part, Referring) else [part]
        return tuple(dict.fromkeys(wishes))


def deeds_of(found: Found[DeedWords], context: Context) -> tuple[Deed, ...]:
    """The deeds of a form, none where it lacks what it is about."""
    said = found.payload
    named = context.wishes(found) or context.wishes(found, "played") or context.wishes(found, "refused")
    each: tuple[Wish | None, ...] = named or (None,)
    if any(isinstance(part, Rest) for part in cast("tuple[object, ...]", found.value("part") or ())) and not named:
        return ()
    match said.deed:
        case "again":
            return tuple(_again(context, wish, said.sign) for wish in each if context.last is not None)
        case "colour":
            return _colours(found, each, context)
        case "restyle":
            return _restyle(found, context.lexicon)
        case "rekey" | "relative_key" | "meter" | "tempo" | "tempo_by":
            return _course(found, context)
        case "transpose":
            steps = cast("int", found.value("steps")) * _direction(said)
            return tuple(Transpose(steps, wish) for wish in each)
        case "reharmonise":
            return (Reharmonise(),)
        case "beat":
            return (Beat(said.feel),) if all(wish is None or wish.role == "drums" for wish in each) else ()
        case "reshape":
            return tuple(_reshaped(said, wish, context.lexicon) for wish in each)
        case "mix":
            return tuple(_mix(found, wish) for wish in each)
        case "section" | "cut" | "repeat" | "resize" | "resize_by":
            return _form(found, context)
        case _:
            return _band(found, named, context.lexicon)


def _direction(said: DeedWords) -> int:
    return -1 if said.sign < 0 else 1


def _colours(found: Found[DeedWords], each: tuple[Wish | None, ...], context: Context) -> tuple[Deed, ...]:
    words = context.lexicon.words
    mood = words.mood(str(found.payload.mood or found.value("mood")))
    if found.payload.sign < 0:
        if not mood.opposite:
            return ()
        mood = words.mood(mood.opposite)
    return tuple(Colour(mood, wish) for wish in each)


def _restyle(found: Found[DeedWords], lexicon: Lexicon) -> tuple[Deed, ...]:
    styles: list[str] = []
    for chain in found.all("style"):
        styles += cast("tuple[str, ...]", chain)
    distinct = list(dict.fromkeys(styles))
    deeds: list[Deed] = []
    for name in list(distinct):
        meter = lexicon.meter_of(name)
        if meter is None:
            continue
        deeds.append(Remeter(*meter))
        if len(distinct) > 1:
            # "a jazz waltz" is jazz in three
            distinct.remove(name)
    return (*deeds, Restyle(distinct[0], tuple(distinct[1:])))


def _course(found: Found[DeedWords], context: Context) -> tuple[Deed, ...]:
    """Key, meter and tempo."""
    said, key = found.payload, context.lexicon.song.key
    match said.deed:
        case "relative_key":
            return (_relative(key, cast("Mode", said.mode)),)
        case "rekey":
            tonic, mode = cast("tuple[str, Mode | None]", found.value("key") or (None, None))
            return (Rekey(tonic, mode or cast("Mode | None", found.value("mode")) or said.mode),)
        case "meter":
            beats, unit = cast("tuple[int, int]", found.value("meter"))
            return (Remeter(beats, cast("Unit", unit)),)
        case "tempo":
            bpm = found.value("bpm") or found.value("tempo")
            return (Retempo(_within(cast("float", bpm), _TEMPI)),)
    by = found.value("number")
    if isinstance(by, float):
        return (Retempo(_within(context.lexicon.song.tempos[0].bpm + by * _direction(said), _TEMPI)),)
    factor = said.factor
    if context.measure is not None and context.measure.exact:
        factor = _within(1 + context.measure.factor * _direction(said), _TEMPO_FACTORS)
    return (Retempo(factor=round(factor, 4)),)


def _relative(key: Key, mode: Mode) -> Rekey:
    if key.mode == mode:
        return Rekey(key.tonic, mode)
    pitch = (key.pitch_class + _RELATIVE[mode]) % 12
    flats = "b" in key.tonic or key.tonic == "F"
    spelled = [tonic for tonic in TONICS if Key(tonic).pitch_class == pitch]
    return Rekey(next((tonic for tonic in spelled if ("b" in tonic) == flats), spelled[0]), mode)


def _within(number: float, bounds: tuple[float, float]) -> float:
    return max(bounds[0], min(bounds[1], number))


def _mix(found: Found[DeedWords], wish: Wish | None) -> Mix:
    said, level = found.payload, found.value("decibels")
    if not isinstance(level, Decibels):
        return Mix(said.control, said.sign, wish)
    value = level.value if level.signed else level.value * _direction(said)
    return Mix(said.control, 1.0 if value > 0 else -1.0, wish, _within(value, (-60.0, 24.0)))


def _form(found: Found[DeedWords], context: Context) -> tuple[Deed, ...]:
    said, bars, seconds = found.payload, found.value("bars"), found.value("time")
    match said.deed:
        case "cut":
            return (Cut(),)
        case "repeat":
            return (Repeat(),)
        case "section":
            name = found.value("section")
            kind = next((section.kind for section in context.lexicon.words.sections if section.name == name), None)
            return (NewSection(kind, min(64, cast("int", bars or 0))),) if kind is not None else (Repeat(),)
        case "resize_by":
            whole = span_bars(found.value("place"), context.lexicon)
            return (Resize(bars=max(1, whole + cast("int", bars) * _direction(said))),)
    if bars is not None or seconds is not None:
        return (Resize(cast("int | None", bars), cast("float | None", seconds)),)
    exact = context.measure is not None and context.measure.exact and said.factor != 1
    share = context.measure.factor if exact and context.measure is not None else 0.0
    grows = 1 if said.factor > 1 else -1
    return (Resize(factor=_within(1 + share * grows, (0.1, 8.0)) if exact else said.factor),)


def span_bars(place: object, lexicon: Lexicon) -> int:
    """Bars of the section a place names, else of the whole song."""
    bars = bars_of(place.places[0], lexicon.song) if isinstance(place, PlaceRef) else None
    return bars.last - bars.first + 1 if bars is not None else max(1, lexicon.song.bars)


def _reshaped(said: DeedWords, wish: Wish | None, lexicon: Lexicon) -> Deed:
    """What is to be new is varied as far as it goes where the song has it, else added; new chords are other chords."""
    if said.amount == 1 or wish is None:
        return Reshape(said.how, wish)
    if wish.whole_role and wish.role == "chords":
        return Reharmonise()
    return Reshape(said.how, wish) if lexicon.has(wish) else Add(wish)


def _again(context: Context, wish: Wish | None, sign: float) -> Deed:
    """The deed before this one, done to another part or elsewhere; more becomes less where the sign says so."""
    last = context.last
    assert last is not None
    wish = wish or getattr(last, "wish", None)
    if isinstance(last, Mix):
        return Mix(last.control, abs(last.by) * sign if sign else last.by, wish, None if sign else last.decibels)
    if isinstance(last, Colour) and sign < 0 and last.mood.opposite:
        return Colour(context.lexicon.words.mood(last.mood.opposite), wish)
    return structs.replace(last, wish=wish) if hasattr(last, "wish") else last


def _added(said: DeedWords, wish: Wish, lexicon: Lexicon) -> Deed:
    """A new role takes the place of the one there is, a new instrument comes beside it."""
    return _reshaped(said, wish, lexicon) if said.amount > 1 and wish.whole_role else Add(wish)


def _band(found: Found[DeedWords], named: tuple[Wish, ...], lexicon: Lexicon) -> tuple[Deed, ...]:
    """Parts that come, go, or change hands."""
    said, by = found.payload, found.value("by")
    other = by if isinstance(by, Wish) else None
    match said.deed:
        case "add":
            mood = found.value("mood")
            coloured = (Colour(lexicon.words.mood(str(mood)), wish) for wish in named) if mood is not None else ()
            return (*(_added(said, wish, lexicon) for wish in named), *coloured)
        case "remove":
            return tuple(Remove(wish) for wish in named)
        case "solo" if named:
            return (Solo(named),)
        case "replace" if other is not None:
            return tuple(Replace(wish, other) for wish in named if wish != other)
        case "double":
            if other is None and found.value("steps") is None and all(wish.role == "drums" for wish in named):
                return (Beat("double"),) if named else ()
            steps = cast("int", found.value("steps") or 0) * _direction(said)
            return tuple(Double(wish, other, steps) for wish in named)
    return ()
