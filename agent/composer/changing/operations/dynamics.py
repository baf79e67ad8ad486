"""Dynamics: how hard notes are struck, by a mark, a limit, another part or than now; no note comes or goes."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Annotated, Literal, cast, get_args

from msgspec import Meta

from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.composer.changing.notes.loudness import Struck, by, mean, struck, towards
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Goal, Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage, tracks_of
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.sentences import far, part_of
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask

Limit = Literal["", "most", "least"]
Velocity = Annotated[int, Meta(ge=1, le=127)]
_MARKS = ((28, "ppp"), (41, "pp"), (54, "p"), (68, "mp"), (83, "mf"), (99, "f"), (113, "ff"), (127, "fff"))
_SAID: dict[Limit, str] = {"": "", "most": "never louder than ", "least": "never softer than "}
_HARDER = 16
"""Steps of velocity by which a part is struck harder or softer."""
_BESIDE = 14
"""Steps of velocity between two parts of which one is to be softer."""
_NEAR = 3


class Dynamic(Operation, frozen=True):
    """Set the velocities of a part (`wish` None: all) to a dynamic mark: as their mean, or with `limit` as the highest
    ("most") or lowest ("least") velocity."""

    velocity: Velocity
    wish: Wish | None = None
    limit: Limit = ""

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{part_of(self.wish)}{_SAID[self.limit]}{mark_of(self.velocity)}"


class Strike(Operation, frozen=True):
    """Raise or lower the velocities of a part (`wish` None: all)."""

    way: Literal["harder", "softer"]
    wish: Wish | None = None

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return f"{part_of(self.wish)}struck {far(self.way, amount)}"


class Beside(Operation, frozen=True):
    """Make a part softer or louder than another one (`other`), which stays as it is."""

    way: Literal["softer", "louder"]
    wish: Wish
    other: Wish

    def sentence(self, amount: float, _bpm: float | None, /) -> str:
        return f"{part_of(self.wish)}{far(self.way, amount)} than {self.other.label}"


def mark_of(velocity: int) -> str:
    """The dynamic mark ("mf") of a velocity."""
    return next(mark for most, mark in _MARKS if velocity <= most)


def meant(stage: Stage, wish: Wish | None) -> list[Struck]:
    """The unlocked parts that a wish means (None: all), with the drums that it names; tracks without notes are left
    out."""
    pitches = pitches_of(wish.pieces) if wish is not None else frozenset()
    return [Struck(track, pitches) for track in stage.free(wish) if track.note_count]


def dynamic(stage: Stage, operation: Dynamic) -> None:
    """Set the velocities of each part that `operation.wish` means to the dynamic mark; with a limit only those of notes
    beyond it. Raises `Blocked` if nothing changes."""
    mark, limit = operation.velocity, operation.limit

    def change(part: Struck) -> Callable[[Tone], Tone]:
        usual = mean(part.tones(stage.spans))
        if limit == "most":
            return lambda tone: struck(tone, min(tone.velocity, mark))
        if limit == "least":
            return lambda tone: struck(tone, max(tone.velocity, mark))
        return lambda tone: towards(tone, usual, mark)

    _each(stage, operation.wish, change, operation.sentence(1.0, None), "it is so already")


def strike(stage: Stage, operation: Strike) -> None:
    """Change all velocities of the parts that `operation.wish` means by the same amount, so that accents stay. Raises
    `Blocked` if they are at 1 or 127 already."""
    steps = _HARDER * stage.amount * (1 if operation.way == "harder" else -1)
    what = f"as {'hard' if operation.way == 'harder' else 'soft'} as can be already"
    _each(stage, operation.wish, lambda _: lambda tone: by(tone, steps), f"struck {operation.way}", what)


def beside(stage: Stage, operation: Beside) -> None:
    """Shift the velocities of the part `operation.wish` so that their mean lies the usual distance from the mean of the
    part `operation.other`. Raises `Blocked` if the other part plays nothing in the stage's spans, or if the part is so
    much softer or louder already."""
    others = [tone for part in _of_song(stage, operation.other) for tone in part.tones(stage.spans)]
    if not others:
        raise Blocked(msg("{other} plays nothing there", other=operation.other.label))
    sign = -1 if operation.way == "softer" else 1
    goal = mean(others) + sign * _BESIDE * stage.amount

    def change(part: Struck) -> Callable[[Tone], Tone]:
        steps = goal - mean(part.tones(stage.spans))
        return lambda tone: by(tone, steps) if steps * sign > 0 else tone

    than = f"{operation.way} than {operation.other.label}"
    _each(stage, operation.wish, change, than, f"it is {than} already")


def _of_song(stage: Stage, wish: Wish) -> list[Struck]:
    """The parts that a wish means, also those that may not change."""
    tracks = tracks_of(wish, stage.song, stage.palette)
    return [Struck(stage.song.track(track), pitches_of(wish.pieces)) for track in tracks]


def _each(
    stage: Stage, wish: Wish | None, change: Callable[[Struck], Callable[[Tone], Tone]], verb: str, idle: str
) -> None:
    before, spans = stage.song, stage.spans
    for part in meant(stage, wish):
        restrike(stage, part, spans, change(part), verb)
    if stage.song is before:
        label = wish.label if wish is not None else "anything"
        plays = any(part.tones(spans) for part in meant(stage, wish))
        raise Blocked(
            idle if plays
            else msg("{label} plays nothing there", label=label) if wish is not None
            else msg("nothing plays there")
        )


def restrike(stage: Stage, part: Struck, spans: tuple[Span, ...], change: Callable[[Tone], Tone], verb: str) -> None:
    """Apply `change` to the part's notes that begin within the spans, for their velocities alone; `verb` words the
    plan's row."""
    stage.sketch.each_clip(
        stage.song.track(part.track.id), spans,
        lambda tones, _: [change(tone) if part.has(tone) else tone for tone in tones], verb, "velocities alone",
    )


