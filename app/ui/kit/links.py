"""A link of an answer is opened only after the person has seen where it leads."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from app.ui.kit.markdown import web_address
from app.words import tr

_LONGEST_SHOWN = 300


def ask_to_open(target: str, parent: QWidget) -> QMessageBox | None:
    """Ask, and open the address in the browser on yes; None if the target is no address of the web."""
    address = web_address(target)
    if address is None:
        return None
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(tr("Open link"))
    box.setText(tr("Open this address in your browser?"))
    box.setInformativeText(address[:_LONGEST_SHOWN])
    opening = box.addButton(tr("Open address"), QMessageBox.ButtonRole.AcceptRole)
    keep = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    opening.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(address)))
    box.open()
    return box
