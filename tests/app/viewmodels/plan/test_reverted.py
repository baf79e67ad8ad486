"""Whether a run's work is in the song that is shown, told from the version tree alone."""

from __future__ import annotations

import pytest

from agent.plan.document import Plan
from agent.session.run_state import RunState
from agent.song.ids import IterationId, ProjectId, RunId
from agent.song.revision import ContentHash
from app.storage.records import Event, Iteration, Run, Source
from app.studio.running.run_view import RunView
from app.viewmodels.plan.reverted import reverted

PROJECT, NOTHING = ProjectId("p"), ContentHash("0" * 64)


def tree(*rows: tuple[int, int, Source, str]) -> tuple[Iteration, ...]:
    """Versions by (number, number of the parent, source, message), newest first."""
    made = [
        Iteration(IterationId(f"i{number}"), PROJECT, NOTHING, source, "person",
                  IterationId(f"i{parent}") if parent else None, message, number=number)
        for number, parent, source, message in rows
    ]
    return tuple(made[::-1])


def run(iteration: str | None = "i2", *events: Event) -> RunView:
    record = Run(RunId("r"), PROJECT, "more", RunState.COMPLETED, NOTHING, NOTHING, 1, "local",
                 iteration=None if iteration is None else IterationId(iteration))
    return RunView(record, Plan((), PROJECT), (), (), events, None, None)


BASE = ((1, 0, "edit", ""), (2, 1, "ai_iteration", "more"))


@pytest.mark.parametrize(("more", "head"), [
    ((), "i2"),
    (((3, 2, "edit", ""),), "i3"),
    (((3, 2, "restore", "undo i1"), (4, 3, "restore", "redo i2")), "i4"),
    (((3, 2, "restore", "restore i1"), (4, 3, "restore", "undo i2")), "i4"),
    (((3, 2, "edit", ""), (4, 3, "restore", "restore i1"), (5, 4, "restore", "restore i3"), (6, 5, "edit", "")), "i6"),
    (((3, 2, "restore", "branch i2"), (4, 3, "edit", "")), "i4"),
])
def test_the_work_is_there_after_it_and_after_it_was_brought_back(
    more: tuple[tuple[int, int, Source, str], ...], head: str
) -> None:
    assert reverted(tree(*BASE, *more), IterationId(head), run()) is None


@pytest.mark.parametrize(("more", "head", "how", "number", "redo"), [
    (((3, 2, "restore", "undo i1"),), "i3", "undone", 3, "i2"),
    (((3, 2, "edit", ""), (4, 3, "restore", "undo i2"), (5, 4, "restore", "undo i1")), "i5", "undone", 5, "i2"),
    (((3, 2, "restore", "undo i1"), (4, 3, "edit", "")), "i4", "undone", 4, None),
    (((3, 2, "restore", "restore i1"),), "i3", "restored", 1, None),
    (((3, 2, "restore", "restore i1"), (4, 3, "edit", "")), "i4", "restored", 1, None),
    (((3, 1, "restore", "branch i1"), (4, 3, "edit", "")), "i4", "elsewhere", 4, None),
    (((3, 2, "edit", ""),), "i1", "elsewhere", 1, None),
])
def test_how_it_went_away(
    more: tuple[tuple[int, int, Source, str], ...], head: str, how: str, number: int, redo: str | None
) -> None:
    found = reverted(tree(*BASE, *more), IterationId(head), run())
    assert found is not None
    assert (found.how, found.number, found.redo, found.made, found.again) == (how, number, redo, "i2", 2)


def test_a_roll_back_is_told_from_other_restores_and_can_be_undone() -> None:
    view = run("i2", Event("RUN_ROLLED_BACK", '{"iteration":"i3"}'))
    back = (*BASE, (3, 2, "restore", "restore i1"))
    found = reverted(tree(*back), IterationId("i3"), view)
    assert found is not None
    assert found.how == "rolled back"
    assert reverted(tree(*back, (4, 3, "restore", "undo i2")), IterationId("i4"), view) is None


def test_a_run_that_made_nothing_is_nowhere_taken_from() -> None:
    assert reverted(tree(*BASE), IterationId("i2"), run(None)) is None
    assert reverted((), None, run()) is None
