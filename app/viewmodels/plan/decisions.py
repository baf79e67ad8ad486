"""Decisions on rows of a plan: their order, their words, their history, and what later plans are told of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.decision import Change, Reject
from agent.plan.document import Plan
from agent.plan.order import needed
from agent.plan.plan import Step
from agent.plan.planning import Verdict
from agent.review.deletions import unasked
from agent.review.review import Review
from app.i18n import tr, trn
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.replan_diff import steps_named
from app.viewmodels.watched import Watched


def moved(steps: Sequence[Step], step: str, beside: str, *, below: bool) -> tuple[Step, ...]:
    """The rows with `step` put right above (or `below`) the row `beside`, under whose heading it stands then. Raises
    KeyError for rows that are not there."""
    places = {one.id: at for at, one in enumerate(steps)}
    row, other = steps[places[step]], steps[places[beside]]
    if row is other:
        return tuple(steps)
    left = [one for one in steps if one is not row]
    at = left.index(other) + below
    return (*left[:at], row if row.group == other.group else replace(row, group=other.group), *left[at:])


def obstacle(steps: Sequence[Step], step: str, beside: str, *, below: bool) -> str:
    """Why the row `step` cannot be put right above (or `below`) the row `beside`, in words; empty where it can."""
    numbers = {one.id: number for number, one in enumerate(steps, 1)}
    if step not in numbers or beside not in numbers:
        return tr("This step is not in the plan any more.")
    order = [one.id for one in moved(steps, step, beside, below=below)]
    now, then = numbers[step] - 1, order.index(step)
    crossed = steps[now + 1:then + 1] if then > now else steps[then:now]
    row = steps[now]
    for one in crossed:
        first, second = (one, row) if then < now else (row, one)
        if first.id in needed(second) or second.id in needed(first):
            later, earlier = (second, first) if first.id in needed(second) else (first, second)
            return tr("Step {later} needs step {earlier}, so they keep their order.", later=numbers[later.id],
                      earlier=numbers[earlier.id])
    return ""


_NAMED = 4
"""Rows that are named one by one."""


def numbered(proposal: Proposal, steps: Collection[str]) -> str:
    """The numbers of rows in words: "steps 3 and 5"; "12 steps" where they are many. `steps` are step ids."""
    numbers = [number for number, step in enumerate(proposal.plan.steps, 1) if step.id in steps]
    return steps_named(numbers) if len(numbers) <= _NAMED else trn("{count} step", "{count} steps", len(numbers))


def to_take_in(proposal: Proposal, steps: Collection[str]) -> tuple[str, ...]:
    """Ids of the rejected rows that must be approved so that the rows `steps` can run: rows of `steps` themselves and
    all rows that they need, in the order of the plan."""
    wanted: set[str] = set()
    frontier = [step for step in steps if step in proposal.needs]
    while frontier:
        step = frontier.pop()
        if step not in wanted:
            wanted.add(step)
            frontier += [source for source in proposal.needs[step] if source in proposal.needs]
    return tuple(step for step in proposal.needs if step in wanted and step in proposal.rejections)


def fallen_words(proposal: Proposal, rejected: Collection[str], fallen: Sequence[str]) -> str:
    """One sentence that the rows `fallen` will not run because they need rows of `rejected`. All are step ids."""
    said = trn(
        "{steps} needs {sources} and will not run.", "{steps} need {sources} and will not run.", len(fallen),
        steps=numbered(proposal, fallen), sources=numbered(proposal, rejected),
    )
    return said[:1].upper() + said[1:]


def needed_words(proposal: Proposal, steps: Collection[str], sources: Sequence[str]) -> str:
    """One sentence that rows cannot run without the rows `sources`, which are among the `rejected` ones. All are step
    ids."""
    named, needed = numbered(proposal, steps), numbered(proposal, sources)
    said = trn("{steps} needs {sources}, which is rejected.", "{steps} need {sources}, which is rejected.", len(steps),
               steps=named, sources=needed)
    if len(sources) > 1:
        said = trn("{steps} needs {sources}, which are rejected.", "{steps} need {sources}, which are rejected.",
                   len(steps), steps=named, sources=needed)
    return said[:1].upper() + said[1:]


_MOST = 200


class Decided(Struct, frozen=True, eq=False):
    """All decisions on a plan at one moment, by step id: `changes` of inputs and `rejections`. `plan` holds the rows as
    proposed, in the order of that moment."""

    plan: Plan
    changes: Mapping[str, Change]
    rejections: Mapping[str, Reject]


class DecisionHistory:
    """Undo and redo of decisions on a plan. `undo` and `redo` hold the label of what would be undone or redone ("Reject
    step 3"); empty if there is nothing."""

    def __init__(self) -> None:
        self._past: list[tuple[str, Decided]] = []
        self._future: list[tuple[str, Decided]] = []
        self.undo: Watched[str] = Watched("")
        self.redo: Watched[str] = Watched("")

    def clear(self) -> None:
        """Forget all decisions, as another plan is under review."""
        self._past.clear()
        self._future.clear()
        self._tell()

    def keep(self, label: str, before: Decided) -> None:
        """Record that a decision was made: `label` is its name in words, `before` are all decisions before it. What
        could be redone is forgotten."""
        self._past.append((label, before))
        del self._past[:-_MOST]
        self._future.clear()
        self._tell()

    def back(self, now: Decided) -> Decided | None:
        """Undo: the decisions before the last one; `now` are the present ones, to which a redo returns. None if there
        is nothing to undo."""
        return self._step(self._past, self._future, now)

    def again(self, now: Decided) -> Decided | None:
        """Redo: the decisions before the last undo; `now` are the present ones, to which an undo returns. None if there
        is nothing to redo."""
        return self._step(self._future, self._past, now)

    def _step(
        self, off: list[tuple[str, Decided]], onto: list[tuple[str, Decided]], now: Decided
    ) -> Decided | None:
        if not off:
            return None
        label, found = off.pop()
        onto.append((label, now))
        self._tell()
        return found

    def _tell(self) -> None:
        self.undo.set(self._past[-1][0] if self._past else "")
        self.redo.set(self._future[-1][0] if self._future else "")


IN_DOUBT = "it takes music away, and the request did not plainly ask for that"
"""The reason of a rejection that no person has made."""


def left_unticked(judged: Review) -> dict[str, Reject]:
    """Rejections, by step id, of the rows that take music away although the request did not ask for that; a person can
    still approve them."""
    plan = judged.plan
    if not plan.clauses and not plan.ignored:
        return {}
    return {step: Reject(step, IN_DOUBT) for step in unasked(plan)}


def verdicts(proposal: Proposal) -> Iterator[Verdict]:
    """All decisions of a person on a plan: rejected rows, then rows with changed inputs. Rejections that no person made
    are left out."""
    plan = proposal.plan
    for step, gone in proposal.rejections.items():
        if gone.reason != IN_DOUBT:
            yield Verdict(plan.request, plan.step(step), "rejected", gone.reason)
    for step, change in proposal.changes.items():
        yield Verdict(plan.request, plan.step(step), "changed", change.reason, dict(change.inputs))


def asked_again(proposal: Proposal, steps: Collection[str], wish: str) -> Iterator[Verdict]:
    """The verdicts that follow from asking for the rows `steps` again: the person's decisions on them, and, if there is
    a `wish` (what the person wants instead), a rejection with it of every other one of them."""
    decided = [one for one in verdicts(proposal) if one.step.id in steps]
    for one in decided:
        yield replace(one, reason=one.reason or wish)
    told = {one.step.id for one in decided}
    for step in proposal.plan.steps:
        if wish and step.id in steps and step.id not in told:
            yield Verdict(proposal.plan.request, step, "rejected", wish)
