"""Walking: a bass with a note on every beat that goes by step from root to root."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.frame import Frame, Player, Scene
from agent.song.chord import Chord
from agent.song.key import Key
from agent.theory.pitch import in_scale

_COSTS = (2.2, 0.3, 0.0, 0.6, 0.7, 1.1, 2.6, 1.5)
"""What an interval costs by its semitones; wider ones cost most, but for the octave."""
_FAR, _OCTAVE_COST = 4.0, 1.8
_FOREIGN, _BACKWARDS = 0.7, 0.5
"""What a strong beat on no tone of the chord costs, and a move against the line."""
_ALIKE = 0.9
"""What it costs to come back to the pitch of two beats before."""
_WANDER = 0.8
"""How much chance weighs beside the costs."""
_REACH = 7
_SKIP, _LIVELY = 0.14, 0.6
"""How often a lively bass plays a short note before a beat, and from which energy."""
_SHORT = 0.45
_BACKBEAT = 1.06
"""By how much the even beats are louder."""


class _Stretch(Struct, frozen=True):
    """Beats over one chord within a bar: where each begins, and where the last ends."""

    chord: Chord
    starts: tuple[int, ...]
    end: int


class _Path(Struct, frozen=True):
    """Pitches so far and what they cost."""

    cost: float
    pitches: tuple[int, ...]


def walking_line(
    player: Player, scene: Scene, frame: Frame, following: Chord | None, dice: Dice
) -> list[Tone]:
    """A walking bass for the scene: a note on every beat, the root (or slash bass) where a chord begins, a step into
    the next chord, and one direction for two bars where the range allows it.

    `following` is the chord after the scene.
    """
    stretches = _stretches(scene, frame)
    tones: list[Tone] = []
    first = opening(stretches[0].chord, player)
    way = 1
    for number, stretch in enumerate(stretches):
        if (stretch.starts[0] - scene.start) // scene.bar % 2 == 0:
            way = _way(first, way, player)
        if number + 1 < len(stretches):
            goal = _goal(first, stretches[number + 1].chord.lowest, way, player)
        else:
            goal = opening(following or stretch.chord, player)
        own = dice.of(f"beat {stretch.starts[0] - scene.start}")
        pitches = _walked(first, goal, stretch, player, frame.key, own)
        tones += _played(pitches, stretch, player, scene, own)
        first = goal
    return tones


def opening(chord: Chord, player: Player) -> int:
    """The root (MIDI pitch) on which a walking bass begins a scene: near the middle of the range."""
    return _nearest(chord.lowest, (player.low + player.high) // 2, player)


def _stretches(scene: Scene, frame: Frame) -> list[_Stretch]:
    """The beats of the scene, cut where a bar or a chord begins."""
    found: list[_Stretch] = []
    for begin in range(scene.start, scene.end, scene.bar):
        starts: list[int] = []
        chord: Chord | None = None
        for beat in frame.beat_ticks:
            at = begin + beat
            span = scene.chord_at(at)
            if starts and chord is not None and (span.chord != chord or span.start == at):
                found.append(_Stretch(chord, tuple(starts), at))
                starts = []
            chord = span.chord
            starts.append(at)
        if chord is not None:
            found.append(_Stretch(chord, tuple(starts), begin + scene.bar))
    return found


def _way(pitch: int, way: int, player: Player) -> int:
    """Whether the next two bars go up (1) or down (-1): on as before, but away from the edges of the range."""
    room = (pitch - player.low, player.high - pitch)
    if min(room) <= _REACH:
        return 1 if room[0] < room[1] else -1
    return way


def _goal(pitch: int, pitch_class: int, way: int, player: Player) -> int:
    """The next root: in the direction of the line, unless that is far or out of the range."""
    options = [one for one in range(player.low, player.high + 1) if one % 12 == pitch_class]
    if not options:
        return _nearest(pitch_class, pitch, player)

    def cost(one: int) -> float:
        far = abs(one - pitch)
        return far + (3 if (one - pitch) * way < 0 else 0) + (2 if not far else 0) + 10 * max(0, far - 8)

    return min(options, key=lambda one: (cost(one), one))


def _walked(first: int, goal: int, stretch: _Stretch, player: Player, key: Key, dice: Dice) -> tuple[int, ...]:
    """The cheapest way from a root to the next in as many notes as there are beats."""
    count = len(stretch.starts)
    paths = [_Path(0.0, (first,))]
    scale = [p for p in range(player.low, player.high + 1) if _passes(p, stretch.chord, key)]
    for number in range(1, count):
        last = number == count - 1
        options = _into(goal, key, player) if last else [p for p in scale if abs(p - first) <= _REACH + 5]
        strong = number % 2 == 0
        grown = []
        for pitch in options:
            own = dice.share() * _WANDER + (_FOREIGN if strong and not last and pitch not in stretch.chord else 0.0)
            own += _move(goal - pitch) if last else 0.0
            best = min(paths, key=lambda path: path.cost + _joined(path, pitch, goal))
            grown.append(_Path(best.cost + _joined(best, pitch, goal) + own, (*best.pitches, pitch)))
        paths = grown or paths
    return min(paths, key=lambda path: path.cost).pitches


def _joined(path: _Path, pitch: int, goal: int) -> float:
    """What it costs to go on to a pitch."""
    before = path.pitches[-1]
    cost = _move(pitch - before)
    if (pitch - before) * (goal - path.pitches[0]) < 0:
        cost += _BACKWARDS
    if pitch in path.pitches[-2:-1] or (len(path.pitches) > 1 and pitch == goal):
        cost += _ALIKE
    return cost


def _move(semitones: int) -> float:
    size = abs(semitones)
    if size < len(_COSTS):
        return _COSTS[size]
    return _OCTAVE_COST if size == 12 else _FAR


def _into(goal: int, key: Key, player: Player) -> list[int]:
    """The notes that step into a root: a semitone away, or the key's own neighbour."""
    near = [goal - 1, goal + 1, *(one for one in (goal - 2, goal + 2) if in_scale(key, one))]
    return [one for one in near if player.low <= one <= player.high] or [goal]


