"""Finishing: what is settled about tasks once all of a request is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import structs

from agent.composer.understanding.items import Measure
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import (
    Add,
    Reharmonise,
    Rekey,
    Remeter,
    Remove,
    Replace,
    Reshape,
    Resize,
    Restyle,
    Retempo,
    Solo,
    Transpose,
)
from agent.composer.understanding.scopes import bars_of
from agent.composer.understanding.tasks import Named, Operation, Place, Task
from agent.composer.understanding.wishes import Wish, same
from agent.song.key import Key
from agent.song.song import Song

_LEAST, _MOST = 0.01, 1.5
_CLOSING = "outro"
"""The kind of section with which a song ends."""


def blended(tasks: list[Task]) -> list[Task]:
    """The tasks, with two restylings of the same place merged into a blend; the style named last weighs most."""
    found: list[Task] = []
    for task in tasks:
        operation = task.operation
        alike = (k for k, done in enumerate(found) if isinstance(done.operation, Restyle) and done.scope == task.scope)
        at = next(alike, None) if isinstance(operation, Restyle) else None
        if at is None or not isinstance(operation, Restyle):
            found.append(task)
            continue
        earlier = found[at].operation
        assert isinstance(earlier, Restyle)
        others = [name for name in (*operation.others, earlier.style, *earlier.others) if name != operation.style]
        clauses = tuple(dict.fromkeys((*found[at].clauses, *task.clauses)))
        blend = Restyle(operation.style, tuple(dict.fromkeys(others)))
        found[at] = structs.replace(found[at], operation=blend, clauses=clauses)
    return found


def handed_on(tasks: Sequence[Task], lexicon: Lexicon) -> list[Task]:
    """The tasks, with a part's removal replaced by handing its line to another player if the request says so: "take out
    the voice and put a guitar to play the same melody"."""
    left = list(tasks)
    for at, task in enumerate(tasks):
        removed = task.operation
        if not isinstance(removed, Remove):
            continue
        tracks = lexicon.meant(removed.wish)
        taking = next((
            later for later in tasks[at + 1 :]
            if isinstance(later.operation, Replace) and later.scope == task.scope
            and tracks and set(lexicon.meant(later.operation.wish)) == set(tracks)
        ), None)
        if taking is not None and taking in left:
            clauses = tuple(dict.fromkeys((*task.clauses, *taking.clauses)))
            left[left.index(taking)] = structs.replace(taking, clauses=clauses)
            left.remove(task)
    return left


def fulfilled(tasks: Sequence[Task], lexicon: Lexicon) -> tuple[list[Task], tuple[str, ...]]:
    """The tasks without those whose result the song has already, and sentences that say so ("a waltz already, in
    3/4")."""
    song = lexicon.song
    left: list[Task] = []
    already: list[str] = []
    for task in tasks:
        operation = task.operation
        if not isinstance(operation, Remeter) or not song.note_count or not task.scope.whole or any(
            (meter.beats, meter.unit) != (operation.beats, operation.unit) for meter in song.meters
        ):
            left.append(task)
            continue
        meter = f"{operation.beats}/{operation.unit}"
        said = next((word for word in lexicon.words.meters.get(meter, ()) if f" a {word}" in f" {task.words}"), "")
        already.append(f"a {said} already, in {meter}" if said else f"in {meter} already")
    return left, tuple(already)


def without_claim(tasks: Sequence[Task]) -> list[Task]:
    """The tasks; if one of them restyles the song, exchanges of instruments are no longer `exact`, as their notes
    change too."""
    if not any(isinstance(task.operation, Restyle) for task in tasks):
        return list(tasks)
    return [
        structs.replace(task, operation=structs.replace(task.operation, exact=False))
        if isinstance(task.operation, Replace) and task.operation.exact else task for task in tasks
    ]


def answered(tasks: Sequence[Task], complaints: Sequence[Task], for_all: Callable[[Task], bool]) -> list[Task]:
    """The tasks without complaints that only give the reason for another task, which then answers for both: "the drums
    are too loud, turn them down". `complaints` are those of the tasks that complain.

    A task for which `for_all` is true means all parts, whatever the complaint was about.
    """
    orders = [task for task in tasks if task not in complaints]
    left = list(tasks)
    for complaint in complaints:
        met = next((at for at, task in enumerate(left) if task in orders and _same_matter(task, complaint)), None)
        again = next((at for at, task in enumerate(left) if task is not complaint and task == complaint), None)
        at = met if met is not None else again
        if at is not None and complaint in left:
            order = structs.replace(left[at], clauses=tuple(dict.fromkeys((*left[at].clauses, *complaint.clauses))))
            wish = getattr(complaint.operation, "wish", None)
            if wish is not None and getattr(order.operation, "wish", wish) is None and not for_all(order):
                order = structs.replace(order, operation=structs.replace(order.operation, wish=wish))
            orders = [order if task == left[at] else task for task in orders]
            left[at] = order
            left.remove(complaint)
    return left


