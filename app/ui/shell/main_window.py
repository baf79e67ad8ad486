"""The main window: shows what a desktop opens, and leads what happens to the window there. It has no logic."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent

from app.ui.kit.theme import Theme
from app.ui.shell.looks import Looks, to_text
from app.ui.shell.window_frame import WindowFrame

if TYPE_CHECKING:
    # Everything of the song and its database is slow to import; the window is shown before it.
    from app.ui.kit.context import Kit
    from app.ui.kit.tasks import Coalesced
    from app.ui.shell.action_set import ActionSet
    from app.ui.shell.attached import Attached
    from app.ui.shell.views import ViewFactories
    from app.viewmodels.desktop import Desktop

_SETTLE_MS = 0


class MainWindow(WindowFrame):
    """The main window; empty until `attach` fills it with the application behind it.

    Signal `closing` is emitted when the person closes the window; whoever owns it then calls `detach`."""

    closing = Signal()

    actions_: ActionSet
    """The window's actions; set by `attach`."""

    _soon: Coalesced | None = None
    _attached: Attached | None = None

    def __init__(self, theme: Theme, looks: Looks) -> None:
        super().__init__(looks, self._ask)
        self._theme = theme
        self._looks = looks
        self.setAcceptDrops(True)
        self.restarting = False
        """Whether it was closed to be opened again at once."""

    def attach(self, desktop: Desktop, kit: Kit, make: ViewFactories) -> None:
        """Show what the desktop opens, from now on; to be called once."""
        from app.ui.kit.tasks import Coalesced
        from app.ui.shell.action_set import ActionSet
        from app.ui.shell.attached import Attached

        self.actions_ = ActionSet(self)
        self.actions_.fill(self.top.menus)
        self.top.complete(kit, self.actions_["window.find"])
        self._soon = Coalesced(_SETTLE_MS, self._refresh, self, kit.turns)
        self._attached = Attached(self, self.actions_, kit, desktop, make, self._ask)
        self._refresh()

    def detach(self) -> None:
        """Close all views and end all subscriptions."""
        if self._soon is not None:
            self._soon.drop()
        attached, self._attached = self._attached, None
        if attached is not None:
            attached.close()
        self.status.close_view()

    def looks(self) -> Looks:
        """Geometry, layout and preferences of the window, to be stored and restored at the next start."""
        placed = replace(self._looks, theme=self._theme.choice)
        # A hidden window has its ordinary size, also where it was maximized; what was kept when it was closed counts.
        if self.isVisible():
            layout = self.docks.layout_now() or self._looks.layout
            placed = replace(placed, geometry=to_text(self.saveGeometry()), layout=layout, tab=self.docks.tab,
                             sizes=self.docks.sizes.to_text())
        if self._attached is None:
            return placed
        preferences = self._attached.preferences.value
        return placed.living_by(preferences.theme, preferences.language, preferences.zoom, still=preferences.calm)

    def restart(self) -> None:
        """Close the window; the program starts anew with the same project."""
        self.restarting = True
        self.close()

    def unsent(self) -> str:
        """The text in the chat's request box that was not sent; empty for none."""
        return "" if self._attached is None else self._attached.unsent()

    def put_request(self, request: str) -> None:
        """Write a request into the chat's box without sending it."""
        if self._attached is not None:
            self._attached.put_request(request)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Hide the window and emit `closing`; its owner ends the program."""
        event.ignore()
        self._looks = self.looks()
        self.hide()
        self.closing.emit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """On activation, dismiss notifications and refresh the actions."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange:
            if self._attached is not None and self.isActiveWindow():
                self._attached.notices.messenger.close()
            self._ask()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Accept a MIDI file and show the drop outline."""
        path = None if self._attached is None else self._attached.offered(event.mimeData())
        if path is not None:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802, ARG002
        """Remove the drop outline."""
        if self._attached is not None:
            self._attached.outline.hide()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Open the dropped MIDI file."""
        path: Path | None = None if self._attached is None else self._attached.dropped(event.mimeData())
        if path is not None:
            event.acceptProposedAction()

    def _ask(self) -> None:
        if self._soon is not None and self._attached is not None:
            self._soon.ask()

    def _refresh(self) -> None:
        if self._attached is not None:
            self._attached.refresh()
