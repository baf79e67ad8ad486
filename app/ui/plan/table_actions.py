"""What keys, clicks and menus of the plan's table mean, as values; the rest is the window's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from app.i18n import tr, trn
from app.ui.plan.columns import PlanColumn
from app.ui.plan.model import PlanModel
from app.viewmodels.plan.row_previews import Notes
from app.viewmodels.plan.rows import PlanGroup, PlanItem, PlanRow, place_beside

PlanAction: TypeAlias = Literal[
    "run", "discard", "approve all", "reject all", "toggle", "undo", "redo", "afresh", "save", "open", "hear", "side",
    "loop", "retry", "roll back", "stop", "pause", "approve", "reject", "reason", "again", "move above", "move below",
    "edit", "back", "fix", "repair", "notes", "roll", "events", "hear row", "hear edits", "skip", "approve edits",
]
"""What can be done with the plan as a whole: approve and run it, throw it away, decide on all rows or the current one,
take decisions back or bring them again, ask for it afresh, save it or open another, hear it, change between A and B or
loop what is compared; with its run: retry, roll back, stop, pause; with rows: approve or reject them, reject them with
a reason, ask for them again, put the first above or below the second; with one row: edit, change back, mend a mark, ask
the model for a repair, open or close notes, see the clip in the piano roll or the events, hear it or its edits that
wait, leave it out, accept its edits."""


@dataclass(frozen=True)
class PlanRequest:
    """An action for the panel on the rows `steps` (step ids); empty if it is about the whole plan."""

    action: PlanAction
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unfold:
    """Show (`on`) or hide the loop items of the row `step`."""

    step: str
    on: bool


@dataclass(frozen=True)
class FoldGroup:
    """Close an open group, or open a closed one."""

    index: QModelIndex


@dataclass(frozen=True)
class GoTo:
    """Make another cell the current one."""

    index: QModelIndex


TableAction: TypeAlias = PlanRequest | Unfold | FoldGroup | GoTo


def toggled(model: PlanModel, index: QModelIndex) -> PlanRequest | None:
    """Approve or reject the row or the whole group at an index; None if there is nothing to approve there."""
    item = model.item(index)
    if model.run or item is None or isinstance(item, PlanItem):
        return None
    if isinstance(item, PlanGroup):
        return _decided(item.rows, item.approved is not True)
    return _decided((item,), not item.approved)


def all_decided(model: PlanModel, *, approved: bool) -> PlanRequest | None:
    """Approve all rows shown, or reject them if not `approved`; None while a run is shown."""
    return None if model.run else _decided([row for group in model.table.groups for row in group.rows], approved)


def moved(model: PlanModel, index: QModelIndex, by: int) -> PlanRequest | None:
    """Move the row at an index up (`by` -1) or down (1); at the edge of its group it joins the next group. None while a
    run is shown, at the table's end, and without a row."""
    row = model.row_at(index)
    place = None if model.run or row is None else place_beside(model.table, row.id, by)
    return None if row is None or place is None else move_beside(row.id, *place)


def move_beside(step: str, beside: str, below: bool) -> PlanRequest:
    """The request to put the row `step` right above (or `below`) the row `beside`."""
    return PlanRequest("move below" if below else "move above", (step, beside))


def _decided(rows: Iterable[PlanRow], approved: bool) -> PlanRequest:
    return PlanRequest("approve" if approved else "reject", tuple(row.id for row in rows))


BOX = 14
GROUP_BOX_LEFT = 34
_FIX_WIDTH = 34
_ACTION = 26
_ITEMS_WIDTH = 84


CellPart: TypeAlias = Literal["row", "caret", "check", "edit", "hear row", "fix", "notes", "retry"]
"""A part of a cell that reacts to a click: it selects the row, folds, approves or rejects it, or is a button for an
action."""


def fix_area(area: QRect) -> QRect:
    """The rectangle of the fix button in a state cell."""
    return QRect(area.right() - _FIX_WIDTH - 4, area.y() + 3, _FIX_WIDTH, area.height() - 7)


def action_areas(area: QRect) -> tuple[QRect, QRect]:
    """The rectangles of the audition and edit buttons in a cell, in this order."""
    edit = QRect(area.right() - _ACTION - 4, area.y(), _ACTION, area.height())
    return edit.translated(-_ACTION, 0), edit


def items_area(area: QRect) -> QRect:
    """The rectangle of the fold button for a row's items, at the end of its sentence cell."""
    return QRect(area.right() - _ITEMS_WIDTH, area.y(), _ITEMS_WIDTH, area.height())


def editable(row: PlanRow, *, run: bool) -> bool:
    """Whether a row's inputs can be edited: before a run every row, in a run only a failed one."""
    return not run or row.standing.mark.bad


