"""The plan's columns: their titles, their widths, and which of them give way when it is narrow."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTreeView

from app.i18n import tr


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
