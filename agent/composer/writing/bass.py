"""Bass lines: patterns with riffs over the chords, in step with the kick, that lead into the next chord; or walking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from agent.composer.dice import Dice
from agent.composer.tones import Tone
from agent.composer.understanding.section_kinds import stem_of
from agent.composer.writing.bass_leads import RootChange, beside, led, within
from agent.composer.writing.bass_phrases import phrased_bass
from agent.composer.writing.feel import accent
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.composer.writing.riffs import riff_of, semitones
from agent.composer.writing.steps import locked, places, row_of, tied
from agent.composer.writing.walking_bass import opening, walking_line
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
_ENTRY = 5
"""Semitones above its lowest note around which a bass has the first root of a scene, and of each round of chords."""
_SOFTER = 0.86


class _Hit(Struct, frozen=True):
    """A note of the line before it has a pitch: a mark, and a step of the scale where it has one."""

    start: int
    length: int
    mark: str
    step: int | None


def bass_line(
    player: Player, scene: Scene, frame: Frame, kick: str, dice: Dice, following: Scene | None = None,
    tune: Sequence[Tone] = (),
) -> list[Tone]:
    """The bass of a scene: each chord begins on its root (or slash bass), patterns are aligned with the kick, and the
    end leads to where it enters the scene `following`. It answers the `tune` where that rests.

    `kick` is the kick's step string. Scenes of one theme and energy have the same pattern and riff, moved with the
    chords.
    """
    if _walks(player, scene):
        after = following.chords[0].chord if following is not None else None
        return walking_line(player, scene, frame, after, dice.of(f"walk {stem_of(scene.name)}"))
    # verses and what stands between them share a riff; a chorus has its own
    theme = dice.of("chorus" if scene.theme == _CHORUS else "verse")
    previous = player.low + _ENTRY
    tones: list[Tone] = []
    roots: dict[int, int] = {}
    for hit in sorted(_hits(player, scene, kick, theme), key=lambda hit: hit.start):
        span = scene.chord_of(hit.start, hit.length, ahead=player.style.ahead)
        if (span.start - scene.start) % (_LOOP * scene.bar) == 0:
            # so that each round of the chords lies alike
            previous = player.low + _ENTRY
        if span.start not in roots:
            roots[span.start] = previous = _root(span.chord, previous, player)
        root = roots[span.start]
        target = _target(scene, span, root, player, following)
        end = min(hit.start + hit.length, span.end)
        pitch = root if hit.start == span.start else _pitch(hit, root, span, target, player, frame)
        if hit.mark == "a" and tones and pitch == tones[-1].pitch:
            # a step that would only repeat the note before comes from the other side
            pitch = within(move(frame.key, target, 1 if pitch <= target else -1), player)
        velocity = int(player.velocity(scene.energy) * (accent("R") if hit.mark == "R" else _SOFTER))
        tones.append(Tone(hit.start, pitch, max(60, int((end - hit.start) * player.style.gate)), velocity))
    changes = [
        RootChange(span, roots[span.start], _target(scene, span, roots[span.start], player, following))
        for span in scene.chords if span.start in roots
    ]
    if player.style.leads:
        tones = led(tones, changes, player, scene, frame, theme)
    return phrased_bass(tones, changes, player, scene, frame, tune, theme.of("phrases"))


def entry(player: Player, scene: Scene) -> int:
    """The root (MIDI pitch) on which a bass enters a scene."""
    first = scene.chords[0].chord
    return opening(first, player) if _walks(player, scene) else _root(first, player.low + _ENTRY, player)


def nearest(pitch_class: int, to: int, low: int, high: int) -> int:
    """The pitch of a pitch class between `low` and `high` that is nearest to `to`; the next one above `low` if none
    lies in the range."""
    options = range(low + (pitch_class - low) % 12, high + 1, 12)
    return min(options, key=lambda pitch: (abs(pitch - to), pitch)) if options else low + (pitch_class - low) % 12


def _root(chord: Chord, near: int, player: Player) -> int:
    """The root of a chord (or its slash bass) nearest to a pitch, low enough for what is played over it."""
    return nearest(chord.lowest, near, player.low, max(player.low + 11, min(player.high, player.low + _ROOTS)))


def _hits(player: Player, scene: Scene, kick: str, theme: Dice) -> Iterator[_Hit]:
    """The notes of the scene's pattern, with what its riff is; every second four bars may have another pattern."""
    at = next(at for at, (most, _) in enumerate(_LEVELS) if scene.energy <= most)
    first = list(_played(player, scene, kick, theme, _LEVELS[at][1]))
    if scene.bars <= _LOOP or not theme.of(f"second four {at}").chance(player.style.phrases):
        yield from first
        return
    beside = _LEVELS[at + 1] if at + 1 < len(_LEVELS) else _LEVELS[at - 1]
    second = _played(player, scene, kick, theme, beside[1])
    for number, hits in ((0, first), (1, second)):
        yield from (hit for hit in hits if (hit.start - scene.start) // (_LOOP * scene.bar) % 2 == number)


def _played(player: Player, scene: Scene, kick: str, theme: Dice, level: float) -> Iterator[_Hit]:
    """The notes of the pattern for an energy."""
    pattern = locked(player.style.patterns or _LONG, level, kick, theme.of("pattern"))
    rhythm = tied(pattern, kick) if player.style.with_kick else pattern
    riff = riff_of(rhythm, row_of(rhythm, scene.bar), theme.of(f"riff {pattern}"))
    for start, length, place in places(riff.rhythm, scene.start, scene.end, scene.bar):
        mark, step = riff.rhythm[place], riff.steps[place]
        until = start if player.style.ahead else start + min(length, scene.bar)
        held = [
            span.start for before, span in pairwise(scene.chords)
            if start < span.start < until and span.chord.lowest != before.chord.lowest
        ]
        for begin, end in pairwise((start, *held, start + length)):
            # a note that is held into the next chord is struck anew on its root
            yield _Hit(begin, end - begin, mark if begin == start else "R", step if begin == start else 0)


def _walks(player: Player, scene: Scene) -> bool:
    return player.style.walks and (scene.energy >= _WALKS or not player.style.patterns)


def _target(scene: Scene, span: ChordSpan, root: int, player: Player, following: Scene | None) -> int:
    """The root to which the bass goes on after a chord."""
    if span.end < scene.end:
        near = player.low + _ENTRY if (span.end - scene.start) % (_LOOP * scene.bar) == 0 else root
        return _root(scene.chord_at(span.end).chord, near, player)
    return entry(player, following) if following is not None else root


def _pitch(hit: _Hit, root: int, span: ChordSpan, target: int, player: Player, frame: Frame) -> int:
    """The pitch of a note over a chord; one that leads on while the chord stays is its fifth."""
    top = min(player.instrument.high, player.high + _ABOVE)
    if hit.mark == "8":
        return root + 12 if root + 12 <= top else root
    if hit.mark == "a" and span.end <= hit.start + hit.length:
        return within(beside(target, root, frame), player)
    step = 4 if hit.mark == "a" else hit.step
    if not step:
        return root
    pitch = root + semitones(step, span.chord, frame.key)
    if pitch > top:
        pitch -= 12
    return pitch if pitch >= player.instrument.low else pitch + 12
