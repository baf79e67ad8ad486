"""Harmony in sound: held pads, comped chords, arpeggios, sparse high colours."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.chord_changes import with_changes
from agent.composer.writing.feel import accent
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.composer.writing.harmony import singable
from agent.composer.writing.inner_voices import VoicedChord, lightened, moving
from agent.composer.writing.left_hand import bass_notes
from agent.composer.writing.phrased import Stroke, carried, phrased, plucked
from agent.composer.writing.steps import choose, hits, roaming, turned
from agent.song.chord import Chord
from agent.theory.pitch import nearest_in_scale
from agent.theory.voicing import voice

_WHOLE = ("x---------------",)
_DEEP = 52
"""Below this middle a single voice of a choir sings the roots."""
_ROOM = 4
"""Bars of a scene from which on some of them may sound like the scene beside it."""
_UPWARD = ("0.1.2.3.2.1.0.1.",)


def voicings(player: Player, scene: Scene) -> list[tuple[ChordSpan, tuple[int, ...]]]:
    """Every chord of a scene with its pitches, with voice leading from chord to chord; the root is included where no
    bass plays it."""
    led: list[tuple[ChordSpan, tuple[int, ...]]] = []
    previous: tuple[int, ...] | None = None
    for span in scene.chords:
        previous = _voiced(player, span.chord, previous, rooted=not scene.grounded)
        led.append((span, previous))
    return led


def _voiced(
    player: Player, chord: Chord, previous: tuple[int, ...] | None, *, rooted: bool = False
) -> tuple[int, ...]:
    """The pitches of a chord; a single voice of a choir has one of them, the lowest voice its root."""
    if player.style.voices != 1:
        return voice(
            _struck(chord, player), player.style.centre, previous, player.low, player.high,
            spread=player.style.spread, voices=player.style.voices, rooted=rooted,
        )
    own = player.style.centre
    near = previous[0] if previous else own
    deep = own < _DEEP
    root = chord.root if chord.bass is None else chord.bass
    tones = [p for p in range(player.low, player.high + 1) if (p % 12 == root if deep else p in chord)]
    return (min(tones or [own], key=lambda pitch: (abs(pitch - near) + abs(pitch - own) / 2, pitch)),)


def held(player: Player, scene: Scene, frame: Frame, tune: Sequence[Tone], dice: Dice) -> list[Tone]:
    """Chords held for their whole length, with a voice that moves in some, where it rubs against no note of the `tune`;
    tones that stay are tied for up to four bars."""
    velocity = int(player.velocity(scene.energy))
    player = lightened(player, scene)
    pieces = sorted(
        (start, end, pitch, order)
        for one in moving(voicings(player, scene), scene, frame, tune, player.style.inner, dice) if not one.span.silent
        for order in range(len(one.pitches))
        for start, end, pitch in one.heard(order, one.span.start, one.span.end)
    )
    sounding: dict[int, Tone] = {}
    tones: list[Tone] = []
    for start, end, pitch, order in pieces:
        tone = Tone(start, pitch, end - start, velocity - 3 * (order % 3))
        before = sounding.get(pitch)
        if before is not None and before.end == start and start - before.start < 4 * scene.bar:
            tone = Tone(before.start, pitch, end - before.start, tone.velocity)
        elif before is not None:
            tones.append(before)
        sounding[pitch] = tone
    return [*tones, *sounding.values()]


def drone(player: Player, scene: Scene, frame: Frame) -> list[Tone]:
    """The tonic and fifth of the scene's key, whatever its chords, struck again every four bars."""
    tonic = frame.key.pitch_class
    low = next(pitch for pitch in range(player.low, player.low + 12) if pitch % 12 == tonic)
    velocity = int(player.velocity(scene.energy))
    starts = range(scene.start, scene.end, 4 * scene.bar)
    return [
        Tone(start, pitch, min(4 * scene.bar, scene.end - start), velocity)
        for start in starts for pitch in (low, low + 7) if pitch <= player.instrument.high
    ]


