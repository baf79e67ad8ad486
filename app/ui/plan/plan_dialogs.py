"""Asks which file the plan is saved in, or read from."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from app.desktop.open_project import OpenProject
from app.desktop.plan_files import ENDING, file_name, open_plan, save_plan
from app.ui.kit.context import Kit
from app.ui.plan.widgets import Strip
from app.words import tr


class PlanDialogs:
    """Errors are told where those of the plan are; what was done, in the notice."""

    def __init__(self, opened: OpenProject, kit: Kit, parent: QWidget, notice: Strip) -> None:
        self._opened = opened
        self._kit = kit
        self._parent = parent
        self._notice = notice
        self.dialog: QFileDialog | None = None

    def close(self) -> None:
        """Close what is open."""
        if self.dialog is not None:
            self.dialog.close()

    def save(self) -> None:
        """Ask where the plan goes."""
        if self._opened.reviewing.proposal.value is not None:
            dialog = self._dialog(tr("Save plan"), self.write)
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setDefaultSuffix(ENDING.removeprefix("."))
            dialog.selectFile(file_name(self._opened))
            dialog.open()

    def open(self) -> None:
        """Ask which plan is read."""
        dialog = self._dialog(tr("Open plan"), self.read)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.open()

    def write(self, name: str) -> None:
        """Save the plan in this file."""
        self._kit.tasks.start(self._told(save_plan(self._opened, Path(name))), "plan")

    def read(self, name: str) -> None:
        """Put the plan of this file up for review."""
        self._kit.tasks.start(self._told(open_plan(self._opened, Path(name))), "plan")

    async def _told(self, work: Coroutine[None, None, str]) -> None:
        self._notice.tell(await work, [(tr("Close"), lambda: None)])

    def _dialog(self, title: str, chosen: Callable[[str], None]) -> QFileDialog:
        self.close()
        kinds = f"{tr('Plans')} (*.json)"
        dialog = QFileDialog(self._parent, title, str(self._opened.studio.paths.exports), kinds)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(chosen)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        return dialog

    def _closed(self) -> None:
        self.dialog = None
