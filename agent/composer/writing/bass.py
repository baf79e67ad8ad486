"""Bass lines: patterns with riffs over the chords, in step with the kick, that lead into the next chord; or walking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.understanding.section_kinds import stem_of
from agent.composer.writing.feel import accent
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.composer.writing.riffs import riff_of, semitones
from agent.composer.writing.steps import locked, places, row_of, tied
from agent.composer.writing.walking_bass import walking_line
from agent.song.chord import Chord
from agent.theory.pitch import move

_LONG = ("R---------------",)
_ABOVE = 7
"""How far above its range an octave may reach, in semitones."""
_WALKS = 0.4
"""Energy from which a bass that walks does so; below it plays its patterns, if it has any."""
_ROOTS = 14
"""Semitones above its lowest note in which a bass has its roots, so that there is room for what it plays over them."""
_CHORUS = "b"
_LOOP = 4
"""Bars after which most rounds of chords begin again."""
_LEVELS = ((0.35, 0.25), (0.7, 0.55), (1.0, 0.88))
"""Up to which energy a section is calm, usual or loud, and the energy of whose pattern it then has: verses that grow
keep theirs."""
_BEAT = 4 * STEP
_SOFTER = 0.86
_CHROMATIC = 0.35
"""How often a note that leads upward is a semitone below its goal although the key has another."""


@dataclass(frozen=True)
class _Hit:
    """A note of the line before it has a pitch: a mark, and a step of the scale where it has one."""

    start: int
    length: int
    mark: str
    step: int | None


def bass_line(
    player: Player, scene: Scene, frame: Frame, kick: str, dice: Dice, following: Chord | None = None
) -> list[Tone]:
    """The bass of a scene: each chord begins on its root (or slash bass), patterns are aligned with the kick, and the
    end leads to `following`, the chord after the scene.

    `kick` is the kick's step string. Scenes of one theme and energy have the same pattern and riff, moved with the
    chords.
    """
    if player.style.walks and (scene.energy >= _WALKS or not player.style.patterns):
        return walking_line(player, scene, frame, following, dice.of(f"walk {stem_of(scene.name)}"))
    # verses and what stands between them share a riff; a chorus has its own
    theme = dice.of("chorus" if scene.theme == _CHORUS else "verse")
    previous = player.low + 5
    tones: list[Tone] = []
    roots: dict[int, int] = {}
    for hit in _hits(player, scene, kick, theme):
        span = scene.chord_of(hit.start, hit.length, ahead=player.style.ahead)
        if (span.start - scene.start) % (_LOOP * scene.bar) == 0:
            # so that each round of the chords lies alike
            previous = player.low + 5
        if span.start not in roots:
            roots[span.start] = previous = _root(span.chord, previous, player)
        root = roots[span.start]
        goal = _next_chord(scene, span, following)
        end = min(hit.start + hit.length, span.end)
        pitch = root if hit.start == span.start else _pitch(hit, root, span, goal, player, frame)
        if hit.mark == "a" and tones and pitch == tones[-1].pitch:
            # a step that would only repeat the note before comes from the other side
            target = _root(goal, root, player)
            pitch = _inside(move(frame.key, target, 1 if pitch <= target else -1), player)
        velocity = int(player.velocity(scene.energy) * (accent("R") if hit.mark == "R" else _SOFTER))
        tones.append(Tone(hit.start, pitch, max(60, int((end - hit.start) * player.style.gate)), velocity))
    if player.style.leads:
        tones = _led(tones, roots, player, scene, frame, following, theme)
    return tones


def nearest(pitch_class: int, to: int, low: int, high: int) -> int:
    """The pitch of a pitch class between `low` and `high` that is nearest to `to`; the next one above `low` if none
    lies in the range."""
    options = range(low + (pitch_class - low) % 12, high + 1, 12)
    return min(options, key=lambda pitch: (abs(pitch - to), pitch)) if options else low + (pitch_class - low) % 12


def _root(chord: Chord, near: int, player: Player) -> int:
    """The root of a chord (or its slash bass) nearest to a pitch, low enough for what is played over it."""
    return nearest(chord.lowest, near, player.low, max(player.low + 11, min(player.high, player.low + _ROOTS)))


def _hits(player: Player, scene: Scene, kick: str, theme: Dice) -> Iterator[_Hit]:
    """The notes of the scene's pattern, with what its riff is."""
    level = next(level for most, level in _LEVELS if scene.energy <= most)
    pattern = locked(player.style.patterns or _LONG, level, kick, theme.of("pattern"))
    rhythm = tied(pattern, kick) if player.style.with_kick else pattern
    riff = riff_of(rhythm, row_of(rhythm, scene.bar), theme.of(f"riff {pattern}"))
    for start, length, place in places(riff.rhythm, scene.start, scene.end, scene.bar):
        yield _Hit(start, length, riff.rhythm[place], riff.steps[place])


