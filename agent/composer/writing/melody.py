"""Melodies: a short motif, repeated, answered, varied and brought home."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.feel import accent
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.composer.writing.steps import hits, marks
from agent.theory.chords import Chord
from agent.theory.pitch import in_scale, move, scale_pitches

_RHYTHMS = ("x---x-x-x-------", "..x-x-x---x-....", "x-----x-x---....")
_STEPS = (-2, -1, -1, 1, 1, 2)
_LEAPS = (-4, -3, 3, 4)
_REACH = 6
_FEWEST = 7
_CHORUS = 0.65
"""Energy above which a tune is sung higher."""
_HIGHER = 4
"""By how many semitones its range then lies higher."""
_BREATH = STEP
"""What the last note of a phrase gives up, so that the tune breathes."""


@dataclass(frozen=True)
class Motif:
    """A rhythm of one or two bars and the scale steps between its notes."""

    rhythm: str
    moves: tuple[int, ...]


@dataclass(frozen=True)
class _Bar:
    """How one unit of a phrase is sung: from which motif, moved by which scale steps, and how it ends."""

    motif: Motif
    lift: int = 0
    home: bool = False
    thin: bool = False


def sung(player: Player, scene: Scene, frame: Frame, dice: Dice) -> list[Tone]:
    """The scene's melody: each phrase opens alike, climbs, and comes home; the last climbs highest.

    Scenes with the same theme sing the same tune, higher where the energy is; each answers in its own way.
    """
    theme = dice.of(f"theme {scene.theme}")
    rhythms = player.style.patterns or _RHYTHMS
    first = invent(theme.of("first"), rhythms)
    second = invent(theme.of("second"), rhythms)
    own = dice.of(f"scene {scene.index}")
    unit = max(1, len(marks(first.rhythm)) // 16) * scene.bar
    count = -(-(scene.end - scene.start) // unit)
    loud = scene.energy > _CHORUS
    player = _in_register(player, loud=loud)
    reference = (player.low + player.high) // 2
    tones: list[Tone] = []
    opening = previous = reference + theme.of("opening").whole(-3, 3)
    lifts = (0, theme.of("repeat").pick((0, 1, -1)), theme.of("contrast").pick((2, 3)), 0)
    for number in range(count):
        start = scene.start + number * unit
        plan = _plan(number, count, first, second, lifts, scene, own)
        if number % len(lifts) == 0:
            previous = opening
        bar = _realised(plan, start, min(start + unit, scene.end), previous, reference, player, scene, frame)
        if bar:
            previous = bar[-1].pitch
        tones += bar
    return tones


def invent(dice: Dice, rhythms: tuple[str, ...]) -> Motif:
    """A motif: mostly steps, at most one leap, which turns back."""
    rhythm = dice.pick(rhythms)
    notes = sum(mark not in ".-" for mark in marks(rhythm))
    leap_at = dice.whole(1, max(1, notes - 1)) if dice.chance(0.65) else -1
    moves: list[int] = [0]
    drift = 0
    for number in range(1, notes):
        step = dice.pick(_LEAPS) if number == leap_at else dice.pick(_STEPS)
        if number == leap_at + 1 and leap_at > 0:
            step = -1 if moves[-1] > 0 else 1
        if abs(drift + step) > 5:
            step = -step
        drift += step
        moves.append(step)
    return Motif(rhythm, tuple(moves))


def _in_register(player: Player, *, loud: bool) -> Player:
    """The singer within the upper part of the range in a chorus, within the lower part elsewhere."""
    part = player.style
    span = max(_FEWEST, part.span - _HIGHER)
    centre = part.centre + (_HIGHER // 2 if loud else -_HIGHER // 2)
    return Player(structs.replace(part, centre=centre, span=span), player.instrument)


def last_note(player: Player, span: ChordSpan, start: int, end: int, before: Tone) -> Tone:
    """The tune's last note: the root of the last chord, nearest to the tone before."""
    roots = [pitch for pitch in range(player.low, player.high + 1) if pitch % 12 == span.chord.root]
    pitch = min(roots, key=lambda p: (abs(p - before.pitch), p)) if roots else before.pitch
    return Tone(start, pitch, end - start, max(1, int(player.velocity(0.3))))


