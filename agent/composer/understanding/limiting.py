"""Limiting: limits of length and pitch belong to a place or order beside them, instead of being done to all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import structs
from msgspec.structs import replace

from agent.composer.understanding.items import Item, PlaceRef
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.limits_beside import UNCLEAR, host_of, limits, of_kit, pieces_of
from agent.composer.understanding.operations import Add, Double, Remove, Resize, Solo, Transpose
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.scopes import scope_of
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Bars, Edge, Operation, Scope, Task
from agent.composer.understanding.wishes import same
from agent.song.song import Song

_NOTHING_ELSE = "nothing_else"
"""How the language file calls what says that nothing but what was named is meant."""


class LimitReader:
    """Applies limits ("only snare and toms") to the tasks of one request. `pieces` must be set before use."""

    pieces: Sequence[Piece] = ()

    def __init__(self, lexicon: Lexicon, beside: SlotReading, items: Sequence[Item], tasks: list[Task]) -> None:
        self._lexicon = lexicon
        self._beside = beside
        self._items = items
        self._tasks = tasks
        self._limiting = frozenset(lexicon.words.grammar.limiting)
        self._adding = frozenset(lexicon.words.grammar.adding)

    def takes(
        self, operations: tuple[Operation, ...], filled: Filled, piece: Piece, at: int, number: int
    ) -> bool:
        """Whether `operations` were a limit ("only snare and toms") and were merged into the task that they belong to,
        or reported as impossible; the caller then drops them.

        They come from the pattern of `filled`, which begins at item `at` of `piece`; `number` is the index of that
        piece, which the task gets as a clause.
        """
        items = self._items[at : filled.found.end]
        if len(operations) != 1 or not limits(operations[0], items, self._limiting):
            return False
        if any(self._items[item].kind == "place" for item in piece.items) and not isinstance(operations[0], Solo):
            return False
        if filled.words.operation == _NOTHING_ELSE and self._asked_to_add():
            return True
        host = host_of(operations[0], self._tasks, self.pieces, piece) or self._kit_ahead(operations[0], piece)
        if host is None or (isinstance(operations[0], Remove) and not pieces_of(operations[0])):
            return False
        beside = replace(filled, last=host.operation)
        made = self._beside.fill(beside) if pieces_of(operations[0]) else ()
        if not made:
            if len(piece.operations) == 1:
                piece.doubt = UNCLEAR
            return len(piece.operations) == 1
        tasks = self._tasks
        if isinstance(made[0], type(host.operation)):
            clauses = tuple(dict.fromkeys((*host.clauses, number)))
            tasks[tasks.index(host)] = structs.replace(host, operation=made[0], clauses=clauses)
        else:
            words = " ".join(item.text for item in items)
            scope = scope_of(piece.refs, self._lexicon.song, new=False)[0] if piece.refs else host.scope
            tasks.append(Task(made[0], scope, words=words[:200], clauses=(number,)))
        return True

    def _kit_ahead(self, operation: Operation, piece: Piece) -> Task | None:
        """The kit that stands before a colon, as a task that is done to it: "drums: only kick and hats"."""
        before = self.pieces[self.pieces.index(piece) - 1] if piece.listed and pieces_of(operation) else piece
        kits = [one for one in before.subjects if before is not piece and of_kit(Add(one.wish))]
        if before.operations or len(kits) != 1 or len(before.subjects) != 1:
            return None
        before.loose = [at for at in before.loose if not kits[0].first <= at < kits[0].last]
        return Task(Add(kits[0].wish))

    def _asked_to_add(self) -> bool:
        """Whether the last task was asked by a verb of adding: nothing else is to be added then, and nothing goes."""
        last = self._tasks[-1] if self._tasks else None
        return last is not None and last.words.partition(" ")[0] in self._adding


def narrowed(tasks: list[Task], operation: Operation, scope: Scope, number: int) -> bool:
    """Whether a removal everywhere but in one place ("only in the break") was taken as the place of the part just
    added; that task in `tasks` then gets the scope and the clause `number`."""
    if not isinstance(operation, Remove) or not scope.excluded or scope.places:
        return False
    for at, task in reversed(list(enumerate(tasks))):
        if same(task.operation.newcomer, operation.wish):
            there = Scope(scope.excluded) if task.scope.whole else task.scope
            tasks[at] = structs.replace(task, scope=there, clauses=tuple(dict.fromkeys((*task.clauses, number))))
            return True
    return False


def held_back(tasks: list[Task], operation: Operation, number: int, song: Song) -> bool:
    """Whether an entrance at a bar was taken as the start of a part that a task before it brings in; that task in
    `tasks` then gets the scope and the clause `number`."""
    wish, place = getattr(operation, "wish", None), getattr(operation, "at", None)
    if not (operation.of_entrance and isinstance(place, Bars)):
        return False
    for at, task in reversed(list(enumerate(tasks))):
        if not isinstance(task.operation, Add) and same(task.operation.newcomer, wish):
            there = Scope((Bars(place.first, song.bars),)) if task.scope.whole else task.scope
            tasks[at] = structs.replace(task, scope=there, clauses=tuple(dict.fromkeys((*task.clauses, number))))
            return True
    return False


def opening_of(operation: Operation, scope: Scope, only: bool) -> tuple[Operation, Scope]:
    """A maximum length that applies to the beginning only ("just the beginning, a minute at most") as an operation that
    leaves only that much of the song, with its scope; otherwise the operation and scope unchanged.

    `only` says whether nothing else is meant.
    """
    begins = len(scope.places) == 1 and isinstance(scope.places[0], Edge) and scope.places[0].at == "start"
    if not (only and begins and not scope.excluded and isinstance(operation, Resize) and operation.most):
        return operation, scope
    return structs.replace(operation, opening=True), Scope()


def cut_refs(refs: Sequence[PlaceRef]) -> list[PlaceRef]:
    """The places to cut, without places that the request then names as all that remains: "cut the break, i.e. just A
    and B"."""
    left = next((at for at, ref in enumerate(refs) if ref.narrowed), 0)
    return list(refs[:left] if left else refs)


