"""Equalising: so many decibels more or less at a frequency, in one part or in the mix."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

from msgspec import Meta, structs

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.turning import bring
from agent.composer.changing.stage import Stage
from agent.composer.understanding.numbers import Decibels
from agent.composer.understanding.slot_filling import Filled, SlotReading, within
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.song.palette import EffectUse

_LOWEST, _HIGHEST = 20.0, 20_000.0
_SHELVES = (100.0, 12_000.0)
"""Hz below and above which a shelf stands in for the peak, which reaches no further."""
_NARROWEST, _WIDEST, _USUAL = 10.0, 0.1, 1.0
"""Q of the peak."""
_MOST = 24.0
"""Decibels that an equaliser lifts or cuts at most."""


class Equalise(Operation, frozen=True):
    """Boost or cut a part (`wish` None: the whole mix) by `decibels` around `hertz`; a higher `q` makes the band
    narrower."""

    of_mix = True
    wish: Wish | None
    hertz: Annotated[float, Meta(ge=_LOWEST, le=_HIGHEST)]
    decibels: Annotated[float, Meta(ge=-_MOST, le=_MOST)]
    q: Annotated[float, Meta(ge=_WIDEST, le=_NARROWEST)] = _USUAL

    def specifies(self, before: Operation, /) -> bool:
        return isinstance(before, Equalise) and structs.replace(before, q=self.q) == self

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        who = self.wish.label if self.wish is not None else "the mix"
        narrow = f" with a Q of {self.q:g}" if self.q != _USUAL else ""
        return f"{who} {self.decibels:+g} dB at {self.hertz:g} Hz{narrow}"


def equalise(stage: Stage, operation: Equalise) -> None:
    """Add an equaliser to the tracks, or to the master; with a scope its gain is automated to 0 dB outside of it."""
    band, params = _band(operation)
    use = EffectUse("eq", {**params, f"{band}_gain": operation.decibels})
    why = f"{operation.decibels:+g} dB at {operation.hertz:g} Hz, as you asked"
    tracks = (None,) if operation.wish is None and stage.whole else stage.free(operation.wish)
    for track in tracks:
        bring(stage, track, use, {f"{band}_gain": 0.0}, why)


def _band(operation: Equalise) -> tuple[str, dict[str, float]]:
    low, high = _SHELVES
    if operation.hertz < low:
        return "low", {"low_freq": operation.hertz}
    if operation.hertz > high:
        return "high", {"high_freq": operation.hertz}
    return "mid", {"mid_freq": operation.hertz, "mid_q": operation.q}


def _read(filled: Filled) -> tuple[Operation, ...]:
    level, hertz = filled.value("decibels"), filled.number("hertz") or filled.number("number")
    if not isinstance(level, Decibels) or hertz is None:
        return ()
    signed = level.value if level.signed and level.value < 0 else abs(level.value) * filled.words.sign
    made = Equalise(None, within(hertz, _LOWEST, _HIGHEST), within(signed, -_MOST, _MOST))
    return tuple(structs.replace(made, wish=wish) for wish in filled.each)


def _read_width(filled: Filled) -> tuple[Operation, ...]:
    """How narrow the cut or lift is that was asked for right before: "Q 1.4"."""
    last, q = filled.last, filled.number("number")
    if not isinstance(last, Equalise) or q is None:
        return ()
    return (structs.replace(last, q=within(q, _WIDEST, _NARROWEST)),)


KINDS = (
    OperationKind(
        Equalise, 14, equalise,
        MappingProxyType({
            "equalise": SlotReading(_read, frozenset({"decibels"})), "equalise_width": SlotReading(
                _read_width, follows=True
            ),
        }),
    ),
)
