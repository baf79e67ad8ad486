"""Swinging: swing and push as timing alone; notes begin later or earlier, and stay what they are."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta

from agent.composer.changing.notes.swinging import SwingFeel, of_feel, shifted, swung
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.understanding.operations import Mix
from agent.composer.understanding.sentences import far, share
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.slot_filling import within as bounded
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.time import PPQ

_STRAIGHT, _USUAL, _TRIPLET, _HARDEST, _WHOLE = 50.0, 60.0, 100 * 2 / 3, 75.0, 100.0
_ENOUGH = 12
"""Sixteenths between the eighths from which a song swings on them."""
_PUSH_MS, _MOST_MS = 14.0, 30.0
"""Milliseconds by which musicians play ahead of the beat or behind it, and the most of it."""


class Swing(Operation, frozen=True):
    """Swing a part (`wish` None: all): where the second of two notes falls, in percent of the pair (50 straight, 66.7
    triplets; None: the usual swing).

    `grid` is the length of one of the two in quarter notes; None: eighths, or sixteenths where the song plays those.
    """

    percent: Annotated[float, Meta(ge=50, le=75)] | None = None
    wish: Wish | None = None
    grid: Annotated[float, Meta(gt=0, le=4)] | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        who = f"{self.wish.label} " if self.wish is not None else ""
        if self.percent == _STRAIGHT:
            return f"{who}straight, without swing"
        return f"{who}swing" + (f" of {self.percent:g} %" if self.percent is not None else share(amount))


class Push(Operation, frozen=True):
    """Play a part (`wish` None: all) ahead of the beat or behind it, by `ms` milliseconds (None: the usual amount)."""

    way: Literal["ahead", "behind"]
    wish: Wish | None = None
    ms: Annotated[float, Meta(gt=0, le=200)] | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        who = f"{self.wish.label} " if self.wish is not None else ""
        if self.ms is not None:
            return f"{who}{self.ms:g} ms {'ahead of' if self.way == 'ahead' else 'behind'} the beat"
        return who + far("ahead of the beat" if self.way == "ahead" else "behind the beat", amount)


def swing(stage: Stage, operation: Swing) -> None:
    """Move every second note of a pair; lengths, pitches and velocities stay. Raises `Blocked` for compound meters,
    whose beats are in three already."""
    meter = stage.song.meters[0]
    if meter.unit >= 8 and meter.beats % 3 == 0:
        raise Blocked(msg("its beats are in three already"))
    voices = voices_of(stage, operation.wish)
    heard = of_feel(voices[0].grid.feel) if voices else SwingFeel(0.5, PPQ // 2)
    percent = operation.percent
    if percent is None:
        usual = max(_USUAL, heard.ratio * 100 + 4) if heard.ratio > 0.5 else _USUAL
        percent = min(_HARDEST, _STRAIGHT + (usual - _STRAIGHT) * stage.amount)
    grid = round(operation.grid * PPQ) if operation.grid is not None else _grid(stage, heard)
    before = stage.song
    for voice in voices:
        _swing(stage, voice, heard, SwingFeel(percent / 100, grid))
    if stage.song == before:
        raise Blocked(
            msg("it is straight already") if percent == _STRAIGHT else msg("nothing plays between the beats there"),
        )


def _swing(stage: Stage, voice: Voice, old: SwingFeel, new: SwingFeel) -> None:
    verb = "straight" if new.ratio == 0.5 else f"swinging {new.ratio * 100:.3g} %"
    rewrite(stage, voice, lambda tones, _: swung(tones, voice.grid, old, new), verb, "only when notes begin")


def _grid(stage: Stage, heard: SwingFeel) -> int:
    """The notes that swing: those that do already, else sixteenths where the song has them, else eighths."""
    if heard.ratio > 0.5:
        return heard.grid
    starts = [clip.start + note.start for _, clip in stage.song.clips() for note in clip.notes]
    between = sum(min(abs(at % PPQ - 240), abs(at % PPQ - 720)) <= 40 for at in starts)
    return PPQ // 4 if between >= _ENOUGH and between >= 0.15 * len(starts) else PPQ // 2


def push(stage: Stage, operation: Push) -> None:
    """Move all notes of the part a few milliseconds earlier or later. Raises `Blocked` if nothing changes."""
    late = (operation.ms or min(_MOST_MS, _PUSH_MS * stage.amount)) * (1 if operation.way == "behind" else -1)
    before = stage.song
    for voice in voices_of(stage, operation.wish):
        by = round(late * stage.song.tempo_map.bpm(stage.spans[0][0]) * PPQ / 60_000)
        why = f"{abs(late):.0f} ms {'behind' if late > 0 else 'ahead of'} the beat"
        rewrite(stage, voice, lambda tones, _, by=by: shifted(tones, by), why, "only when notes begin")  # type: ignore[misc]
    if stage.song == before:
        raise Blocked(msg("nothing plays there"))


def _read_swing(filled: Filled) -> tuple[Operation, ...]:
    """A percentage from 50 on says where the second note falls, one below how much of a triplet's swing there is; what
    is beyond 100 is a tempo."""
    measure, number, grid = filled.measure, filled.number("number"), filled.number("grid")
    said = measure.factor * 100 if measure is not None and measure.exact else number
    percent = None
    if number is not None and number > _WHOLE:
        return ()
    if filled.words.sign == 0:
        percent = _STRAIGHT
    elif said is not None:
        percent = said if _STRAIGHT <= said <= _HARDEST else _STRAIGHT + bounded(said, 0, 100) / 100 * (
            _TRIPLET - _STRAIGHT
        )
    elif filled.words.factor > 1:
        percent = _TRIPLET
    return tuple(Swing(round(percent, 1) if percent is not None else None, wish, grid) for wish in filled.each)


def _read_push(filled: Filled) -> tuple[Operation, ...]:
    """Drums and bass are pushed in time; what else is pushed in a mix is to be louder."""
    way: Literal["ahead", "behind"] = "behind" if filled.words.sign < 0 else "ahead"
    if filled.words.weak:
        return tuple(
            Push(way, wish) if wish is None or wish.pieces or wish.role in (*RHYTHMIC, "bass")
            else Mix("level", 1.0, wish)
            for wish in filled.each
        )
    number = filled.number("number")
    ms = bounded(number, 1, 200) if number is not None else None
    return tuple(Push(way, wish, ms) for wish in filled.each)


def _asks_swing(served: Served, operation: Swing, _: StyleBook) -> list[Ask]:
    """The measured swing falls or rises; it may rise on a few parts only."""
    if operation.grid is not None and operation.grid not in (0.5, 0.25):
        return served.plain()
    lower = served.figure("swing") * 100 > (operation.percent if operation.percent is not None else 100)
    return served.of_parts(operation.wish, "swing", "lower" if lower else "higher")


def _asks_push(served: Served, operation: Push, _: StyleBook) -> list[Ask]:
    return served.of_parts(operation.wish, "lateness", "higher" if operation.way == "behind" else "lower")


KINDS = (
    OperationKind(Swing, 13, swing, MappingProxyType({"swing": SlotReading(_read_swing)}), _asks_swing),
    OperationKind(Push, 13, push, MappingProxyType({"push": SlotReading(_read_push)}), _asks_push),
)