def bounded(tasks: Sequence[Task]) -> list[Task]:
    """The tasks, with a pitch limit merged into a transposition of the same part right before it: "an octave down, but
    nothing below E1"."""
    found: list[Task] = []
    for task in tasks:
        limited = _limited(found[-1], task) if found else None
        if limited is None:
            found.append(task)
        else:
            found[-1] = limited
    return found


def set_apart(tasks: Sequence[Task], for_all: Callable[[Task], bool]) -> list[Task]:
    """The tasks, with an interval that names no part merged into the doubling right before it ("a cello could double
    the bass, an octave higher would be lovely"), unless `for_all` says that the task means all parts."""
    found: list[Task] = []
    for task in tasks:
        doubled, moved = found[-1].operation if found else None, task.operation
        if (
            isinstance(doubled, Double) and not doubled.semitones and isinstance(moved, Transpose)
            and moved.wish is None and task.scope.whole and not for_all(task)
        ):
            clauses = tuple(dict.fromkeys((*found[-1].clauses, *task.clauses)))
            operation = structs.replace(doubled, semitones=moved.semitones)
            found[-1] = structs.replace(found[-1], operation=operation, clauses=clauses)
        else:
            found.append(task)
    return found


def _limited(moved: Task, limit: Task) -> Task | None:
    """A transposition with the limit that is said of its part; None where they are about two things."""
    operation, bounds = moved.operation, limit.operation.bounds
    if bounds is None or not isinstance(operation, Transpose):
        return None
    if not limit.scope.whole and moved.scope != limit.scope:
        return None
    if operation.wish is None or not same(operation.wish, getattr(limit.operation, "wish", None)):
        return None
    clauses = tuple(dict.fromkeys((*moved.clauses, *limit.clauses)))
    return structs.replace(moved, operation=structs.replace(operation, low=bounds[0], high=bounds[1]), clauses=clauses)
