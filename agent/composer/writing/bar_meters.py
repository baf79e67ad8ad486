"""Bar meters: pieces in several meters, whose bars are alike for a stretch or take turns, and their rhythms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import lcm

from msgspec import Struct, structs
from msgspec.structs import replace

from agent.composer.styles import Groove, Meter, PartStyle, SectionStyle, Style
from agent.composer.writing.frame import Player, Scene
from agent.composer.writing.harmony import chord_lengths
from agent.composer.writing.meters import GROUNDED, groups, in_meter, laid, rows_of
from agent.composer.writing.turns_of_bars import Meters, bar_lengths, length_of
from agent.song.time import PPQ

_MOST_IN_TURN = 3
"""Bars that take turns at most."""
_LONGEST_TURN = 12 * PPQ
"""Ticks of such bars together: what is longer is no pulse that one feels."""


class Alike(Struct, frozen=True):
    """A stretch of bars whose `meters` alternate, `rounds` times."""

    meters: Meters
    rounds: int


def alike(bars: Sequence[Meter]) -> list[Alike]:
    """The bars with these meters as stretches: alternating meters (at least two rounds) as one, otherwise runs of the
    same meter."""
    found: list[Alike] = []
    at = 0
    while at < len(bars):
        ways = [one for size in range(1, _MOST_IN_TURN + 1) if (one := _turns(bars, at, size)) is not None]
        best = max(ways, key=lambda one: (len(one.meters) * one.rounds, -len(one.meters)))
        found.append(best)
        at += len(best.meters) * best.rounds
    return found


def _turns(bars: Sequence[Meter], at: int, size: int) -> Alike | None:
    """How often the first bars from an index on come one behind another; None where they are no turn."""
    turn = tuple(bars[at : at + size])
    rounds = 1
    while tuple(bars[at + rounds * size : at + (rounds + 1) * size]) == turn:
        rounds += 1
    if size > 1 and (rounds < 2 or len(set(turn)) < 2 or length_of(turn) > _LONGEST_TURN):
        return None
    return Alike(turn, rounds)


class Laid(Struct, frozen=True):
    """A section, or the part of one whose bars have the same alternating `meters` (empty: the piece's own meter).

    `section` has as many bars as there are rounds of `meters`. `first` is the index of its first bar in the whole
    section; it `goes_on` in the next `Laid`.
    """

    section: SectionStyle
    meters: Meters = ()
    first: int = 0
    goes_on: bool = False


def laid_out(section: SectionStyle, bars: Sequence[Meter]) -> list[Laid]:
    """A section with bars in these meters, as parts with the same alternating meters."""
    stretches = alike(bars)
    starts = [0, *accumulate(len(one.meters) * one.rounds for one in stretches)]
    return [
        Laid(structs.replace(section, bars=one.rounds), one.meters, first, one is not stretches[-1])
        for one, first in zip(stretches, starts, strict=False)
    ]


def chord_lengths_in(meters: Meters, chord_bars: float) -> tuple[int, ...]:
    """The lengths in ticks of successive chords in bars of alternating meters: `chord_bars` bars each, or parts of a
    bar below 1."""
    if chord_bars < 1:
        return tuple(one for meter in meters for one in chord_lengths(chord_bars, length_of((meter,)), groups(*meter)))
    lengths, each = bar_lengths(meters), int(chord_bars)
    count = len(lengths)
    return tuple(
        sum(lengths[at % count] for at in range(first, first + each)) for first in range(0, lcm(count, each), each)
    )


def styled(style: Style, meters: Meters) -> Style:
    """The style with all its rhythms adapted to alternating meters; a pattern then lasts one round of them."""
    each = [in_meter(style, meter) for meter in meters]
    if len(each) == 1:
        return each[0]

    def one_behind_another(texts: Sequence[str]) -> str:
        return _in_turn(texts, meters)

    def groove(own: Sequence[Groove]) -> Groove:
        lines = {drum: one_behind_another([one.lines[drum] for one in own]) for drum in own[0].lines}
        return structs.replace(own[0], lines=lines)

    def part(own: Sequence[PartStyle]) -> PartStyle:
        rows = zip(*(one.patterns for one in own), strict=True)
        return structs.replace(own[0], patterns=tuple(map(one_behind_another, rows)))

    return structs.replace(
        each[-1], swing=min(one.swing for one in each),
        parts=tuple(map(part, zip(*(one.parts for one in each), strict=True))),
        grooves=tuple(map(groove, zip(*(one.grooves for one in each), strict=True))),
        percussion=tuple(map(groove, zip(*(one.percussion for one in each), strict=True))),
    )


class InMeters(Struct, frozen=True):
    """A style for pieces with several meters: `home` for scenes without meters of their own, else adapted as in
    `laid`."""

    home: Style
    laid: Mapping[Meters, Style]

    def style(self, scene: Scene) -> Style:
        """The style for a scene."""
        return self.laid.get(scene.meters, self.home)

    def player(self, player: Player, scene: Scene) -> Player:
        """The player with its patterns adapted to the meters of a scene."""
        there = self.laid.get(scene.meters)
        return player if there is None else _in_bars(player, self.home, there, scene.meters)


def in_meters(home: Style, source: Style | None, scenes: Sequence[Scene]) -> InMeters:
    """The style for the meters of all scenes; `source` is the style in its original meter (None: as `home`)."""
    known = dict.fromkeys(one.meters for one in scenes if one.meters)
    return InMeters(home, {meters: styled(source or home, meters) for meters in known})


def _in_bars(player: Player, home: Style, there: Style, meters: Meters) -> Player:
    part = player.style
    for own, other in zip(home.parts, there.parts, strict=True):
        if own.role == part.role and own.patterns == part.patterns:
            return replace(player, style=structs.replace(part, patterns=other.patterns))
    source, whole = groups(*home.meter), part.role in GROUNDED
    each = ([laid(text, source, groups(*bar), whole=whole) for bar in meters] for text in part.patterns)
    return replace(player, style=structs.replace(part, patterns=tuple(_in_turn(texts, meters) for texts in each)))


def _in_turn(texts: Sequence[str], meters: Meters) -> str:
    """One rhythm, which is there in each of the meters, as rows of all the bars that take turns."""
    rows = [rows_of(text, sum(groups(*meter))) for text, meter in zip(texts, meters, strict=True)]
    count = len(meters)
    many = lcm(count, *map(len, rows)) // count
    return "".join(
        own[(number * count + at) % len(own)] for number in range(many) for at, own in enumerate(rows)
    )
