"""Undo and redo as walks through the version tree: what they lead to is read from the stored versions alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from agent.song.ids import IterationId
from app.storage.records import Iteration

Walk = Literal["undo", "redo"]
Way = Literal["restore", "undo", "redo"]
BRANCH = "branch"
"""First word of the message of an iteration that begins a branch."""
_WALKS: dict[str, Walk] = {"undo": "undo", "redo": "redo"}


class Steps(Struct, frozen=True):
    """The versions that one undo and one redo would restore; None if there is none."""

    undo: Iteration | None = None
    redo: Iteration | None = None


class Trail(Struct, frozen=True):
    """The versions that repeated undo, and repeated redo, would restore, the nearest first; `now` is the one whose song
    is shown."""

    now: Iteration | None = None
    undo: tuple[Iteration, ...] = ()
    redo: tuple[Iteration, ...] = ()


def steps(iterations: Sequence[Iteration], head: IterationId | None) -> Steps:
    """What undo and redo lead to from `head`.

    Undo restores the parent of the version whose song is shown, redo what the last undo left. A version made by undo or
    redo counts as the one that it restored; a plain restore is a change of its own, which undo takes back. A missing
    version (damaged, or too old to be listed) ends the walk."""
    known = {one.id: one for one in iterations}
    now = known.get(head) if head is not None else None
    if now is None:
        return Steps()
    undo, undone = _before(now, known), _undone(now, known)
    return Steps(undo, undone[-1] if undone else None)


def trail(iterations: Sequence[Iteration], head: IterationId | None, most: int) -> Trail:
    """Everything that undo and redo lead to from `head`, at most `most` steps in each direction."""
    known = {one.id: one for one in iterations}
    now = known.get(head) if head is not None else None
    if now is None:
        return Trail()
    back: list[Iteration] = []
    seen = {shown(now, known).id}
    one = _before(now, known)
    while one is not None and one.id not in seen and len(back) < most:
        back.append(one)
        seen.add(one.id)
        one = _before(one, known)
    return Trail(shown(now, known), tuple(back), tuple(_undone(now, known)[::-1][:most]))


def _before(one: Iteration, known: Mapping[IterationId, Iteration]) -> Iteration | None:
    """What one undo restores from a version."""
    parent = shown(one, known).parent
    found = None if parent is None else known.get(parent)
    return None if found is None else shown(found, known)


def _undone(now: Iteration, known: Mapping[IterationId, Iteration]) -> list[Iteration]:
    """What redo restores, the nearest last."""
    undone: list[Iteration] = []
    for one in _from_root(now, known):
        match walked(one):
            case "undo" if one.parent is not None and one.parent in known:
                undone.append(shown(known[one.parent], known))
            case "redo" if undone:
                undone.pop()
            case _:
                undone.clear()
    return undone


def walked(one: Iteration) -> Walk | None:
    """Which of "undo" and "redo" made a version; None for every other one."""
    return _WALKS.get(one.message.partition(" ")[0]) if one.source == "restore" else None


def begins_branch(one: Iteration) -> bool:
    """Whether a version begins a branch by repeating an older one."""
    return one.source == "restore" and one.message.partition(" ")[0] == BRANCH


def restored(one: Iteration) -> IterationId:
    """The id of the version that this one restored; only for a version whose source is "restore"."""
    return IterationId(one.message.partition(" ")[2])


def shown(one: Iteration, known: Mapping[IterationId, Iteration]) -> Iteration:
    """The version whose song the version `one` has: for undo and redo the one that they restored, for the beginning of
    a branch the one it started from, otherwise `one` itself. `known` are the versions by id."""
    seen = {one.id}
    while walked(one) is not None or begins_branch(one):
        target = known.get(restored(one))
        if target is None or target.id in seen:
            return one
        seen.add(target.id)
        one = target
    return one


def _from_root(head: Iteration, known: Mapping[IterationId, Iteration]) -> list[Iteration]:
    chain: list[Iteration] = []
    seen: set[IterationId] = set()
    one: Iteration | None = head
    while one is not None and one.id not in seen:
        chain.append(one)
        seen.add(one.id)
        one = None if one.parent is None else known.get(one.parent)
    return chain[::-1]