def _read_dynamic(filled: Filled) -> tuple[Operation, ...]:
    velocity, limit = filled.number("dynamic"), filled.words.variant
    if velocity is None or limit not in get_args(Limit):
        return ()
    # "the brass mp in the verse and f in the chorus": still the brass
    still = (filled.last.wish,) if not filled.parts and isinstance(filled.last, Dynamic) else filled.each
    return tuple(Dynamic(int(velocity), wish, cast("Limit", limit)) for wish in still)


def _read_strike(filled: Filled) -> tuple[Operation, ...]:
    way: Literal["harder", "softer"] = "harder" if filled.words.sign > 0 else "softer"
    # "bring the drums in and let them hit harder": what was named last is meant
    wishes = filled.parts or (filled.named if filled.value("part") is None else ()) or (None,)
    return tuple(Strike(way, wish) for wish in wishes)


def _read_beside(filled: Filled) -> tuple[Operation, ...]:
    way: Literal["softer", "louder"] = "louder" if filled.words.sign > 0 else "softer"
    other = filled.by
    return tuple(Beside(way, wish, other) for wish in filled.parts if other is not None and wish != other)


def _asks_dynamic(served: Served, operation: Dynamic, _: StyleBook) -> list[Ask]:
    if operation.limit or operation.wish is None or operation.wish.pieces:
        return served.plain()
    now = [served.figure(f"velocity:{served.named(track)}") for track in served.parts(operation.wish)]
    if not now or any(abs(one - operation.velocity) <= _NEAR for one in now):
        return served.plain()
    louder = {one < operation.velocity for one in now}
    goal: Goal = "higher" if True in louder else "lower"
    return served.of_parts(operation.wish, "velocity", goal) if len(louder) == 1 else served.plain()


def _asks_strike(served: Served, operation: Strike, _: StyleBook) -> list[Ask]:
    return served.of_parts(operation.wish, "velocity", "higher" if operation.way == "harder" else "lower")


KINDS = (
    OperationKind(
        Dynamic, 14, dynamic, MappingProxyType({"dynamic": SlotReading(_read_dynamic, frozenset({"dynamic"}))}),
        _asks_dynamic,
    ),
    OperationKind(Strike, 14, strike, MappingProxyType({"strike": SlotReading(_read_strike)}), _asks_strike),
    OperationKind(
        Beside, 14, beside, MappingProxyType({"beside": SlotReading(_read_beside, frozenset({"part"}))}),
    ),
)
