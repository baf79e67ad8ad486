"""Clave: rhythms of two bars that all begin with the same one of their bars."""

from __future__ import annotations

from msgspec import structs

from agent.composer.styles import Groove, Style
from agent.composer.writing.steps import marks

_BAR = 16


def turned_round(style: Style) -> Style:
    """The style with the bars of each two-bar rhythm swapped: a 2-3 clave becomes 3-2."""
    return structs.replace(
        style,
        grooves=tuple(_groove(groove) for groove in style.grooves),
        percussion=tuple(_groove(groove) for groove in style.percussion),
        parts=tuple(structs.replace(part, patterns=tuple(map(_turned, part.patterns))) for part in style.parts),
    )


def _groove(groove: Groove) -> Groove:
    return structs.replace(groove, lines={drum: _turned(text) for drum, text in groove.lines.items()})


def _turned(text: str) -> str:
    steps = marks(text)
    return steps[_BAR:] + steps[:_BAR] if len(steps) == 2 * _BAR else text