def can_hear(row: PlanRow) -> bool:
    """Whether the row can be auditioned, as it makes something that sounds at one place of the song."""
    return row.approved and row.facts.start is not None


def part_at(
    model: PlanModel, item: PlanRow | PlanGroup | PlanItem, column: PlanColumn, area: QRect, x: int, y: int
) -> CellPart:
    """The part of a cell at pixel (`x`, `y`); the cell lies in `area`."""
    run = model.run
    if isinstance(item, PlanGroup):
        in_box = GROUP_BOX_LEFT - 5 <= x <= GROUP_BOX_LEFT + BOX + 5
        return "check" if in_box and not run else "caret"
    if isinstance(item, PlanItem):
        again = column is PlanColumn.ACTIONS and item.standing.mark.bad and not model.busy
        return "retry" if again and action_areas(area)[1].contains(x, y) else "row"
    match column:
        case PlanColumn.STEP if item.item_count and items_area(area).contains(x, y):
            return "caret"
        case PlanColumn.CHECK if not run:
            return "check"
        case PlanColumn.STATE if not run and fix_area(area).contains(x, y) and item.findings and model.fixable(item):
            return "fix"
        case PlanColumn.PREVIEW if isinstance(item.drawing, Notes) and item.drawing.notes:
            return "notes"
        case PlanColumn.ACTIONS:
            hear, edit = action_areas(area)
            if hear.contains(x, y) and can_hear(item):
                return "hear row"
            if edit.contains(x, y) and editable(item, run=run):
                return "edit"
    return "row"


@dataclass(frozen=True)
class CellSpot:
    """A place in the table: the cell's index, the row, group or item it shows (None: a story), and the part of it that
    was hit."""

    index: QModelIndex
    item: PlanRow | PlanGroup | PlanItem | None
    part: CellPart


def clicked(model: PlanModel, spot: CellSpot) -> TableAction | None:
    """The action of a click; None if it only selects the row."""
    item, part = spot.item, spot.part
    if item is None or part == "row":
        return None
    if part == "caret":
        return Unfold(item.id, item.id not in model.unfolded) if isinstance(item, PlanRow) else FoldGroup(spot.index)
    if part == "check":
        return toggled(model, spot.index)
    return PlanRequest(part, (item.id,) if isinstance(item, PlanRow) else ())


def double_clicked(spot: CellSpot) -> PlanRequest | None:
    """The action of a double click: edit the row, or show its clip. None on parts that react to single clicks."""
    if not isinstance(spot.item, PlanRow) or spot.part not in ("row", "notes"):
        return None
    return PlanRequest("edit" if spot.part == "row" else "roll", (spot.item.id,))


def held(spot: CellSpot) -> str:
    """The id of the row that is pressed by its number and can be dragged; empty if there is none."""
    by_number = isinstance(spot.item, PlanRow) and spot.index.column() == PlanColumn.NUMBER
    return spot.item.id if by_number and isinstance(spot.item, PlanRow) else ""


MenuEntry: TypeAlias = tuple[str, TableAction | None] | None
"""Text of a menu entry and the function that it calls; None is a separator."""


def row_entries(row: PlanRow, index: QModelIndex, selected: tuple[str, ...], model: PlanModel) -> list[MenuEntry]:
    """The context menu entries of the row at an index; those for several rows act on all `selected` step ids if the row
    is among them."""
    one, many = (row.id,), selected if row.id in selected else (row.id,)
    found: list[MenuEntry] = [] if model.run else _review(row, index, many, model)
    if can_hear(row):
        found.append((tr("Hear from here"), PlanRequest("hear row", one)))
    if isinstance(row.drawing, Notes) and row.drawing.notes:
        words = tr("Hide its notes") if row.id in model.noted else tr("Show its notes")
        found.append((words, PlanRequest("notes", one)))
        if row.approved:
            found.append((tr("Open in the piano roll"), PlanRequest("roll", one)))
    if row.item_count:
        shown = row.id in model.unfolded
        found.append((tr("Fold its items") if shown else tr("Show its items"), Unfold(row.id, not shown)))
    if not model.run:
        return [*found, *_again(many)]
    if row.standing.mark.bad:
        found += [(tr("Retry failed steps"), PlanRequest("retry")), (tr("Edit step…"), PlanRequest("edit", one))]
    return [*found, (tr("Show its events"), PlanRequest("events", one))]


