"""Lift: in the last third of a long piece its last peak, and what comes after it, lies in a higher key."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.styles import SectionStyle, Style
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.section_kinds import kind_of
from agent.composer.writing.looped import is_loop

_LONG = 100.0
"""Seconds from which a piece has time to be lifted."""
_LATE = 0.6
"""Share of the piece that is over when its last peak begins."""
_FEWEST = 2
"""Peaks without which there is nothing that could come back higher."""


def may_lift(intent: Intent) -> bool:
    """Whether the piece may modulate upwards: the request gives no key, chart, loop, form or limit of its notes."""
    rules = intent.rules
    limits = rules.pitched or bool(rules.ease) or rules.power or rules.static
    asked = intent.tonic is not None or intent.chart is not None or len(intent.sections) > 1 or bool(intent.course)
    return not (asked or limits or is_loop(intent))


def with_lift(sections: Sequence[SectionStyle], style: Style, seconds: float, dice: Dice) -> tuple[SectionStyle, ...]:
    """The sections, with the last peak and all after it transposed by one of the style's lifts.

    Only in long pieces (`seconds`) with several peaks, otherwise transpositions are removed; unchanged for a style
    without lifts.
    """
    ways = style.transitions.lift
    if not ways:
        return tuple(sections)
    peaks = [at for at, one in enumerate(sections) if kind_of(one.name.casefold()).peak]
    total = sum(one.bars for one in sections)
    late = bool(peaks) and sum(one.bars for one in sections[: peaks[-1]]) >= _LATE * total
    by = dice.pick(ways) if late and len(peaks) >= _FEWEST and seconds >= _LONG else 0
    return tuple(
        structs.replace(one, up=by if late and at >= peaks[-1] else 0) for at, one in enumerate(sections)
    )