def _next_chord(scene: Scene, span: ChordSpan, following: Chord | None) -> Chord:
    if span.end < scene.end:
        return scene.chord_at(span.end).chord
    return following or span.chord


def _pitch(hit: _Hit, root: int, span: ChordSpan, goal: Chord, player: Player, frame: Frame) -> int:
    """The pitch of a note over a chord; one that leads on while the chord stays is its fifth."""
    top = min(player.instrument.high, player.high + _ABOVE)
    if hit.mark == "8":
        return root + 12 if root + 12 <= top else root
    if hit.mark == "a" and span.end <= hit.start + hit.length:
        return _inside(_beside(_root(goal, root, player), root, frame), player)
    step = 4 if hit.mark == "a" else hit.step
    if not step:
        return root
    pitch = root + semitones(step, span.chord, frame.key)
    if pitch > top:
        pitch -= 12
    return pitch if pitch >= player.instrument.low else pitch + 12


def _beside(goal: int, root: int, frame: Frame) -> int:
    """The key's neighbour of a goal on the side of the root."""
    return move(frame.key, goal, -1 if goal > root else 1)


def _led(
    tones: list[Tone], roots: dict[int, int], player: Player, scene: Scene, frame: Frame, following: Chord | None,
    theme: Dice,
) -> list[Tone]:
    """The line with last notes before some chords that lead to their roots; the same change is always led alike."""
    result = list(tones)
    for span in scene.chords:
        goal = _next_chord(scene, span, following)
        own = theme.of(f"lead {span.chord.lowest} {goal.lowest}")
        if goal.lowest == span.chord.lowest or span.start not in roots or not own.chance(player.style.leads):
            continue
        root = roots[span.start]
        target = roots.get(span.end) or _root(goal, root, player)
        pitch = _beside(target, root, frame)
        if target > root and own.chance(_CHROMATIC):
            pitch = target - 1
        passing = move(frame.key, target, -2 if target > root else 2)
        between = passing if abs(passing - root) < abs(target - root) or passing == root else pitch
        result = _leading(result, span, (_inside(between, player), _inside(pitch, player)), player.style.gate)
    return result


def _leading(tones: list[Tone], span: ChordSpan, pitches: tuple[int, int], gate: float) -> list[Tone]:
    """The line with the second of two pitches as the last note over a chord: what begins on its last beat, or else that
    beat of what is held. The first comes before it where that beat has two notes. A chord of less than two beats is
    left alone."""
    passing, pitch = pitches
    if span.end - span.start < 2 * _BEAT:
        return tones
    at = max((n for n, tone in enumerate(tones) if span.start <= tone.start < span.end), default=None)
    if at is None or (tones[at].start == span.start and tones[at].end < span.end - _BEAT):
        return tones
    last, begin = tones[at], span.end - _BEAT
    if last.start >= begin:
        led = [*tones[:at], structs.replace(last, pitch=pitch), *tones[at + 1 :]]
        if at and begin <= tones[at - 1].start < last.start and tones[at - 1].start > span.start:
            led[at - 1] = structs.replace(tones[at - 1], pitch=passing)
        return led
    if last.end <= begin:
        return tones
    before = structs.replace(last, length=max(60, int((begin - last.start) * gate)))
    after = Tone(begin, pitch, int(_BEAT * gate), max(1, int(last.velocity * _SOFTER)))
    return [*tones[:at], before, after, *tones[at + 1 :]]


def _inside(pitch: int, player: Player) -> int:
    return max(player.instrument.low, min(player.instrument.high, pitch))