def _review(row: PlanRow, index: QModelIndex, many: tuple[str, ...], model: PlanModel) -> list[MenuEntry]:
    found: list[MenuEntry] = [
        (tr("Reject step") if row.approved else tr("Approve step"), toggled(model, index)),
        (tr("Reject {steps} with a reason…", steps=_steps(many)), PlanRequest("reason", many)),
        (tr("Edit step…"), PlanRequest("edit", (row.id,))),
    ]
    if row.edited:
        found.append((tr("Back to proposal"), PlanRequest("back", (row.id,))))
    if row.findings and model.fixable(row):
        words = tr("Fix: {what}", what=row.findings[0].message).replace("&", "&&")
        found.append((words, PlanRequest("fix", (row.id,))))
    return found


def _again(many: tuple[str, ...]) -> list[MenuEntry]:
    words = tr("Ask again for {steps}…", steps=_steps(many, tr("this step")))
    return [None, (words, PlanRequest("again", many)), (tr("Ask again for the whole plan"), PlanRequest("afresh"))]


def _steps(steps: tuple[str, ...], one: str = "") -> str:
    return one if one and len(steps) == 1 else trn("step", "{count} steps", len(steps))


_ENTER = (Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_SIDES = (Qt.Key.Key_Left, Qt.Key.Key_Right)
_PLAIN = Qt.KeyboardModifier.NoModifier


def key_taken(event: QKeyEvent, index: QModelIndex) -> bool:
    """Whether the table handles a key on a cell even if it is also a shortcut of the window."""
    return _ticks(event, index) or _moves(event)


def key_pressed(
    model: PlanModel, event: QKeyEvent, index: QModelIndex
) -> TableAction | Literal["window", "qt"] | None:
    """The action of a key on a cell (X, F2, Space on ✓, arrows). "window" and "qt" leave it to the window or to Qt;
    None does nothing."""
    key, control = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    if _moves(event):
        return moved(model, index, 1 if key == Qt.Key.Key_Down else -1)
    if _ticks(event, index) or (key == Qt.Key.Key_X and event.modifiers() == _PLAIN):
        return toggled(model, index)
    if event.matches(QKeySequence.StandardKey.SelectAll) or (key == Qt.Key.Key_A and control):
        return all_decided(model, approved=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    item = model.item(index)
    if isinstance(item, PlanRow | PlanItem) and key in _ENTER:
        row = item if isinstance(item, PlanRow) else item.row
        return "window" if control else PlanRequest("edit", (row.id,))
    if isinstance(item, PlanRow) and key in _SIDES:
        return _sideways(model, item, index, PlanColumn.CHECK if key == Qt.Key.Key_Left else PlanColumn.STEP)
    if isinstance(item, PlanItem) and key in _SIDES:
        return GoTo(model.row_index(item.row.id, PlanColumn.STEP)) if key == Qt.Key.Key_Left else None
    letter = key == Qt.Key.Key_Space or (event.text().isprintable() and event.text())
    return "window" if letter else "qt"


def _sideways(model: PlanModel, row: PlanRow, index: QModelIndex, column: PlanColumn) -> TableAction:
    """On the sentence Right opens what lies below a row and Left closes it; else they change the cell."""
    opens = column is PlanColumn.STEP
    noted, unfolded = row.id in model.noted, row.id in model.unfolded
    on_check = index.column() == PlanColumn.CHECK
    if not on_check and model.has_items(row.id) and unfolded is not opens:
        return Unfold(row.id, opens)
    if not on_check and noted is not opens and (noted or isinstance(row.drawing, Notes)):
        return PlanRequest("notes", (row.id,))
    return GoTo(index.parent() if on_check and not opens else index.siblingAtColumn(column))


class UndoOfDecisions(QObject):
    """While there are decisions to undo or redo, makes the keys for undo and redo act on them in all `parts`.
    `undoable` returns the labels of the decisions to undo and to redo, each empty for none."""

    def __init__(
        self, parts: Sequence[QWidget], undoable: Callable[[], tuple[str, str]], undo: Callable[[], None],
        redo: Callable[[], None],
    ) -> None:
        super().__init__(parts[0])
        self._undoable = undoable
        self._ways = (undo, redo)
        for part in parts:
            part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Take the undo and redo keys that no widget inside a part has handled."""
        kinds = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        if event.type() not in kinds or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        redo = event.matches(QKeySequence.StandardKey.Redo) or (
            event.key() == Qt.Key.Key_Y and event.modifiers() == Qt.KeyboardModifier.ControlModifier
        )
        if not (redo or event.matches(QKeySequence.StandardKey.Undo)) or not self._undoable()[redo]:
            return False
        event.accept()
        if event.type() is QEvent.Type.KeyPress:
            self._ways[redo]()
        return True


def _moves(event: QKeyEvent) -> bool:
    return event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier and \
        event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)


def _ticks(event: QKeyEvent, index: QModelIndex) -> bool:
    return event.key() == Qt.Key.Key_Space and event.modifiers() == _PLAIN and index.column() == PlanColumn.CHECK
