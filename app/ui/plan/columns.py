"""The plan's columns: titles, widths, and what their cells tell: words, checks, tooltips, words for screen readers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from html import escape
from time import monotonic
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTreeView

from agent.plan.document import Finding
from agent.review.rule import Rule
from app.i18n import tr, trn
from app.viewmodels.plan.goals import acceptance_words
from app.viewmodels.plan.row_states import RowMark
from app.viewmodels.plan.rows import PlanGroup, PlanItem, PlanRow, again_words
from app.viewmodels.texts.figures import clock, lasted


class PlanColumn(IntEnum):
    """The columns of the plan table, left to right."""

    NUMBER = 0
    CHECK = 1
    STEP = 2
    PREVIEW = 3
    TARGET = 4
    SERVICE = 5
    DEPENDS = 6
    STATE = 7
    ACTIONS = 8


def title_of(column: PlanColumn) -> str:
    """The text in the header of a column."""
    return {
        PlanColumn.NUMBER: "#", PlanColumn.CHECK: "✓", PlanColumn.STEP: tr("Step"), PlanColumn.PREVIEW: tr("Preview"),
        PlanColumn.TARGET: tr("Target track"), PlanColumn.SERVICE: tr("Service"), PlanColumn.DEPENDS: tr("Depends on"),
        PlanColumn.STATE: tr("State"), PlanColumn.ACTIONS: "",
    }[column]


C = TypeVar("C", bound=IntEnum)
HEADER_HEIGHT = 22
WIDTHS = {
    PlanColumn.NUMBER: 36, PlanColumn.CHECK: 34, PlanColumn.PREVIEW: 122, PlanColumn.TARGET: 128,
    PlanColumn.SERVICE: 92, PlanColumn.DEPENDS: 86, PlanColumn.STATE: 150, PlanColumn.ACTIONS: 66,
}
_NARROW_PREVIEW = 80
_NO_SERVICE = 1010
_NO_DEPENDS = 900
NO_TOOL = 760
"""A table narrower than this (pixels) shows no names of tools."""
TOOL_WIDTH = 124


def set_up_tree(view: QTreeView, object_name: str, accessible_name: str) -> None:
    """Make a view a flat list without a frame that cannot be edited, scrolls by pixels and never sideways.
    `object_name` is the name for the style sheet, `accessible_name` that for screen readers."""
    view.setObjectName(object_name)
    view.setAccessibleName(accessible_name)
    view.setRootIsDecorated(False)
    view.setIndentation(0)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setTabKeyNavigation(False)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


def fix_header(view: QTreeView, widths: Mapping[C, int], stretched: C) -> None:
    """Make the header unchangeable: columns have `widths` in pixels, and the column `stretched` takes the rest."""
    header = view.header()
    header.setFixedHeight(HEADER_HEIGHT)
    header.setStretchLastSection(False)
    header.setSectionsMovable(False)
    header.setSectionsClickable(False)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setMinimumSectionSize(20)
    header.setTextElideMode(Qt.TextElideMode.ElideRight)
    for column, width in widths.items():
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        view.setColumnWidth(column, width)
    header.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)


def fit_columns(view: QTreeView, width: int) -> bool:
    """Hide columns that do not fit into `width` pixels, as their content is in the tooltip too; True if there is no
    room for tool names either."""
    view.setColumnHidden(PlanColumn.SERVICE, width < _NO_SERVICE)
    view.setColumnHidden(PlanColumn.DEPENDS, width < _NO_DEPENDS)
    view.setColumnWidth(PlanColumn.PREVIEW, _NARROW_PREVIEW if width < _NO_SERVICE else WIDTHS[PlanColumn.PREVIEW])
    return width < NO_TOOL


_ENDED = (RowMark.DONE, RowMark.READY, RowMark.SKIPPED, RowMark.NOT_RUN, RowMark.ROLLED_BACK, RowMark.REJECTED)


def row_tip(row: PlanRow) -> str:
    """Tooltip with all that is known of a row. Its texts are escaped, because Qt reads tooltips as rich text."""
    facts, standing = row.facts, row.standing
    said = [
        tr("Step {number}. {sentence}", number=facts.number, sentence=facts.sentence), facts.effect,
        facts.step.why and tr("Why: {why}", why=facts.step.why),
    ]
    said += [tr("Leaves the song: {service}", service=facts.outside)] if facts.outside else []
    said += [_found(one) for one in row.findings]
    said += [facts.limits, acceptance_words(facts.step)] if facts.limits and standing.mark not in _ENDED else []
    said += [tr("To do: {fix}", fix=one.fix) for one in row.findings if one.fix]
    if standing.mark not in (RowMark.CHECK, RowMark.ERROR):
        said.append(f"{standing.text}: {standing.reason}" if standing.reason else standing.text)
    if row.was and standing.mark is not RowMark.CHANGED:
        said.append(tr("New, since you asked again") if row.was == "new" else tr("Changed: {what}", what=row.was))
    if row.edited and standing.mark is not RowMark.EDITED:
        said.append(tr("Edited by you"))
    if standing.seconds is not None:
        said.append(tr("Took {time}", time=lasted(standing.seconds)))
    if standing.ends is not None and standing.ends - monotonic() >= 1:
        said.append(tr("About {time} left", time=clock(standing.ends - monotonic())))
    said.append(tr(
        "Service: {service} · Depends on: {needs} · Tool: {tool}", service=facts.service, needs=facts.depends_on,
        tool=facts.step.tool,
    ))
    return lines_tip([text for text in said if text])


def item_tip(item: PlanItem) -> str:
    """Tooltip with all that is known of an item of a loop."""
    standing = item.standing
    said = [
        tr("Item {number} of {count}. {name}", number=item.place + 1, count=item.row.item_count, name=item.name),
        f"{standing.text}: {standing.reason}" if standing.reason else standing.text,
        tr("Took {time}", time=lasted(standing.seconds)) if standing.seconds is not None else "",
        again_words(item.row) if standing.mark.bad else "",
    ]
    return lines_tip([text for text in said if text])


def accessible_item_text(item: PlanItem) -> str:
    """What a screen reader says of an item of a loop."""
    standing = item.standing
    said = tr(
        "Item {number} of {count} of step {step}, {name}, {state}", number=item.place + 1, count=item.row.item_count,
        step=item.row.facts.number, name=item.words, state=standing.text,
    )
    return f"{said}: {standing.reason}" if standing.reason else said


def _found(finding: Finding) -> str:
    """A mark on a row; that the world answers it later is no reproach."""
    if finding.level == "error":
        return tr("Cannot run: {why}", why=finding.message)
    return finding.message if finding.rule == Rule.KNOWN_LATER else tr("Check: {what}", what=finding.message)


def lines_tip(lines: list[str]) -> str:
    """Lines of plain text as a tooltip, escaped."""
    return f"<p>{'<br>'.join(escape(line) for line in lines)}</p>"


def accessible_text(item: PlanRow | PlanGroup, check: bool) -> str:
    """What a screen reader says of a row or group; `check` is True for the cell with the check box."""
    if isinstance(item, PlanGroup):
        return tr("Approve all of {group}", group=item.name) if check else f"{item.name}, {item.summary}"
    facts = item.facts
    if check:
        return tr("Approve step {number}", number=facts.number)
    track = f", {facts.target.name}" if facts.target.name != "–" else ""
    outside = tr(", leaves the song through {service}", service=facts.outside) if facts.outside else ""
    said = tr("Step {number}, {sentence}", number=facts.number, sentence=facts.sentence)
    items = item.item_count
    listed = trn(", {count:,} item", ", {count:,} items", items) if items else ""
    return f"{said}{track}{outside}{listed}, {item.standing.text}"


def told(item: PlanRow | PlanGroup | PlanItem, column: PlanColumn, role: int) -> object:
    """The data of a cell for a Qt item role; None for a role without data."""
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return _words(item).get(column, "")
        case Qt.ItemDataRole.CheckStateRole if column is PlanColumn.CHECK and not isinstance(item, PlanItem):
            return _CHECKS[item.approved]
        case Qt.ItemDataRole.TextAlignmentRole if column is PlanColumn.NUMBER and not isinstance(item, PlanItem):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        case Qt.ItemDataRole.ToolTipRole:
            return _tip(item)
        case Qt.ItemDataRole.AccessibleTextRole:
            check = column is PlanColumn.CHECK
            return accessible_item_text(item) if isinstance(item, PlanItem) else accessible_text(item, check)
    return None


def _tip(item: PlanRow | PlanGroup | PlanItem) -> str:
    if isinstance(item, PlanGroup):
        return lines_tip([item.name, item.summary])
    return row_tip(item) if isinstance(item, PlanRow) else item_tip(item)


_CHECKS = {True: Qt.CheckState.Checked, False: Qt.CheckState.Unchecked, None: Qt.CheckState.PartiallyChecked}


def _words(item: PlanRow | PlanGroup | PlanItem) -> dict[PlanColumn, str]:
    if isinstance(item, PlanGroup):
        return {PlanColumn.NUMBER: item.name}
    if isinstance(item, PlanItem):
        return {PlanColumn.NUMBER: item.number, PlanColumn.STEP: item.words, PlanColumn.STATE: item.standing.text}
    facts = item.facts
    return {
        PlanColumn.NUMBER: str(facts.number), PlanColumn.STEP: facts.sentence, PlanColumn.TARGET: facts.target.name,
        PlanColumn.SERVICE: facts.service, PlanColumn.DEPENDS: facts.depends_on,
        PlanColumn.STATE: item.standing.text,
    }
