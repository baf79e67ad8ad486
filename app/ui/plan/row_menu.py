"""What can be done with a row, as a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from app.desktop.steps.row_previews import Notes
from app.desktop.table.plan_rows import PlanRow
from app.desktop.table.row_items import item_count
from app.ui.plan.cell_parts import can_hear
from app.words import tr, trn

if TYPE_CHECKING:
    # The table makes its own menu.
    from app.ui.plan.view import PlanView


def row_menu(view: PlanView, row: PlanRow) -> QMenu:
    """The menu of the current row; what several rows can take is for all that are selected. It may be empty."""
    menu, step = QMenu(view), row.id
    if not view.cells.run:
        _review(menu, view, row)
    if can_hear(row):
        menu.addAction(tr("Hear from here"), lambda: view.hear_asked.emit(step))
    if isinstance(row.drawing, Notes) and row.drawing.notes:
        words = tr("Hide its notes") if step in view.cells.noted else tr("Show its notes")
        menu.addAction(words, lambda: view.notes_asked.emit(step))
        if row.approved:
            menu.addAction(tr("Open in the piano roll"), lambda: view.roll_asked.emit(step))
    if item_count(row):
        shown = step in view.cells.unfolded
        menu.addAction(tr("Fold its items") if shown else tr("Show its items"), lambda: view.unfold(step, not shown))
    if view.cells.run:
        if row.standing.mark.bad:
            menu.addAction(tr("Retry failed steps"), view.retry_asked.emit)
            menu.addAction(tr("Edit step…"), lambda: view.edit_asked.emit(step))
        menu.addAction(tr("Show its events"), lambda: view.events_asked.emit(step))
    else:
        _again(menu, view, row)
    return menu


def _review(menu: QMenu, view: PlanView, row: PlanRow) -> None:
    index, step = view.currentIndex(), row.id
    many = _selected(view, step)
    menu.addAction(tr("Reject step") if row.approved else tr("Approve step"), lambda: view.toggle(index))
    menu.addAction(tr("Reject {steps} with a reason…", steps=_steps(many)), lambda: view.reason_asked.emit(many))
    menu.addAction(tr("Edit step…"), lambda: view.edit_asked.emit(step))
    if row.edited:
        menu.addAction(tr("Back to proposal"), lambda: view.back_asked.emit(step))
    if row.findings and view.cells.fixable(row):
        words = tr("Fix: {what}", what=row.findings[0].message).replace("&", "&&")
        menu.addAction(words, lambda: view.fix_asked.emit(step))


def _again(menu: QMenu, view: PlanView, row: PlanRow) -> None:
    many = _selected(view, row.id)
    menu.addSeparator()
    words = tr("Ask again for {steps}…", steps=_steps(many, tr("this step")))
    menu.addAction(words, lambda: view.again_asked.emit(many))
    menu.addAction(tr("Ask again for the whole plan"), view.afresh_asked.emit)


def _selected(view: PlanView, step: str) -> list[str]:
    """The selected rows, if the current one is among them."""
    steps = view.steps()
    return steps if step in steps else [step]


def _steps(steps: list[str], one: str = "") -> str:
    return one if one and len(steps) == 1 else trn("step", "{count} steps", len(steps))
