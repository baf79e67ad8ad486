"""Filtering: a part, or all, through a low-pass, a high-pass or a telephone, throughout or opening over its bars."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal, cast

from msgspec import Meta, structs

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.turning import cut_along, cut_at
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.understanding.sentences import share
from agent.composer.understanding.slot_filling import Filled, SlotReading, within
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.time import PPQ

Kind = Literal["lowpass", "highpass", "telephone"]
Way = Literal["", "open", "close"]
_OPEN, _CLOSED = 20_000.0, 300.0
"""Hz of a low-pass that lets all through, and of one that is called closed."""
_DULL = 700.0
"""Hz up to which a sound comes through a wall."""
_LOWEST = 20.0
_CUTS: Mapping[str, Mapping[str, float]] = MappingProxyType({
    "lowpass": MappingProxyType({"lowpass": _DULL}),
    "highpass": MappingProxyType({"highpass": 250.0}),
    "telephone": MappingProxyType({"highpass": 350.0, "lowpass": 3200.0}),
})
"""The cutoffs in Hz of the filters of each kind, where none is stated."""
_NAMES = MappingProxyType({"lowpass": "low-pass", "highpass": "high-pass", "telephone": "telephone"})
_IDLE: Mapping[str, float] = MappingProxyType({"lowpass": _OPEN, "highpass": _LOWEST})
_BEATS, _MOST = 1, 256
"""Beats between the points of a sweep, and points that it has at most: between them it goes in a line."""


class Filter(Operation, frozen=True):
    """Put a part (`wish` None: all) through a filter of this `kind` ("lowpass", "highpass", "telephone") with its
    cutoff at `hertz` (None: the usual one of the kind).

    With a `way` ("open", "close") the cutoff sweeps over the bars of the scope; `hertz` is then its closed end.
    """

    of_mix = True
    kind: Kind = "lowpass"
    wish: Wish | None = None
    hertz: Annotated[float, Meta(ge=_LOWEST, le=_OPEN)] | None = None
    way: Way = ""

    def specifies(self, before: Operation, /) -> bool:
        return isinstance(before, Filter) and (before.kind, before.wish) == (self.kind, self.wish) and before != self

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        who = self.wish.label if self.wish is not None else "all"
        at = f" at {self.hertz:g} Hz" if self.hertz is not None else ""
        moving = {"": "", "open": " that opens", "close": " that closes"}[self.way]
        return f"{who} through a {_NAMES[self.kind]} filter{at}{moving}{share(amount)}"


def filtered(stage: Stage, operation: Filter) -> None:
    """Add the filters, or set the cutoff of those that are there; before and behind the bars of the scope the sound
    stays as it was. Raises `Blocked` if nothing changes."""
    before = stage.song
    tracks = stage.free(operation.wish)
    for name, usual in _CUTS[operation.kind].items():
        hertz = operation.hertz if operation.hertz is not None else usual
        for track in (None,) if operation.wish is None and stage.whole and not operation.way else tracks:
            if operation.way:
                closed = operation.hertz if operation.hertz is not None else _CLOSED
                ends = (closed, _OPEN) if operation.way == "open" else (_OPEN, closed)
                cut_along(stage, track, name, ends, _IDLE[name], _BEATS * PPQ, _MOST)
            else:
                cut_at(stage, track, name, hertz, _IDLE[name])
    if stage.song is before:
        raise Blocked(msg("it is filtered so already"))


def _read(filled: Filled) -> tuple[Operation, ...]:
    words = filled.words
    hertz = filled.number("hertz")
    kind, _, way = words.variant.partition(" ")
    stated = within(hertz, _LOWEST, _OPEN) if hertz is not None else _CLOSED if kind == "closed" else None
    name = cast("Kind", "lowpass" if kind in ("", "closed") else kind)
    made = Filter(name, None, stated, cast("Way", way))
    return tuple(structs.replace(made, wish=wish) for wish in (filled.parts or filled.named[:1] or (None,)))


def _read_moving(filled: Filled) -> tuple[Operation, ...]:
    """How a filter moves, or where it stands, that was spoken of right before: "and fully open by bar 24"."""
    last, hertz = filled.last, filled.number("hertz")
    if not isinstance(last, Filter):
        return ()
    if hertz is not None:
        return (structs.replace(last, hertz=within(hertz, _LOWEST, _OPEN)),)
    return (structs.replace(last, way=cast("Way", filled.words.variant)),)


def _asks(served: Served, operation: Filter, _: StyleBook) -> list[Ask]:
    if operation.way or operation.kind != "lowpass" or operation.wish is None or not served.task.scope.whole:
        return served.plain()
    return served.of_parts(operation.wish, "tone", "lower")


KINDS = (
    OperationKind(
        Filter, 14, filtered,
        MappingProxyType(
            {"filter": SlotReading(_read), "filter_moves": SlotReading(_read_moving, follows=True)}
        ), _asks,
    ),
)
