"""Loops: a few bars of a style that close without a seam."""

from __future__ import annotations

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.styles import SectionStyle, Style
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.section_kinds import kind_of

_LENGTHS = (8, 8, 16)
"""Bars of a loop of which no length is said."""
_LONGEST = 16
"""Most bars of what still is a loop, where a length is said."""
_MIDDLE = 0.65
"""How strong a loop is."""
_NAME = "Loop"


def is_loop(intent: Intent) -> bool:
    """Whether the piece is a loop of a few bars: the request calls it so, and neither its length nor its form
    contradicts that."""
    written = intent.chart is not None and not intent.chart.goes_round
    told = intent.course or intent.asks_form or intent.sections or written or intent.seconds
    return intent.shape == "loop" and not told and (intent.bars or 0) <= _LONGEST


def without_end(intent: Intent) -> Intent:
    """The intent; for a loop with an ending that loops, unless another one is asked for."""
    if not is_loop(intent) or intent.rules.close:
        return intent
    return structs.replace(intent, rules=structs.replace(intent.rules, close="loops", steady=True))


def loop_bars(intent: Intent, style: Style, dice: Dice) -> int:
    """The number of bars of a loop; a multiple of the length of its round of chords."""
    if intent.size is not None:
        usual = _LENGTHS[0] if intent.size == "short" else _LENGTHS[-1]
    else:
        usual = style.round or dice.pick(_LENGTHS)
    each = intent.charted.bars if intent.charted is not None else 1
    return max(each, usual // each * each)


def loop_form(style: Style, bars: int, dice: Dice) -> tuple[SectionStyle, ...]:
    """A single section of `bars` bars, of medium energy, with most of the style's players."""
    form = dice.pick(style.forms)
    plain = [one for one in form.sections if not (one.groove or kind_of(one.name.casefold()).edge)]
    base = max(plain or form.sections, key=lambda one: (len(one.parts), -abs(one.energy - _MIDDLE)))
    energy = (base.energy + _MIDDLE) / 2
    return (structs.replace(base, name=_NAME, bars=bars, energy=energy, groove="", up=0, repeats=False),)
