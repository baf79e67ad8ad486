"""How a parameter of an effect is turned, written and read: its scale and its unit."""

from __future__ import annotations

import re
from math import exp, floor, isfinite, log, log10

from agent.song.palette import EffectKind, Parameter
from agent.song.track import Effect
from app.i18n import tr
from app.viewmodels.edits.mixing import read_number
from app.viewmodels.texts.figures import decibels, signed

_LOGARITHMIC = ("Hz", "ms", "s", "Q")
_PERCENT = ("mix", "amount")
_THOUSAND = re.compile(r"\d\s*k", re.IGNORECASE)
_DIGITS = 3


def place_of(parameter: Parameter, value: float) -> float:
    """Position of a value between the ends of its parameter, 0 to 1; logarithmic for some. Values outside are
    clamped."""
    held = min(max(value, parameter.low), parameter.high)
    if parameter.high <= parameter.low:
        return 0.0
    if _is_logarithmic(parameter):
        return log(held / parameter.low) / log(parameter.high / parameter.low)
    return (held - parameter.low) / (parameter.high - parameter.low)


def value_at(parameter: Parameter, place: float) -> float:
    """The value at a position (0 to 1) between the ends of its parameter, rounded as a person would write it."""
    place = min(1.0, max(0.0, place))
    if _is_logarithmic(parameter):
        value = parameter.low * exp(place * log(parameter.high / parameter.low))
    else:
        value = parameter.low + place * (parameter.high - parameter.low)
    return held_value(parameter, value)


def held_value(parameter: Parameter, value: float) -> float:
    """The value clamped to its parameter's range and rounded as shown; the default for NaN and infinity."""
    if not isfinite(value):
        return parameter.default
    return min(max(_rounded(parameter, value), parameter.low), parameter.high) + 0.0


def value_in_words(parameter: Parameter, value: float) -> str:
    """A value with its unit: "1.2 kHz", "−6.0 dB", "32%", "4:1"."""
    if not isfinite(value):
        return str(value)
    unit = parameter.unit
    if unit in _PERCENT:
        text = tr("{value}%", value=_plain(round(value * 100, 1)))
    elif unit == "Hz" and abs(value) >= 1000:
        text = tr("{value} kHz", value=_plain(_significant(value / 1000)))
    elif unit == "ratio":
        text = tr("{value}:1", value=_plain(_significant(value)))
    elif unit == "dB":
        text = tr("{value} dB", value=decibels(value))
    else:
        text = f"{_plain(_significant(value))} {unit}"
    return signed(text)


def read_value(parameter: Parameter, text: str) -> float | None:
    """The value that a person typed, with or without unit, clamped to the range; None if it is no number."""
    number = read_number(text)
    if number is None:
        return None
    unit = parameter.unit
    if unit in _PERCENT:
        number /= 100
    elif unit == "Hz" and _THOUSAND.search(text):
        number *= 1000
    elif unit == "s" and "ms" in text.casefold():
        number /= 1000
    elif unit == "ms" and re.search(r"(?<!m)s", text.casefold()):
        number *= 1000
    return held_value(parameter, number)


def values_of(kind: EffectKind, effect: Effect) -> dict[str, float]:
    """The value of every parameter that the palette knows; the default if the effect does not set it."""
    given = dict(effect.params)
    return {parameter.name: given.get(parameter.name, parameter.default) for parameter in kind.params}


def is_outside(parameter: Parameter, value: float) -> bool:
    """Whether a value is outside its parameter's range, as one from a file may be."""
    return not parameter.low <= value <= parameter.high


def parameter_label(name: str) -> str:
    """The translated name of a parameter: "room_size" is "Room size"."""
    known = {
        "room_size": tr("Room size"), "damping": tr("Damping"), "width": tr("Width"), "mix": tr("Mix"),
        "time": tr("Time"), "feedback": tr("Feedback"), "rate": tr("Rate"), "depth": tr("Depth"),
        "centre_delay": tr("Delay"), "centre": tr("Centre"), "threshold": tr("Threshold"), "ratio": tr("Ratio"),
        "attack": tr("Attack"), "release": tr("Release"), "makeup": tr("Make-up"), "ceiling": tr("Ceiling"),
        "gain": tr("Gain"), "low_freq": tr("Low frequency"), "low_gain": tr("Low gain"),
        "mid_freq": tr("Mid frequency"), "mid_gain": tr("Mid gain"), "mid_q": tr("Mid width (Q)"),
        "high_freq": tr("High frequency"), "high_gain": tr("High gain"), "cutoff": tr("Cutoff"),
        "drive": tr("Drive"), "level": tr("Level"), "seconds": tr("Length"),
    }
    if name in known:
        return known[name]
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def parameter_in_words(name: str) -> str:
    """The translated name of a parameter within a sentence: "room size"."""
    label = parameter_label(name)
    return f"{label[:1].lower()}{label[1:]}"


def _is_logarithmic(parameter: Parameter) -> bool:
    return (parameter.unit in _LOGARITHMIC or parameter.unit == "ratio") and parameter.low > 0


def _rounded(parameter: Parameter, value: float) -> float:
    if parameter.unit in _PERCENT:
        return round(value, 2)
    if parameter.unit == "dB":
        return round(value, 1)
    return _significant(value)


def _significant(value: float) -> float:
    if not value:
        return 0.0
    return round(value, _DIGITS - 1 - floor(log10(abs(value))))


def _plain(value: float) -> str:
    return f"{value:.10g}"
