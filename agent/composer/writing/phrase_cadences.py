"""Phrase cadences: chords that come faster at the end of a phrase of four bars, and lead into the next one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from msgspec.structs import replace

from agent.composer.dice import Dice
from agent.composer.phrase_manners import Cadences
from agent.composer.writing.frame import ChordSpan, Frame, Scene
from agent.composer.writing.harmony import chord_lengths
from agent.song.chord import Chord
from agent.song.key import Key
from agent.theory.chords import diatonic
from agent.theory.pitch import in_scale

_PHRASE = 4
"""Bars of a phrase."""
_WALTZ = 3
"""Beats of a bar that is not divided in two."""
_FIFTH = 7
_MAJOR = ("maj", "7", "9", "13", "7sus4", "sus4")
"""Kinds of chords that lead as a dominant where they stand a fifth above the next."""
_LEAD_ON = ("maj", "min", "min7", "maj7")
"""Kinds of chords that may come before a dominant."""
_TRIAD = 3
_BEFORE = (2, 4, 6)
"""Degrees of the next chord's key, its tonic 1, that may come before its dominant, the usual ones first."""


def with_cadences(
    scenes: tuple[Scene, ...], ways: Cadences, frame: Frame, dice: Dice, *, lends: bool
) -> tuple[Scene, ...]:
    """The scenes with two chords in the last bar of some phrases, or in the last two where chords last so long; the
    second leads into the next phrase.

    Phrases of one theme are alike. With `lends` a chord other than the tonic may be led to by a dominant from outside
    the key. The end of the piece, bars of changing meters, stated chords and stages of a request stay as they are.
    """
    if not ways.quickens:
        return scenes
    return tuple(
        replace(here, chords=tuple(_quickened(here, after, ways, frame.within(here), dice, lends=lends)))
        for here, after in pairwise((*scenes, None)) if here is not None
    )


def _quickened(
    scene: Scene, following: Scene | None, ways: Cadences, frame: Frame, dice: Dice, *, lends: bool
) -> Iterator[ChordSpan]:
    plain = scene.turn is None and len(scene.meters) < 2
    spans = scene.chords
    goes_on = following is not None and following.up == scene.up and following.turn is None
    afters = [*(span.chord for span in spans[1:]), following.chords[0].chord if following and goes_on else None]
    before: Chord | None = None
    for here, after in zip(spans, afters, strict=True):
        number, odd = divmod(here.end - scene.start, _PHRASE * scene.bar)
        # a bar of three beats has one chord
        least = scene.bar * (2 if len(frame.beats) == _WALTZ else 1)
        ends = not odd and here.end - here.start >= least and not (here.symbol or here.silent)
        own = dice.of(f"{scene.theme} {number} {here.chord.root - frame.key.pitch_class}")
        pair = None
        if plain and ends and after is not None and own.chance(ways.quickens):
            pair = _pair(before, here.chord, after, frame.key, six_four=own.chance(ways.six_four), lends=lends)
        if pair is None:
            yield here
        else:
            long = here.end - here.start >= 2 * scene.bar
            begin = here.end - (2 if long else 1) * scene.bar
            cut = here.end - scene.bar if long else begin + chord_lengths(0.5, scene.bar, frame.beats)[0]
            if here.start < begin:
                yield replace(here, end=begin)
            yield from (ChordSpan(begin, cut, pair[0]), ChordSpan(cut, here.end, pair[1]))
        before = here.chord


def _pair(
    before: Chord | None, here: Chord, after: Chord, key: Key, *, six_four: bool, lends: bool
) -> tuple[Chord, Chord] | None:
    """The two chords in place of one before the chord `after`; None where nothing better leads there."""
    fifth = (after.root + _FIFTH) % 12
    if here.quality == "5":
        return None
    if here.root != fifth:
        leads = _dominant(after, key, lends=lends)
        return None if leads is None or leads.root == here.root else (here, leads)
    if here.quality not in _MAJOR:
        return None
    triad = Chord(after.root, "min" if 3 in after.intervals else "maj", fifth)
    if six_four and before is not None and before.root not in (after.root, fifth):
        return triad, here
    home = key if after.root == key.pitch_class else None
    tones: Literal[3, 4] = 4 if len(here.intervals) > _TRIAD else 3
    ways = [diatonic(home, degree, tones) for degree in _BEFORE] if home is not None else []
    fitting = [one for one in ways if one.quality in _LEAD_ON and (before is None or one.root != before.root)]
    return (fitting[0], here) if fitting else None


def _dominant(after: Chord, key: Key, *, lends: bool) -> Chord | None:
    """The chord on the fifth above another one: its dominant seventh, or the key's own chord there."""
    root = (after.root + _FIFTH) % 12
    seventh = Chord(root, "7")
    if after.quality in ("dim", "aug", "m7b5", "dim7"):
        return None
    lends = lends and key.mode in ("major", "minor") and in_scale(key, root)
    if lends or all(in_scale(key, tone) for tone in seventh.pitch_classes):
        return seventh
    own = next((one for degree in range(1, 8) if (one := diatonic(key, degree)).root == root), None)
    return own if own is not None and own.quality in ("maj", "min") else None
