"""Feel: how a grid of equal notes becomes playing: swing, small delays, velocity curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.styles import Role
from agent.composer.tones import SHORTEST, Tone
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.kit import PITCHES

_ACCENTS = {"X": 1.0, "R": 1.0, "x": 0.86, "o": 0.68, "g": 0.42}
_SWELL: dict[Role, float] = {
    "lead": 0.1, "counter": 0.1, "chords": 0.05, "pad": 0.06, "arp": 0.06, "bass": 0.03, "texture": 0.04,
}
"""By which share of its velocity a phrase of a role swells towards its middle; drums do not."""
_PHRASE = 4
"""Bars of a phrase."""
_HALF, _MIDDLE, _SOFTEST = 0.5, 74.0, 12
"""Energy and velocity of the middle, and the softest note of a stage with a dynamic."""
_CYCLE = 4
"""Bars after which a player's small deviations repeat, so that a repeated bar is heard as repeated."""


def accent(mark: str) -> float:
    """The share of full velocity (0 to 1) for a mark of a step string."""
    return _ACCENTS.get(mark, 0.8)


def played(tones: Iterable[Tone], player: Player, scene: Scene, frame: Frame, dice: Dice) -> list[Tone]:
    """The tones humanised: swung, up to 19 ms early or late, with velocities that shape phrases and grow towards the
    end."""
    reach = frame.ticks_of(player.style.timing_ms)
    drift: dict[tuple[int, int], tuple[float, float]] = {}
    result = []
    swell = _SWELL.get(player.style.role, 0.0)
    phrase = min(_PHRASE, scene.bars) * scene.bar
    places: dict[int, tuple[int, int]] = {}
    for tone in tones:
        at = tone.start - scene.start
        bar, within = divmod(at, scene.bar)
        place = (bar % _CYCLE, within)
        if place not in drift:
            drift[place] = (dice.between(-1, 1), dice.between(-1, 1))
        early, louder = drift[place]
        if within not in places:
            places[within] = _swing(within, frame), _stress(within, frame)
        swing, stress = places[within]
        start = max(scene.start, tone.start + swing + int(early * reach))
        length = max(SHORTEST, tone.length + _moved(within + tone.length, frame) - swing)
        rise = 0.96 + 0.08 * (bar + 1) / scene.bars
        share = at % phrase / phrase
        arch = 1 + swell * (4 * share * (1 - share) - 0.5)
        velocity = int(tone.velocity * rise * arch + 4.5 * louder + stress)
        result.append(Tone(start, tone.pitch, length, max(1, min(127, velocity))))
    return result


def laid_back(tones: list[Tone], player: Player, scene: Scene, frame: Frame) -> list[Tone]:
    """The tones moved by the part's `behind_ms`, and drums by their own `late_ms`; none before the scene."""
    part = player.style
    if not part.behind_ms and not part.late_ms:
        return tones
    own = {PITCHES[drum]: late for drum, late in part.late_ms.items()}
    return [
        structs.replace(
            tone, start=max(scene.start, tone.start + frame.ticks_of(part.behind_ms + own.get(tone.pitch, 0.0)))
        )
        for tone in tones
    ]


def shaded(tones: Sequence[Tone], player: Player, scene: Scene) -> list[Tone]:
    """The tones with velocities that follow the dynamics asked for the scene's stage; unchanged without any."""
    turn = scene.turn
    if turn is None or turn.begin is None or turn.end is None:
        return list(tones)
    usual = max(1.0, player.velocity(scene.energy))
    balance = player.velocity(_HALF) / _MIDDLE
    length = max(1, scene.end - scene.start)
    result = []
    for tone in tones:
        share = max(0.0, min(1.0, (tone.start - scene.start) / length))
        wanted = (turn.begin + (turn.end - turn.begin) * share) * balance**_HALF
        velocity = round(tone.velocity / usual * wanted)
        result.append(structs.replace(tone, velocity=max(_SOFTEST, min(127, velocity))))
    return result


def under(tones: Sequence[Tone], loudest: int | None) -> tuple[Tone, ...]:
    """The tones scaled down so that none exceeds the velocity `loudest` (None: no limit)."""
    top = max((tone.velocity for tone in tones), default=0)
    if loudest is None or top <= loudest:
        return tuple(tones)
    return tuple(structs.replace(tone, velocity=max(1, tone.velocity * loudest // top)) for tone in tones)


def _swing(within: int, frame: Frame) -> int:
    if not frame.swing or (within // frame.swing_ticks) % 2 == 0 or within % frame.swing_ticks:
        return 0
    return int(frame.swing * frame.swing_ticks)


def _moved(within: int, frame: Frame) -> int:
    """By how much a swing moves the end of a note: it stretches the first of two steps, so that notes still meet."""
    if not frame.swing:
        return 0
    step = frame.swing_ticks
    place = within % (2 * step)
    return int(frame.swing * min(place, 2 * step - place))


def _stress(within: int, frame: Frame) -> int:
    if frame.strong(within):
        return 3
    return 0 if within in frame.beat_ticks else -3
