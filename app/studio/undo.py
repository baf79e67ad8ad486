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
"""Begins the message of a version that a branch begins with."""
_WALKS: dict[str, Walk] = {"undo": "undo", "redo": "redo"}


class Steps(Struct, frozen=True):
    """The versions that one undo and one redo would restore; None where there is nothing."""

    undo: Iteration | None = None
    redo: Iteration | None = None


def steps(iterations: Sequence[Iteration], head: IterationId | None) -> Steps:
    """What undo and redo lead to from `head`.

    Undo restores the parent of the version that is shown, redo what the last undo left. A version made by an
    undo or redo shows another version; a plain restore is a change of its own, which undo takes back. Where a
    version is missing (damaged, or too old to be listed) the walk ends.
    """
    known = {one.id: one for one in iterations}
    now = known.get(head) if head is not None else None
    if now is None:
        return Steps()
    parent = shown(now, known).parent
    undo = None if parent is None else known.get(parent)
    undone: list[Iteration] = []
    for one in _from_root(now, known):
        match walked(one):
            case "undo" if one.parent in known:
                undone.append(shown(known[one.parent], known))
            case "redo" if undone:
                undone.pop()
            case _:
                undone.clear()
    return Steps(None if undo is None else shown(undo, known), undone[-1] if undone else None)


def walked(one: Iteration) -> Walk | None:
    """Whether a version was made by an undo or a redo; None for every other one."""
    return _WALKS.get(one.message.partition(" ")[0]) if one.source == "restore" else None


def begins_branch(one: Iteration) -> bool:
    """Whether a version is an older one again, made to go on from there."""
    return one.source == "restore" and one.message.partition(" ")[0] == BRANCH


def shown(one: Iteration, known: Mapping[IterationId, Iteration]) -> Iteration:
    """The version whose song this one shows: for undo and redo the one that they restored, for the beginning of a
    branch the one that it went out from."""
    seen = {one.id}
    while walked(one) is not None or begins_branch(one):
        target = known.get(IterationId(one.message.partition(" ")[2]))
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
