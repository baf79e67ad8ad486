"""Inventions: two voices that take a subject from each other, over chords that change from bar to bar."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.harmony import coloured
from agent.song.chord import Chord
from agent.song.key import Key
from agent.theory.pitch import intervals, move

_BEAT = 4 * STEP
_TRIAD = (0, 2, 4)
"""Scale steps above a root that are of its chord, in any octave."""
_SWEET = (2, 5)
"""Scale steps between two voices that are a third or a sixth, whichever is above."""
_HARSH = (1, 6)
Cell = tuple[tuple[int, int], ...]
"""A beat as pairs: sixteenth within it, and scale steps from its first note."""
_RUNNING: dict[int, tuple[Cell, ...]] = {
    0: (((0, 0), (1, -1), (2, 0), (3, 1)), ((0, 0), (1, 1), (2, 2), (3, 1)), ((0, 0), (1, -1), (2, -2), (3, -1))),
    2: (((0, 0), (1, -1), (2, 0), (3, 1)), ((0, 0), (1, 2), (2, 1), (3, 3))),
    -2: (((0, 0), (1, 1), (2, 0), (3, -1)), ((0, 0), (1, -2), (2, -1), (3, -3))),
    3: (((0, 0), (2, 1), (3, 2)),),
    -3: (((0, 0), (2, -1), (3, -2)),),
    4: (((0, 0), (1, 1), (2, 2), (3, 3)),),
    -4: (((0, 0), (1, -1), (2, -2), (3, -3)),),
}
_WALKING: dict[int, tuple[Cell, ...]] = {
    0: (((0, 0), (2, -1)), ((0, 0),)),
    2: (((0, 0), (2, 1)),), -2: (((0, 0), (2, -1)),),
    3: (((0, 0), (2, 4)), ((0, 0),)), -3: (((0, 0), (2, -1), (3, -2)), ((0, 0),)),
    4: (((0, 0), (2, 2)), ((0, 0), (2, 7))), -4: (((0, 0), (2, -2)),),
}
"""Beats in sixteenths and in eighths, by how many steps the beat after them lies higher."""
Line = tuple[tuple[int, int, int], ...]
"""The notes of a bar: sixteenth, length in sixteenths, and scale steps above the chord's root."""


class _Subject(Struct, frozen=True):
    """A subject of one bar and what goes against it, which is sweet above it and below."""

    theme: Line
    against: Line

    @property
    def mirrored(self) -> _Subject:
        """The same with every step the other way, on the tones of the same chord."""
        def turned(line: Line) -> Line:
            return tuple((at, length, 4 - step) for at, length, step in line)

        return _Subject(turned(self.theme), turned(self.against))


def in_two_voices(
    upper: Player, lower: Player, scene: Scene, frame: Frame, dice: Dice
) -> tuple[list[Tone], list[Tone]]:
    """The tones (of `upper`, of `lower`) of an invention in a scene: the voices alternate with the subject bar by bar,
    and the last bar is a cadence.

    The piece opens with the subject alone. In the second theme the lower voice begins; in all but the first theme the
    subject is inverted. Two empty lists if the bar's beats are not quarters.
    """
    if any(beat != 4 for beat in frame.beats):
        return [], []
    subject = _subject(dice.of("subject"), len(frame.beats))
    subject = subject if scene.theme == "a" else subject.mirrored
    first = 0 if scene.theme != "b" else 1
    opens = scene.index == 0 or (scene.repeats and scene.index == 1)
    lines: tuple[list[Tone], list[Tone]] = ([], [])
    for bar in range(scene.bars):
        start = scene.start + bar * scene.bar
        chord = scene.chord_at(start).chord
        leader = (bar + first) % 2
        for at, player in enumerate((upper, lower)):
            if bar == scene.bars - 1:
                lines[at].extend(_close(player, scene, start, chord, deep=at == 1))
                continue
            if not bar and at != leader and opens:
                continue
            line = subject.theme if at == leader else subject.against
            lines[at].extend(_sounding(line, player, scene, frame, start, loud=at == leader))
    return lines


def _subject(dice: Dice, beats: int) -> _Subject:
    """A subject whose beats are tones of a chord: it runs in sixteenths, then walks in eighths."""
    tops = [dice.pick((0, 2, 4, 7))]
    for _ in range(beats):
        near = [step for step in range(-3, 10) if step % 7 in _TRIAD and abs(step - tops[-1]) in (2, 3, 4)]
        tops.append(dice.pick(near if dice.chance(0.85) else [tops[-1]]))
    theme: list[tuple[int, int]] = []
    for beat in range(beats):
        kinds = _RUNNING if beat < (beats + 1) // 2 or dice.chance(0.25) else _WALKING
        cell = dice.pick(kinds[tops[beat + 1] - tops[beat]])
        theme += [(4 * beat + at, tops[beat] + step) for at, step in cell]
    if dice.chance(0.5):
        # it begins after a breath, as if it had been going on
        theme = theme[1:]
    return _Subject(_lasting(theme, 4 * beats), _lasting(_against(theme, tops), 4 * beats))


