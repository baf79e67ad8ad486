"""German chords in a chart: what they are read as, and whether its B is B flat or B natural."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.message import msg
from agent.theory.charts.chart import ChartError, ChartRemark
from agent.theory.german_names import chord_in_english

_PLAIN_B = re.compile(r"B(?![b♭])")


def german_remarks(chords: Sequence[str]) -> tuple[ChartRemark, ...]:
    """Remarks on how chords with German roots are read. Raises `ChartError` if a B stands beside one of them: it may be
    B flat, as in German, or B natural."""
    german = [one for one in dict.fromkeys(chords) if is_german(one)]
    if german and any(_PLAIN_B.match(one) for one in chords):
        raise ChartError(
            msg("cannot tell which note B is beside {german}", german=german[0]),
            why=msg("where B natural is called H, B is B flat"),
            fix=msg("is it B flat, as where B natural is called H, or B natural?"), meanings=_meanings(chords),
        )
    return tuple(_told(german))


def is_german(symbol: str) -> bool:
    """Whether the root of a chord, or its bass, is named in German: H7, Es, As/C."""
    return symbol.startswith("H") or chord_in_english(symbol) != symbol


def _told(german: Sequence[str]) -> Iterator[ChartRemark]:
    natural = next((one for one in german if one.startswith("H")), None)
    if natural is not None:
        yield ChartRemark(natural, f"the H of {natural} is read as B natural, as it is called in German")
    named = [one for one in german if chord_in_english(one) != one]
    if named:
        yield ChartRemark(named[0], f"{named[0]} is read as {chord_in_english(named[0])}, as it is called in German")


def _meanings(chords: Sequence[str]) -> tuple[dict[str, str], ...]:
    """The chords as in English, with B as B flat or as B natural."""
    roots = [one for one in dict.fromkeys(chords) if is_german(one) or _PLAIN_B.match(one)]
    return {one: _english(one, "Bb") for one in roots}, {one: _english(one, "B") for one in roots}


def _english(symbol: str, plain_b: str) -> str:
    plain = chord_in_english(symbol)
    if plain.startswith("H"):
        return f"B{plain[1:]}"
    return f"{plain_b}{plain[1:]}" if _PLAIN_B.match(plain) else plain
