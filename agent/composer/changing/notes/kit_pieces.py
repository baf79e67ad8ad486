"""Kit pieces: single drums of a kit, told apart, exchanged, patterned and ghosted while the rest of it stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from agent.composer.changing.hearing.grid import SIXTEENTH, Grid
from agent.composer.dice import Dice
from agent.composer.styles import Drum
from agent.composer.tones import STEP, Tone
from agent.composer.writing.kit import PITCHES

Places = Literal["beats", "offbeats", "backbeats", "grid", "one", "rolls"]
_ALIKE: dict[Drum, frozenset[int]] = {
    "kick": frozenset({35, 36}), "snare": frozenset({38, 40}), "hat": frozenset({42, 44, 46}),
    "crash": frozenset({49, 57}), "ride": frozenset({51, 59}), "tom_low": frozenset({41, 43, 45}),
    "tom_high": frozenset({48, 50}),
}
"""Pitches of a kit that are the same drum to a listener."""
_SOUNDS: dict[Drum, tuple[Drum, ...]] = {
    "hat": ("hat", "open", "pedal"), "ride": ("ride", "bell"), "crash": ("crash", "splash"),
    "tom_low": ("tom_low",), "snare": ("snare",),
}
"""Ways to strike one drum, the usual one first and the accented one behind it."""
_BY_FOOT: frozenset[Drum] = frozenset({"kick", "pedal"})
_OPEN = 46
_GHOST = 0.36
"""How loud a ghost note is beside a backbeat."""
_SOFT = 0.55
"""The share of the loudest stroke below which one is a ghost note."""


def pitches_of(pieces: Collection[Drum]) -> frozenset[int]:
    """The kit pitches of these drums, with those that are the same drum to a listener (35 and 36 for the kick)."""
    return frozenset(pitch for piece in pieces for pitch in _ALIKE.get(piece, frozenset({PITCHES[piece]})))


def given_up(old: Sequence[Drum], new: Sequence[Drum]) -> frozenset[int]:
    """The kit pitches of the `old` drums that fall silent where `new` ones are played instead of them.

    Hands that go to another drum leave the feet where they are: the ride instead of the hi-hat keeps its pedal, unless
    it alone is meant.
    """
    stays = _BY_FOOT if not _BY_FOOT.issuperset(old) and not _BY_FOOT.intersection(new) else frozenset[Drum]()
    kept = {PITCHES[one] for one in old if one in stays}
    # what the new drum strikes as well needs no exchange
    shared = pitches_of(new) if old[0] not in new else frozenset[int]()
    return pitches_of(old) - shared - kept


def exchanged(tones: Iterable[Tone], old: frozenset[int], new: Sequence[Drum]) -> list[Tone]:
    """The strokes of the `old` pitches moved to the drum `new[0]`; accents become its accented sound if `new` has it.

    Only these strokes are returned; two at one tick become one.
    """
    plain = PITCHES[new[0]]
    accents = [PITCHES[one] for one in _SOUNDS.get(new[0], ()) if one in new]
    struck: dict[int, Tone] = {}
    for tone in sorted(tones):
        if tone.pitch not in old:
            continue
        accented = tone.pitch in (_OPEN, 53) and len(accents) > 1
        moved = Tone(tone.start, accents[1] if accented else plain, tone.length, tone.velocity)
        if tone.start not in struck or struck[tone.start].velocity < moved.velocity:
            struck[tone.start] = moved
    return sorted(struck.values())


def ghosted(
    tones: Sequence[Tone], pitches: frozenset[int], bars: Sequence[tuple[int, int]], amount: float, grid: Grid,
    dice: Dice,
) -> list[Tone]:
    """New ghost notes between a drum's loud strokes, in a two-bar pattern at random sixteenths where neither drum nor
    kick strikes; empty without loud strokes.

    `pitches` are the drum's, `bars` (start, end) ticks; `amount` 1 gives two a bar.
    """
    own = [tone for tone in tones if tone.pitch in pitches]
    loud = max((tone.velocity for tone in own), default=0)
    pitch = Counter(tone.pitch for tone in own if 2 * tone.velocity > loud).most_common(1)
    if not pitch:
        return []
    count = max(1, round(2.5 * amount))
    chosen: dict[int, list[int]] = {}
    new: list[Tone] = []
    for number, (start, end) in enumerate(bars):
        inside = [tone for tone in own if start <= tone.start < end]
        if not any(2 * tone.velocity > loud for tone in inside):
            continue
        busy = {grid.place(tone.start) for tone in tones if tone.pitch in pitches or tone.pitch in (35, 36)}
        free = [at for at in range(start, end, STEP) if grid.weight(at) == SIXTEENTH and at not in busy]
        near = [at for at in free if any(0 < abs(at - tone.start) <= 3 * STEP for tone in inside)]
        if number % 2 not in chosen:
            shares = {at: dice.share() for at in near}
            chosen[number % 2] = sorted(at - start for at in sorted(near, key=lambda at: shares[at])[:count])
        for at in (start + by for by in chosen[number % 2]):
            if at in near:
                velocity = max(1, round(loud * _GHOST) + dice.whole(-4, 4))
                new.append(Tone(grid.swung(at), pitch[0][0], STEP // 2, velocity))
    return new


def without_ghosts(tones: Sequence[Tone], pitches: frozenset[int]) -> list[Tone]:
    """The tones without a drum's ghost notes: strokes on `pitches` far softer than its loudest."""
    loud = max((tone.velocity for tone in tones if tone.pitch in pitches), default=0)
    return [tone for tone in tones if tone.pitch not in pitches or tone.velocity >= _SOFT * loud]
