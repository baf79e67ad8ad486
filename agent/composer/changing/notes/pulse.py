"""Pulse: fewer and longer notes for calm, more and shorter ones for drive."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from agent.composer.changing.hearing.grid import BEAT, EIGHTH, ONE, SIXTEENTH, STRONG, attacks
from agent.composer.changing.notes.voices import Voice, louder
from agent.composer.tones import SHORTEST, STEP, Tone
from agent.composer.writing.kit import PITCHES
from agent.song.clip import Clip

_KICK, _SNARE, _HAT = PITCHES["kick"], PITCHES["snare"], PITCHES["hat"]
_SNARES = frozenset({PITCHES["snare"], PITCHES["clap"], PITCHES["rim"], 40})
_KICKS = frozenset({35, 36})
_TIME = frozenset({PITCHES["hat"], PITCHES["pedal"], PITCHES["open"], PITCHES["ride"], PITCHES["shaker"]})


def thinner_drums(tones: Sequence[Tone], voice: Voice, calm: float) -> list[Tone]:
    """The beat with fewer strokes: ghosts and sixteenths are removed first, then hats between the beats; strokes on
    beats stay.

    `calm` runs from 0 (nothing) to 1.5 (most). At least one stroke is left.
    """
    loud = max(tone.velocity for tone in tones)
    kept = [tone for tone in tones if not _expendable(tone, voice, calm, loud)]
    return kept or [max(tones, key=lambda tone: tone.velocity)]


def _expendable(tone: Tone, voice: Voice, calm: float, loud: int) -> bool:
    weight = voice.grid.weight(tone.start)
    if weight < EIGHTH and not (calm >= 1.3 and tone.pitch in _TIME and weight == BEAT):
        return False
    if tone.velocity < 0.6 * loud and calm >= 0.2 and weight == SIXTEENTH:
        return True
    if tone.pitch in _TIME or voice.role == "percussion":
        return (weight == SIXTEENTH and calm >= 0.25) or (weight == EIGHTH and calm >= 0.8)
    if tone.pitch in _SNARES or tone.pitch in _KICKS:
        return (weight == SIXTEENTH and calm >= 0.45) or (weight == EIGHTH and calm >= 1.1)
    return weight == SIXTEENTH and calm >= 0.35


def driving_drums(tones: Sequence[Tone], voice: Voice, drive: float) -> list[Tone]:
    """The beat with added strokes: hats on eighths, at high `drive` on sixteenths, and kicks before strong beats.
    `drive` runs from 0 to 1.5."""
    if voice.role != "drums":
        return _filled_percussion(tones, voice, drive)
    loud = max(tone.velocity for tone in tones)
    bars: dict[tuple[int, int], list[Tone]] = defaultdict(list)
    for tone in tones:
        bars[voice.grid.bar(tone.start)].append(tone)
    added: list[Tone] = []
    for (start, end), inside in sorted(bars.items()):
        added += _hats(inside, voice, start, end, drive, loud)
        if drive >= 0.5:
            added += _kicks(inside, voice, start, end)
    return sorted([*tones, *added])


def _hats(inside: Sequence[Tone], voice: Voice, start: int, end: int, drive: float, loud: int) -> list[Tone]:
    """Time kept by what keeps it already, where nothing of the kind sounds yet."""
    beats = sum(tone.pitch in (_KICK, _SNARE) for tone in inside)
    if not beats and len(inside) < 3:
        return []
    timekeepers = [tone.pitch for tone in inside if tone.pitch in _TIME]
    pitch = max(set(timekeepers), key=lambda one: (timekeepers.count(one), -one)) if timekeepers else _HAT
    pitch = _HAT if pitch == PITCHES["open"] else pitch
    taken = {voice.grid.place(tone.start) for tone in inside if tone.pitch in _TIME}
    fill = [tone.start for tone in inside if tone.pitch in (41, 43, 45, 47, 48, 50)]
    until = min(fill) if fill else end
    step = STEP if drive >= 1.1 or (drive >= 0.25 and len(taken) >= (end - start) // (2 * STEP)) else 2 * STEP
    added = []
    for at in range(start, min(end, until), step):
        if at not in taken:
            weight = voice.grid.weight(at)
            level = 0.72 if weight <= BEAT else 0.62 if weight == EIGHTH else 0.46
            velocity = int(loud * level) + (at // STEP) % 3
            added.append(Tone(voice.grid.swung(at), pitch, STEP // 2, max(1, min(127, velocity))))
    return added


def _kicks(inside: Sequence[Tone], voice: Voice, start: int, end: int) -> list[Tone]:
    """One more kick before the next strong place, where neither kick nor snare is."""
    kicks = [tone for tone in inside if tone.pitch in _KICKS]
    if not kicks:
        return []
    loud = max(tone.velocity for tone in kicks)
    taken = {voice.grid.place(tone.start) for tone in inside if tone.pitch in _KICKS or tone.pitch in _SNARES}
    free = [at for at in range(start, end, 2 * STEP) if at not in taken and voice.grid.weight(at) == EIGHTH]
    strong = [at for at in voice.grid.accents(start) if at > start]
    late = [at for at in free if at + 2 * STEP in strong or at == end - 2 * STEP]
    chosen = (late or free)[:1]
    return [Tone(voice.grid.swung(at), kicks[0].pitch, STEP // 2, max(1, int(0.86 * loud))) for at in chosen]


def _filled_percussion(tones: Sequence[Tone], voice: Voice, drive: float) -> list[Tone]:
    """Every stroke on a beat or eighth answered a sixteenth later, softly."""
    taken = {voice.grid.place(tone.start) for tone in tones}
    reach = (EIGHTH,) if drive < 0.8 else (EIGHTH, BEAT, STRONG)
    added = [
        Tone(tone.start + STEP, tone.pitch, min(tone.length, STEP // 2), max(1, int(0.6 * tone.velocity)))
        for tone in tones
        if voice.grid.weight(tone.start) in reach and (voice.grid.place(tone.start) or 0) + STEP not in taken
    ]
    return sorted([*tones, *added])


def slower(tones: Sequence[Tone], voice: Voice, calm: float) -> list[Tone]:
    """The part thinned out: attacks on strong beats stay, a share of the others is removed, and each note is held until
    the next one kept.

    The share removed grows with `calm`, 0 (none) to 1.5.
    """
    struck = attacks(tones)
    keep = [_stays(group, voice, calm, number) for number, group in enumerate(struck)]
    result: list[Tone] = []
    for number, group in enumerate(struck):
        if not keep[number]:
            continue
        following = next((struck[at][0].start for at in range(number + 1, len(struck)) if keep[at]), None)
        covered = struck[number + 1 : next((at for at in range(number + 1, len(struck)) if keep[at]), len(struck))]
        swallowed = max((tone.end for other in covered for tone in other), default=0)
        for tone in group:
            end = max(tone.end, swallowed)
            if following is not None:
                end = min(max(end, tone.end), max(following, tone.end))
            result.append(Tone(tone.start, tone.pitch, max(SHORTEST, end - tone.start), tone.velocity))
    return result


def _stays(group: Sequence[Tone], voice: Voice, calm: float, number: int) -> bool:
    weight = voice.grid.weight(group[0].start)
    chord = any(span.start - 60 <= group[0].start <= span.start + 60 for span in voice.heard.chords)
    if number == 0 or weight == ONE or chord:
        return True
    if weight == STRONG:
        return calm < 1.6
    if weight == BEAT:
        return calm < 1.0
    return calm < 0.55 if weight == EIGHTH else calm < 0.2


def legato(tones: Sequence[Tone], calm: float) -> list[Tone]:
    """The notes lengthened towards the next attack; rests of a beat or more stay. `calm` (0 to 1.5) is how much of the
    gap is closed."""
    struck = attacks(tones)
    result: list[Tone] = []
    for group, following in pairwise([*struck, []]):
        for tone in group:
            gap = following[0].start - tone.end if following else 0
            grown = int(gap * min(1.0, 0.5 + 0.5 * calm)) if 0 < gap < 960 else 0
            result.append(Tone(tone.start, tone.pitch, tone.length + grown, tone.velocity))
    return result


def driving(tones: Sequence[Tone], voice: Voice, clip: Clip, drive: float) -> list[Tone]:
    """Held notes repeated softly: on half notes or quarters at low `drive`, on eighths from 0.55 on. `drive` runs from
    0 to 1.5."""
    step = 1920 if drive < 0.3 else 960 if drive < 0.55 else 480
    struck = attacks(tones)
    result: list[Tone] = []
    for number, group in enumerate(struck):
        following = struck[number + 1][0].start if number + 1 < len(struck) else clip.end
        for tone in group:
            result += _repeated(tone, voice, step, min(following, tone.end, clip.end) if drive < 1 else
                                min(following, max(tone.end, tone.start + 2 * step), clip.end), drive)
    return result


def _repeated(tone: Tone, voice: Voice, step: int, end: int, drive: float) -> list[Tone]:
    begin = voice.grid.place(tone.start)
    begin = tone.start if begin is None else begin
    first = begin + step - (begin - voice.grid.bar(begin)[0]) % step
    places = [at for at in range(first, end - step // 2 + 1, step) if at - begin >= 240]
    if not places:
        return [tone]
    gate = 0.92 if drive < 0.6 else 0.8
    starts = [tone.start, *(voice.grid.swung(at) for at in places)]
    result = []
    for number, (start, stop) in enumerate(pairwise([*starts, max(end, starts[-1] + SHORTEST)])):
        length = max(SHORTEST, int((stop - start) * gate))
        level = 1.0 if voice.grid.weight(start) <= BEAT else 0.88
        hit = Tone(start, tone.pitch, length, tone.velocity)
        result.append(hit if number == 0 else louder(hit, level) if level < 1 else hit)
    return result
