"""How a plan differs from the one before it, of which some rows were asked for again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.document import Plan
from agent.plan.plan import Json, Step
from app.i18n import tr, trn
from app.viewmodels.texts.figures import number

_LONGEST = 40
_MOST = 4


class ReplanDiff(Struct, frozen=True):
    """`was` holds, by step id, the rows of a new plan that differ from the plan before: the row as it was, or None for
    a new row. `gone` are the rows that the new plan no longer has."""

    was: Mapping[str, Step | None]
    gone: tuple[Step, ...] = ()


def replan_diff(before: Plan, after: Plan) -> ReplanDiff:
    """Compare two plans row by row, whatever was asked for: what a planner changed besides is seen too."""
    old = {step.id: step for step in before.steps}
    kept = {step.id for step in after.steps}
    was = {step.id: old.get(step.id) for step in after.steps if not same_operation(old.get(step.id), step)}
    return ReplanDiff(was, tuple(step for step in before.steps if step.id not in kept))


def same_operation(one: Step | None, other: Step) -> bool:
    """Whether two rows use the same tool in the same way, whatever their ids and titles; False if `one` is None."""
    return one is not None and _bare(one) == _bare(other)


def change_words(old: Step | None, new: Step) -> str:
    """What differs between two versions of a row: "bpm 84 → 72, notes 12 → 16"; "new" if `old` is None."""
    if old is None:
        return "new"
    said = [f"{old.tool} → {new.tool}"] if old.tool != new.tool else []
    said += _inputs(old.inputs, new.inputs)
    if not said:
        said = [tr("other settings")]
    more = len(said) - _MOST
    return ", ".join(said[:_MOST]) + (tr(", and {count} more", count=more) if more > 0 else "")


def replan_words(found: ReplanDiff, asked: Sequence[int], numbers: Mapping[str, int]) -> str:
    """What Bandleader says of a plan some of whose rows were proposed again. `asked` are the numbers that these rows
    had before, `numbers` the present ones by step id."""
    if not found.was and not found.gone:
        return tr(
            "I would write {steps} the same way again. Say what you want to be different.", steps=steps_named(asked)
        )
    return tr(
        "Here is {steps} again: {what}. Nothing runs until you approve it.", steps=steps_named(asked),
        what=_differs(found, numbers),
    )


def changed_words(found: ReplanDiff, numbers: Mapping[str, int]) -> str:
    """What Bandleader says of a plan that was changed after a remark on it; `numbers` are the present row numbers by
    step id."""
    if not found.was and not found.gone:
        return tr("The steps of the plan stay as they are.")
    return tr("The plan is changed: {what}. Nothing runs until you approve it.", what=_differs(found, numbers))


def _differs(found: ReplanDiff, numbers: Mapping[str, int]) -> str:
    """ "step 3 changed, step 5 new, 1 step gone"."""
    changed = [numbers[step] for step, old in found.was.items() if old is not None and step in numbers]
    fresh = [numbers[step] for step, old in found.was.items() if old is None and step in numbers]
    parts = [tr("{steps} changed", steps=steps_named(changed)) if changed else "",
             tr("{steps} new", steps=steps_named(fresh)) if fresh else "",
             trn("{count} step gone", "{count} steps gone", len(found.gone)) if found.gone else ""]
    return ", ".join(part for part in parts if part)


def steps_named(numbers: Sequence[int]) -> str:
    """The numbers of rows in words: "step 3", "steps 3 and 5", "steps 1, 2 and 4"."""
    names = [str(one) for one in sorted(numbers)]
    if not names:
        return tr("no steps")
    if len(names) == 1:
        return tr("step {number}", number=names[0])
    return tr("steps {numbers} and {last}", numbers=", ".join(names[:-1]), last=names[-1])


def _bare(step: Step) -> Step:
    return replace(step, title="", group="", why="")


def _inputs(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[str]:
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        if before != after:
            yield _difference(name.replace("_", " "), before, after)


def _difference(name: str, before: Json, after: Json) -> str:
    if isinstance(before, list) and isinstance(after, list):
        return f"other {name}" if len(before) == len(after) else f"{name} {len(before)} → {len(after)}"
    shown = (_value(before), _value(after))
    return f"other {name}" if "" in shown else f"{name} {shown[0]} → {shown[1]}"


def _value(value: Json) -> str:
    """A value in a few characters; empty for one that has too many."""
    match value:
        case None:
            return "–"
        case bool():
            return "on" if value else "off"
        case int() | float():
            return number(value)
        case str():
            text = " ".join(value.split())
            return text if len(text) <= _LONGEST else f"{text[:_LONGEST - 1]}…"
        case _:
            return ""