def comped(player: Player, scene: Scene, frame: Frame, tune: Sequence[Tone], dice: Dice) -> list[Tone]:
    """Chords struck in a rhythm of the part, which breathes with phrases and the `tune`; the top voice is slightly
    louder. A left hand that has the bass adds its notes."""
    part = player.style
    led = moving(voicings(player, scene), scene, frame, tune, 0.0 if part.power else part.inner, dice.of("inner"))
    strokes = _figure(player, scene, dice)
    if part.phrases or part.closes:
        strokes = phrased(strokes, scene, tune, part, dice.of("phrases"))
    tones: list[Tone] = []
    for stroke in with_changes(carried(strokes, scene, ahead=part.ahead), scene):
        start, length = stroke.start, stroke.length
        held_ = _struck_at(led, scene, start, length, ahead=stroke.ahead or part.ahead)
        if held_.span.silent:
            continue
        end = max(start + 60, min(start + length, held_.span.end))
        count = len(held_.pitches)
        for order in (one for one in range(count) if stroke.strikes(one, count)):
            top = order == count - 1
            velocity = int(player.velocity(scene.energy) * accent(stroke.mark) * (1.0 if top else 0.9))
            for begin, stop, pitch in held_.heard(order, start, end):
                gate = part.gate if stop == end else 1.0
                tones.append(Tone(begin, pitch, max(60, int((stop - begin) * gate)), velocity))
    return [*tones, *bass_notes(player, scene, tones)] if scene.left_hand == player.style.name else tones


def _figure(player: Player, scene: Scene, dice: Dice, usual: tuple[str, ...] = _WHOLE) -> list[Stroke]:
    """The strokes of the part's rhythm in a scene (or the `usual` one); some bars at its beginning or end may have that
    of the scene beside it, so that not all parts change at its border."""
    part = player.style
    if part.roams and part.patterns:
        pattern = roaming(part.patterns, scene.energy, scene.bar, scene.bars, dice, part.roams, part.turns)
    else:
        pattern = choose(part.patterns or usual, scene.energy, dice)
        pattern = turned(pattern, scene.bar, scene.bars, dice, part.turns) if part.turns else pattern
    strokes = [Stroke(*one) for one in hits(pattern, scene.start, scene.end, scene.bar)]
    own = dice.of(f"border {scene.earlier:.2f} {scene.later:.2f}")
    rises = scene.later > scene.energy
    energy = scene.later if rises else scene.earlier
    if energy < 0 or scene.bars < _ROOM or not part.patterns or not own.chance(part.phrases):
        return strokes
    many = own.pick((1, 2)) * scene.bar
    begin, end = (scene.end - many, scene.end) if rises else (scene.start, scene.start + many)
    other = hits(choose(part.patterns, energy, dice), scene.start, scene.end, scene.bar)
    kept = [one._replace(length=min(one.length, begin - one.start) if one.start < begin else one.length)
            for one in strokes if not begin <= one.start < end]
    return sorted([*kept, *(one for one in (Stroke(*raw) for raw in other) if begin <= one.start < end)])


def arpeggio(player: Player, scene: Scene, dice: Dice, ladder: Sequence[int] = ()) -> list[Tone]:
    """Single notes in the order of a step string: chord tones upwards from the lowest, or pitches of `ladder` upwards
    from the root nearest to the part's centre. Some bars turn the order round or break off, as often as the part
    phrases."""
    part = player.style
    led = [VoicedChord(span, pitches) for span, pitches in voicings(player, scene)]
    strokes = _figure(player, scene, dice, _UPWARD)
    if part.phrases or part.closes:
        strokes = plucked(strokes, scene, part, dice.of("phrases"))
    tones: list[Tone] = []
    for start, length, mark, *_ in strokes:
        held_ = _struck_at(led, scene, start, length, ahead=part.ahead)
        span, pitches = held_.span, held_.pitches
        if span.silent:
            continue
        number = int(mark) if mark.isdigit() else 0
        octave, index = divmod(number, len(pitches))
        pitch = _rung(ladder, number, span.chord, player) if ladder else pitches[index] + 12 * octave
        while pitch > player.instrument.high:
            pitch -= 12
        end = max(start + 60, min(start + length, span.end))
        level = 1.0 if (start - scene.start) % (STEP * 4) == 0 else 0.86
        velocity = int(player.velocity(scene.energy) * level)
        tones.append(Tone(start, pitch, max(60, int((end - start) * player.style.gate)), velocity))
    return tones


