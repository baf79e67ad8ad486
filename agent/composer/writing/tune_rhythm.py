"""Tune rhythm: two bars of a style's patterns made into what a tune can say in one breath."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent.composer.dice import Dice
from agent.composer.styles import TuneStyle
from agent.composer.tones import STEP
from agent.composer.writing.steps import bars_of, hits

UNIT = 2
"""The number of bars in a hook, and in every answer to it."""
_EIGHTH, _BEAT = 2 * STEP, 4 * STEP
_USUAL = 4.5
"""Notes a bar of a tune whose style does not say."""
_FULL = 4
"""Beats of the bar that a style's number of notes is meant for."""
_LATEST, _HOME = 10 * STEP, 13 * STEP
"""How long before the end of a unit that rests its last note begins, where it has a choice, and before that of one
that comes home."""


class RhythmNote(Struct, frozen=True):
    """A note of a two-bar unit: its start in ticks from the unit's start (negative: upbeat), its length in ticks, and
    its step mark."""

    at: int
    length: int
    mark: str

    @property
    def end(self) -> int:
        """First tick after the note, from the unit's start."""
        return self.at + self.length


def unit_rhythm(dice: Dice, patterns: Sequence[str], bar: int, manners: TuneStyle) -> tuple[RhythmNote, ...]:
    """The rhythm of two bars with about as many notes as the style's melodies have, sometimes tied over the bar line.
    It is drawn from `patterns` (step strings); `bar` is the length of a bar in ticks."""
    chosen = dice.pick(patterns)
    if bars_of(chosen, bar) >= UNIT:
        raw = [RhythmNote(*hit) for hit in hits(chosen, 0, UNIT * bar, bar)]
    else:
        second = dice.pick(patterns)
        raw = [RhythmNote(*hit) for hit in hits(chosen, 0, bar, bar)]
        raw += [RhythmNote(at + bar, length, mark) for at, length, mark in hits(second, 0, bar, bar)]
    if not any(beat.at < bar for beat in raw) or not raw:
        raw = [RhythmNote(0, _BEAT, "x"), *raw]
    wanted = max(2, round(UNIT * (manners.notes or _USUAL) * bar / (_FULL * _BEAT)))
    filled = _filled(raw, wanted, UNIT * bar, dice)
    return tuple(_tied(filled, bar) if dice.chance(manners.tie or 0.0) else filled)


def resting(
    beats: Sequence[RhythmNote], length: int, pickup: int, *, home: int = 0, held: bool = False
) -> tuple[RhythmNote, ...]:
    """The rhythm of a unit (two bars, `length` ticks) that ends with a rest of a beat before the upbeat (`pickup`
    ticks) to the next.

    With `home` (the length of a bar in ticks) it ends on a note that fills most of its last bar. With `held` it ends on
    one that lasts, up to four beats, until an eighth before the upbeat.
    """
    latest = length - _BEAT - pickup
    begin = length - min(home, _HOME) if home else length - _LATEST
    kept = [beat for beat in beats if beat.at <= max(0, min(latest - _BEAT, begin))]
    kept = kept or list(beats[:1])
    last = kept[-1]
    end = latest + (_BEAT - _EIGHTH if held else 0)
    room = max(_EIGHTH, end - last.at)
    beats_long = 4 if held else 3 if home else 2
    return (*kept[:-1], replace(last, length=min(room, max(last.length, beats_long * _BEAT))))


def running(beats: Sequence[RhythmNote], length: int) -> tuple[RhythmNote, ...]:
    """The rhythm of a unit (two bars, `length` ticks) that leads into the next one without a rest, over two quick notes
    if there is room."""
    kept = [beat for beat in beats if beat.at < length - _EIGHTH] or list(beats[:1])
    last = kept[-1]
    if length - last.end < _BEAT and length - last.at <= 2 * _BEAT:
        return tuple(kept)
    count = min(2, (length - last.at) // _EIGHTH - 1)
    kept[-1] = replace(last, length=max(_EIGHTH, length - count * _EIGHTH - last.at))
    return (*kept, *(RhythmNote(length - at * _EIGHTH, _EIGHTH, "o") for at in range(count, 0, -1)))


def _filled(raw: Sequence[RhythmNote], wanted: int, length: int, dice: Dice) -> list[RhythmNote]:
    """Notes held on over small gaps; where they are too few the longest are struck again within."""
    beats = [
        replace(beat, length=after - beat.at if after - beat.at <= 2 * _BEAT else max(beat.length, _BEAT))
        for beat, after in zip(raw, [*(beat.at for beat in raw[1:]), length], strict=True)
    ]
    while len(beats) < wanted:
        longest = max(beat.length for beat in beats)
        if longest < _BEAT:
            break
        at = dice.pick([number for number, beat in enumerate(beats) if beat.length == longest])
        whole = beats[at]
        cut = dice.pick((_EIGHTH, longest // (2 * _EIGHTH) * _EIGHTH, longest - _EIGHTH))
        beats[at : at + 1] = [replace(whole, length=cut), RhythmNote(whole.at + cut, longest - cut, "o")]
    return beats


def _tied(beats: Sequence[RhythmNote], bar: int) -> list[RhythmNote]:
    """The notes with the second bar's first one begun an eighth early and held over the line."""
    at = next((number for number, beat in enumerate(beats) if beat.at >= bar), None)
    if at is None or not at or beats[at].at - bar > _EIGHTH:
        return list(beats)
    early, before = beats[at], beats[at - 1]
    begin = bar - _EIGHTH
    if before.at >= begin - STEP or early.length < _EIGHTH:
        return list(beats)
    return [
        *beats[: at - 1], replace(before, length=min(before.length, begin - before.at)),
        RhythmNote(begin, early.end - begin, "x"), *beats[at + 1 :],
    ]
