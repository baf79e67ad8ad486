"""Part-writing: chords for soprano, alto, tenor and bass, led as the textbooks want, with passing notes."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from msgspec import Struct

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
_PAIRS = tuple(combinations(range(4), 2))
_INNER = (1, 2)
_NEVER = 40.0
Chorus = tuple[int, int, int, int]
"""Pitches of the four voices, the highest first."""
Ranges = tuple[tuple[int, int], ...]


class _Way(Struct, frozen=True):
    """Voicings of the first chords, and what they cost."""

    cost: float
    voicings: tuple[Chorus, ...]


def in_four_parts(players: Sequence[Player], scene: Scene, frame: Frame, dice: Dice) -> dict[str, list[Tone]]:
    """The tones of each player with a voice in a scene, by part name; scenes of one theme are alike.

    All tones are chord tones except passing notes. Parallel fifths and octaves are avoided where possible, voices do
    not cross, the leading note rises, and a phrase of two bars ends with a rest.
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
        ways = _grown(ways, options, frame.key.pitch_class)
    return ways[0].voicings


def _grown(ways: Sequence[_Way], options: Sequence[tuple[float, Chorus]], tonic: int) -> list[_Way]:
    """The cheapest ways with one chord more. A step costs nothing at least, so those are not looked at that cost more
    without theirs than the last of the best with it."""
    begun = sorted(
        (way.cost + cost, number * len(options) + at)
        for number, way in enumerate(ways) for at, (cost, _) in enumerate(options)
    )
    best: list[tuple[float, Chorus, int]] = []
    for base, place in begun:
        if len(best) == _BEAM and base > best[-1][0]:
            break
        way, chorus = ways[place // len(options)], options[place % len(options)][1]
        insort(best, (base + (_step(way.voicings[-1], chorus, tonic) if way.voicings else 0.0), chorus, place))
        del best[_BEAM:]
    return [_Way(cost, (*ways[place // len(options)].voicings, chorus)) for cost, chorus, place in best]


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


def _step(before: Chorus, after: Chorus, tonic: int) -> float:
    """What it costs to go from one voicing to the next, in a key of that tonic; never less than nothing."""
    cost = 0.0
    moves = [new - old for old, new in zip(before, after, strict=True)]
    for upper, lower in _PAIRS:
        alike = moves[upper] and moves[lower] and not (moves[upper] - moves[lower]) % 12
        if alike and (after[upper] - after[lower]) % 12 in _PERFECT:
            cost += _NEVER
    if moves[0] * moves[3] > 0 and abs(moves[0]) > 2 and (after[0] - after[3]) % 12 in _PERFECT:
        cost += 5.0
    leading = (tonic + 11) % 12
    resolves = any(pitch % 12 == tonic for pitch in after)
    for at, moved in enumerate(moves):
        gone = abs(moved)
        easy = 12 if at == 3 else 2
        cost += (0.15 if at == 3 else 0.5 if at else 0.35) * gone + 1.5 * max(0, gone - easy - 3)
        if gone == 6:
            cost += 6.0
        elif not gone and not at:
            cost += 1.5
        if at in _INNER and not before[at + 1] <= after[at] <= before[at - 1]:
            cost += 6.0
        if resolves and moved != 1 and before[at] % 12 == leading:
            cost += 8.0 if at in (0, 3) else 2.5
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
