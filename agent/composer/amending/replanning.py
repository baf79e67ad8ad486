"""Replanning: the plan of a request that a remark amends, row for row as it was wherever the remark changes nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from agent.composer.amending.remarks import Remarks, RevisedTasks
from agent.composer.understanding.intent import Intent
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.plan import Ask, Clause, Draft, Inputs, Json, Step, StepId

_REFERENCE = re.compile(r"\{\{([a-z][a-z0-9_]{0,31})\.")
_OWN = ("name", "target", "effect_name", "at_beat", "start_time")
"""Inputs that say which thing a row makes or sets, beside ids."""
_MAKING = ("create_track", "create_midi_clip", "add_effect", "add_section")
"""Tools whose `name` tells apart what they make; elsewhere it is a value."""

_Identity = tuple[object, ...]


class _Side(Struct, frozen=True):
    """The rows of one plan by what they work on."""

    steps: dict[_Identity, Step]
    same: dict[_Identity, object]
    """What a row does, with references by what they point at, to be compared with that of another plan."""


def _merged(
    plan: Sequence[Step], base: Sequence[Step], anew: Sequence[Step]
) -> tuple[list[Step], dict[StepId, StepId]]:
    """The rows of the plan after its request was amended, and new ids for the rows of `anew`. `base` are the rows of
    the request as it was, `anew` those of the amended one.

    A row equal in `base` and `anew` stays as it is in the plan, or stays out if the person removed it.
    """
    was, old, new = _side(plan), _side(base), _side(anew)
    ids: dict[StepId, StepId] = {new.steps[key].id: was.steps[key].id for key in new.steps if key in was.steps}
    taken = {step.id for step in plan}
    for step in anew:
        if step.id not in ids:
            ids[step.id] = _free(step.id, taken)
            taken.add(ids[step.id])
    steps: list[Step] = []
    for key, step in was.steps.items():
        if key in new.steps:
            kept = key in old.steps and old.same[key] == new.same[key]
            steps.append(step if kept else _renamed(new.steps[key], ids))
        elif key not in old.steps:
            steps.append(step)
    left_out = {key for key in old.steps if key not in was.steps and old.same[key] == new.same.get(key)}
    added = [step for key, step in new.steps.items() if key not in was.steps and key not in left_out]
    return [*steps, *(_renamed(step, ids) for step in added)], ids


def _shares_a_row(plan: Sequence[Step], base: Sequence[Step]) -> bool:
    """Whether the plan has at least one row exactly as in `base`; otherwise the composer did not write it."""
    was, old = _side(plan), _side(base)
    return any(was.same.get(key) == same for key, same in old.same.items())


def _side(steps: Sequence[Step]) -> _Side:
    found: dict[_Identity, Step] = {}
    same: dict[_Identity, object] = {}
    known: dict[StepId, _Identity] = {}
    seen: Counter[_Identity] = Counter()
    for step in steps:
        names = step.tool in _MAKING
        told = {
            name: value for name, value in step.inputs.items()
            if name.endswith("_id") or (name in _OWN and (name != "name" or names))
        }
        plain: _Identity = (step.tool, *(_frozen(told[name], known) for name in sorted(told)))
        seen[plain] += 1
        key: _Identity = (*plain, seen[plain])
        known[step.id] = key
        found[key] = step
        same[key] = (_frozen(step.inputs, known), step.title)
    return _Side(found, same)


def _frozen(value: Json, known: Mapping[StepId, _Identity]) -> object:
    """A value that can be compared, with references by what they point at."""
    if isinstance(value, str) and (found := _REFERENCE.search(value)) is not None:
        return known.get(found[1], value)
    if isinstance(value, dict):
        return tuple((name, _frozen(value[name], known)) for name in sorted(value))
    if isinstance(value, list | tuple):
        return tuple(_frozen(one, known) for one in value)
    return value


def _free(wanted: StepId, taken: set[StepId]) -> StepId:
    return wanted if wanted not in taken else next(one for one in _numbered() if one not in taken)


def _numbered() -> Iterator[StepId]:
    number = 1
    while True:
        yield f"s{number}"
        number += 1


def _renamed(step: Step, ids: Mapping[StepId, StepId]) -> Step:
    inputs: Inputs = _with_ids(step.inputs, ids)
    after = tuple(ids.get(one, one) for one in step.after)
    return structs.replace(step, id=ids[step.id], inputs=inputs, after=after)


def _with_ids(value: Json, ids: Mapping[StepId, StepId]) -> Json:
    if isinstance(value, str):
        return _REFERENCE.sub(lambda found: f"{{{{{ids.get(found[1], found[1])}.", value)
    if isinstance(value, dict):
        return {name: _with_ids(one, ids) for name, one in value.items()}
    return [_with_ids(one, ids) for one in value] if isinstance(value, list | tuple) else value


LEFT_OUT = "it is left out again, as you said"
"""The reason shown for a clause that the person took back."""
_LINE = "\n"
"""What stands between the request of a plan and each remark that was made on it."""


class Replanned(Struct, frozen=True):
    """A plan after a remark, the words of the remark that were not about its tasks (`rest`), and its new intent."""

    plan: Plan
    rest: str
    intent: Intent


class Replanning(Struct, frozen=True):
    """Amends plans of the composer. `write` drafts an intent for the song before the plan, and raises `PlanError` if
    nothing would change."""

    remarks: Remarks
    read: Callable[[str], Intent]
    write: Callable[[Intent], Draft]

    def amended(self, plan: Plan, words: str) -> Replanned | None:
        """The plan after a remark; None if the remark is not about its tasks, or the plan was not written from its
        request."""
        found = self._request_of(plan)
        if found is None:
            return None
        request, asked, base = found
        tasks = asked.tasks
        for line in plan.request[len(request) + 1 :].split(_LINE):
            before = self.remarks.on(line, asked, tasks) if line.strip() else None
            tasks = tasks if before is None else before.tasks
        remark = self.remarks.on(words, asked, tasks)
        if remark is None:
            return None
        try:
            old = base if tasks == asked.tasks else self.write(structs.replace(asked, tasks=tasks))
            new = self.write(structs.replace(asked, tasks=remark.tasks))
        except PlanError:
            return None
        if _told_only(new) - _told_only(old):
            # what was done cannot be done so
            return None
        told = self._told(plan, old, new, remark, len(request))
        return Replanned(told, remark.rest, structs.replace(asked, tasks=remark.tasks))

    def _request_of(self, plan: Plan) -> tuple[str, Intent, Draft] | None:
        """The request that a plan was first made of, as it is read, and its draft: all of its words, or their first
        line where the rest are remarks."""
        for request in dict.fromkeys((plan.request, plan.request.partition(_LINE)[0])):
            intent = self.read(request)
            if intent.goal != "change" or not intent.tasks:
                continue
            try:
                draft = self.write(intent)
            except PlanError:
                continue
            if _shares_a_row(plan.steps, draft.steps):
                return request, intent, draft
        return None

    @staticmethod
    def _told(plan: Plan, old: Draft, new: Draft, remark: RevisedTasks, length: int) -> Plan:
        steps, ids = _merged(plan.steps, old.steps, new.steps)
        present = {step.id for step in steps}
        was = {step.id: step for step in plan.steps}
        behind = len(plan.request) + 1
        fresh = tuple(step.id for step in steps if was.get(step.id) != step)
        said = Clause(remark.said, behind, behind + len(remark.said), "done", fresh)
        done = {one.start for one in old.clauses if one.steps}
        first = (_after(structs.replace(one, steps=_of(one.steps, ids, present)), done) for one in new.clauses)
        asks = (structs.replace(one, steps=_of(one.steps, ids, present)) for one in new.asks)
        own = {one.asked for one in old.asks}
        return structs.replace(
            plan, steps=tuple(steps), request=f"{plan.request}{_LINE}{remark.said}", hash="", lint=(),
            clauses=(*first, *(one for one in plan.clauses if one.start > length), said),
            understood=(*new.understood, *(one for one in plan.understood if one not in old.understood)),
            ignored=new.ignored, asks=(*asks, *_others(plan.asks, own)),
        )


def _told_only(draft: Draft) -> set[int]:
    """Where the clauses begin of which nothing is done."""
    return {one.start for one in draft.clauses if one.outcome == "told" and not one.steps}


def _after(clause: Clause, done: set[int]) -> Clause:
    """A clause after the remark: one whose rows are all gone is done no more."""
    if clause.steps or clause.start not in done:
        return clause
    return structs.replace(clause, outcome="told", reason=LEFT_OUT)


def _of(rows: Sequence[StepId], ids: dict[StepId, StepId], present: set[StepId]) -> tuple[StepId, ...]:
    return tuple(ids[row] for row in rows if ids.get(row) in present)


def _others(asks: Sequence[Ask], own: set[str]) -> tuple[Ask, ...]:
    """What was asked for beside the request itself."""
    return tuple(ask for ask in asks if ask.asked not in own)
