"""Transitions: upbeats into a section, walks of the bass, rolls, risers and the breath before a peak."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.dice import Dice
from agent.composer.styles import Style
from agent.composer.tones import STEP, Tone
from agent.composer.writing.bass import entry
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.kit import PITCHES
from agent.theory.pitch import in_scale, move, scale_pitches

_EIGHTH, _BEAT = 2 * STEP, 4 * STEP
_OFTEN = 0.45
"""How often a bass walks up whose style does not say."""
_RISE_BARS = 4
_ROLL = ((0.5, 4), (0.75, 2), (1.0, 1))
"""Up to which share of a roll its strokes are how many sixteenths apart."""
_SHAPES = ("scale", "thirds", "chord", "again")
_THIRD = 2
_PACES = (
    ((0.5, 2 * _BEAT), (0.75, _BEAT), (1.0, _EIGHTH)), ((0.25, 4 * _BEAT), (0.5, _BEAT), (1.0, _EIGHTH)),
    ((0.5, _BEAT), (1.0, _EIGHTH)), ((0.6, 2 * _BEAT), (0.8, _EIGHTH), (1.0, STEP)),
)
"""Up to which share of a rise its notes are how many ticks apart."""
_LATE = 2 * STEP
"""A tune that begins later than this in a section takes no upbeat."""
_UPBEATS = ((1, 1), (1, 1, 1), (2,), (1, 1, 1, 1), (2, 1), (1,), (2, 2), (3, 1))
"""The lengths in eighths of the notes of an upbeat."""
_FOURTH, _WIDEST = 5, 19
"""Semitones of a fourth, and those from an upbeat to the highest note of the scene that it ends, at most."""
_STEP = 2
_SKIP = 3
"""Semitones at most between an upbeat and the note that it leads to."""


def upbeat(player: Player, scene: Scene, first: Tone, frame: Frame, dice: Dice, top: int = 0) -> list[Tone]:
    """One to four notes at the end of a scene that step to the following melody's `first` note, a single one maybe from
    a fourth below; empty if that does not begin with the next scene.

    They avoid `top`, the highest pitch of the scene.
    """
    if first.start - scene.end > _LATE or scene.bars < 2:
        return []
    lengths = dice.pick(_UPBEATS)
    count = len(lengths)
    lowest = max(player.low, top - _WIDEST)
    way = -1 if dice.chance(0.7) else 1
    level = player.velocity(scene.energy) * 0.82
    ways = [
        [move(frame.key, first.pitch, side * (number + further)) for number in range(count, 0, -1)]
        for side in (way, -way) for further in (0, 1)
    ]
    can = [
        pitches for pitches in ways
        if all(lowest <= pitch <= player.high for pitch in pitches) and abs(pitches[-1] - first.pitch) <= _SKIP
    ]
    below = first.pitch - _FOURTH
    if count == 1 and dice.chance(0.5) and lowest + _FOURTH <= below and in_scale(frame.key, below):
        can.insert(0, [below])
    pitches = next((one for one in can if top not in one), can[0] if can else [])
    starts = [scene.end - sum(lengths[number:]) * _EIGHTH for number in range(count)]
    return [
        Tone(start, pitch, int(length * _EIGHTH * 0.9), int(level * (1.06 - 0.05 * (count - number))))
        for number, (start, length, pitch) in enumerate(zip(starts, lengths, pitches, strict=False))
    ]


def with_upbeat(tones: Sequence[Tone], notes: Sequence[Tone]) -> list[Tone]:
    """The line cut an eighth before the notes of an upbeat, and the upbeat."""
    if not notes:
        return list(tones)
    begin = notes[0].start
    kept = [t for t in tones if t.start < begin - _BEAT - STEP]
    return [*cut(kept, begin - _EIGHTH), *notes]


def walks(style: Style, player: Player, dice: Dice) -> bool:
    """Whether the bass walks up to the next section; a random choice."""
    share = style.transitions.walk
    if share is None:
        share = _OFTEN if any("a" in text for text in player.style.patterns) else 0.0
    return dice.chance(share)


def walk_up(player: Player, scene: Scene, following: Scene, frame: Frame, tones: Sequence[Tone]) -> list[Tone]:
    """The bass line with two eighths on its last beat that step to where the bass enters the following scene; as it is
    where its last note steps there anyway."""
    begin = scene.end - _BEAT
    before = [tone for tone in tones if tone.start < begin]
    if not before or not following.chords:
        return list(tones)
    target = entry(player, following)
    if tones[-1].start >= begin and 0 < abs(tones[-1].pitch - target) <= _STEP:
        return list(tones)
    way = 1 if before[-1].pitch > target else -1
    steps = [move(frame.key, target, way * number) for number in (2, 1)]
    if not all(player.instrument.low <= pitch <= player.high + 2 for pitch in steps):
        return list(tones)
    velocity = int(player.velocity(scene.energy) * 0.9)
    notes = [Tone(begin + at * _EIGHTH, pitch, int(_EIGHTH * 0.9), velocity + 3 * at) for at, pitch in enumerate(steps)]
    return [*cut(before, begin), *notes]


def roll(player: Player, scene: Scene, tones: Sequence[Tone]) -> list[Tone]:
    """The drums with a crescendo snare roll over the scene's last two bars; the kick stops in it."""
    length = scene.bar * (2 if scene.bars >= 4 else 1)
    begin, halfway = scene.end - length, scene.end - length // 2
    away = {PITCHES[drum] for drum in ("snare", "clap", "rim")}
    kick = PITCHES["kick"]
    kept = [
        t for t in tones
        if t.start < begin or (t.pitch not in away and (t.pitch != kick or t.start < halfway))
    ]
    at = begin
    strokes = []
    while at < scene.end:
        share = (at - begin) / length
        velocity = player.velocity(scene.energy) * (0.5 + 0.5 * share)
        strokes.append(Tone(at, PITCHES["snare"], STEP // 2, max(1, int(velocity))))
        at += STEP * next(steps for until, steps in _ROLL if share < until)
    return [*kept, *strokes]


def riser(player: Player, scene: Scene, frame: Frame, dice: Dice) -> list[Tone]:
    """A line that climbs over the scene's last bars, ever faster and louder: up the scale, in broken thirds, over the
    chords, or one tone after another struck again and again; empty if there is no room."""
    begin = rise_start(scene)
    length = scene.end - begin - scene.drop
    ladder = scale_pitches(frame.key, player.low, player.high)
    if not ladder or length <= 0:
        return []
    tones: list[Tone] = []
    at = 0
    shape, paces = dice.pick(_SHAPES), dice.pick(_PACES)
    while at < length:
        share = at / length
        step = next(step for until, step in paces if share < until)
        place = int(share * len(ladder)) + (len(tones) % 2 * _THIRD if shape == "thirds" else 0)
        place -= place % _THIRD if shape == "again" else 0
        pitch = ladder[min(len(ladder) - 1, place)]
        if shape == "chord":
            chord = scene.chord_at(begin + at).chord
            pitch = next((one for one in range(pitch, player.high + 1) if one in chord), pitch)
        low, high = player.style.velocity
        velocity = int(low + (high - low) * share)
        tones.append(Tone(begin + at, pitch, max(60, min(step, length - at)), velocity))
        at += step
    return tones


def rise_start(scene: Scene) -> int:
    """The tick where a riser before the scene's end begins."""
    return scene.end - min(scene.bars, _RISE_BARS) * scene.bar


def breath(tones: Sequence[Tone], scene: Scene) -> list[Tone]:
    """The tones cut for the rest before a peak (`scene.drop`)."""
    if not scene.drop:
        return list(tones)
    begin = scene.end - scene.drop
    return cut([tone for tone in tones if tone.start < begin], begin)


def cut(tones: Sequence[Tone], end: int) -> list[Tone]:
    """The tones, shortened to end at the tick `end` at the latest."""
    return [
        tone if tone.end <= end else Tone(tone.start, tone.pitch, max(1, end - tone.start), tone.velocity)
        for tone in tones
    ]
