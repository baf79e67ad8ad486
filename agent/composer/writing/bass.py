"""Bass lines: tied to the chords by step strings, with steps towards the next root."""

from __future__ import annotations

from agent.composer.dice import Dice
from agent.composer.tones import Tone
from agent.composer.writing.feel import accent
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.steps import hits, locked
from agent.song.chord import Chord
from agent.theory.pitch import move

_LONG = ("R---------------",)
_ABOVE = 7
"""How far above its range an octave may reach, in semitones."""


def bass_line(player: Player, scene: Scene, frame: Frame, kick: str, dice: Dice) -> list[Tone]:
    """The scene's bass, in step with the kick; each chord begins on its root (or its slash bass)."""
    pattern = locked(player.style.patterns or _LONG, scene.energy, kick, dice)
    previous = player.low + 5
    tones: list[Tone] = []
    for start, length, mark in hits(pattern, scene.start, scene.end, scene.bar):
        span = scene.chord_at(start)
        root = nearest(span.chord.lowest, previous, player.low, player.high)
        pitch = _pitch(mark, root, span.chord, scene.chord_at(min(span.end, scene.end - 1)).chord, player, frame)
        if mark == "a" and span.end > start + length:
            # the chord stays: a step towards the next root would come too early
            pitch = _pitch("5", root, span.chord, span.chord, player, frame)
        if mark == "a" and tones and pitch == tones[-1].pitch:
            # a step that would only repeat the note before comes from the other side
            goal = nearest(scene.chord_at(min(span.end, scene.end - 1)).chord.lowest, root, player.low, player.high)
            pitch = _inside(move(frame.key, goal, 1 if pitch <= goal else -1), player)
        if start == span.start or mark == "R":
            pitch, previous = root, root
        end = min(start + length, span.end)
        velocity = int(player.velocity(scene.energy) * (accent("R") if mark == "R" else 0.86))
        tones.append(Tone(start, pitch, max(60, int((end - start) * player.style.gate)), velocity))
    return tones


def nearest(pitch_class: int, to: int, low: int, high: int) -> int:
    """The pitch of a class in `low`-`high` nearest to `to`; `low` upwards where none fits."""
    options = [pitch for pitch in range(low, high + 1) if pitch % 12 == pitch_class]
    return min(options, key=lambda pitch: (abs(pitch - to), pitch)) if options else low + (pitch_class - low) % 12


def _pitch(mark: str, root: int, chord: Chord, following: Chord, player: Player, frame: Frame) -> int:
    if mark == "8":
        return root + 12 if root + 12 <= min(player.instrument.high, player.high + _ABOVE) else root
    if mark == "a":
        target = nearest(following.lowest, root, player.low, player.high)
        return _inside(move(frame.key, target, -1 if target > root else 1), player)
    steps = {"3": 1, "5": 2, "7": 3}
    if mark in steps:
        classes = chord.pitch_classes
        wanted = classes[min(steps[mark], len(classes) - 1)]
        above = root + (wanted - root) % 12
        return above if above <= player.high else above - 12 if above - 12 >= player.instrument.low else root
    return root


def _inside(pitch: int, player: Player) -> int:
    return max(player.instrument.low, min(player.instrument.high, pitch))
