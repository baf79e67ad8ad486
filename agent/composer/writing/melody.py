"""Melodies: a theme sung over the chords of a scene, with one climax and leaps that turn back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from statistics import fmean

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.styles import TuneStyle
from agent.composer.tones import STEP, Tone
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.composer.writing.harmony import coloured, singable
from agent.composer.writing.meters import laid
from agent.composer.writing.motifs import TuneTheme, theme_of
from agent.composer.writing.ornaments import ornamented
from agent.composer.writing.singing import Memory, Remembered, Singer
from agent.theory.pitch import in_scale, move, scale_pitches

_RHYTHMS = ("x---x-x-x-------", "..x-x-x---x-....", "x-----x-x---....")
_LEAP = 5
"""Semitones from which a leap must turn back."""
_FEWEST = 7
_CHORUS, _LOUD_VERSE = 0.65, 0.75
"""Energies above which a tune is sung higher: of a chorus, and of the theme that verses sing."""
_HIGHER = 4
"""By how many semitones its range then lies higher."""
_LIFTED = 2
"""By how many semitones more a loud tune opens above the middle of its range."""
_LIFTS = (0, 2, 4)
"""By how many semitones more where it would lie below the middle all the same."""
_BREATH = 2 * STEP
"""Ticks without a sound after which the tune has rested."""
_SPARSE = 0.35
_FURTHEST = 9
"""Semitones between the highest note and those beside it."""
_CROWN = 4
"""How far above its range the highest note of a scene may lie, in semitones."""
_EASY = 5
"""Semitones up to which a step to the highest note, or from it, is no effort."""
_SHARED = 4
"""What it costs to make a note of a turn's first bar the highest."""
_SOLO, _MOST = 1.25, 12.0
"""How many notes a solo has for one of the tune, and how many a bar has at most."""
_LOUDER = 6
"""By how much the highest note of a scene is louder."""


def sung(
    player: Player, scene: Scene, frame: Frame, dice: Dice, above: int = 0, memory: Memory | None = None
) -> list[Tone]:
    """The melody of a scene: hooks that return note for note, answers, one highest note, and an end on the tonic.

    Scenes with the same `tune` and chords have the same melody, higher at high energy. The highest note of a chorus
    lies above the pitch `above` if there is room. Turns in `memory` return as they were, and new ones are added to it.
    """
    loud = is_chorus(scene)
    known = (memory if memory is not None else {}).setdefault((scene.tune, loud, frame.key), Remembered())
    returning = known.again(player, scene, above)
    if returning is not None:
        return returning
    own = dice.of(f"theme {scene.tune}")
    rhythms = player.style.patterns or tuple(laid(text, (4, 4, 4, 4), frame.beats) for text in _RHYTHMS)
    theme = theme_of(
        own, rhythms, scene.bar, _manners(scene, frame), hooked=scene.theme != "a", leans=frame.cadences.leans
    )
    player = _in_register(player, loud=loud)
    # a second theme opens higher than the first, so that a chorus lifts even where it is not loud
    lowest, highest = (-1, 2) if scene.theme == "a" else (0, 3)
    opening = (player.low + player.high) // 2 + own.of("opening").whole(lowest, highest) + _LIFTED * loud
    singer = _singer(theme, opening, player, scene, frame, known, loud=loud)
    lines = singer.lines()
    if len(lines) >= 2 and scene.energy >= _SPARSE:
        room, places = min(_CROWN, max(0, player.style.span - _FEWEST)), _places(singer, len(lines))
        if not (loud and any(_raise_one(lines, unit, player, scene, frame, room, above) for unit in places)):
            _ = any(_raise_one(lines, unit, player, scene, frame, room) for unit in places)
    lines = _recovered(lines, player, scene, frame)
    top = max((tone.pitch for line in lines for tone in line), default=0)
    ornaments = own.of("ornaments")
    tones = [
        tone for number, line in enumerate(lines)
        for tone in ornamented(line, singer.start_of(number), scene, frame, ornaments, top)
    ]
    known.keep(scene, above, tones)
    return tones


def _manners(scene: Scene, frame: Frame) -> TuneStyle:
    """How the tune of a scene goes: a soloist plays more notes than the tune has."""
    tune = frame.tune
    return structs.replace(tune, notes=min(_MOST, tune.notes * _SOLO)) if scene.sings and tune.notes else tune


def _singer(
    theme: TuneTheme, opening: int, player: Player, scene: Scene, frame: Frame, known: Remembered, *, loud: bool
) -> Singer:
    """Who sings the scene from near the pitch `opening`, or as before; a loud tune that would sink opens higher."""
    if known.opening is None:
        known.opening = opening + _lift(theme, opening, player, scene, frame) * loud
    return Singer(theme, known.opening, player, scene, frame, known.turns)


def _lift(theme: TuneTheme, opening: int, player: Player, scene: Scene, frame: Frame) -> int:
    """By how many semitones higher a tune opens that would sink below the middle of its range."""
    middle = (player.low + player.high) / 2
    heights: dict[int, float] = {}
    for lift in _LIFTS:
        tried = Singer(theme, opening + lift, player, scene, frame, {}).lines()
        heights[lift] = fmean([tone.pitch for line in tried for tone in line] or [middle])
        if heights[lift] >= middle:
            break
    return max(heights, key=lambda one: heights[one])


def is_chorus(scene: Scene) -> bool:
    """Whether the melody of a scene lies in its high register: in scenes of high energy; over the first theme (a) only
    at very high energy."""
    return scene.energy > (_CHORUS if scene.theme != "a" else _LOUD_VERSE)


