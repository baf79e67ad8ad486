"""Phrased: what hands change in a figure that comes in every bar, as the place of a bar in its phrase wants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from agent.composer.dice import Dice
from agent.composer.styles import PartStyle
from agent.composer.tones import STEP, Tone
from agent.composer.writing.frame import Scene

_PHRASE = 4
"""Bars of a phrase."""
_EIGHTH, _BEAT = 2 * STEP, 4 * STEP
_FEW = 2
"""Notes of an arpeggio that are too few to turn round."""
_FREE = 2 * _BEAT
"""Ticks without a new note of the tune in which hands answer it."""
_DRIVEN = 0.75
"""Energy from which on hands do not stop."""
_ORDERS = ((3, 2, 1, 0), (2, 1, 0, 1), (2, 0, 1, 0), (3, 1, 2, 0, 1), (0, 1, 2, 1))
"""The orders of the voices of a broken chord, 0 the highest."""
_ANSWERS = (((0, 2), (2, 2)), ((1, 1), (2, 2)), ((0, 3), (3, 1)), ((0, 1), (1, 1), (2, 2)), ((1, 2), (3, 1)))
"""Strokes of an answer: start and length in eighths from where the tune rests."""


class Stroke(NamedTuple):
    """A stroke of a hand: start and length in ticks, its step mark, whether it is already of the next chord, and the
    voices of the chord that are struck, counted from the top, 0 the highest (empty: all)."""

    start: int
    length: int
    mark: str
    ahead: bool = False
    voices: tuple[int, ...] = ()

    @property
    def end(self) -> int:
        """First tick after it."""
        return self.start + self.length

    def strikes(self, voice: int, count: int) -> bool:
        """Whether it strikes a voice, counted from the lowest of `count`, 0 the lowest."""
        return not self.voices or count - 1 - voice in [one % count for one in self.voices]


class _Bar(NamedTuple):
    """A bar as hands play it: its strokes, where it begins and ends, and the ticks in which the tune rests in it."""

    strokes: tuple[Stroke, ...]
    start: int
    end: int
    rest: tuple[int, int] | None


_Way: TypeAlias = Callable[[_Bar, Dice], tuple[Stroke, ...]]


def phrased(
    strokes: Iterable[Stroke], scene: Scene, tune: Sequence[Tone], part: PartStyle, dice: Dice
) -> list[Stroke]:
    """The strokes of a figure over a scene with changes in some bars: as often as the part closes, the last bar of a
    phrase is held, broken off or answers the `tune` where it rests; as often as it phrases, the second and third push
    or leave out a stroke.

    The first bar of each phrase stays as it is. The same dice change the same bars alike.
    """
    bars: dict[int, list[Stroke]] = {}
    for stroke in strokes:
        bars.setdefault((stroke.start - scene.start) // scene.bar, []).append(stroke)
    result: list[Stroke] = []
    for number, own in sorted(bars.items()):
        begin = scene.start + number * scene.bar
        bar = _Bar(tuple(own), begin, begin + scene.bar, rest_of(tune, begin, begin + scene.bar))
        chance = dice.of(f"bar {number}")
        last = is_last(number, scene)
        ways = _ends(scene) if last else _inside(number, scene)
        share = part.closes if last else part.phrases
        changed = chance.pick(ways)(bar, chance) if ways and chance.chance(share) else bar.strokes
        if changed and changed[0].start < begin:
            result = _until(result, changed[0].start)
        result += changed
    return result


def plucked(strokes: Iterable[Stroke], scene: Scene, part: PartStyle, dice: Dice) -> list[Stroke]:
    """The notes of an arpeggio over a scene with changes in some bars: as often as the part closes, the last bar of a
    phrase breaks off on a held note; as often as it phrases, a bar within it goes the other way."""
    bars: dict[int, list[Stroke]] = {}
    for stroke in strokes:
        bars.setdefault((stroke.start - scene.start) // scene.bar, []).append(stroke)
    result: list[Stroke] = []
    for number, own in sorted(bars.items()):
        chance = dice.of(f"bar {number}")
        last = is_last(number, scene)
        few = len(own) <= _FEW or not number % _PHRASE
        changes = not few and chance.chance(part.closes if last else part.phrases)
        if changes and last:
            kept = own[: -(-len(own) * chance.whole(1, 2) // 3)]
            end = scene.start + (number + 1) * scene.bar - _EIGHTH
            own = [*kept[:-1], kept[-1]._replace(length=max(kept[-1].length, end - kept[-1].start))]
        elif changes:
            own = [one._replace(mark=other.mark) for one, other in zip(own, reversed(own), strict=True)]
        result += own
    return result


def carried(strokes: Iterable[Stroke], scene: Scene, *, ahead: bool) -> list[Stroke]:
    """The strokes, of which one that is held into another chord within a bar is struck anew there if it lasts a beat
    more, unless it is already of that chord (`ahead`)."""
    result: list[Stroke] = []
    for stroke in strokes:
        start, early = stroke.start, ahead or stroke.ahead
        for span in scene.chords:
            near = start < span.start < start + scene.bar and span.start <= stroke.end - _BEAT
            if near and not (early or span.silent or span.symbol):
                result.append(stroke._replace(start=start, length=span.start - start))
                start = span.start
        result.append(stroke._replace(start=start, length=stroke.end - start))
    return result


def is_last(number: int, scene: Scene) -> bool:
    """Whether a bar of a scene, counted from 0, ends a phrase."""
    return number == scene.bars - 1 or number % _PHRASE == _PHRASE - 1


def _ends(scene: Scene) -> tuple[_Way, ...]:
    ways: tuple[_Way, ...] = (_held, _answering, _answering)
    return ways if scene.energy >= _DRIVEN else (*ways, _stopped)


def _inside(number: int, scene: Scene) -> tuple[_Way, ...]:
    place = number % _PHRASE
    if not place:
        return ()
    calm = scene.energy < _DRIVEN
    inside = (_pushed, _thinned, _upper) if place == 1 else (_thinned, _late, _pushed)
    return (*inside, _broken) if calm else inside


def _held(bar: _Bar, _: Dice) -> tuple[Stroke, ...]:
    """The strokes of its first half, the last of them held."""
    kept = [one for one in bar.strokes if one.start < bar.start + (bar.end - bar.start) // 2] or list(bar.strokes[:1])
    last = kept[-1]
    return (*kept[:-1], last._replace(length=max(last.length, bar.end - _EIGHTH - last.start)))


def _stopped(bar: _Bar, _: Dice) -> tuple[Stroke, ...]:
    """Its first stroke, and a rest."""
    first = bar.strokes[0]
    return (first._replace(length=min(first.length, (bar.end - bar.start) // 2)),)


def _answering(bar: _Bar, dice: Dice) -> tuple[Stroke, ...]:
    """Its strokes until the tune rests, and an answer there."""
    if bar.rest is None:
        return _held(bar, dice)
    begin, end = bar.rest
    before = [one._replace(length=min(one.length, begin - one.start)) for one in bar.strokes if one.start < begin]
    answer = [Stroke(begin + at * _EIGHTH, length * _EIGHTH, "o") for at, length in dice.pick(_ANSWERS)]
    return (*before, *(one for one in answer if one.end <= end))


def _pushed(bar: _Bar, dice: Dice) -> tuple[Stroke, ...]:
    """Its first stroke an eighth before the bar line."""
    first = bar.strokes[0]
    if first.start != bar.start or first.length < _EIGHTH:
        return _thinned(bar, dice)
    return (Stroke(first.start - _EIGHTH, first.length + _EIGHTH, first.mark, ahead=True), *bar.strokes[1:])


def _upper(bar: _Bar, _: Dice) -> tuple[Stroke, ...]:
    """Its first stroke whole, and of the others only the two highest voices."""
    return (bar.strokes[0], *(one._replace(voices=(0, 1)) for one in bar.strokes[1:]))


def _broken(bar: _Bar, dice: Dice) -> tuple[Stroke, ...]:
    """The chord broken: its voices one after another from where its first stroke was, the last one held."""
    begin = bar.strokes[0].start
    unit = dice.pick((_EIGHTH, _BEAT)) if bar.end - begin >= 4 * _BEAT else _EIGHTH
    order = dice.pick(_ORDERS)[: (bar.end - begin) // unit]
    return tuple(
        Stroke(begin + at * unit, unit if at < len(order) - 1 else bar.end - begin - at * unit, "o", voices=(voice,))
        for at, voice in enumerate(order)
    )


def _late(bar: _Bar, dice: Dice) -> tuple[Stroke, ...]:
    """Its first stroke a beat later, if it lasts longer than that."""
    first = bar.strokes[0]
    if first.length < 2 * _BEAT:
        return _thinned(bar, dice)
    return (first._replace(start=first.start + _BEAT, length=first.length - _BEAT), *bar.strokes[1:])


def _thinned(bar: _Bar, dice: Dice) -> tuple[Stroke, ...]:
    """Without one of its strokes but the first, over which the one before is held if it reached there."""
    if len(bar.strokes) < 2:
        return bar.strokes
    at = dice.whole(1, len(bar.strokes) - 1)
    before, gone = bar.strokes[at - 1 : at + 1]
    if before.end >= gone.start:
        before = before._replace(length=gone.end - before.start)
    return (*bar.strokes[: at - 1], before, *bar.strokes[at + 1 :])


def rest_of(tune: Sequence[Tone], start: int, end: int) -> tuple[int, int] | None:
    """The last stretch of a bar in which no note of the tune begins, from a beat after the one before on, if it is long
    enough to answer in; None without a tune."""
    inside = [tone.start for tone in tune if start <= tone.start < end]
    before = [tone for tone in tune if tone.start < end]
    if not before:
        return None
    begin = start + -(-(max(inside) + _BEAT - start) // _EIGHTH) * _EIGHTH if inside else start + _BEAT
    return (begin, end) if end - begin >= _FREE else None


def _until(strokes: Sequence[Stroke], end: int) -> list[Stroke]:
    """The strokes that begin before a tick, cut there."""
    return [one._replace(length=min(one.length, end - one.start)) for one in strokes if one.start < end]