def _same_matter(task: Task, complaint: Task) -> bool:
    """Whether a task changes what is complained about: the same thing of the same part, or of what "it" points at.

    That a part is boring says nothing of what to do, so anything that is asked for it says more.
    """
    one, other = task.operation, complaint.operation
    wishes = getattr(one, "wish", None), getattr(other, "wish", None)
    if other.of_entrance and (one.of_entrance or isinstance(one, Solo)):
        # "they come in too early, just strings at first"
        alone = one.wishes if isinstance(one, Solo) else ()
        return same(*wishes) if one.of_entrance else wishes[1] not in alone
    vague = isinstance(other, Reshape) and other.how == "vary"
    alike = vague or (type(one) is type(other) and getattr(one, "control", "") == getattr(other, "control", ""))
    return alike and (None in wishes or same(*wishes))


def about(operation: Operation, named: tuple[Wish | None, ...]) -> Operation:
    """The operation, limited to the first of the parts `named` (None: no part) if it was about all parts."""
    if named and named[0] is not None and hasattr(operation, "wish") and operation.wish is None:
        return structs.replace(operation, wish=named[0])
    return operation


def amount_of(measures: Sequence[Measure], operation: Operation, own: float = 1.0) -> float:
    """The task's amount for the measures that were said; `own` is the amount of the operation's words without any.

    A percentage that is already the operation's factor is not applied again.
    """
    if isinstance(operation, Retempo) and operation.bpm is not None:
        return 1.0
    if not measures or (measures[0].exact and getattr(operation, "factor", 1.0) != 1.0):
        return 1.0 if isinstance(operation, Add | Reharmonise) else own
    return max(_LEAST, min(_MOST, measures[0].factor * own))


def sparing(task: Task, spared: Sequence[Place], lexicon: Lexicon) -> Task:
    """The task with the places `spared` excluded from its scope.

    For a new length of the whole song those places are only kept from being cut or repeated, except its end.
    """
    if isinstance(task.operation, Resize) and task.scope.whole:
        kept = tuple(place for place in spared if not _is_end(place, lexicon))
        return structs.replace(task, operation=structs.replace(task.operation, kept=(*task.operation.kept, *kept)))
    if task.operation.of_whole:
        return task
    return structs.replace(task, scope=structs.replace(task.scope, excluded=(*task.scope.excluded, *spared)))


def _is_end(place: Place, lexicon: Lexicon) -> bool:
    """Whether a place is the end of the song, by its bars or by what such sections are called."""
    bars, song = bars_of(place, lexicon.song), lexicon.song
    closing = {section.name for section in lexicon.words.sections if section.kind == _CLOSING}
    named = isinstance(place, Named) and place.name in closing
    return bars.last >= song.bars if bars is not None else named


def of_one_length(tasks: Sequence[Task]) -> list[Task]:
    """The tasks, with every change of tempo set to keep the piece's duration."""
    return [
        structs.replace(task, operation=structs.replace(task.operation, keep_length=True))
        if isinstance(task.operation, Retempo) else task for task in tasks
    ]


def in_one_tempo(tasks: Sequence[Task], song: Song) -> list[Task]:
    """The tasks, with a relative tempo dropped if a stated tempo of the same scope agrees with it: "a bit slower,
    100ish" if 100 is slower."""
    found = list(tasks)
    for vague in tasks:
        if not isinstance(vague.operation, Retempo) or vague.operation.bpm is not None or vague.operation.factor == 1:
            continue
        for task in [one for one in found if isinstance(one.operation, Retempo) and one.scope == vague.scope]:
            assert isinstance(task.operation, Retempo)
            bpm = task.operation.bpm
            if bpm is not None and (bpm < song.bpm) == (vague.operation.factor < 1) and vague in found:
                clauses = tuple(sorted({*task.clauses, *vague.clauses}))
                found[found.index(task)] = structs.replace(task, clauses=clauses)
                found.remove(vague)
    return found


def in_one_key(tasks: Sequence[Task], song: Song) -> list[Task]:
    """The tasks, with a transposition dropped if it leads to the key that is also stated: "down a tone to F"."""
    found = list(tasks)
    for moved in tasks:
        if not isinstance(moved.operation, Transpose) or moved.operation.wish is not None:
            continue
        pitch = (song.key.pitch_class + moved.operation.semitones) % 12
        for task in [one for one in found if isinstance(one.operation, Rekey) and one.scope == moved.scope]:
            assert isinstance(task.operation, Rekey)
            tonic, mode = task.operation.tonic, task.operation.mode
            if tonic is not None and Key(tonic).pitch_class == pitch and mode in (None, song.key.mode):
                at = found.index(moved)
                found[at] = moved = structs.replace(moved, clauses=(*moved.clauses, *task.clauses))
                found.remove(task)
    return found