def _against(theme: Sequence[tuple[int, int]], tops: Sequence[int]) -> list[tuple[int, int]]:
    """Chord tones a third or a sixth from the subject's beats, joined by eighths that do not rub against it."""
    chosen: list[int] = []
    for top in tops[:-1]:
        fits = [step for step in range(-3, 8) if step % 7 in _TRIAD and (step - top) % 7 in _SWEET]
        before = chosen[-1] if chosen else 2
        # rather against the subject than along with it
        along = (top - tops[len(chosen) - 1]) if chosen else 0
        chosen.append(min((abs(step - before) + 3 * ((step - before) * along > 0), step) for step in fits)[1])
    notes: list[tuple[int, int]] = []
    for beat, step in enumerate(chosen):
        if not notes or notes[-1][1] != step:
            notes.append((4 * beat, step))
        goal = chosen[beat + 1] if beat + 1 < len(chosen) else step
        heard = [own for at, own in theme if at <= 4 * beat + 2][-1:] or [tops[beat]]
        ways = (1,) if goal > step else (-1,) if goal < step else (-1, 1)
        between = [step + way for way in ways if (step + way - heard[0]) % 7 not in (*_HARSH, 0) and step + way != goal]
        notes += [(4 * beat + 2, one) for one in between[:1]]
    return notes


def _lasting(notes: Sequence[tuple[int, int]], end: int) -> Line:
    ends = [*(at for at, _ in notes[1:]), end]
    return tuple((at, stop - at, step) for (at, step), stop in zip(notes, ends, strict=True))


def _sounding(line: Line, player: Player, scene: Scene, frame: Frame, start: int, *, loud: bool) -> list[Tone]:
    """A line of one bar on the chords that sound in it, in the octave that lies best for the player."""
    velocity = player.velocity(scene.energy) * (1.0 if loud else 0.88)
    chord = scene.chord_at(start).chord
    middle = sum(step for *_, step in line) / len(line) * 12 / 7
    root = min(
        (pitch for pitch in range(player.low - 12, player.high + 13) if pitch % 12 == chord.root),
        key=lambda pitch: (abs(pitch + middle - player.style.centre), pitch),
    )
    tones = []
    for number, (at, length, step) in enumerate(line):
        begin = start + at * STEP
        rising = number + 1 < len(line) and line[number + 1][2] > step
        pitch = _pitch(root, step, scene.chord_at(begin).chord, frame.key, rising=rising)
        pitch += 12 * (pitch < player.instrument.low) - 12 * (pitch > player.instrument.high)
        accented = 1.0 if at % 4 == 0 else 0.92
        tones.append(Tone(begin, pitch, int(length * STEP * player.style.gate), int(velocity * accented)))
    return tones


def _pitch(root: int, step: int, chord: Chord, key: Key, *, rising: bool) -> int:
    """So many steps of the key above a root, with the leading note of a minor key where the chord has it."""
    pitch = coloured(move(key, root, step), chord, key)
    leading = (key.pitch_class + 11) % 12
    raised = intervals(key.mode)[2] == 3 and leading in chord.pitch_classes
    return pitch + 1 if raised and rising and (pitch - key.pitch_class) % 12 == 8 and pitch not in chord else pitch


def _close(player: Player, scene: Scene, start: int, chord: Chord, *, deep: bool) -> list[Tone]:
    """The last bar: a long root over root and octave below, or half a bar of it where the piece goes on."""
    velocity = int(player.velocity(scene.energy) * 0.95)
    classes = chord.pitch_classes
    wanted = classes[0] if deep or scene.closing else classes[1]
    near = [p for p in range(player.low, player.high + 1) if p % 12 == wanted]
    pitch = min(near, key=lambda p: (abs(p - player.style.centre), p))
    length = scene.bar if scene.closing else (scene.bar // _BEAT + 1) // 2 * _BEAT
    tones = [Tone(start, pitch, int(length * 0.95), velocity)]
    if not scene.closing and deep:
        fifth = max((p for p in range(player.low, pitch) if p % 12 == classes[2]), default=pitch)
        tones.append(Tone(start + length, fifth, int((scene.bar - length) * 0.9), velocity - 6))
    if scene.closing and not deep:
        third = next((p for p in range(pitch - 1, player.low - 1, -1) if p % 12 == classes[1]), None)
        tones += [Tone(start, third, int(length * 0.95), velocity - 6)] if third is not None else []
    return tones
