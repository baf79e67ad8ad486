"""The values of tasks: what stands for a number in each operation, read and set by what it counts."""

from __future__ import annotations

from msgspec import structs

from agent.composer.amending.fragments import Quantity, Unit
from agent.composer.understanding.operations import Mix, Retempo, Transpose
from agent.composer.understanding.tasks import Edge, Operation, Scope, Task

_TEMPO = (30.0, 300.0)
"""What a number is a tempo between, in BPM; a smaller one says by how much it changes."""


def values_of(task: Task, bpm: float) -> tuple[Quantity, ...]:
    """The numbers that a task states; `bpm` is the song's own tempo."""
    found: list[Quantity] = []
    operation = task.operation
    if isinstance(operation, Retempo) and operation.bpm is not None:
        found += [Quantity("bpm", operation.bpm), Quantity("bpm", abs(operation.bpm - bpm))]
    if isinstance(operation, Mix):
        said = (operation.decibels, operation.at)
        found += [Quantity("decibels", abs(one)) for one in said if one is not None]
    if isinstance(operation, Transpose):
        found.append(Quantity("steps", abs(operation.semitones)))
    if bars := _bars(task):
        found.append(Quantity("bars", bars))
    return tuple(found)


def takes(task: Task, value: Quantity) -> bool:
    """Whether the task has a field for this value; a number without a unit fits any."""
    return _unit(task, value) is not None


def with_value(task: Task, value: Quantity, bpm: float) -> Task:
    """The task with its number replaced by `value`, in the same direction as before: "2 semitones" after "5 down" is 2
    down. `bpm` is the song's own tempo."""
    operation = task.operation
    unit = _unit(task, value)
    if unit == "bpm" and isinstance(operation, Retempo):
        faster = (operation.bpm or bpm * operation.factor) >= bpm
        low, _ = _TEMPO
        stated = value.number if value.number >= low else bpm + value.number * (1 if faster else -1)
        return structs.replace(task, operation=structs.replace(operation, bpm=stated, factor=1.0), amount=1.0)
    if unit == "decibels" and isinstance(operation, Mix):
        sign = -1 if operation.by < 0 or (operation.decibels or 0) < 0 else 1
        mixed = structs.replace(operation, decibels=sign * abs(value.number), at=None)
        return structs.replace(task, operation=mixed, amount=1.0)
    if unit == "steps" and isinstance(operation, Transpose):
        sign = -1 if operation.semitones < 0 else 1
        moved = structs.replace(operation, semitones=sign * int(value.number))
        return structs.replace(task, operation=moved, amount=1.0)
    return _with_bars(task, int(value.number)) if unit == "bars" else task


def stretched(task: Task, factor: float) -> Task | None:
    """The task over `factor` times as many bars; None if it has no number of bars."""
    bars = _bars(task)
    return _with_bars(task, max(1, round(bars * factor))) if bars else None


def _unit(task: Task, value: Quantity) -> Unit | None:
    operation = task.operation
    if isinstance(operation, Retempo) and value.unit in ("bpm", "plain"):
        return "bpm" if value.number <= _TEMPO[1] else None
    if isinstance(operation, Mix) and operation.control == "level" and value.unit in ("decibels", "plain"):
        return "decibels" if value.unit == "decibels" or operation.decibels is not None else None
    if isinstance(operation, Transpose) and value.unit in ("steps", "plain"):
        return "steps" if 0 < value.number <= 36 and value.number == int(value.number) else None
    counts = bool(_bars(task)) and value.number >= 1 and value.number == int(value.number)
    return "bars" if value.unit in ("bars", "plain") and counts else None


def _bars(task: Task) -> int:
    """How many bars a task is said to take; 0 where nothing is said of that."""
    bars = getattr(task.operation, "bars", None)
    if isinstance(bars, int) and bars:
        return bars
    edges = task.scope.places
    return edges[0].bars if len(edges) == 1 and isinstance(edges[0], Edge) else 0


def _with_bars(task: Task, bars: int) -> Task:
    if getattr(task.operation, "bars", 0):
        operation: Operation = structs.replace(task.operation, bars=bars)
        return structs.replace(task, operation=operation)
    edge = task.scope.places[0]
    assert isinstance(edge, Edge)
    places = (structs.replace(edge, bars=bars),)
    return structs.replace(task, scope=Scope(places, task.scope.excluded))
