"""Variations: what returns comes back changed, and a theme comes again in so many variations."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from agent.composer.changing.hearing.listening import sections_heard
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import again, whole_bars
from agent.composer.changing.operations.reshaping import reshape
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.changing.time.form import base_name
from agent.composer.styles import StyleBook
from agent.composer.understanding.operations import Reshape
from agent.composer.understanding.sentences import counted
from agent.composer.understanding.slot_filling import Filled, SlotReading, within
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask

_MOST = 12
_MOST_BARS, _WHOLE_BARS = 64, 16
"""Bars of a theme, at most; and of a song that is one as a whole."""


class VaryRepeats(Operation, frozen=True):
    """Vary sections that return, each time they do (the second verse, the last chorus); with a `wish` only that
    part."""

    wish: Wish | None = None

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return "each repeat varied" + (f" in {self.wish.label}" if self.wish is not None else "")


class Variations(Operation, frozen=True):
    """Repeat the bars of the scope `count` times right behind them, each repeat varied more; with a `wish` only that
    part is varied."""

    count: Annotated[int, Meta(ge=1, le=_MOST)]
    wish: Wish | None = None

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return counted(self.count, "variation") + (f" with {self.wish.label} varied" if self.wish is not None else "")

    def placed(self, said: str, places: str, without: str) -> str:
        return super().placed(f"{said} of {places}" if places else said, "", without)


def vary_repeats(stage: Stage, operation: VaryRepeats) -> None:
    """Vary the notes of sections whose name came before in the song. Raises `Blocked` if no section returns."""
    seen: set[str] = set()
    repeats: list[Span] = []
    for section in sections_heard(stage.song, stage.palette):
        name = base_name(section.name)
        for start, end in stage.spans if name in seen else ():
            low, high = max(start, int(section.start)), min(end, int(section.end))
            repeats += [(low, high)] if low < high else []
        seen.add(name)
    if not repeats:
        raise Blocked(msg("no section returns there"))
    reshape(replace(stage, spans=tuple(repeats), whole=False), Reshape("vary", operation.wish))


def variations(stage: Stage, operation: Variations) -> None:
    """Insert the repeats and vary each from the unchanged theme, later ones more. Raises `Blocked` if the theme is too
    long."""
    spans = whole_bars(stage)
    (start, end), length = spans[0], spans[0][1] - spans[0][0]
    bars = stage.song.bar_map.count(length)
    if bars > (_WHOLE_BARS if stage.whole else _MOST_BARS):
        raise Blocked(msg("say of which section or bars the variations are to be"))
    for _ in range(operation.count):
        again(stage, start, end)
    for number in range(1, operation.count + 1):
        amount = min(1.5, stage.amount * (0.7 + 0.3 * number))
        at = start + number * length
        own = replace(stage, spans=((at, at + length),), whole=False, amount=amount, dice=stage.dice.of(f"{number}"))
        reshape(own, Reshape("vary", operation.wish))


def _read_repeats(filled: Filled) -> tuple[Operation, ...]:
    return tuple(VaryRepeats(wish) for wish in filled.each)


def _read_variations(filled: Filled) -> tuple[Operation, ...]:
    count = int(within(filled.number("number") or 1, 1, _MOST))
    return tuple(Variations(count, wish) for wish in filled.each[:1])


def _asks_repeats(served: Served, _: VaryRepeats, _styles: StyleBook) -> list[Ask]:
    return served.plain()


def _asks_variations(served: Served, operation: Variations, _: StyleBook) -> list[Ask]:
    return [Ask(served.words, served.rows, "bars", "higher")] if operation.count else served.plain()


KINDS = (
    OperationKind(
        VaryRepeats, 12, vary_repeats, MappingProxyType({"vary_repeats": SlotReading(_read_repeats)}), _asks_repeats
    ),
    OperationKind(
        Variations, 15, variations, MappingProxyType({"variations": SlotReading(_read_variations)}), _asks_variations,
        moves_bars=lambda _: True,
    ),
)
