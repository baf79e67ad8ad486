"""A link of an answer is opened only after the person has seen where it leads."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from app.i18n import tr
from app.ui.kit.markdown import web_address

_LONG = re.compile(r"(\S{40})(?=\S)")


def ask_to_open(target: str, parent: QWidget) -> QMessageBox | None:
    """Ask with the whole address shown, and open it in the browser on yes; returns the message box, or None (and asks
    nothing) for a target that is no web address."""
    address = web_address(target)
    if address is None:
        return None
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(tr("Open link"))
    # Who is asked stands apart: an address may begin with the name of somebody else.
    box.setText(tr("Open this address of {host} in your browser?", host=urlsplit(address).hostname or ""))
    box.setInformativeText(_LONG.sub("\\1\u200b", address))
    opening = box.addButton(tr("Open address"), QMessageBox.ButtonRole.AcceptRole)
    keep = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    opening.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(address)))
    box.open()
    return box
