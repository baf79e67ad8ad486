"""Part-writing: chords for soprano, alto, tenor and bass, led as the textbooks want, with passing notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from agent.composer.dice import Dice
from agent.composer.styles import Voice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.composer.writing.harmony import coloured
from agent.song.chord import Chord
from agent.song.key import Key
from agent.theory.pitch import move

VOICES: tuple[Voice, ...] = ("soprano", "alto", "tenor", "bass")
_RANGES: dict[Voice, tuple[int, int]] = {"soprano": (60, 79), "alto": (55, 74), "tenor": (48, 67), "bass": (40, 62)}
_APART = 12
"""Semitones between soprano and alto, and alto and tenor, at most."""
_BEAM = 10
"""Ways of leading the voices that are followed at once."""
_PHRASE = 2
"""Bars of a phrase, which ends on a held chord."""
_PASSING = 0.45
"""How often a voice that leaps a third fills it."""
_BREATH = STEP
_PERFECT = (0, 7)
_NEVER = 40.0
Chorus = tuple[int, int, int, int]
"""Pitches of the four voices, the highest first."""
Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Way:
    """Voicings of the first chords, and what they cost."""

    cost: float
    voicings: tuple[Chorus, ...]


def in_four_parts(players: Sequence[Player], scene: Scene, frame: Frame, dice: Dice) -> dict[str, list[Tone]]:
    """What each player with a voice sings in a scene, by name; scenes of one theme are sung alike.

    All tones belong to the chords but passing ones. No two voices move in parallel fifths or octaves where there is
    another way, none cross, the leading note rises, and a phrase of two bars ends with a breath.
    """
    singers = {player.style.voice: player for player in players if player.style.voice is not None}
    ranges: Ranges = tuple(
        (singers[voice].low, singers[voice].high) if voice in singers else _RANGES[voice] for voice in VOICES
    )
    events = _events(scene)
    chance = dice.of(f"theme {scene.theme}")
    led = _led(events, ranges, scene, frame, chance)
    lines: dict[str, list[Tone]] = {player.style.name: [] for player in singers.values()}
    for number, (event, chorus) in enumerate(zip(events, led, strict=True)):
        following = led[number + 1] if number + 1 < len(led) else None
        passing = _passing(event, chorus, following, frame, chance)
        ends = (event.end - scene.start) % (_PHRASE * scene.bar) == 0
        stop = event.end - (_BREATH if ends and event.end < scene.end else 0)
        for at, voice in enumerate(VOICES):
            player = singers.get(voice)
            if player is None:
                continue
            velocity = int(player.velocity(scene.energy))
            middle = passing[1] if passing is not None and passing[0] == at else None
            half = (event.end - event.start) // 2
            if middle is not None:
                lines[player.style.name] += [
                    Tone(event.start, chorus[at], half, velocity), Tone(event.start + half, middle, half, velocity - 6),
                ]
            else:
                lines[player.style.name].append(Tone(event.start, chorus[at], stop - event.start, velocity))
    return lines


def _events(scene: Scene) -> list[ChordSpan]:
    """The chords of a scene, equal neighbours within a bar as one that is held."""
    events: list[ChordSpan] = []
    for span in (one for one in scene.chords if not one.silent):
        last = events[-1] if events else None
        if last is not None and last.chord == span.chord and span.end - last.start <= scene.bar:
            events[-1] = ChordSpan(last.start, span.end, span.chord)
        else:
            events.append(span)
    return events


def _led(
    events: Sequence[ChordSpan], ranges: Ranges, scene: Scene, frame: Frame, dice: Dice
) -> tuple[Chorus, ...]:
    """The best way through the chords."""
    ways = [_Way(0.0, ())]
    length = _PHRASE * scene.bar
    low, high = ranges[0]
    heights = [dice.between(0.45, 0.75) for _ in range(-(-(scene.end - scene.start) // length))]
    for number, event in enumerate(events):
        phrase, within = divmod(event.start - scene.start, length)
        share = within / length
        goal = low + (high - low) * (0.4 + (heights[phrase] - 0.3) * 4 * share * (1 - share))
        last = number == len(events) - 1
        options = []
        for chorus, own in _voicings(event.chord, ranges, frame.key):
            cost = own + 0.35 * abs(chorus[0] - goal) + 1.2 * dice.share()
            if last and chorus[0] % 12 != frame.key.pitch_class:
                cost += 6.0
            options.append((cost, chorus))
        grown = [
            _Way(way.cost + cost + (_step(way.voicings[-1], chorus, frame.key) if way.voicings else 0.0),
                 (*way.voicings, chorus))
            for way in ways for cost, chorus in options
        ]
        ways = sorted(grown, key=lambda way: (way.cost, way.voicings[-1]))[:_BEAM]
    return ways[0].voicings


@lru_cache(maxsize=512)
def _voicings(chord: Chord, ranges: Ranges, key: Key) -> tuple[tuple[Chorus, float], ...]:
    """Every way to lie of a chord in the four ranges, with what is wrong with it."""
    found = [(chorus, _fault(chorus, chord, key)) for chorus in _placed(chord, ranges)]
    best = sorted(found, key=lambda pair: (pair[1], pair[0]))
    return tuple(best[:90])


def _placed(chord: Chord, ranges: Ranges) -> Iterator[Chorus]:
    tones = [[p for p in range(low, high + 1) if p in chord] for low, high in ranges]
    basses = [p for p in range(ranges[3][0], ranges[3][1] + 1) if p % 12 == chord.lowest % 12]
    for bass in basses:
        for tenor in (p for p in tones[2] if p >= bass):
            for alto in (p for p in tones[1] if tenor <= p <= tenor + _APART):
                for soprano in (p for p in tones[0] if alto <= p <= alto + _APART):
                    yield soprano, alto, tenor, bass


def _fault(chorus: Chorus, chord: Chord, key: Key) -> float:
    classes = [pitch % 12 for pitch in chorus]
    wanted = chord.pitch_classes
    cost = 12.0 * sum(tone not in classes for at, tone in enumerate(wanted) if at != 2)
    cost += 3.0 * (len(wanted) > 2 and wanted[2] not in classes)
    leading = (key.pitch_class + 11) % 12
    cost += 14.0 * (classes.count(leading) > 1)
    cost += 10.0 * (len(wanted) > 3 and classes.count(wanted[3]) > 1)
    cost += 2.5 * (len(wanted) > 1 and classes.count(wanted[1]) > 1)
    unisons = sum(a == b for a, b in pairwise(chorus))
    return cost + 2.0 * unisons + 0.4 * max(0, chorus[2] - chorus[3] - 12)


def _step(before: Chorus, after: Chorus, key: Key) -> float:
    """What it costs to go from one voicing to the next."""
    cost = 0.0
    for upper, lower in combinations(range(4), 2):
        moved = before[upper] != after[upper] and before[lower] != after[lower]
        was, now = (before[upper] - before[lower]) % 12, (after[upper] - after[lower]) % 12
        if moved and now in _PERFECT and was == now:
            cost += _NEVER
        same = (after[upper] - before[upper]) * (after[lower] - before[lower]) > 0
        if same and (upper, lower) == (0, 3) and now in _PERFECT and abs(after[0] - before[0]) > 2:
            cost += 5.0
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        gone = abs(new - old)
        easy = 12 if at == 3 else 2
        cost += (0.15 if at == 3 else 0.5 if at else 0.35) * gone + 1.5 * max(0, gone - easy - 3)
        cost += 6.0 * (gone == 6) + (1.5 if gone == 0 and at == 0 else 0.0)
        neighbours = [before[i] for i in (at - 1, at + 1) if 0 <= i < 4]
        cost += 6.0 * any((new > other) == (i == 0) and new != other
                          for i, other in enumerate(neighbours) if at and len(neighbours) == 2)
        if old % 12 == (key.pitch_class + 11) % 12 and key.pitch_class in {pitch % 12 for pitch in after}:
            cost += 0.0 if new - old == 1 else 8.0 if at in (0, 3) else 2.5
    return cost


def _passing(
    event: ChordSpan, chorus: Chorus, following: Chorus | None, frame: Frame, dice: Dice
) -> tuple[int, int] | None:
    """A voice that fills the third which it leaps, and the note between; None where none does."""
    if following is None or event.end - event.start != 4 * STEP or not dice.chance(_PASSING):
        return None
    leaping = [at for at in range(4) if abs(following[at] - chorus[at]) in (3, 4)]
    for at in leaping:
        way = 1 if following[at] > chorus[at] else -1
        middle = coloured(move(frame.key, chorus[at], way), event.chord, frame.key)
        between = min(chorus[at], following[at]) < middle < max(chorus[at], following[at])
        clean = not any(
            (middle - chorus[i]) % 12 in _PERFECT and (middle - chorus[i]) % 12 == (following[at] - following[i]) % 12
            and chorus[i] != following[i]
            for i in range(4) if i != at
        )
        if between and clean:
            return at, middle
    return None