def _struck_at(led: Sequence[VoicedChord], scene: Scene, start: int, length: int, *, ahead: bool) -> VoicedChord:
    """The chord that a note of a scene belongs to; with `ahead` the next one if it is held into that."""
    wanted = scene.chord_of(start, length, ahead=ahead)
    return next((one for one in led if one.span.start == wanted.start), led[-1])


def _rung(ladder: Sequence[int], number: int, chord: Chord, player: Player) -> int:
    """The pitch so many rungs above the root of a chord, or above the rung that is nearest to a root."""
    near = player.style.centre - 6
    root = min(range(near, near + 12), key=lambda pitch: (pitch - chord.root) % 12)
    begin = min(range(len(ladder)), key=lambda at: (abs(ladder[at] - root), at))
    return ladder[min(begin + number, len(ladder) - 1)]


def colours(player: Player, scene: Scene, frame: Frame, dice: Dice) -> list[Tone]:
    """Pairs of high, ringing chord tones about every other bar."""
    tones: list[Tone] = []
    at = scene.start + (scene.bar if scene.bars > 2 else 0)
    while at < scene.end:
        span = scene.chord_at(at)
        places = [p for p in range(player.low, player.high + 1) if singable(p, span.chord, frame.key)]
        if places and not span.silent:
            low = dice.pick(places)
            partner = [p for p in places if p - low in (3, 4, 5, 7, 8, 9, 12)] or [low]
            length = min(span.end, scene.end) - at
            velocity = int(player.velocity(scene.energy))
            tones.append(Tone(at, low, length, velocity))
            if partner[0] != low:
                offset = STEP * dice.pick((0, 2, 4))
                tones.append(Tone(at + offset, dice.pick(partner), max(60, length - offset), velocity - 6))
        at += scene.bar * dice.pick((2, 2, 3) if scene.energy < 0.5 else (1, 2, 2))
    return tones


def closing_chord(
    player: Player, span: ChordSpan, start: int, end: int, frame: Frame, before: Tone | None = None
) -> list[Tone]:
    """The piece's last chord, held from `start` to `end`; empty if the span is silent.

    A counter-melody ends on its third, near the tone `before`.
    """
    if span.silent:
        return []
    velocity = max(1, int(player.velocity(0.3)))
    pitches = _voiced(player, span.chord, None)
    if player.style.role == "counter":
        third = span.chord.pitch_classes[1]
        places = [pitch for pitch in range(player.low, player.high + 1) if pitch % 12 == third]
        goal = before.pitch if before is not None else player.style.centre
        pitches = (min(places, key=lambda pitch: (abs(pitch - goal), pitch)),) if places else pitches[:1]
    if player.style.role in ("lead", "texture"):
        pitches = (nearest_in_scale(frame.key, pitches[-1]),)
    return [Tone(start, pitch, end - start, velocity - 2 * order) for order, pitch in enumerate(pitches)]


def _struck(chord: Chord, player: Player) -> Chord:
    """The chord as the part plays it; diminished and augmented chords have no fifth to leave."""
    if not player.style.power or 7 not in chord.intervals:
        return chord
    return Chord(chord.root, "5", chord.bass if chord.bass == (chord.root + 7) % 12 else None)
