"""Amendments: what the clauses of a remark change in the tasks of a plan; all other tasks stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct, structs

from agent.composer.amending.fragments import Fragment, Quantity
from agent.composer.amending.valued import stretched, takes, values_of, with_value
from agent.composer.changing.operations.catalogue import catalogue
from agent.composer.changing.scopes import spans_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import tracks_of
from agent.composer.understanding.operations import Add, Mix, Rekey, Replace, Retempo, Transpose
from agent.composer.understanding.tasks import Bars, Operation, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song

_LONGER, _SHORTER = 2.0, 0.5
_FRAME = (Retempo, Rekey)
"""What a place that is said of no task in particular does not limit."""


class Amended(Struct, frozen=True):
    """The tasks after a clause of a remark, and the numbers of those that it was about.

    `waits`: the clause only says that a value is wrong, and a correction has to follow. `takes` is False if it changes
    nothing in the tasks.
    """

    tasks: tuple[Task, ...]
    about: frozenset[int]
    waits: bool = False
    takes: bool = True


class Amending(Struct, frozen=True):
    """Changes the tasks of a plan by clauses of a remark. `song` is the song before the plan."""

    song: Song
    palette: Palette

    def by_fragment(self, tasks: tuple[Task, ...], said: Fragment, last: frozenset[int]) -> Amended | None:
        """The tasks after a clause that is only a fragment (`said`: "only 2 dB"); None if it is not about them. `last`
        are the numbers of the tasks that the clause before was about."""
        if "degree" in said.sayings:
            return None
        about = self._about(tasks, said)
        pointed = about or (last if self._fits(tasks, said) else frozenset())
        if "wrong" in said.sayings:
            return self._wrong(tasks, said, pointed)
        if said.sayings & {"starts", "ends"} and said.scope is not None:
            return self._bounded(tasks, said.scope, said, pointed)
        old = [one for at in range(len(tasks)) for one in values_of(tasks[at], self.song.bpm)]
        new = [one for one in said.values if not any(_equal(one, was) for was in old)]
        if said.values and not new:
            return self._wrong(tasks, said, pointed) if "not" in said.sayings else Amended(tasks, pointed)
        if said.values:
            # of "84 rather than 90" the old one says what is meant
            held = self._holding(tasks, [one for one in said.values if one not in new]) or pointed
            return self._valued(tasks, new[0], said, held) if len(new) == 1 and said.scope is None else None
        if said.sayings & {"longer", "shorter"} and said.scope is None:
            return self._stretched(tasks, said, pointed)
        if said.scope is not None:
            return self._placed(tasks, said.scope, said, pointed)
        if said.wishes and said.sayings & {"also", "instead"}:
            return self._other_part(tasks, said, about, last)
        if said.sayings & {"not", "unchanged"}:
            return self._dropped(tasks, said)
        if said.sayings == {"only"}:
            return self._alone(tasks, said, about)
        # what only names what is planned agrees to it
        return Amended(tasks, about) if about and not said.sayings else None

    def by_request(self, tasks: tuple[Task, ...], asked: Sequence[Task]) -> Amended | None:
        """The tasks after a clause that is a complete request for the tasks `asked`, if each of these states one of
        `tasks` anew ("transpose it by 3 semitones"); None otherwise."""
        changed, about = tasks, set[int]()
        for one in asked:
            found = [at for at, task in enumerate(changed) if _alike(task.operation, one.operation)]
            found = [at for at in found if self._covers(_wish(changed[at]), _wish(one))]
            if len(found) != 1 or not _states(one, changed[found[0]]):
                return None
            changed = self._with(changed, found[0], partial(_merged, asked=one), _wish(one))
            about.add(found[0])
        return Amended(changed, frozenset(about)) if changed != tasks else None

    def _about(self, tasks: Sequence[Task], said: Fragment) -> frozenset[int]:
        """The tasks that a fragment names: by their part, else by a word of theirs."""
        called = {one.label.casefold() for one in said.wishes}
        parts = {at for at, task in enumerate(tasks) if (one := _wish(task)) and one.label.casefold() in called}
        if not parts:
            parts = {at for at, task in enumerate(tasks) if any(self._same(_wish(task), one) for one in said.wishes)}
        if not parts:
            parts = {
                at for at, task in enumerate(tasks)
                if (wish := _wish(task)) is not None and any(self._covers(wish, one) for one in said.wishes)
            }
        if parts and said.tasks & parts:
            parts &= said.tasks
        return frozenset(parts or (said.tasks if not said.wishes else ()))

    @staticmethod
    def _fits(tasks: Sequence[Task], said: Fragment) -> bool:
        """Whether words that name no task may be about those that were spoken of before."""
        return not said.wishes and not said.tasks and bool(tasks)

    def _wrong(self, tasks: tuple[Task, ...], said: Fragment, about: frozenset[int]) -> Amended | None:
        """80 is too slow, a third is too much: which of the tasks that is."""
        if said.scope is not None:
            return None
        held = self._holding(tasks, said.values) or frozenset(
            at for at, task in enumerate(tasks) if any(takes(task, value) for value in said.values)
        )
        if said.values and not held:
            return None
        return Amended(tasks, held or about, waits=True)

    def _holding(self, tasks: tuple[Task, ...], values: Sequence[Quantity]) -> frozenset[int]:
        """The tasks that hold one of the values already."""
        return frozenset(
            at for at, task in enumerate(tasks)
            if any(_equal(value, was) for value in values for was in values_of(task, self.song.bpm))
        )

    def _valued(
        self, tasks: tuple[Task, ...], value: Quantity, said: Fragment, about: frozenset[int]
    ) -> Amended | None:
        able = [at for at in sorted(about) if takes(tasks[at], value)]
        if not able and not (said.wishes or said.tasks):
            able = [at for at in range(len(tasks)) if takes(tasks[at], value)]
        if len(able) != 1:
            able = [at for at in able if values_of(tasks[at], self.song.bpm)]
        if len(able) != 1:
            return None
        at = able[0]
        part = next((one for one in said.wishes if not self._same(_wish(tasks[at]), one)), None)
        changed = self._with(tasks, at, lambda task: with_value(task, value, self.song.bpm), part)
        return Amended(changed, frozenset({at}))

    def _stretched(self, tasks: tuple[Task, ...], said: Fragment, about: frozenset[int]) -> Amended | None:
        able = [at for at in about if stretched(tasks[at], _LONGER) is not None]
        if len(able) != 1:
            return None
        longer = stretched(tasks[able[0]], _LONGER if "longer" in said.sayings else _SHORTER)
        assert longer is not None
        return Amended((*tasks[: able[0]], longer, *tasks[able[0] + 1 :]), frozenset(able))

    def _placed(self, tasks: tuple[Task, ...], scope: Scope, said: Fragment, about: frozenset[int]) -> Amended | None:
        """The tasks limited to a place, without it, or there as well."""
        if said.wishes and not about:
            return None
        able = about or frozenset(at for at, task in enumerate(tasks) if not isinstance(task.operation, _FRAME))
        changed = tasks
        for at in sorted(able):
            placed = self._scope(tasks[at], scope, said)
            if placed is None:
                return None
            part = next((one for one in said.wishes if not self._same(_wish(tasks[at]), one)), None)
            changed = self._with(changed, at, partial(_with_scope, scope=placed), part)
        return Amended(changed, able) if able else None

    def _scope(self, task: Task, scope: Scope, said: Fragment) -> Scope | None:
        old, sayings = task.scope, said.sayings
        stays = "stays" in sayings and catalogue().of(task.operation).removes(task.operation)
        if stays or "not" in sayings or ("stays" in sayings and "unchanged" in sayings):
            if not scope.places or (old.places and not self._meet(old, scope)):
                return old if scope.places else None
            return Scope(old.places, (*old.excluded, *scope.places))
        if "also" in sayings:
            return Scope((*old.places, *scope.places), old.excluded) if old.places and not scope.excluded else None
        if "stays" in sayings or ("only" not in sayings and said.sayings & {"unchanged"}):
            return None
        return self._onward(old, scope)

    def _onward(self, old: Scope, scope: Scope) -> Scope:
        """A place; of one that runs on to the end of the song only what lies where the task was."""
        place = scope.places[0] if len(scope.places) == 1 else None
        if not isinstance(place, Bars) or place.last < self.song.bars or not old.places or not self._meet(old, scope):
            return scope
        last = self.song.bar_map.bar_at(spans_of(old, self.song, self.palette)[-1][1] - 1)
        return Scope((Bars(place.first, last),)) if place.first <= last else scope

    def _meet(self, one: Scope, other: Scope) -> bool:
        """Whether two places have bars in common."""
        try:
            first, second = (spans_of(scope, self.song, self.palette) for scope in (one, other))
        except Blocked:
            return False
        return any(start < till and begin < end for start, end in first for begin, till in second)

    def _bounded(
        self, tasks: tuple[Task, ...], scope: Scope, said: Fragment, about: frozenset[int]
    ) -> Amended | None:
        """The task from a bar on, or up to one, instead of where it began or ended."""
        able = sorted(about or frozenset(range(len(tasks))))
        if len(able) != 1:
            return None
        task, bars = tasks[able[0]], self.song.bar_map
        try:
            old = spans_of(task.scope, self.song, self.palette)
            new = spans_of(scope, self.song, self.palette)
        except Blocked:
            return None
        first, last = bars.bar_at(old[0][0]), bars.bar_at(old[-1][1] - 1)
        if any(value.unit != "plain" or value.number not in (first, last) for value in said.values):
            return None
        if "starts" in said.sayings:
            first = bars.bar_at(new[0][0])
        else:
            last = bars.bar_at(new[-1][1] - 1)
        if first > last:
            return None
        moved = _with_scope(task, Scope((Bars(first, last),)))
        return Amended((*tasks[: able[0]], moved, *tasks[able[0] + 1 :]), frozenset(able))

    def _other_part(
        self, tasks: tuple[Task, ...], said: Fragment, about: frozenset[int], last: frozenset[int]
    ) -> Amended | None:
        """The same for another part as well, or for it instead."""
        new = [one for one in said.wishes if not any(self._same(one, _named(task)) for task in tasks)]
        able = sorted(about or last or frozenset(range(len(tasks))))
        able = [at for at in able if _wish(tasks[at]) is not None]
        if len(new) != 1 or len(able) != 1:
            return None
        at, wish = able[0], new[0]
        task, operation = tasks[at], tasks[at].operation
        if "also" in said.sayings:
            twin = structs.replace(task, operation=_for(operation, wish))
            return Amended((*tasks, twin), frozenset({len(tasks)}))
        other = structs.replace(operation, by=wish) if isinstance(operation, Replace) else _for(operation, wish)
        return Amended((*tasks[:at], structs.replace(task, operation=other), *tasks[at + 1 :]), frozenset({at}))

    def _alone(self, tasks: tuple[Task, ...], said: Fragment, about: frozenset[int]) -> Amended | None:
        """The tasks that are named whole, without all others."""
        whole = not said.wishes or any(self._same(_wish(tasks[at]), one) for at in about for one in said.wishes)
        if not about or not whole:
            return None
        if len(about) == len(tasks):
            return Amended(tasks, about)
        return Amended(tuple(tasks[at] for at in sorted(about)), frozenset())

    def _dropped(self, tasks: tuple[Task, ...], said: Fragment) -> Amended | None:
        """The tasks without those that are taken back whole; of a part that is one of several rows go."""
        if "unchanged" in said.sayings and "stays" not in said.sayings:
            return None
        whole = frozenset(at for at, task in enumerate(tasks) if any(self._same(_wish(task), w) for w in said.wishes))
        gone = (whole & said.tasks or whole) if said.wishes else said.tasks
        if not gone or len(gone) == len(tasks) or (said.wishes and not whole):
            return None
        return Amended(tuple(task for at, task in enumerate(tasks) if at not in gone), frozenset())

    def _with(
        self, tasks: tuple[Task, ...], at: int, change: Callable[[Task], Task], part: Wish | None
    ) -> tuple[Task, ...]:
        """The tasks with one changed; where only a part of what it is about is meant, for that part alone."""
        task = tasks[at]
        wish = _wish(task)
        if part is None or not hasattr(task.operation, "wish") or self._same(wish, part):
            return (*tasks[:at], change(task), *tasks[at + 1 :])
        own = self._tracks(part)
        all_tracks = self._tracks(wish) if wish is not None else tuple(track.id for track in self.song.tracks)
        rest = tuple(track for track in all_tracks if track not in own)
        mine = change(structs.replace(task, operation=_for(task.operation, part)))
        if not rest:
            return (*tasks[:at], mine, *tasks[at + 1 :])
        label = wish.label if wish is not None else ""
        others = Wish(label, tracks=rest)
        spared = structs.replace(task, operation=_for(task.operation, others))
        return (*tasks[:at], spared, mine, *tasks[at + 1 :])

    def _tracks(self, wish: Wish) -> tuple[TrackId, ...]:
        return tracks_of(wish, self.song, self.palette)

    def _same(self, one: Wish | None, other: Wish | None) -> bool:
        """Whether two wishes name the same: by their words, or by the tracks that the song has of them."""
        if one is None or other is None:
            return False
        if one.pieces != other.pieces:
            return False
        tracks = self._tracks(one)
        return one.label.casefold() == other.label.casefold() or (bool(tracks) and tracks == self._tracks(other))

    def _covers(self, wide: Wish | None, part: Wish | None) -> bool:
        """Whether a part is among what a task is about."""
        if part is None or wide is None:
            return True
        tracks = self._tracks(part)
        return self._same(wide, part) or (bool(tracks) and set(tracks) <= set(self._tracks(wide)))


def _wish(task: Task) -> Wish | None:
    wish = getattr(task.operation, "wish", None)
    return wish if isinstance(wish, Wish) else None


def _named(task: Task) -> Wish | None:
    """The part that a task brings in, else the one that it is about."""
    return task.operation.by if isinstance(task.operation, Replace) else _wish(task)


def _for(operation: Operation, wish: Wish) -> Operation:
    return structs.replace(operation, wish=wish)


def _equal(one: Quantity, was: Quantity) -> bool:
    return one.number == was.number and (one.unit in ("plain", was.unit))


def _alike(one: Operation, other: Operation) -> bool:
    """Whether two operations state the same thing of the music."""
    if type(one) is not type(other) or isinstance(one, Add):
        return False
    if isinstance(one, Mix) and isinstance(other, Mix):
        return one.control == other.control
    return getattr(one, "mood", None) == getattr(other, "mood", None) and getattr(one, "how", 0) == getattr(
        other, "how", 0
    )


def _states(asked: Task, task: Task) -> bool:
    """Whether a request says how far, where, or to the other side: words that only repeat a task want more of it."""
    operation = asked.operation
    if isinstance(operation, Retempo):
        return operation.bpm is not None
    if isinstance(operation, Transpose) or not asked.scope.whole:
        return True
    if isinstance(operation, Mix) and isinstance(task.operation, Mix):
        exact = operation.decibels is not None or operation.at is not None
        return exact or operation.by * task.operation.by < 0
    return bool(getattr(operation, "bars", 0))


def _merged(task: Task, asked: Task) -> Task:
    """A task with what a request states anew; what it leaves open stays."""
    operation = task.operation
    stated = {
        name: getattr(asked.operation, name) for name, default in _defaults(asked.operation)
        if getattr(asked.operation, name) != default and name != "wish"
    }
    if isinstance(operation, Mix) and isinstance(asked.operation, Mix):
        stated |= {"decibels": asked.operation.decibels, "at": asked.operation.at}
    scope = task.scope if asked.scope.whole else asked.scope
    return structs.replace(
        task, operation=structs.replace(operation, **stated), scope=scope, amount=asked.amount
    )


def _with_scope(task: Task, scope: Scope) -> Task:
    return structs.replace(task, scope=scope)


def _defaults(operation: Operation) -> list[tuple[str, object]]:
    return [(one.name, one.default) for one in structs.fields(operation)]