def _plan(
    number: int, count: int, first: Motif, second: Motif, lifts: tuple[int, ...], scene: Scene, own: Dice
) -> _Bar:
    """Statement, repeat or sequence, contrast, return: the third of four climbs, the last comes home."""
    place = number % len(lifts)
    sparse = scene.energy < 0.35
    last = number == count - 1
    lift = lifts[place]
    if place == 0:
        return _Bar(first, home=last, thin=sparse and number > 0)
    if place == 1:
        return _Bar(first, lift=lift, home=last, thin=sparse)
    if place == 2:
        climax = number + len(lifts) >= count and scene.energy > _CHORUS
        return _Bar(second, lift=lift + (1 if climax else 0), home=last)
    return _Bar(first if own.chance(0.6) else second, lift=own.pick((0, -1)), home=True, thin=sparse)


def _realised(
    plan: _Bar, start: int, end: int, previous: int, reference: int, player: Player, scene: Scene, frame: Frame
) -> list[Tone]:
    rhythm = list(hits(plan.motif.rhythm, start, end, scene.bar))
    if plan.thin:
        rhythm = rhythm[: max(1, (len(rhythm) + 1) // 2)]
    tones: list[Tone] = []
    pitch = previous
    for number, (at, length, mark) in enumerate(rhythm):
        chord = scene.chord_at(at).chord
        if number == 0:
            wanted = move(frame.key, reference + (previous - reference) // 2, plan.lift)
            pitch = _chord_tone(wanted, chord, player, frame, 0)
        else:
            before = pitch
            pitch = _within(move(frame.key, pitch, plan.motif.moves[number % len(plan.motif.moves)]), player, frame)
            final = plan.home and number == len(rhythm) - 1
            if final or length >= STEP * 3 or (at - scene.start) % (STEP * 8) == 0:
                pitch = _chord_tone(pitch, chord, player, frame, before if number % 3 else 0)
        end = _until(at, length, pitch, scene)
        if plan.home and number == len(rhythm) - 1 and end - at > 2 * _BREATH:
            end -= _BREATH
        velocity = int(player.velocity(scene.energy) * accent(mark))
        tones.append(Tone(at, pitch, max(60, int((end - at) * player.style.gate)), velocity))
    return tones


def _until(at: int, length: int, pitch: int, scene: Scene) -> int:
    """Where a note ends: at a chord that it does not belong to, at the latest after its length."""
    span = scene.chord_at(at)
    beyond = span.end < at + length and pitch not in scene.chord_at(span.end).chord
    return span.end if beyond else at + length


def _chord_tone(near: int, chord: Chord, player: Player, frame: Frame, other_than: int) -> int:
    """The chord tone nearest to a pitch; another than the note before, where the motif moves on."""
    options = [p for p in range(player.low, player.high + 1) if p in chord and in_scale(frame.key, p)]
    moved = [p for p in options if p != other_than and abs(p - near) <= _REACH] or options
    return min(moved, key=lambda p: (abs(p - near), p)) if options else _within(near, player, frame)


def _within(pitch: int, player: Player, frame: Frame) -> int:
    """A pitch of the key in the part's range; a line that would leave it is mirrored at the edge."""
    options = scale_pitches(frame.key, player.low, player.high)
    if not options:
        return max(player.instrument.low, min(player.instrument.high, pitch))
    if pitch > player.high:
        pitch = max(player.low, 2 * player.high - pitch)
    elif pitch < player.low:
        pitch = min(player.high, 2 * player.low - pitch)
    return min(options, key=lambda p: (abs(p - pitch), p))