def last_note(player: Player, span: ChordSpan, start: int, end: int, before: Tone) -> Tone:
    """The melody's last note from `start` to `end` (ticks): the root of the chord of `span` nearest to the tone
    before."""
    roots = [pitch for pitch in range(player.low, player.high + 1) if pitch % 12 == span.chord.root]
    pitch = min(roots, key=lambda p: (abs(p - before.pitch), p)) if roots else before.pitch
    return Tone(start, pitch, end - start, max(1, int(player.velocity(0.3))))


def _in_register(player: Player, *, loud: bool) -> Player:
    """The singer within the upper part of the range in a chorus, within the lower part elsewhere.

    Above either there is room for one highest note.
    """
    part = player.style
    span = max(_FEWEST, part.span - _HIGHER)
    centre = part.centre + (_HIGHER // 2 if loud else -_HIGHER // 2)
    centre = min(centre, player.instrument.high - _CROWN - (span + 1) // 2)
    return Player(structs.replace(part, centre=centre, span=span), player.instrument)


def _places(singer: Singer, count: int) -> list[int]:
    """The units of a scene that may hold its highest note, the best first.

    That is the third of the last whole phrase, or about two thirds on; rather one beside it that is sung only once, so
    that what returns returns as it was, and never the first.
    """
    peak = count // 4 * 4 - 2 if count >= 4 else count - 1
    names = [singer.turn(number).name for number in range(count)]
    return sorted(range(1, count), key=lambda unit: (abs(unit - peak) + 2 * (names.count(names[unit]) > 1), -unit))


def _raise_one(
    lines: list[list[Tone]], peak: int, player: Player, scene: Scene, frame: Frame, crown: int, above: int = 0
) -> bool:
    """Make one note of the unit `peak` the highest of the scene, and higher than `above`; whether that was possible.

    It lies at most `crown` semitones above the range, on a chord tone that the notes around it reach.
    """
    if not lines[peak] or not any(line for line in lines if line is not lines[peak]):
        return False
    top = max(above, *(tone.pitch for number, line in enumerate(lines) if number != peak for tone in line))
    line = lines[peak]
    before = next((other[-1:] for other in reversed(lines[:peak]) if other), [])
    after = next((other[:1] for other in lines[peak + 1 :] if other), [])
    whole = [*before, *line, *after]
    room = range(top + 1, min(player.instrument.high, player.high + crown) + 1)
    # the first bar of two is the one that other turns share
    first = line[0].start - (line[0].start - scene.start) % (2 * scene.bar) + scene.bar
    ways = [
        (_effort(whole, at + len(before), pitch) + _SHARED * (note.start < first), -note.length, at, pitch)
        for at, note in enumerate(line if peak < len(lines) - 1 else line[:-1])
        for pitch in room
        if _may_crown(pitch, note, scene, frame) and _reached(whole, at + len(before), pitch)
    ]
    if not ways:
        return False
    _, _, at, pitch = min(ways)
    louder = min(127, line[at].velocity + _LOUDER)
    lines[peak] = [*line[:at], structs.replace(line[at], pitch=pitch, velocity=louder), *line[at + 1 :]]
    return True


def _effort(line: Sequence[Tone], at: int, pitch: int) -> int:
    """How hard a highest note is to sing: how far it strays from the line, and leaps to it and from it."""
    leaps = [pitch - line[i].pitch for i in (at - 1, at + 1) if 0 <= i < len(line)]
    spike = line[at].length <= _BREATH and all(leap > _EASY for leap in leaps)
    return pitch - line[at].pitch + 2 * sum(max(0, leap - _EASY) for leap in leaps) + 6 * spike


def _may_crown(pitch: int, note: Tone, scene: Scene, frame: Frame) -> bool:
    """Whether the highest note may be that pitch: a tone of the chord, or one of the key that passes."""
    chord = scene.chord_at(note.start).chord
    weak = note.length <= _BREATH or not frame.strong((note.start - scene.start) % scene.bar)
    passes = weak and note.length <= STEP * 4 and in_scale(frame.key, pitch) and pitch - 1 not in chord
    return singable(pitch, chord, frame.key) or passes


def _reached(line: Sequence[Tone], at: int, pitch: int) -> bool:
    """Whether the notes around a place of a line are near enough to a pitch there, and below it."""
    around = [line[i].pitch for i in (at - 1, at + 1) if 0 <= i < len(line)]
    return all(0 < pitch - other <= _FURTHEST for other in around) and all(tone.pitch < pitch for tone in line)


def _recovered(lines: Sequence[Sequence[Tone]], player: Player, scene: Scene, frame: Frame) -> list[list[Tone]]:
    """The lines with no leap that goes on in its direction: the note after it turns back, or the tune has rested."""
    line = [tone for one in lines for tone in one]
    for at in range(2, len(line)):
        before, leapt, here = line[at - 2], line[at - 1], line[at]
        first, second = leapt.pitch - before.pitch, here.pitch - leapt.pitch
        rested = leapt.start - before.end >= _BREATH or here.start - leapt.end >= _BREATH
        if rested or abs(first) < _LEAP or first * second <= 0 or abs(second) <= 2:
            continue
        way = -1 if first > 0 else 1
        chord = scene.chord_at(here.start).chord
        back = coloured(move(frame.key, leapt.pitch, way), chord, frame.key)
        if here.length >= STEP * 2 and back not in chord:
            options = [p for p in range(player.low, player.high + 1) if p in chord and 0 < (p - leapt.pitch) * way <= 5]
            back = min(options, key=lambda p: abs(p - back), default=back)
        line[at] = structs.replace(here, pitch=_within(back, player, frame) if back not in chord else back)
    rest = iter(line)
    return [list(islice(rest, len(one))) for one in lines]


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