def _passes(pitch: int, chord: Chord, key: Key) -> bool:
    """Whether a line over a chord may take a pitch: a tone of the chord, or one of the key that does not rub with a
    tone of the chord from outside the key."""
    if pitch in chord:
        return True
    strange = [tone for tone in chord.pitch_classes if not in_scale(key, tone)]
    return in_scale(key, pitch) and not any((pitch - tone) % 12 in (1, 11) for tone in strange)


def _played(
    pitches: Sequence[int], stretch: _Stretch, player: Player, scene: Scene, dice: Dice
) -> list[Tone]:
    """The pitches on their beats, now and then with a short note before one."""
    tones: list[Tone] = []
    for number, (start, pitch) in enumerate(zip(stretch.starts, pitches, strict=False)):
        end = stretch.starts[number + 1] if number + 1 < len(stretch.starts) else stretch.end
        level = player.velocity(scene.energy) * (_BACKBEAT if number % 2 else 1.0)
        length = max(60, int((end - start) * player.style.gate))
        if scene.energy >= _LIVELY and end - start == 4 * STEP and dice.chance(_SKIP):
            length = max(60, int(2 * STEP * player.style.gate))
            tones.append(Tone(start + 2 * STEP, pitch, int(2 * STEP * _SHORT), max(1, int(level * 0.72))))
        tones.append(Tone(start, pitch, length, min(127, max(1, int(level)))))
    return sorted(tones)


def _nearest(pitch_class: int, to: int, player: Player) -> int:
    options = [one for one in range(player.low, player.high + 1) if one % 12 == pitch_class]
    return min(options, key=lambda one: (abs(one - to), one)) if options else player.low
