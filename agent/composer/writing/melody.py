"""Melodies: a theme of motifs sung over the chords, with one climax, breath, and leaps that turn back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.feel import accent
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.composer.writing.harmony import coloured, singable
from agent.composer.writing.meters import laid
from agent.composer.writing.motifs import Turn, invent, shape
from agent.composer.writing.steps import bars_of, hits
from agent.song.chord import Chord
from agent.theory.pitch import in_scale, move, scale_pitches

_RHYTHMS = ("x---x-x-x-------", "..x-x-x---x-....", "x-----x-x---....")
_REACH = 6
_LEAP = 5
"""Semitones from which a leap must turn back."""
_FEWEST = 7
_CHORUS, _LOUD_VERSE = 0.65, 0.75
"""Energies above which a tune is sung higher: of a chorus, and of the theme that verses sing."""
_HIGHER = 4
"""By how many semitones its range then lies higher."""
_BREATH = 2 * STEP
"""What the last note of a phrase gives up, so that the tune breathes."""
_SPARSE = 0.35
_FURTHEST = 9
"""Semitones between the highest note and those beside it."""
_CROWN, _MODEST = 3, 2
"""How far above its range the highest note of a chorus may lie, and that of a calmer scene, in semitones."""
_EASY = 5
"""Semitones up to which a step to the highest note, or from it, is no effort."""
_WIDE = 7
"""Semitones from which a leap to a chord tone is avoided."""
_SETTLED = 4 * STEP
"""What the last note of a phrase lasts at least, where there is room."""
_LEGATO = 0.8
"""Share of its length from which a part sings its notes out."""
_LOUDER = 6
"""By how much the highest note of a scene is louder."""


def sung(player: Player, scene: Scene, frame: Frame, dice: Dice, above: int = 0) -> list[Tone]:
    """The scene's melody: each phrase opens alike, moves on, and comes home; one note of the scene is its highest.

    Scenes with the same theme sing the same tune, higher where the energy is; each answers in its own way. The
    highest note of a chorus lies above the pitch `above`, if the range and the chords have room there.
    """
    theme = dice.of(f"theme {scene.theme}")
    rhythms = player.style.patterns or tuple(laid(text, (4, 4, 4, 4), frame.beats) for text in _RHYTHMS)
    first = invent(theme.of("first"), rhythms)
    second = invent(theme.of("second"), rhythms)
    turns = shape(theme.of("shape"), first, second)
    own = dice.of(f"scene {scene.index}")
    unit = bars_of(first.rhythm, scene.bar) * scene.bar
    count = -(-(scene.end - scene.start) // unit)
    loud = is_chorus(scene)
    player = _in_register(player, loud=loud)
    reference = (player.low + player.high) // 2
    # a second theme opens higher than the first, so that a chorus lifts even where it is not loud
    lowest, highest = (-3, 0) if scene.theme == "a" else (0, 3)
    opening = previous = reference + theme.of("opening").whole(lowest, highest)
    sung_units: list[list[Tone]] = []
    for number in range(count):
        start = scene.start + number * unit
        turn = _turn(number, count, turns, scene, own)
        if number % len(turns) == 0:
            previous = opening
        line = _realised(turn, start, min(start + unit, scene.end), previous, reference, player, scene, frame)
        if line:
            previous = line[-1].pitch
        sung_units.append(line)
    if count >= 3 and scene.energy >= _SPARSE:
        room, peak = (_CROWN if loud else _MODEST), _peak_of(count)
        places = sorted(range(count), key=lambda unit: (abs(unit - peak), -unit)) if loud else []
        if not any(_raise_one(sung_units, unit, player, scene, frame, room, above) for unit in places):
            _raise_one(sung_units, peak, player, scene, frame, room)
    return _recovered([tone for line in sung_units for tone in line], player, scene, frame)


def is_chorus(scene: Scene) -> bool:
    """Whether the tune is sung in its high register: a loud scene, and of the first theme only a very loud one."""
    return scene.energy > (_CHORUS if scene.theme != "a" else _LOUD_VERSE)


def last_note(player: Player, span: ChordSpan, start: int, end: int, before: Tone) -> Tone:
    """The tune's last note: the root of the last chord, nearest to the tone before."""
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


def _turn(number: int, count: int, turns: Sequence[Turn], scene: Scene, own: Dice) -> Turn:
    """The unit of that number: as the theme has it, thinner where little happens; a last one always comes home."""
    place = number % len(turns)
    turn = turns[place]
    thin = scene.energy < _SPARSE and (place in (1, 3) or (place == 0 and number > 0))
    if number >= len(turns) and place == 1 and scene.again:
        turn = replace(turn, lift=turn.lift + own.pick((-1, 0, 1)))
    if place == len(turns) - 1 and number + 1 < count:
        turn = replace(turn, lift=turn.lift + own.pick((0, 0, -1)))
    return replace(turn, thin=thin, home=turn.home or number == count - 1, asks=turn.asks and number < count - 1)


