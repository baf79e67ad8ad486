"""Timing: the small freedoms of hands, and the straight grid that a song is heard on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from agent.composer.changing.hearing.grid import Grid, attacks
from agent.composer.changing.notes.voices import Voice
from agent.composer.dice import Dice
from agent.composer.styles import Role
from agent.composer.tones import SHORTEST, STEP, Tone

_REACH_MS: dict[Role, float] = {
    "drums": 7.0, "percussion": 9.0, "bass": 8.0, "chords": 11.0, "arp": 8.0, "lead": 13.0, "counter": 12.0,
    "pad": 0.0, "texture": 10.0,
}
_MOST_MS = 19.0
_TOUCH: dict[Role, float] = {
    "drums": 6.0, "percussion": 8.0, "bass": 5.0, "chords": 6.0, "arp": 6.0, "lead": 8.0, "counter": 7.0, "pad": 4.0,
    "texture": 6.0,
}
"""Velocity by which a stroke strays."""
_BEAT, _THIRD = 960, 320


def loosened(tones: Sequence[Tone], voice: Voice, amount: float, dice: Dice) -> list[Tone]:
    """The tones humanised: up to 19 ms early or late and with varied velocities; pads keep their starts. `amount`
    scales it, 1 is usual.

    Tones struck together move together; first beats move half as far.
    """
    frame = voice.heard.frame
    reach = frame.ticks_of(min(_MOST_MS, _REACH_MS[voice.role] * amount))
    result: list[Tone] = []
    for group in attacks(tones):
        share = 0.5 if voice.grid.weight(group[0].start) <= 1 else 1.0
        # two draws make small deviations likelier than large ones, as hands are
        early = round(reach * share * (dice.between(-0.5, 0.5) + dice.between(-0.5, 0.5)))
        for order, tone in enumerate(sorted(group, key=lambda one: one.pitch)):
            strum = min(2 * order, reach // 4) if voice.role == "chords" else 0
            touch = round(_TOUCH[voice.role] * amount * (dice.between(-0.5, 0.5) + dice.between(-0.5, 0.5)))
            start = max(0, tone.start + early + (strum if abs(early + strum) <= reach else 0))
            result.append(Tone(start, tone.pitch, tone.length, max(1, min(127, tone.velocity + touch))))
    return apart(result)


def straightened(tones: Sequence[Tone], grid: Grid, amount: float) -> list[Tone]:
    """The tones quantised to the grid heard in each beat: sixteenths in the song's swing feel, or triplets.

    `amount` is the share of the way, 0 to 1.
    """
    beats: dict[int, list[Tone]] = defaultdict(list)
    for tone in tones:
        start, _ = grid.bar(tone.start)
        beats[start + (tone.start - start + _BEAT // 12) // _BEAT * _BEAT].append(tone)
    result = []
    for beat, inside in sorted(beats.items()):
        places = _places(beat, inside, grid)
        for tone in inside:
            place = min(places, key=lambda at: (abs(at - tone.start), at))
            start = tone.start + round((place - tone.start) * min(1.0, amount))
            result.append(Tone(start, tone.pitch, tone.length, tone.velocity))
    return apart(result)


def _places(beat: int, inside: Sequence[Tone], grid: Grid) -> list[int]:
    """The grid of a beat: the one its notes miss least; triplets must be clearly nearer."""
    straight = [grid.swung(beat + number * STEP) for number in range(5)]
    threes = [beat + number * _THIRD for number in range(4)]
    inner = [tone.start for tone in inside if abs(tone.start - beat) > STEP // 4]
    miss = {name: sum(min(abs(at - start) for at in places) for start in inner)
            for name, places in (("straight", straight), ("threes", threes))}
    return threes if len(inner) >= 2 and miss["threes"] < 0.5 * miss["straight"] else straight


def apart(tones: Sequence[Tone]) -> list[Tone]:
    """The tones with each cut where the next of the same pitch begins."""
    result: list[Tone] = []
    last: dict[int, int] = {}
    for tone in sorted(tones):
        at = last.get(tone.pitch)
        if at is not None and result[at].end > tone.start:
            before = result[at]
            room = tone.start - before.start
            if room < SHORTEST:
                continue
            result[at] = Tone(before.start, before.pitch, room, before.velocity)
        last[tone.pitch] = len(result)
        result.append(tone)
    return result
