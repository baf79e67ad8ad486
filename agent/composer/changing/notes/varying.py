"""Varying: the same material again with small changes, so that it is heard as itself and as new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from agent.composer.changing.hearing.grid import BEAT, EIGHTH, ONE, attacks
from agent.composer.changing.notes.voices import Voice, louder
from agent.composer.dice import Dice
from agent.composer.tones import SHORTEST, STEP, Tone
from agent.song.clip import Clip
from agent.theory.pitch import in_scale, move

_BEAT = 960
_SNARE, _TOMS = 38, (50, 47, 45)
_STICKS = frozenset({37, 38, 39, 40, 35, 36, 41, 43, 45, 47, 48, 50})
_FILLS = ((0, 2, 3, 4, 6, 7), (0, 1, 2, 3, 4, 6), (0, 3, 4, 6, 7), (2, 3, 4, 5, 6, 7), (0, 2, 4, 5, 6))
"""Fills of half a 4/4 bar, in sixteenths."""
_PERIOD = 4
"""Bars after which a fill may come."""


def varied(tones: Sequence[Tone], voice: Voice, clip: Clip, amount: float, dice: Dice) -> list[Tone]:
    """The part with small variations by its role: new fills, moved ghosts, ornaments; `amount` (0 to 1.5) is how many
    notes change."""
    match voice.role:
        case "drums":
            return _new_fills(tones, voice, clip, dice)
        case "percussion":
            return _moved_ghosts(tones, voice, amount, dice)
        case "lead" | "counter":
            return _ornamented(tones, voice, amount, dice)
        case "bass":
            return _walking(tones, voice, amount, dice)
        case _:
            return _restruck(tones, voice, clip, amount, dice)


def _ornamented(tones: Sequence[Tone], voice: Voice, amount: float, dice: Dice) -> list[Tone]:
    """Every third note or so turned, filled in, anticipated or exchanged; firsts of bars keep their pitch."""
    line = sorted(tones)
    result: list[Tone] = []
    since = 1
    for number, tone in enumerate(line):
        after = line[number + 1] if number + 1 < len(line) else None
        alone = after is None or after.start >= tone.start + SHORTEST
        chosen = since >= 1 and alone and dice.chance(min(0.85, 0.6 * amount))
        changed = _ornament(tone, after, voice, dice) if chosen else [tone]
        since = 0 if changed != [tone] else since + 1
        result += changed
    return sorted(result)


def _ornament(tone: Tone, after: Tone | None, voice: Voice, dice: Dice) -> list[Tone]:
    room = (after.start if after is not None else tone.end) - tone.start
    options: list[list[Tone]] = []
    if tone.length >= _BEAT and in_scale(voice.key, tone.pitch):
        options += [_turn(tone, voice, 1), _turn(tone, voice, -1)]
    elif after is not None and 3 <= abs(after.pitch - tone.pitch) <= 5 and room >= 2 * STEP:
        options.append(_filled(tone, after, voice))
    elif voice.grid.weight(tone.start) >= EIGHTH and after is not None and tone.length <= _BEAT // 2:
        options += [_exchanged(tone, after, voice, step) for step in (1, -1)]
    elif voice.grid.weight(tone.start) == BEAT and tone.length >= _BEAT // 2:
        options.append(_split(tone))
    sound = [one for one in options if one and not _rubbing(one, voice)]
    return dice.pick(sound) if sound else [tone]


def _turn(tone: Tone, voice: Voice, step: int) -> list[Tone]:
    """The note, its neighbour, and the note again."""
    other = move(voice.key, tone.pitch, step)
    first = tone.length // 2 // STEP * STEP
    return [
        Tone(tone.start, tone.pitch, first, tone.velocity),
        Tone(tone.start + first, other, STEP, max(1, int(0.82 * tone.velocity))),
        Tone(tone.start + first + STEP, tone.pitch, tone.length - first - STEP, max(1, int(0.9 * tone.velocity))),
    ]


def _filled(tone: Tone, after: Tone, voice: Voice) -> list[Tone]:
    """A passing note on the way to the next one."""
    between = move(voice.key, tone.pitch, 1 if after.pitch > tone.pitch else -1)
    half = (after.start - tone.start) // 2
    return [
        Tone(tone.start, tone.pitch, max(SHORTEST, min(tone.length, half)), tone.velocity),
        Tone(tone.start + half, between, max(SHORTEST, half - 20), max(1, int(0.82 * tone.velocity))),
    ]


def _exchanged(tone: Tone, after: Tone, voice: Voice, step: int) -> list[Tone]:
    """A weak note for its neighbour, where that still leads on by step."""
    other = move(voice.key, tone.pitch, step)
    return [Tone(tone.start, other, tone.length, tone.velocity)] if 1 <= abs(after.pitch - other) <= 4 else []


def _split(tone: Tone) -> list[Tone]:
    """The note struck twice."""
    half = tone.length // 2
    again = Tone(tone.start + half, tone.pitch, tone.length - half, max(1, int(0.84 * tone.velocity)))
    return [Tone(tone.start, tone.pitch, half - 20, tone.velocity), again]


def _rubbing(tones: Sequence[Tone], voice: Voice) -> bool:
    return any(
        not voice.fits(t.pitch) or (t.length >= 2 * STEP and voice.around.rubs(t.pitch, t.start, t.end)) for t in tones
    )


def _walking(tones: Sequence[Tone], voice: Voice, amount: float, dice: Dice) -> list[Tone]:
    """A bass that steps into some chords, and takes an octave or fifth instead of a repeated root."""
    line = sorted(tones)
    result: list[Tone] = []
    for number, tone in enumerate(line):
        after = line[number + 1] if number + 1 < len(line) else None
        before = result[-1] if result else None
        leads = after is not None and voice.grid.weight(after.start) == ONE and after.pitch != tone.pitch
        near = after is not None and after.start - tone.start <= _BEAT
        if after is not None and leads and near and voice.grid.weight(tone.start) >= EIGHTH:
            approach = move(voice.key, after.pitch, 1 if tone.pitch > after.pitch else -1)
            if voice.fits(approach) and dice.chance(0.7 * amount):
                tone = Tone(tone.start, approach, tone.length, tone.velocity)
        elif before is not None and before.pitch == tone.pitch and voice.grid.weight(tone.start) >= EIGHTH:
            options = [p for p in (tone.pitch + 12, *_fifth(tone, voice)) if voice.fits(p)]
            if options and dice.chance(0.45 * amount):
                tone = Tone(tone.start, dice.pick(options), tone.length, tone.velocity)
        result.append(tone)
    return result


def _fifth(tone: Tone, voice: Voice) -> list[int]:
    chord = voice.chord_at(tone.start)
    return [tone.pitch + 7] if chord is not None and tone.pitch + 7 in chord and tone.pitch in chord else []


def _restruck(tones: Sequence[Tone], voice: Voice, clip: Clip, amount: float, dice: Dice) -> list[Tone]:
    """Chords of which some come an eighth early, are struck twice, or turn their bottom voice up."""
    struck = attacks(tones)
    result: list[Tone] = []
    for number, group in enumerate(struck):
        at = group[0].start
        longest = max(tone.length for tone in group)
        before = struck[number - 1][0].start if number else clip.start - _BEAT
        if voice.grid.weight(at) == ONE or not dice.chance(min(0.8, 0.4 * amount)):
            result += group
        elif len(group) >= 3 and dice.chance(0.5):
            result += _inverted(group, voice)
        elif longest >= _BEAT and voice.role != "pad":
            half = longest // 2 // STEP * STEP
            result += [Tone(t.start, t.pitch, max(SHORTEST, min(t.length, half) - 20), t.velocity) for t in group]
            again = [t for t in group if t.length > half + SHORTEST]
            result += [louder(Tone(t.start + half, t.pitch, t.length - half, t.velocity), 0.86) for t in again]
        elif voice.grid.weight(at) == BEAT and at - before >= _BEAT and voice.role == "chords":
            result += [Tone(t.start - 2 * STEP, t.pitch, t.length + STEP, t.velocity) for t in group]
        else:
            result += group
    return sorted(result)


def _inverted(group: Sequence[Tone], voice: Voice) -> list[Tone]:
    low = min(group, key=lambda tone: tone.pitch)
    up = Tone(low.start, low.pitch + 12, low.length, low.velocity)
    taken = any(tone.pitch == up.pitch or abs(tone.pitch - up.pitch) in (1, 13) for tone in group)
    if taken or not voice.fits(up.pitch) or voice.around.rubs(up.pitch, up.start, up.end):
        return list(group)
    return sorted([*(tone for tone in group if tone is not low), up])


def _new_fills(tones: Sequence[Tone], voice: Voice, clip: Clip, dice: Dice) -> list[Tone]:
    """A new fill at the end of every fourth bar and of the clip, and one ghost note elsewhere."""
    bars: dict[tuple[int, int], list[Tone]] = defaultdict(list)
    for tone in tones:
        bars[voice.grid.bar(tone.start)].append(tone)
    order = sorted(bars)
    result: list[Tone] = []
    for number, (start, end) in enumerate(order):
        inside = bars[(start, end)]
        beats = any(tone.pitch in _STICKS for tone in inside)
        last = end >= clip.end or number + 1 == len(order)
        if beats and ((number + 1) % _PERIOD == 0 or last) and len(inside) > 3:
            inside = _filled_bar(inside, voice, start, end, dice)
        elif beats and number % 2:
            inside = _ghosted(inside, voice, start, end, dice)
        result += inside
    return sorted(result)


def _filled_bar(inside: Sequence[Tone], voice: Voice, start: int, end: int, dice: Dice) -> list[Tone]:
    length = min(8 * STEP, (end - start) // (2 * STEP) * STEP)
    begin = end - length
    loud = max(tone.velocity for tone in inside)
    had = tuple((t.start, t.pitch) for t in inside if t.start >= begin)
    kept = [t for t in inside if t.start < begin - 20 or t.pitch not in _STICKS]
    for figure in sorted(_FILLS, key=lambda _: dice.share()):
        places = [step for step in figure if step * STEP < length]
        fill = []
        for order, step in enumerate(places):
            pitch = (_SNARE, *_TOMS)[min(3, order * 4 // max(1, len(places)))]
            velocity = int(loud * (0.78 + 0.2 * step / 8)) + step % 2
            at = voice.grid.swung(begin + step * STEP)
            fill.append(Tone(at, pitch, STEP // 2, max(1, min(127, velocity))))
        if tuple((t.start, t.pitch) for t in fill) != had:
            return sorted([*kept, *fill])
    return list(inside)


def _ghosted(inside: Sequence[Tone], voice: Voice, start: int, end: int, dice: Dice) -> list[Tone]:
    taken = {voice.grid.place(tone.start) for tone in inside if tone.pitch in _STICKS}
    free = [at for at in range(start + STEP, end, 2 * STEP) if at not in taken and at - STEP in taken]
    snare = next((tone for tone in inside if tone.pitch in (37, 38, 40)), None)
    if not free or snare is None:
        return list(inside)
    ghost = Tone(voice.grid.swung(dice.pick(free)), snare.pitch, STEP // 2, max(1, int(0.4 * snare.velocity)))
    return sorted([*inside, ghost])


def _moved_ghosts(tones: Sequence[Tone], voice: Voice, amount: float, dice: Dice) -> list[Tone]:
    """Some soft strokes a sixteenth later, where that is free."""
    taken = {(voice.grid.place(tone.start), tone.pitch) for tone in tones}
    result = []
    for tone in tones:
        place = voice.grid.place(tone.start)
        movable = voice.grid.weight(tone.start) >= EIGHTH and place is not None
        goal = (place or 0) + STEP
        free = (goal, tone.pitch) not in taken and goal < voice.grid.bar(tone.start)[1]
        if movable and free and dice.chance(0.35 * amount):
            taken.add((goal, tone.pitch))
            result.append(Tone(voice.grid.swung(goal), tone.pitch, tone.length, tone.velocity))
        else:
            result.append(tone)
    return sorted(result)
