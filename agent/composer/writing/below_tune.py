"""Below the tune: harmony that would cover a tune goes down in the sections in which it would."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import structs
from msgspec.structs import replace

from agent.composer.styles import Role
from agent.composer.tones import STEP, Tone
from agent.composer.writing.frame import Player

_HARMONY: tuple[Role, ...] = ("chords", "pad", "arp")
_BENEATH = 3
"""Semitones by which the middle of a part that is meant to lie below a tune is below the singer's at least."""
_COVERED, _FREE = 0.15, 0.08
"""Share of a tune's time in which harmony lies above it from which on it goes down, and up to which that is enough."""
_STEPS = (2, 4, 5, 7)
"""Semitones by which it may go down."""
_LOWEST = 52
"""The lowest middle of a harmony that is not mud."""


def below_tune(
    player: Player, tune: Sequence[Tone], middle: int, play: Callable[[Player], list[Tone]], known: dict[str, int],
    theme: str,
) -> list[Tone]:
    """What a player plays beside a melody (`tune`) whose part lies around the MIDI pitch `middle`, as `play` writes it.
    If that lies above the melody too often, the player's own centre is lowered as far as that helps; bells and answers
    above the melody stay.

    `known` holds by how many semitones the player was lowered for each theme, and `theme` is added to it, so that what
    returns is played as it was.
    """
    part = player.style
    if part.role not in _HARMONY or not tune or part.centre > middle - _BENEATH:
        return play(player)
    if theme in known:
        return play(_lowered(player, known[theme]))
    best = play(player)
    least, known[theme] = covered(best, tune), 0
    if least <= _COVERED:
        return best
    for down in _STEPS:
        centre = part.centre - down
        if least <= _FREE or centre < _LOWEST or centre - part.span // 2 < player.instrument.low:
            break
        lower = play(_lowered(player, down))
        share = covered(lower, tune)
        if share < least:
            best, least, known[theme] = lower, share, down
    return best


def _lowered(player: Player, down: int) -> Player:
    return replace(player, style=structs.replace(player.style, centre=player.style.centre - down))


def covered(tones: Sequence[Tone], tune: Sequence[Tone]) -> float:
    """The share of the melody's sixteenths, 0 to 1, in which any of the tones lies above it."""
    tops: dict[int, int] = {}
    for tone in tones:
        for at in range(tone.start // STEP, (tone.end - 1) // STEP + 1):
            tops[at] = max(tone.pitch, tops.get(at, 0))
    sung = [(at, tone.pitch) for tone in tune for at in range(tone.start // STEP, (tone.end - 1) // STEP + 1)]
    return sum(tops.get(at, 0) > pitch for at, pitch in sung) / len(sung) if sung else 0.0
