"""Unevening: strokes of a part, or of single drums of a kit, that are not all as loud; when they begin stays."""

from __future__ import annotations

from types import MappingProxyType

from agent.composer.changing.notes.loudness import by
from agent.composer.changing.operations.dynamics import meant, restrike
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.understanding.sentences import far, part_of
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg

_OFF = 10
"""Steps of velocity by which strokes between the main ones are softer."""
_STRAY = 9
"""Steps of velocity by which any of them strays, at most."""


class Uneven(Operation, frozen=True):
    """Play a part (`wish` None: all) with uneven velocities: weaker between the main strokes, and no two alike."""

    wish: Wish | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return f"{part_of(self.wish)}{far('more uneven in loudness', amount)}"


def uneven(stage: Stage, operation: Uneven) -> None:
    """Vary the velocities at random (seeded); their mean hardly changes."""
    before, dice = stage.song, stage.dice.of("strokes")
    for part in meant(stage, operation.wish):
        named = dice.of(str(part.track.id))

        def stray(tone: Tone, named: Dice = named) -> Tone:
            weak = -_OFF / 2 if tone.start // STEP % 2 else _OFF / 2
            roll = named.of(f"{tone.start} {tone.pitch}").share()
            return by(tone, stage.amount * (weak + _STRAY * (2 * roll - 1)))

        restrike(stage, part, stage.spans, stray, "uneven strokes")
    if stage.song is before:
        raise Blocked(msg("nothing plays there"))


def _read(filled: Filled) -> tuple[Operation, ...]:
    wishes = filled.parts or filled.named or (None,)
    return tuple(Uneven(wish) for wish in wishes)


KINDS = (OperationKind(Uneven, 14, uneven, MappingProxyType({"uneven": SlotReading(_read)})),)