def _peak_of(count: int) -> int:
    """Which unit of a scene holds its highest note: the third of the last whole phrase, or about two thirds on."""
    return count // 4 * 4 - 2 if count >= 4 else count - 1


def _realised(
    turn: Turn, start: int, end: int, previous: int, reference: int, player: Player, scene: Scene, frame: Frame
) -> list[Tone]:
    rhythm = list(hits(turn.motif.rhythm, start, end, scene.bar))
    if turn.thin:
        rhythm = rhythm[: max(1, (len(rhythm) + 1) // 2)]
    tones: list[Tone] = []
    pitch = previous
    leapt = 0
    for number, (at, length, mark) in enumerate(rhythm):
        chord = scene.chord_at(at).chord
        final = number == len(rhythm) - 1
        before = pitch
        if number == 0:
            wanted = move(frame.key, reference + (previous - reference) // 2, turn.lift)
            pitch = _chord_tone(wanted, chord, player, frame)
        elif final and (turn.home or turn.asks):
            pitch = _last_tone(before, chord, player, frame, rests=turn.home)
        else:
            step = turn.motif.moves[number % len(turn.motif.moves)]
            if abs(leapt) >= _LEAP:
                step = -1 if leapt > 0 else 1
            pitch = coloured(_within(move(frame.key, before, step), player, frame), chord, frame.key)
            if abs(pitch - before) >= _LEAP or _must_fit(at, length, pitch, chord, scene, frame):
                pitch = _chord_tone(pitch, chord, player, frame, before, step)
        leapt = pitch - before
        stop = _until(at, length, pitch, scene)
        if final and (turn.rests or turn.home or end - stop >= _SETTLED):
            stop = _settled(at, stop, end, pitch, player, scene)
        velocity = int(player.velocity(scene.energy) * accent(mark))
        tones.append(Tone(at, pitch, max(60, int((stop - at) * player.style.gate)), velocity))
    return tones


def _must_fit(at: int, length: int, pitch: int, chord: Chord, scene: Scene, frame: Frame) -> bool:
    """Whether a note must be of the chord: on a strong beat, when it is long, and where it would rub against it."""
    if frame.strong((at - scene.start) % scene.bar) or length > STEP * 4:
        return True
    return length >= STEP * 3 and pitch not in chord and pitch - 1 in chord


def _settled(at: int, stop: int, end: int, pitch: int, player: Player, scene: Scene) -> int:
    """Where the last note of a phrase ends: it leaves a breath before the unit's end, and is no mere touch."""
    latest = end - _BREATH
    if stop > latest:
        stop = latest if latest - at >= _BREATH else at + max(STEP, (stop - at) // 2 // STEP * STEP)
    if stop - at < _SETTLED and player.style.gate >= _LEGATO:
        stop = max(stop, min(_until(at, _SETTLED, pitch, scene), latest))
    return stop


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
    ways = [
        (_effort(whole, at + len(before), pitch), -note.length, at, pitch)
        for at, note in enumerate(line)
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


def _recovered(tones: list[Tone], player: Player, scene: Scene, frame: Frame) -> list[Tone]:
    """The line with no leap that goes on in its direction: the note after it turns back, unless the tune has rested."""
    line = list(tones)
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
    return line


def _until(at: int, length: int, pitch: int, scene: Scene) -> int:
    """Where a note ends: at a chord that it does not belong to, at the latest after its length."""
    span = scene.chord_at(at)
    beyond = span.end < at + length and pitch not in scene.chord_at(span.end).chord
    return span.end if beyond else at + length


def _chord_tone(
    near: int, chord: Chord, player: Player, frame: Frame, other_than: int = -1, way: int = 0
) -> int:
    """The chord tone nearest to a pitch, on the way where the motif goes; another than the note before."""
    options = [p for p in range(player.low, player.high + 1) if singable(p, chord, frame.key)]
    moved = [p for p in options if p != other_than and abs(p - near) <= _REACH] or options
    if not moved:
        return _within(near, player, frame)

    def cost(pitch: int) -> int:
        wide = max(0, abs(pitch - other_than) - _WIDE) if other_than >= 0 else 0
        return abs(pitch - near) + (2 if (pitch - other_than) * way < 0 else 0) + 2 * wide

    return min(moved, key=lambda p: (cost(p), p))


def _last_tone(before: int, chord: Chord, player: Player, frame: Frame, *, rests: bool) -> int:
    """The note that ends a unit: at rest on the tonic or a root, or left open on another tone of the chord."""
    options = [
        p for p in range(player.low, player.high + 1) if singable(p, chord, frame.key) and abs(p - before) <= _REACH
    ]
    tonic = frame.key.pitch_class
    if not options:
        return _chord_tone(before, chord, player, frame)

    def cost(pitch: int) -> float:
        at_rest = pitch % 12 == tonic or pitch % 12 == chord.root
        return abs(pitch - before) + (0 if at_rest == rests else 3) + (1 if pitch == before else 0)

    return min(options, key=lambda p: (cost(p), p))


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
