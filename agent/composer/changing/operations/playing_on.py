"""Playing on: a part of the song plays where it rests too, from its own music elsewhere."""

from __future__ import annotations

from types import MappingProxyType

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import called
from agent.composer.changing.parts.resuming import resume
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage, tracks_of
from agent.composer.changing.time.material import taken
from agent.composer.understanding.slot_filling import Filled, Reading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish

_LEAST = 2
"""Bars of rest from which on a part does not only breathe; in a scope of fewer bars any of them."""


class PlayOn(Operation, frozen=True):
    """A part plays in all bars of the scope, also where it now rests; what it plays there already stays."""

    of_entrance = True

    wish: Wish

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{self.wish.label} playing on"

    def placed(self, said: str, places: str, without: str) -> str:
        """Without a place it is through the whole song."""
        return super().placed(said, places, without) if places or without else f"{said} through the whole song"


def play_on(stage: Stage, operation: PlayOn) -> None:
    """Rest by rest."""
    laid = [resume(stage, operation.wish, span, called(stage.song, *span)) for span in _rests(stage, operation.wish)]
    if not any(laid):
        raise Blocked(f"{operation.wish.label} plays there already")


def _rests(stage: Stage, wish: Wish) -> list[Span]:
    """The stretches of whole bars within the scope in which the part begins no note."""
    song, bars = stage.song, stage.song.bar_map
    tracks = [song.track(track) for track in tracks_of(wish, song, stage.palette)]
    found: list[Span] = []
    for start, end in stage.spans:
        first, last = bars.bar_at(start), bars.bar_at(end - 1)
        silent = [bar for bar in range(first, last + 1) if not any(taken(one, *_of(stage, bar)) for one in tracks)]
        runs = [bar for bar in silent if bar - 1 not in silent]
        stops = [bar for bar in silent if bar + 1 not in silent]
        least = min(_LEAST, last - first + 1)
        found += [
            (_of(stage, low)[0], _of(stage, high)[1]) for low, high in zip(runs, stops, strict=True)
            if high - low + 1 >= least
        ]
    return found


def _of(stage: Stage, bar: int) -> Span:
    low, high = stage.song.bar_map.span(bar, bar)
    return int(low), int(high)


def _read(filled: Filled) -> tuple[Operation, ...]:
    return tuple(PlayOn(wish) for wish in filled.parts)


KINDS = (OperationKind(PlayOn, 4, play_on, MappingProxyType({"play_on": Reading(_read, frozenset({"span"}))})),)
