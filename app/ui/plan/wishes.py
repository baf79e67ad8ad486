"""What a person says to rows: why they are rejected, and what should be other when they are proposed again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.desktop.open_project import OpenProject
from app.desktop.plan.replan_diff import steps_named
from app.desktop.plan.rows import PlanTable
from app.desktop.texts.troubles import Trouble
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Work
from app.ui.plan.widgets import AskLine
from app.words import tr, trn

_MOST = 4
"""Numbers that are named one by one."""


class Wishes:
    """Asks in its line, and starts what comes of it. `shown` is the table of the moment."""

    def __init__(self, opened: OpenProject, kit: Kit, line: AskLine, shown: Callable[[], PlanTable]) -> None:
        self._opened = opened
        self._kit = kit
        self._line = line
        self._shown = shown

    def reject(self, steps: Sequence[str]) -> None:
        """Reject rows, with a reason if one is given."""
        reviewing, known = self._opened.reviewing, self._known(steps)
        if known:
            self._line.ask(
                tr("Reject {steps} because", steps=self._named(known)),
                tr("the bass is too busy (later plans are told of it)"), tr("Reject"),
                lambda reason: self._start(known, lambda rows: reviewing.reject(rows, reason)),
            )

    def again(self, steps: Sequence[str]) -> None:
        """Ask for rows again, with a wish if one is given."""
        asking, known = self._opened.asking, self._known(steps)
        if known and self._opened.choosing.chosen.value.local:
            self._kit.troubles.told.emit(Trouble(
                "plan", tr("single steps are not asked for again"), tr("the built-in composer writes only whole plans"),
                tr("choose a model below the request box, edit the step, or ask again for the whole plan"),
            ))
        elif known:
            self._line.ask(
                tr("Ask again for {steps}", steps=self._named(known)),
                tr("what should be different, if you know"), tr("Ask again"),
                lambda wish: self._start(known, lambda rows: asking.ask_again(rows, wish)),
            )

    def afresh(self) -> None:
        """Ask for the whole plan again."""
        if self._opened.reviewing.proposal.value is not None:
            self._kit.tasks.start(self._opened.asking.ask_afresh(), "plan")

    def forget(self) -> None:
        """There is nothing to say words to any more."""
        if not self._line.isHidden():
            self._line.cancel()

    def _known(self, steps: Sequence[str]) -> list[str]:
        """Those rows that are under review."""
        proposal = self._opened.reviewing.proposal.value
        known = set() if proposal is None else {step.id for step in proposal.plan.steps}
        return [step for step in steps if step in known]

    def _named(self, steps: Sequence[str]) -> str:
        wanted = set(steps)
        numbers = [row.facts.number for row in self._shown().rows if row.id in wanted]
        return steps_named(numbers) if len(numbers) <= _MOST else trn("{count} step", "{count} steps", len(numbers))

    def _start(self, steps: Sequence[str], work: Callable[[list[str]], Work]) -> None:
        """The plan may be another by the time that the words are written."""
        known = self._known(steps)
        if known:
            self._kit.tasks.start(work(known), "plan")
