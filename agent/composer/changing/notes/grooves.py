"""Grooves: swing, ghost notes, a late backbeat, and attacks that come before the beat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from agent.composer.changing.hearing.grid import BEAT, ONE, STRONG, attacks
from agent.composer.changing.notes.voices import Voice
from agent.composer.tones import SHORTEST, STEP, Tone
from agent.song.clip import Clip

_SNARES = frozenset({38, 39, 40, 37})
_KICKS = frozenset({35, 36})
_SWING = 0.28
"""Share of a sixteenth by which every second one comes late, at the usual measure."""
_SWUNG = 0.2
"""Swing from which a song swings already."""
_LATE_MS = 12.0


def grooved(tones: Sequence[Tone], voice: Voice, clip: Clip, groove: float) -> list[Tone]:
    """The part with more groove, by role: ghost notes and pushed kicks for drums, anticipations for bass and chords,
    swung sixteenths.

    `groove` runs from 0 to 1.5. Pads, and notes on the first beat of a bar, keep their time.
    """
    changed = list(tones)
    if voice.role == "drums":
        changed = _late_backbeat(_pushed_kick(_ghosts(changed, voice, groove), voice, groove), voice, groove)
    elif voice.role == "percussion":
        changed = _answered(changed, voice, groove)
    elif voice.role in ("bass", "chords", "arp", "counter"):
        changed = _anticipated(changed, voice, clip, groove)
    if voice.role != "pad" and voice.heard.frame.swing < _SWUNG:
        changed = [_swung(tone, voice, clip, groove) for tone in changed]
    return changed


def _swung(tone: Tone, voice: Voice, clip: Clip, groove: float) -> Tone:
    start, _ = voice.grid.bar(tone.start)
    step = round((tone.start - start) / STEP)
    if step % 2 == 0 or abs(tone.start - start - step * STEP) > 70:
        return tone
    delay = min(round(_SWING * groove * STEP), max(0, clip.end - tone.start - SHORTEST))
    return Tone(tone.start + delay, tone.pitch, max(SHORTEST, tone.length - delay), tone.velocity)


def _ghosts(tones: Sequence[Tone], voice: Voice, groove: float) -> list[Tone]:
    """Soft snares on sixteenths around the backbeat, one or two in a bar, not the same in each."""
    snares = [tone for tone in tones if tone.pitch in _SNARES and voice.grid.weight(tone.start) <= BEAT]
    if not snares:
        return list(tones)
    by_bar: dict[int, list[Tone]] = defaultdict(list)
    for tone in snares:
        by_bar[voice.grid.bar(tone.start)[0]].append(tone)
    taken = {voice.grid.place(tone.start) for tone in tones if tone.pitch in _SNARES or tone.pitch in _KICKS}
    added = []
    for number, (bar, inside) in enumerate(sorted(by_bar.items())):
        end = voice.grid.bar(bar)[1]
        back = [voice.grid.place(tone.start) or tone.start for tone in inside]
        wished = [place + offset * STEP for place in back for offset in ((3, -1) if number % 2 else (-1, 3))]
        wished += [place + offset * STEP for place in back for offset in (1, -3)] if groove >= 1.2 else []
        places = [at for at in dict.fromkeys(wished) if bar <= at < end and at not in taken]
        pitch = 38 if inside[0].pitch in (38, 39) else inside[0].pitch
        for at in places[: max(1, round(2 * groove))]:
            velocity = int(0.38 * inside[0].velocity) + (at // STEP) % 4
            added.append(Tone(at, pitch, STEP // 2, max(1, velocity)))
    return sorted([*tones, *added])


def _pushed_kick(tones: Sequence[Tone], voice: Voice, groove: float) -> list[Tone]:
    """In every second bar (with much groove in all) a kick a sixteenth before a strong place."""
    kicks = [tone for tone in tones if tone.pitch in _KICKS]
    if not kicks or groove < 0.5:
        return list(tones)
    taken = {voice.grid.place(tone.start) for tone in tones if tone.pitch in _KICKS or tone.pitch in _SNARES}
    added = []
    for number, bar in enumerate(sorted({voice.grid.bar(tone.start) for tone in kicks})):
        strong = [at for at in (*voice.grid.accents(bar[0]), bar[1]) if at > bar[0]]
        at = strong[0] - STEP
        if at not in taken and bar[0] < at and (groove >= 1.0 or number % 2):
            added.append(Tone(at, kicks[0].pitch, STEP // 2, int(0.78 * kicks[0].velocity) + number % 3))
    return sorted([*tones, *added])


def _late_backbeat(tones: Sequence[Tone], voice: Voice, groove: float) -> list[Tone]:
    late = voice.heard.frame.ticks_of(_LATE_MS * min(1.2, groove))
    return [
        Tone(t.start + late, t.pitch, max(SHORTEST, t.length), t.velocity)
        if t.pitch in _SNARES and voice.grid.weight(t.start) in (BEAT, STRONG) else t
        for t in tones
    ]


def _answered(tones: Sequence[Tone], voice: Voice, groove: float) -> list[Tone]:
    """A soft stroke on the last sixteenth of some beats."""
    taken = {voice.grid.place(tone.start) for tone in tones}
    added = []
    for number, tone in enumerate(tones):
        at = (voice.grid.place(tone.start) or tone.start) + 3 * STEP
        inside = at < voice.grid.bar(tone.start)[1]
        if voice.grid.weight(tone.start) <= BEAT and at not in taken and inside and (number % 2 or groove >= 0.9):
            added.append(Tone(at, tone.pitch, max(SHORTEST, min(tone.length, STEP // 2)), max(1, tone.velocity // 2)))
            taken.add(at)
    return sorted([*tones, *added])


def _anticipated(tones: Sequence[Tone], voice: Voice, clip: Clip, groove: float) -> list[Tone]:
    """Attacks on beats inside the bar come a sixteenth or an eighth early; what was there before gives way.

    The first of a bar stays, and so does the place where a chord begins.
    """
    early = STEP if voice.role == "bass" else 2 * STEP
    struck = attacks(tones)
    changes = [span.start for span in voice.heard.chords]
    result: list[list[Tone]] = []
    count = 0
    for group in struck:
        at = group[0].start
        weight = voice.grid.weight(at)
        begins = any(abs(at - change) <= 60 for change in changes)
        movable = weight in (BEAT, STRONG) and weight != ONE and not begins
        count += movable
        goes = movable and (groove >= 0.9 or count % 2 == 0 or (groove >= 0.55 and weight == BEAT))
        free = not result or result[-1][0].start <= at - early - STEP - SHORTEST
        if not goes or not free or at - early < clip.start:
            result.append(group)
            continue
        if result:
            result[-1] = [_until(tone, at - early) for tone in result[-1]]
        result.append([Tone(t.start - early, t.pitch, t.length + early, t.velocity) for t in group])
    return _pops([tone for group in result for tone in group], voice, groove)


def _until(tone: Tone, end: int) -> Tone:
    return Tone(tone.start, tone.pitch, max(SHORTEST, min(tone.length, end - tone.start)), tone.velocity)


def _pops(tones: Sequence[Tone], voice: Voice, groove: float) -> list[Tone]:
    """A bass also answers some of its downbeats with a short octave off the beat, where it rests or holds."""
    if voice.role != "bass" or groove < 0.5:
        return list(tones)
    places = {voice.grid.place(tone.start) for tone in tones}
    result: list[Tone] = []
    for number, tone in enumerate(sorted(tones)):
        place = voice.grid.place(tone.start)
        at = (place or 0) + 3 * STEP
        answered = place is not None and voice.grid.weight(tone.start) == ONE and at not in places
        clear = not any(tone.start < other.start < at + STEP for other in tones if other is not tone)
        same = voice.chord_at(at) == voice.chord_at(tone.start)
        if answered and clear and same and (number % 2 == 0 or groove >= 0.9) and voice.fits(tone.pitch + 12):
            result.append(_until(tone, at - STEP // 2))
            result.append(Tone(at, tone.pitch + 12, STEP - 40, max(1, int(0.88 * tone.velocity))))
        else:
            result.append(tone)
    return result


